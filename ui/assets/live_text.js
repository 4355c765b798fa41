// A multi-line box that reports what is in it shortly after the last key. See ui/live_text.py.

const boxes = new WeakMap();
const SETTLED = 1500; // ms after which a new session of the server knows the lab
let reports = 0;

export default function ({ data, parentElement, setStateValue }) {
  let box = boxes.get(parentElement);
  if (!box) {
    box = build(parentElement);
    boxes.set(parentElement, box);
  }
  // Numbered, so that Python hears of every report, also of one it would take for old.
  box.report = (text) => setStateValue("typed", { text, session: data.session, number: ++reports });
  box.pause = data.pause;
  box.label.textContent = data.label;
  box.area.rows = data.rows;
  box.area.maxLength = data.limit;
  box.area.placeholder = data.placeholder;
  const before = box.session;
  box.session = data.session;
  if (before !== null && before !== data.session && box.typed) {
    // The server was started again. What was typed in the meantime is newer than anything it can learn from the
    // address, so the box tells it, once that is done.
    clearTimeout(box.timer);
    box.timer = setTimeout(box.send, SETTLED);
    box.newer = true;
  }
  // Written to only when Python changed the text by itself: the caret and what is being typed stay.
  if (box.newer) {
    box.revision = data.revision;
  } else if (box.revision !== data.revision) {
    box.revision = data.revision;
    clearTimeout(box.timer);
    if (box.area.value !== data.value) box.area.value = data.value;
    box.typed = false;
  }
  return () => {
    if (box.timer) box.send();
  };
}

function build(root) {
  const frame = document.createElement("div");
  frame.className = "box";
  const label = document.createElement("label");
  const area = document.createElement("textarea");
  area.id = "area";
  area.dir = "auto";
  area.spellcheck = false;
  label.htmlFor = area.id;
  frame.append(label, area);
  root.append(frame);
  const box = { label, area, timer: null, composing: false, revision: null, session: null, typed: false, newer: false };
  box.send = () => {
    clearTimeout(box.timer);
    box.timer = null;
    box.newer = false;
    box.report(area.value);
  };
  const soon = () => {
    box.typed = true;
    clearTimeout(box.timer);
    if (!box.composing) box.timer = setTimeout(box.send, box.pause);
  };
  area.addEventListener("input", soon);
  area.addEventListener("compositionstart", () => { box.composing = true; clearTimeout(box.timer); });
  area.addEventListener("compositionend", () => { box.composing = false; soon(); });
  area.addEventListener("blur", () => { if (box.timer) box.send(); });
  area.addEventListener("keydown", (event) => event.stopPropagation()); // page shortcuts stay quiet while typing
  return box;
}
