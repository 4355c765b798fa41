// A text as aligned rows: character, code point, byte, GPT-2's letter, token. See ui/align.py for what `data` holds.
// A cell stands for one thing (a byte, a character …); pointing at it, focusing or picking it lights all it touches.

const boards = new WeakMap();
const GOLDEN = 137.508; // as in tiles.js: the same token has the same colour everywhere
const ROWS = ["cluster", "point", "byte", "token"]; // those that can be picked, from the top
const [HEX, LETTER, CLUSTER, POINT, TOKEN, SAYS] = [0, 1, 2, 3, 4, 5]; // fields of a column

export default function ({ data, parentElement }) {
  let board = boards.get(parentElement);
  if (!board) {
    board = new Board(parentElement);
    boards.set(parentElement, board);
  }
  board.draw(data);
}

function make(tag, className, parent, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  if (parent) parent.append(node);
  return node;
}

class Board {
  constructor(root) {
    this.root = make("div", "board", root);
    this.flow = make("div", "flow", this.root);
    this.flow.setAttribute("role", "group");
    this.says = make("div", "says", this.root);
    this.says.setAttribute("role", "status");
    this.rest = make("div", "rest", this.root);
    this.flow.addEventListener("pointerover", (e) => {
      if (e.pointerType === "mouse") this.point(e.target.closest(".cell"));
    });
    this.flow.addEventListener("pointerleave", () => this.point(null));
    this.flow.addEventListener("focusin", (e) => this.focused(e.target.closest(".cell")));
    this.flow.addEventListener("focusout", () => this.light(this.picked));
    this.flow.addEventListener("click", (e) => this.pick(e.target.closest(".cell")));
    this.flow.addEventListener("keydown", (e) => this.key(e));
  }

  draw(data) {
    const sign = JSON.stringify(data);
    if (sign === this.sign) return;
    const fresh = !this.data || this.data.name !== data.name;
    const active = this.root.getRootNode().activeElement;
    const held = active && active.thing ? { kind: active.thing.kind, column: active.thing.start } : null;
    const before = this.picked && { kind: this.picked.kind, column: this.picked.start };
    this.sign = sign;
    this.data = data;
    this.flow.setAttribute("aria-label", data.label);
    this.cells = [];
    this.flow.replaceChildren(this.names(), ...data.blocks.map((block) => this.block(block)));
    this.things = Object.fromEntries(ROWS.map((kind) => [
      kind, this.cells.filter((cell) => cell.thing.kind === kind && cell.tagName === "BUTTON"),
    ]));
    this.rest.textContent = data.rest;
    this.rest.hidden = !data.rest;
    // The same byte of the same text stays picked when k moves; a new text starts at its first wide character.
    const wanted = fresh ? { kind: "byte", column: data.start } : before;
    const cell = wanted && this.at(wanted.kind, wanted.column);
    this.picked = cell ? cell.thing : null;
    this.stop = cell || this.things.byte[0] || this.things.token[0] || null;
    for (const node of this.cells) if (node.tagName === "BUTTON") node.tabIndex = node === this.stop ? 0 : -1;
    this.light(this.picked);
    if (held) this.at(held.kind, held.column)?.focus();
  }

  names() {
    const block = make("div", "block names");
    block.setAttribute("aria-hidden", "true");
    ["character", "code, U+", "byte", "GPT-2 writes", "token"].forEach((name, i) => {
      const node = make("span", "name", block, name);
      node.style.gridRow = i + 1;
    });
    return block;
  }

  block([start, end, goesOn]) {
    const { columns } = this.data;
    const block = make("div", `block${goesOn ? " goes-on" : ""}`);
    block.style.gridTemplateColumns = `repeat(${end - start}, var(--byte))`;
    // One cell for every run of columns that share a field.
    const runs = (field, draw) => {
      for (let i = start, j; i < end; i = j) {
        j = i + 1;
        const value = columns[i][field];
        if (value === null) continue;
        while (j < end && columns[j][field] === value) j += 1;
        draw(value, i, j, i > 0 && columns[i - 1][field] === value, j < columns.length && columns[j][field] === value);
      }
    };
    const cell = (kind, row, at, from, to, open, openEnd) => {
      const node = make(open || kind === "letter" ? "span" : "button", `cell ${kind}`, block);
      if (node.tagName === "BUTTON") node.type = "button"; else node.setAttribute("aria-hidden", "true");
      if (open) node.classList.add("open-start");
      if (openEnd) node.classList.add("open-end");
      node.style.gridRow = row;
      node.style.gridColumn = `${from - start + 1} / ${to - start + 1}`;
      node.thing = { kind: kind === "letter" ? "byte" : kind, at, start: from };
      node.from = from;
      node.to = to;
      this.cells.push(node);
      return node;
    };
    runs(CLUSTER, (c, from, to, open, openEnd) => {
      const node = cell("cluster", 1, c, from, to, open, openEnd);
      const label = this.data.clusters[c].label;
      if (open) { node.textContent = "⋯"; return; }
      fill(node, label);
      node.setAttribute("aria-label", `character ${spoken(label)}`);
    });
    runs(POINT, (p, from, to, open, openEnd) => {
      const node = cell("point", 2, p, from, to, open, openEnd);
      node.textContent = open ? "⋯" : this.data.points[p];
      if (!open) node.setAttribute("aria-label", `code point U+${this.data.points[p]}`);
    });
    for (let i = start; i < end; i += 1) {
      if (columns[i][HEX] === null) continue;
      const node = cell("byte", 3, i, i, i + 1, false, false);
      node.textContent = columns[i][HEX];
      node.setAttribute("aria-label", `byte ${columns[i][HEX]}`);
      cell("letter", 4, i, i, i + 1, false, false).textContent = columns[i][LETTER];
      if (columns[i][TOKEN] === null) {
        const none = make("span", "left-out", block, "left out");
        none.style.gridRow = 5;
        none.style.gridColumn = `${i - start + 1}`;
      }
    }
    runs(TOKEN, (t, from, to, open, openEnd) => {
      const token = this.data.tokens[t];
      const node = cell("token", 5, t, from, to, open, openEnd);
      if (token.hue === null) node.classList.add("unseen");
      else node.style.setProperty("--h", (token.hue * GOLDEN) % 360);
      if (token.part) node.classList.add("part");
      if (open) { node.textContent = "⋯"; return; }
      fill(node, token.label);
      node.setAttribute("aria-label", `token ${token.number}, ${token.spoken}${token.part ? ", not whole characters" : ""}`);
    });
    return block;
  }

  at(kind, column) {
    if (column === null || column === undefined) return null;
    return this.things[kind]?.find((cell) => this.covers(cell.thing, column)) || null;
  }

  field(thing, column) {
    if (thing.kind === "byte") return thing.at === column;
    const field = { cluster: CLUSTER, point: POINT, token: TOKEN }[thing.kind];
    return this.data.columns[column][field] === thing.at;
  }

  covers(thing, column) {
    return column < this.data.columns.length && this.field(thing, column);
  }

  // ---------------------------------------------------------------- lighting

  point(cell) {
    const active = this.root.getRootNode().activeElement;
    this.light(cell ? cell.thing : active?.thing || this.picked);
  }

  light(thing) {
    const lit = new Set();
    if (thing) this.data.columns.forEach((_, i) => { if (this.field(thing, i)) lit.add(i); });
    for (const cell of this.cells) {
      let touched = false;
      for (let i = cell.from; i < cell.to && !touched; i += 1) touched = lit.has(i);
      if (!touched && thing && cell.thing.kind !== "byte") {
        // The other end of a token or character that a block cut in two.
        for (const i of lit) if (this.field(cell.thing, i)) { touched = true; break; }
      }
      cell.classList.toggle("lit", touched);
      if (cell.tagName === "BUTTON") {
        const chosen = Boolean(this.picked && this.picked.kind === cell.thing.kind && this.picked.at === cell.thing.at);
        cell.setAttribute("aria-pressed", String(chosen));
      }
    }
    this.tell(thing);
  }

  tell(thing) {
    const { columns, clusters, tokens } = this.data;
    let parts = [[this.data.note, "text"]];
    if (thing) {
      const column = columns[thing.kind === "byte" ? thing.at : thing.start];
      if (thing.kind === "token") parts = tokens[thing.at].says;
      else if (thing.kind === "byte") {
        parts = [...column[SAYS], ...(column[TOKEN] === null
          ? [["The pre-tokenizer left it out, so it is in no token.", "text"]] : tokens[column[TOKEN]].says)];
      } else parts = clusters[column[CLUSTER]].says;
    }
    const sign = JSON.stringify(parts);
    if (sign === this.said) return;
    this.said = sign;
    this.says.replaceChildren(...parts.map(([text, style]) => make(style === "token" ? "bdi" : "span", style, null, text)));
  }

  // ------------------------------------------------------- picking and moving

  pick(cell) {
    if (!cell) return;
    const same = this.picked && this.picked.kind === cell.thing.kind && this.picked.at === cell.thing.at;
    this.picked = same ? null : cell.thing;
    this.light(this.picked || cell.thing);
  }

  focused(cell) {
    if (!cell || cell.tagName !== "BUTTON") return;
    if (this.stop) this.stop.tabIndex = -1;
    this.stop = cell;
    cell.tabIndex = 0;
    this.light(cell.thing);
  }

  key(event) {
    const cell = event.target.closest("button.cell");
    if (!cell) return;
    const along = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const across = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = this.things[cell.thing.kind];
    let next = null;
    if (along) next = row[row.indexOf(cell) + along];
    else if (event.key === "Home") next = row[0];
    else if (event.key === "End") next = row[row.length - 1];
    else if (across) {
      for (let i = ROWS.indexOf(cell.thing.kind) + across; ROWS[i] && !next; i += across) next = this.at(ROWS[i], cell.thing.start);
    } else return;
    event.preventDefault();
    event.stopPropagation();
    if (next) next.focus();
  }
}

function fill(node, label) {
  const inner = make("bdi", "", node);
  if (label.some(([, style]) => style === "bytes")) inner.dir = "ltr"; // letters and stray bytes, in byte order
  for (const [text, style] of label) make("span", style, inner, text);
}

function spoken(label) {
  const names = { "␣": "space", "↵": "line break", "⇥": "tab" };
  return label.map(([text]) => names[text] || text).join(" ");
}
