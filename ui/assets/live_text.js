// A multi-line box that reports what is in it shortly after the last key. See ui/live_text.py.

const boxes = new WeakMap();

export default function ({ data, parentElement, setStateValue }) {
  let box = boxes.get(parentElement);
  if (!box) {
    box = build(parentElement);
    boxes.set(parentElement, box);
  }
  box.report = (text) => setStateValue("value", text);
  box.pause = data.pause;
  box.label.textContent = data.label;
  box.area.rows = data.rows;
  box.area.maxLength = data.limit;
  box.area.placeholder = data.placeholder;
  // Written to only when Python changed the text by itself: the caret and what is being typed stay.
  if (box.revision !== data.revision) {
    box.revision = data.revision;
    clearTimeout(box.timer);
    if (box.area.value !== data.value) box.area.value = data.value;
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
  const box = { label, area, timer: null, composing: false, revision: null };
  box.send = () => {
    clearTimeout(box.timer);
    box.timer = null;
    box.report(area.value);
  };
  const soon = () => {
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
