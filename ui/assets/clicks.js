// Counts the clicks on one button in the browser, so that none is lost when many arrive during one run of
// the page, and keeps the keyboard's focus among the buttons beside it. See ui/clicks.py.

const counters = new Map(); // button -> its counter
const BURST = 700; // ms between two clicks that may have been taken for one
const PAUSE = 120; // ms after the last click of a burst
const GONE = 3000; // ms after which a button that was taken off the page does not come back

export default function ({ data, parentElement, setStateValue }) {
  // Streamlit may take this component down and put it up again between two clicks: the count outlives that.
  const counter = counters.get(data.button) ?? new Counter(data.button);
  counters.set(data.button, counter);
  clearTimeout(counter.leaving);
  counter.place = parentElement;
  counter.shortcut = data.shortcut;
  counter.report = setStateValue;
  // Clicks that came another way are known to Python only; a new session starts to count anew.
  counter.total = counter.session === data.session ? Math.max(counter.total, data.applied) : data.applied;
  counter.session = data.session;
  counter.watchRow(data.row);
  return () => {
    if (counter.place !== parentElement) return; // put up again before it was taken down
    counter.leaving = setTimeout(() => {
      counter.close();
      counters.delete(data.button);
    }, GONE);
  };
}

class Counter {
  constructor(button) {
    this.button = button;
    this.total = 0;
    this.session = null;
    this.last = -Infinity;
    this.timer = null;
    this.row = null; // the key of the container whose focus is kept
    this.focused = null; // the key of its button that has the focus
    this.changes = new MutationObserver(() => this.refocus());
    this.stop = new AbortController();
    const signal = this.stop.signal;
    document.addEventListener("click", (event) => this.onClick(event), { signal });
    // Before Streamlit's own shortcut, which folds the keys that come during one run into one.
    window.addEventListener("keydown", (event) => this.onKey(event), { signal, capture: true });
    document.addEventListener("focusin", (event) => { this.focused = this.keyIn(event.target); }, { signal });
    document.addEventListener("pointerdown", (event) => {
      if (!this.keyIn(event.target)) this.focused = null;
    }, { signal });
  }

  close() {
    this.stop.abort();
    this.changes.disconnect();
    clearTimeout(this.timer);
  }

  onClick(event) {
    const button = event.target.closest?.(`.st-key-${CSS.escape(this.button)} button`);
    if (!button || button.disabled) return;
    this.total += 1;
    const now = performance.now();
    if (now - this.last < BURST) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.report("counted", { session: this.session, total: this.total }), PAUSE);
    }
    this.last = now;
  }

  onKey(event) {
    if (!this.shortcut || event.key.toLowerCase() !== this.shortcut) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || typesIn(event.composedPath()[0])) return;
    const button = buttonOf(this.button);
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    button.click();
  }

  // ------------------------------------------------- a button that is switched off drops the focus

  keyIn(node) {
    const holder = this.row && node.closest?.(`.st-key-${CSS.escape(this.row)} [class*="st-key-"]`);
    return holder ? [...holder.classList].find((name) => name.startsWith("st-key-")).slice(7) : null;
  }

  watchRow(row) {
    this.row = row;
    const node = row && document.querySelector(`.st-key-${CSS.escape(row)}`);
    if (!node || node === this.watched) return;
    this.watched = node;
    this.changes.disconnect();
    this.changes.observe(node, { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled"] });
  }

  refocus() {
    const at = document.activeElement;
    if (!this.focused || (at && at !== document.body && !at.disabled)) return;
    const same = buttonOf(this.focused);
    const next = same && !same.disabled ? same : this.watched.querySelector("button:not(:disabled)");
    next?.focus({ preventScroll: true });
  }
}

function buttonOf(key) {
  return document.querySelector(`.st-key-${CSS.escape(key)} button`);
}

function typesIn(node) {
  if (node?.isContentEditable || /^(TEXTAREA|SELECT)$/.test(node?.tagName)) return true;
  return node?.tagName === "INPUT" && !/^(range|checkbox|radio|button)$/.test(node.type);
}
