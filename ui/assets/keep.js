// Writes the lab's link into the address bar after a pause, keeps a long lab in this tab's storage,
// and hands it back when asked. See ui/keep.py.

const PAUSE = 300; // ms between two writes at least; browsers refuse many history writes in a row
const STORE = "bpe-lab";
let timer = null;
let pending = null;
let last = -Infinity;
let session = null; // the server session this page has spoken with
let watched = null; // watches whether the server is there

function write() {
  timer = null;
  if (!pending) return;
  last = performance.now();
  const { query, owned } = pending;
  pending = null;
  const url = new URL(window.location.href);
  for (const name of owned) url.searchParams.delete(name);
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.append(name, value);
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
}

// Back at a server that was started again, the page is silent until someone clicks, and the click would be lost
// on a session that has drawn nothing yet. So the page speaks first.
function watchConnection(setStateValue) {
  const app = document.querySelector("[data-testid=stApp]");
  watched?.disconnect();
  if (!app) return;
  let away = false;
  watched = new MutationObserver(() => {
    const here = app.dataset.testConnectionState === "CONNECTED";
    if (here && away) setStateValue("back", Date.now());
    away = !here;
  });
  watched.observe(app, { attributeFilter: ["data-test-connection-state"] });
}

// Whether the session has the lab that the address bar names.
function knows(data) {
  const here = new URLSearchParams(window.location.search);
  if (data.ask) return here.get("stored") === data.ask;
  const there = new URLSearchParams(data.query);
  return data.owned.every((name) => here.get(name) === there.get(name));
}

export default function ({ data, setStateValue }) {
  watchConnection(setStateValue);
  const before = session;
  session = data.session;
  if (before !== null && before !== session) {
    // A new session behind the same page (the server was started again): it may know an old link only.
    clearTimeout(timer);
    write();
    if (!knows(data)) {
      setStateValue("address", { session, query: window.location.search.slice(1) });
      return;
    }
  }
  if (data.ask) {
    let lab = null;
    try {
      const kept = JSON.parse(window.sessionStorage.getItem(STORE) || "null");
      if (kept && kept.id === data.ask) lab = kept.lab;
    } catch (problem) {
      lab = null; // storage switched off: the page says that nothing was kept
    }
    setStateValue("found", { id: data.ask, lab });
    return;
  }
  if (data.id) {
    try {
      window.sessionStorage.setItem(STORE, JSON.stringify({ id: data.id, lab: data.lab }));
    } catch (problem) {
      // Full or switched off. A reload will say so; the lab can still be saved as a file.
    }
    setStateValue("kept", data.id);
  }
  if (data.query !== null) {
    pending = { query: data.query, owned: data.owned };
    // A single change is written at once, so that a reload right after it keeps it; a burst at its end.
    clearTimeout(timer);
    const wait = last + PAUSE - performance.now();
    if (wait <= 0) write(); else timer = setTimeout(write, wait);
  }
}
