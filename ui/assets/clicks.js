// Counts the clicks on one button in the browser, so that none is lost when many arrive during one run of
// the page. See ui/clicks.py.

const counters = new WeakMap();
const BURST = 700; // ms between two clicks that may have been taken for one
const PAUSE = 120; // ms after the last click of a burst

export default function ({ data, parentElement, setStateValue }) {
  let counter = counters.get(parentElement);
  if (!counter) {
    counter = { total: data.applied, last: -Infinity, timer: null };
    counters.set(parentElement, counter);
    counter.listen = (event) => {
      const button = event.target.closest?.(`.st-key-${CSS.escape(counter.button)} button`);
      if (!button || button.disabled) return;
      counter.total += 1;
      const now = performance.now();
      if (now - counter.last < BURST) {
        clearTimeout(counter.timer);
        counter.timer = setTimeout(() => counter.report("total", counter.total), PAUSE);
      }
      counter.last = now;
    };
    document.addEventListener("click", counter.listen);
  }
  counter.button = data.button;
  counter.report = setStateValue;
  // Clicks that came another way (the keyboard shortcut) are known to Python only.
  counter.total = Math.max(counter.total, data.applied);
  return () => {
    document.removeEventListener("click", counter.listen);
    clearTimeout(counter.timer);
    counters.delete(parentElement);
  };
}
