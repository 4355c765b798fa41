// A slider over whole numbers that only ever reports what the reader did. See ui/scrub.py.

const scrubs = new WeakMap();
const PAUSE = 60; // ms between two reports while dragging
const GRACE = 1200; // ms during which an older value from Python does not move the thumb

export default function ({ data, parentElement, setTriggerValue }) {
  let scrub = scrubs.get(parentElement);
  if (!scrub) {
    scrub = build(parentElement);
    scrubs.set(parentElement, scrub);
  }
  scrub.report = (value) => setTriggerValue("moved", value);
  scrub.data = data;
  scrub.end.textContent = data.end;
  scrub.input.max = data.maximum;
  scrub.input.disabled = data.maximum < 1;
  const waiting = scrub.wanted !== null && performance.now() - scrub.moved < GRACE;
  if (data.value === scrub.wanted || !waiting) {
    scrub.wanted = null;
    scrub.input.value = data.value;
  }
  scrub.say();
}

function build(root) {
  const frame = document.createElement("div");
  frame.className = "frame";
  const line = document.createElement("div");
  line.className = "line";
  const label = document.createElement("label");
  label.htmlFor = "range";
  const end = document.createElement("span");
  end.className = "end";
  line.append(label, end);
  const input = document.createElement("input");
  input.type = "range";
  input.id = "range";
  input.min = 0;
  input.step = 1;
  frame.append(line, input);
  root.append(frame);
  const scrub = { label, end, input, wanted: null, moved: -Infinity, timer: null, sent: -Infinity };
  scrub.say = () => {
    const number = Number(input.value).toLocaleString("en");
    label.textContent = scrub.data.label.replace("{}", number);
    input.setAttribute("aria-valuetext", scrub.data.says.replace("{}", number));
  };
  const send = () => {
    scrub.timer = null;
    scrub.sent = performance.now();
    scrub.report(Number(input.value));
  };
  input.addEventListener("input", () => {
    scrub.wanted = Number(input.value);
    scrub.moved = performance.now();
    scrub.say();
    if (!scrub.data.live) return;
    if (scrub.timer === null) scrub.timer = setTimeout(send, Math.max(0, scrub.sent + PAUSE - performance.now()));
  });
  input.addEventListener("change", () => {
    if (!scrub.data.live) send();
  });
  return scrub;
}
