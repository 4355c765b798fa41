// Draws a merge tree: tiles in rows, a line from each token to the two it was merged from. See ui/tree.py.

const trees = new WeakMap();
const GOLDEN = 137.508; // degrees, as for the tiles: equal tokens look equal everywhere
const GAP = 6; // between neighbours
const ROW = 62; // from one row to the next
const SVG = "http://www.w3.org/2000/svg";

export default function (component) {
  let tree = trees.get(component.parentElement);
  if (!tree) {
    tree = new Tree(component.parentElement);
    trees.set(component.parentElement, tree);
  }
  tree.draw(component);
}

class Tree {
  constructor(root) {
    this.board = document.createElement("div");
    this.board.className = "board tree-box";
    this.place = document.createElement("div");
    this.place.className = "tree";
    this.place.setAttribute("role", "tree");
    this.board.append(this.place);
    root.append(this.board);
    this.place.addEventListener("click", (event) => this.onClick(event));
    this.place.addEventListener("keydown", (event) => this.onKey(event));
    this.place.addEventListener("focusin", (event) => this.rove(this.nodes.indexOf(event.target)));
    document.fonts?.ready.then(() => this.layout());
    // Hidden things have no width: lay out again once the width is known, or another.
    new ResizeObserver(([{ contentRect }]) => {
      if (contentRect.width === this.width) return;
      this.width = contentRect.width;
      this.layout();
    }).observe(this.board);
  }

  draw({ data, setTriggerValue }) {
    this.setTriggerValue = setTriggerValue;
    const wanted = JSON.stringify(data);
    if (wanted === this.drawn) return;
    const hadFocus = this.place.contains(this.board.getRootNode().activeElement);
    this.drawn = wanted;
    this.data = data;
    this.place.setAttribute("aria-label", data.label);
    this.lines = document.createElementNS(SVG, "svg");
    this.lines.setAttribute("aria-hidden", "true");
    this.nodes = data.nodes.map((node) => tile(node));
    this.below = data.nodes.map(() => []);
    data.nodes.forEach((node, i) => node.above !== null && this.below[node.above].push(i));
    this.place.replaceChildren(this.lines, ...this.nodes);
    this.rove(0);
    this.layout();
    if (hadFocus) this.nodes[0].focus();
  }

  // Each subtree gets the width of its children or of its own tile, whichever is more; nothing overlaps.
  layout() {
    if (!this.nodes?.length) return;
    const widths = this.nodes.map((node) => Math.ceil(node.getBoundingClientRect().width));
    const spans = widths.slice();
    for (let i = this.nodes.length - 1; i >= 0; i--) {
      const [left, right] = this.below[i];
      if (left !== undefined) spans[i] = Math.max(widths[i], spans[left] + GAP + spans[right]);
    }
    const starts = [0];
    const middles = [];
    this.below.forEach(([left, right], i) => {
      if (left === undefined) return;
      starts[left] = starts[i] + (spans[i] - spans[left] - GAP - spans[right]) / 2;
      starts[right] = starts[left] + spans[left] + GAP;
    });
    for (let i = this.nodes.length - 1; i >= 0; i--) {
      const [left, right] = this.below[i];
      const wish = left === undefined ? starts[i] + spans[i] / 2 : (middles[left] + middles[right]) / 2;
      middles[i] = Math.min(Math.max(wish, starts[i] + widths[i] / 2), starts[i] + spans[i] - widths[i] / 2);
    }
    let deepest = 0;
    this.nodes.forEach((node, i) => {
      const depth = this.data.nodes[i].depth;
      deepest = Math.max(deepest, depth);
      node.style.left = `${middles[i] - widths[i] / 2}px`;
      node.style.top = `${depth * ROW}px`;
    });
    // On a narrow screen a wide tree opens with its top in view.
    if (this.shown !== this.drawn) {
      this.place.style.width = `${spans[0]}px`;
      this.board.scrollLeft = middles[0] - this.board.clientWidth / 2;
      if (this.board.clientWidth) this.shown = this.drawn;
    }
    const height = deepest * ROW + 46;
    this.place.style.width = `${spans[0]}px`;
    this.place.style.height = `${height}px`;
    this.lines.setAttribute("width", spans[0]);
    this.lines.setAttribute("height", height);
    this.lines.replaceChildren(
      ...this.data.nodes.flatMap((node, i) => {
        if (node.above === null) return [];
        const line = document.createElementNS(SVG, "line");
        const from = this.nodes[node.above];
        line.setAttribute("x1", middles[node.above]);
        line.setAttribute("y1", (node.depth - 1) * ROW + from.offsetHeight);
        line.setAttribute("x2", middles[i]);
        line.setAttribute("y2", node.depth * ROW);
        return [line];
      }),
    );
  }

  rove(current) {
    if (current < 0) return;
    this.current = current;
    this.nodes.forEach((node, i) => { node.tabIndex = i === current ? 0 : -1; });
  }

  pick(i) {
    if (this.data.nodes[i]?.merged) this.setTriggerValue("picked", i);
  }

  onClick(event) {
    this.pick(this.nodes.indexOf(event.target.closest(".tile")));
  }

  onKey(event) {
    const i = this.current;
    const above = this.data.nodes[i].above;
    const row = this.data.nodes.flatMap((node, j) => (node.depth === this.data.nodes[i].depth ? [j] : []));
    const beside = (step) => row[row.indexOf(i) + step];
    const to = {
      ArrowUp: () => above, ArrowDown: () => this.below[i][0],
      ArrowLeft: () => beside(-1), ArrowRight: () => beside(1),
      Home: () => 0, End: () => this.nodes.length - 1,
    }[event.key];
    if (to) {
      event.preventDefault();
      this.nodes[to() ?? i]?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.pick(i);
    }
  }
}

function tile(node) {
  const box = document.createElement("div");
  box.className = `tile${node.merged ? " pickable" : ""}${node.more ? " closed" : ""}${node.partial ? " part" : ""}`;
  box.style.setProperty("--h", ((node.hue * GOLDEN) % 360).toFixed(1));
  box.setAttribute("role", "treeitem");
  box.setAttribute("aria-level", node.depth + 1);
  box.setAttribute("aria-label", node.says);
  box.title = node.says;
  const text = document.createElement("bdi");
  for (const [part, kind] of node.parts) {
    const piece = document.createElement("span");
    piece.className = kind;
    piece.textContent = part;
    text.append(piece);
  }
  box.append(text);
  if (node.made) {
    const made = document.createElement("span");
    made.className = "made";
    made.textContent = node.more ? `${node.made} …` : node.made;
    box.append(made);
  }
  return box;
}
