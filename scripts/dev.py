"""Run the app, the tests or the linters on a machine that has only Python 3.11 or newer.

    python3 scripts/dev.py run      make .venv, install requirements.txt, start the app
    python3 scripts/dev.py test     make .venv, install requirements-dev.txt and a browser, run every test
    python3 scripts/dev.py check    the linters and the type checker

``make run``, ``make test`` and ``make check`` call this file; on Windows it is called directly
(``py scripts/dev.py run``). Standard library only, because it runs before anything is installed, and
no syntax newer than Python 3.7, so that an old Python is told what to do rather than shown a
SyntaxError.

Not here: deployment, and which versions are installed (requirements.txt, requirements-dev.txt).
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import webbrowser
from pathlib import Path
from typing import Iterator, NoReturn, Optional, Sequence

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
OLDEST_PYTHON = (3, 11)
FIRST_PORT = 8501
WINDOWS = os.name == "nt"

NO_BROWSER = (
    "The browser tests need Chromium or Chrome: install one (Debian: apt install chromium; elsewhere Chrome, "
    "or .venv/bin/playwright install chromium), or set BPE_CHROMIUM to the path of its program."
)


# --- the virtual environment ------------------------------------------------------------------


def stop(sentence: str) -> NoReturn:
    """End with one line for a person and exit code 1."""
    print(sentence, file=sys.stderr)
    sys.exit(1)


def succeeds(command: Sequence[str]) -> bool:
    """Whether a command can be started and exits with 0; its output is not shown."""
    quiet = subprocess.DEVNULL
    try:
        done = subprocess.run(command, stdin=quiet, stdout=quiet, stderr=quiet, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def recent_enough(python: str) -> bool:
    """Whether this Python starts and is at least OLDEST_PYTHON."""
    return succeeds([python, "-c", "import sys; sys.exit(sys.version_info < {})".format(OLDEST_PYTHON)])


def base_python() -> str:
    """A Python that can make the virtual environment: this one if it will do, else another on PATH."""
    newer = [shutil.which("python3.{}".format(minor)) for minor in range(16, OLDEST_PYTHON[1] - 1, -1)]
    good = [python for python in [sys.executable, *newer] if python and recent_enough(python)]
    for python in good:
        if succeeds([python, "-c", "import venv, ensurepip"]):
            return python
    if good:
        stop(
            "This Python cannot make a virtual environment: install its venv package "
            "(Debian and Ubuntu: sudo apt install python3-venv), then run this again."
        )
    stop(
        "Python {}.{} or newer is needed and this is {}.{}: install one from "
        "https://www.python.org/downloads/, then run this again.".format(
            *OLDEST_PYTHON, *sys.version_info[:2]
        )
    )


def venv_python() -> str:
    """The path of the virtual environment's Python; makes the environment if it is missing or broken."""
    python = str(VENV / ("Scripts/python.exe" if WINDOWS else "bin/python"))
    if not (recent_enough(python) and succeeds([python, "-m", "pip", "--version"])):
        base = base_python()
        print("Making the virtual environment .venv ...", flush=True)
        if subprocess.run([base, "-m", "venv", "--clear", str(VENV)]).returncode != 0:
            stop("The virtual environment .venv could not be made; the message above says why.")
    return python


def install(python: str, *names: str) -> None:
    """Install requirement files, the last of which includes the others, unless none has changed since."""
    digest = hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in names)).hexdigest()
    stamp = VENV / "installed-{}".format(names[-1])
    if stamp.exists() and stamp.read_text() == digest:
        return
    print("Installing {} into .venv (the first time takes a minute or two) ...".format(names[-1]), flush=True)
    pip = [python, "-m", "pip", "--disable-pip-version-check"]
    if subprocess.run([*pip, "install", "--quiet", "-r", str(ROOT / names[-1])]).returncode != 0:
        stop("{} could not be installed; pip's message above says why.".format(names[-1]))
    stamp.write_text(digest)


# --- run --------------------------------------------------------------------------------------


def free_port(host: str, first: int) -> int:
    """The first port from ``first`` on that nothing listens on."""
    for port in range(first, min(first + 100, 65536)):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            if not WINDOWS:  # there the option would let two programs share a port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    stop("No free port from {} on: give another with --port.".format(first))


def has_desktop() -> bool:
    """Whether opening a browser makes sense: not in CI, not over SSH, not without a display."""
    if os.environ.get("CI") or os.environ.get("SSH_CONNECTION"):
        return False
    if WINDOWS or sys.platform == "darwin":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def healthy(address: str) -> bool:
    """Whether the app at this address answers that it is ready."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # no proxy for this machine
    try:
        with direct.open(address + "/_stcore/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def run_app(host: str, first_port: int) -> int:
    """Start the app, print its address once it answers, open a browser on a desktop; returns an exit code."""
    python = venv_python()
    install(python, "requirements.txt")
    port = free_port(host, first_port)
    if port != first_port:
        print("Port {} is in use; taking {}.".format(first_port, port), flush=True)
    address = "http://{}:{}".format("127.0.0.1" if host == "0.0.0.0" else host, port)
    flags = ["--server.address", host, "--server.port", str(port)]
    flags += ["--server.headless", "true", "--logger.hideWelcomeMessage", "true"]
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a polite kill also takes the server along
    server = subprocess.Popen([python, "-m", "streamlit", "run", str(ROOT / "app.py"), *flags], cwd=str(ROOT))
    try:
        while server.poll() is None and not healthy(address):
            time.sleep(0.1)
        if server.poll() is None:
            print("\n  The app is at {}\n  Stop it with Ctrl+C.\n".format(address), flush=True)
            if has_desktop():
                webbrowser.open(address)
        return server.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        if server.poll() is None:
            server.terminate()
            try:
                server.wait(timeout=10)
            except subprocess.TimeoutExpired:
                server.kill()


# --- the browser for the tests ----------------------------------------------------------------


def browser_places() -> Iterator[str]:
    """Where Chromium, Chrome or Edge may be, the likeliest first; most of these do not exist."""
    names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"]
    for name in [*names, "microsoft-edge-stable", "microsoft-edge"]:
        yield shutil.which(name) or ""
    for folder in [Path("/Applications"), Path.home() / "Applications"]:
        for name in ["Google Chrome", "Chromium", "Microsoft Edge"]:
            yield str(folder / "{0}.app/Contents/MacOS/{0}".format(name))
    for variable in ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"]:
        if variable in os.environ:
            for program in ["Google/Chrome/Application/chrome.exe", "Microsoft/Edge/Application/msedge.exe"]:
                yield str(Path(os.environ[variable]) / program)
    # What "playwright install chromium" downloads.
    caches = ["~/.cache", "~/Library/Caches", os.environ.get("LOCALAPPDATA", "~")]
    downloads = [str(Path(cache).expanduser() / "ms-playwright") for cache in caches]
    for folder in map(Path, [os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or downloads[0], *downloads]):
        for pattern in ["chrome", "chrome.exe", "*.app/Contents/MacOS/*"]:
            yield from sorted(map(str, folder.glob("chromium-*/chrome-*/" + pattern)), reverse=True)


def find_chromium() -> Optional[str]:
    """The program of a Chromium that starts, or None. BPE_CHROMIUM, where set, is the only one tried."""
    given = os.environ.get("BPE_CHROMIUM")
    for place in [shutil.which(given) or ""] if given else browser_places():
        # On Windows "--version" would open a window, so there its existence has to do.
        if place and Path(place).is_file() and (WINDOWS or succeeds([place, "--version"])):
            return place
    return None


def install_chromium(python: str) -> None:
    """Get a Chromium by the means this machine allows; what fails is left to the browser tests to report."""
    root = not WINDOWS and os.geteuid() == 0
    sudo = [] if root else ["sudo", "-n"]
    release = Path("/etc/os-release")
    # Ubuntu's "chromium" package only points to a snap, which does not start in a container.
    debian = release.is_file() and "ID=debian" in release.read_text().splitlines() and shutil.which("apt-get")
    if debian and (root or succeeds(["sudo", "-n", "true"])):
        print("Installing Debian's chromium for the browser tests ...", flush=True)
        apt = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
        subprocess.run([*apt, "update"])
        chromium = ["install", "-y", "--no-install-recommends", "chromium"]
        subprocess.run([*apt, *chromium], stdout=subprocess.DEVNULL)
        if find_chromium():
            return
    print("Downloading Playwright's chromium for the browser tests ...", flush=True)
    with_libraries = ["--with-deps"] if root and sys.platform == "linux" else []
    subprocess.run([python, "-m", "playwright", "install", *with_libraries, "chromium"])


# --- test, check ------------------------------------------------------------------------------


def run_tests(arguments: Sequence[str]) -> int:
    """Install what the tests need and run them; further arguments go to pytest."""
    python = venv_python()
    install(python, "requirements.txt", "requirements-dev.txt")
    if find_chromium() is None and "BPE_CHROMIUM" not in os.environ:
        install_chromium(python)
    # Side by side on the cores there are; "-n 0" among the arguments takes that back.
    side_by_side = ["-n", str(min(os.cpu_count() or 1, 4)), "--dist", "worksteal"]
    return subprocess.run([python, "-m", "pytest", *side_by_side, *arguments], cwd=str(ROOT)).returncode


def run_checks() -> int:
    """Run every linter, even after one has complained; returns 0 only when all are content."""
    python = venv_python()
    install(python, "requirements.txt", "requirements-dev.txt")
    checks = [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]]
    failed = 0
    for check in checks:
        print("$ " + " ".join(check), flush=True)
        failed += subprocess.run([python, "-m", *check], cwd=str(ROOT)).returncode != 0
    return 1 if failed else 0


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Read the command line and do as it says."""
    parser = argparse.ArgumentParser(description="Run the app, its tests or its linters.")
    commands = parser.add_subparsers(dest="command", metavar="run | test | check")
    commands.required = True
    run = commands.add_parser("run", help="start the app")
    run.add_argument(
        "--host", default="127.0.0.1", help="0.0.0.0 lets other machines in (default: 127.0.0.1)"
    )
    run.add_argument(
        "--port", type=int, default=FIRST_PORT, help="or the next free one (default: %(default)s)"
    )
    commands.add_parser("test", help="run every test; further arguments go to pytest")
    commands.add_parser("check", help="run the linters")
    options, rest = parser.parse_known_args(argv)
    if rest and options.command != "test":
        parser.error("unknown argument: " + rest[0])
    if options.command == "run":
        return run_app(options.host, options.port)
    return run_tests(rest) if options.command == "test" else run_checks()


if __name__ == "__main__":
    sys.exit(main())
