// A column of stations, each with the text as it was after one merge. See ui/stations.py for what `data` holds.

const lists = new WeakMap();
const GOLDEN = 137.508; // as in tiles.js: the same token has the same colour everywhere

function make(tag, className, parent, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  if (parent) parent.append(node);
  return node;
}

export default function ({ data, parentElement, setTriggerValue }) {
  let list = lists.get(parentElement);
  if (!list) {
    const board = make("div", "board");
    list = { board, rows: make("ol", "stations", board), rest: make("div", "rest", board) };
    list.rows.addEventListener("click", (event) => {
      const go = event.target.closest("button.go");
      if (go) list.pick(Number(go.dataset.k));
    });
    parentElement.append(board);
    lists.set(parentElement, list);
  }
  list.pick = (k) => setTriggerValue("k", k);
  list.rows.setAttribute("aria-label", data.label);
  const kept = new Map([...list.rows.children].map((row) => [row.dataset.k, row]));
  const rows = data.rows.map((row) => {
    const node = kept.get(String(row.k)) || make("li");
    const sign = JSON.stringify([row, data.kinds]);
    if (node.sign !== sign) draw(node, row, data.kinds);
    node.sign = sign;
    return node;
  });
  // Nodes stay where they are when nothing but their state changed, so that focus and scrolling stay too.
  rows.forEach((node, i) => { if (list.rows.children[i] !== node) list.rows.insertBefore(node, list.rows.children[i] || null); });
  while (list.rows.children.length > rows.length) list.rows.lastChild.remove();
  list.rest.textContent = data.rest;
  list.rest.hidden = !data.rest;
}

function draw(node, row, kinds) {
  const focused = node.contains(node.getRootNode().activeElement);
  node.className = `station ${row.state}`;
  node.dataset.k = row.k;
  if (row.state === "now") node.setAttribute("aria-current", "step"); else node.removeAttribute("aria-current");
  const head = make("div", "head");
  const go = make("button", "go", head, row.name);
  go.type = "button";
  go.dataset.k = row.k;
  go.setAttribute("aria-label", `${row.name}: show the text ${row.k ? "after it" : "before any merge"}`);
  if (row.pair) {
    const rule = make("span", "rule", head);
    chip(kinds[row.pair[0]], rule);
    make("span", "sign", rule, " + ");
    chip(kinds[row.pair[1]], rule);
  }
  const state = { now: "you are here", past: "", later: "not in use yet" }[row.state];
  make("span", "figures", head, row.figures);
  if (state) make("span", "state", head, state);
  const strip = make("div", "strip");
  strip.setAttribute("role", "img");
  strip.setAttribute("aria-label", `The text at this point: ${row.spoken || "nothing"}`);
  for (const word of row.words) {
    const group = make("span", "word", strip);
    for (const index of word) tile(kinds[index], index === row.made, group);
    strip.append(" ");
  }
  if (row.more) make("span", "more", strip, row.more);
  node.replaceChildren(head, strip);
  if (focused) go.focus();
}

function chip(kind, parent) {
  fill(make("bdi", "chip", parent), kind.label);
}

function tile(kind, isNew, parent) {
  const node = make("span", "tile", parent);
  if (kind.hue === null) node.classList.add("unseen");
  else node.style.setProperty("--h", (kind.hue * GOLDEN) % 360);
  if (kind.part) node.classList.add("part");
  if (isNew) node.classList.add("newest");
  fill(make("bdi", "", node), kind.label);
}

function fill(node, label) {
  if (label.some(([, style]) => style === "bytes")) node.dir = "ltr"; // letters and stray bytes, in byte order
  for (const [text, style] of label) make("span", style, node, text);
}
