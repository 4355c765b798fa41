// Keeps a learner's progress in this browser's localStorage and hands it back. See ui/kept.py.
//
// It reports what is kept before it writes anything, and again when another tab changes it.

const keepers = new WeakMap();
const PREFIX = "bpe-practice/";
const INDEX = "bpe-practice-index"; // when each slot was last written, so that the oldest can go
const SLOTS = 60;

export default function ({ data, parentElement, setStateValue }) {
  let keeper = keepers.get(parentElement);
  if (!keeper) {
    keeper = { written: null, slot: null, ask: null };
    keepers.set(parentElement, keeper);
    keeper.listen = (event) => {
      if (event.key === PREFIX + keeper.slot && event.newValue !== null && event.newValue !== keeper.written) {
        keeper.written = event.newValue;
        keeper.report(event.newValue, true);
      }
    };
    window.addEventListener("storage", keeper.listen);
  }
  if (keeper.slot !== data.slot || keeper.ask !== data.ask) {
    keeper.slot = data.slot;
    keeper.ask = data.ask;
    keeper.written = null;
  }
  keeper.report = (text, works) => {
    setStateValue("found", { slot: data.slot, ask: data.ask, times: Date.now() + performance.now(), text, works });
  };
  if (data.text === null) {
    let text = null;
    let works = true;
    try {
      text = window.localStorage.getItem(PREFIX + data.slot);
    } catch (refused) {
      works = false; // switched off: the page says that nothing is kept
    }
    keeper.report(text, works);
  } else if (data.text !== keeper.written) {
    keeper.written = data.text;
    write(data.slot, data.text);
  }
  if (data.address) follow(data.address);
  return () => {
    window.removeEventListener("storage", keeper.listen);
    keepers.delete(parentElement);
  };
}

function write(slot, text) {
  try {
    let index = {};
    try { index = JSON.parse(window.localStorage.getItem(INDEX)) || {}; } catch (damaged) { index = {}; }
    index[slot] = Date.now();
    const oldest = Object.keys(index).sort((a, b) => index[a] - index[b]);
    while (oldest.length > SLOTS) forget(oldest.shift(), index);
    for (;;) {
      try {
        window.localStorage.setItem(PREFIX + slot, text);
        break;
      } catch (full) {
        const other = oldest.find((name) => name !== slot);
        if (other === undefined) throw full;
        oldest.splice(oldest.indexOf(other), 1);
        forget(other, index);
      }
    }
    window.localStorage.setItem(INDEX, JSON.stringify(index));
  } catch (refused) {
    // Switched off or full of other things. The progress can still be saved as a file.
  }
}

function forget(slot, index) {
  window.localStorage.removeItem(PREFIX + slot);
  delete index[slot];
}

// The page's own parameters in the address bar, replaced and not pushed, so that Back still leaves the page.
function follow(address) {
  const url = new URL(window.location.href);
  for (const [name, value] of Object.entries(address)) {
    if (value === null) url.searchParams.delete(name); else url.searchParams.set(name, value);
  }
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
}
