// Draws tokens as tiles with keyed nodes: a merge changes the tiles it touches and leaves the others alone.
// All text goes in by textContent inside <bdi>. See ui/tiles.py for what `data` holds.

const boards = new WeakMap(); // shadow root -> its board, for as long as the component is mounted
const ANIMATE_UP_TO = 600; // tiles; more would stutter
const GOLDEN = 137.508; // degrees: neighbouring ids get hues far apart

export default function (component) {
  let board = boards.get(component.parentElement);
  if (!board) {
    board = new Board(component.parentElement);
    boards.set(component.parentElement, board);
  }
  board.draw(component);
  return () => board.close();
}

function make(tag, className, parent) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (parent) parent.append(node);
  return node;
}

class Board {
  constructor(root) {
    this.root = make("div", "board", root);
    this.words = make("div", "words", this.root);
    this.rest = make("div", "rest", this.root);
    this.card = make("div", "card", this.root);
    this.card.setAttribute("aria-hidden", "true"); // the tile's own name says the same
    if (this.card.showPopover) this.card.popover = "manual"; else this.card.hidden = true;
    this.groups = new Map(); // word index -> {node, nodes: Map key -> node}
    this.focusable = [];
    this.current = 0;
    this.words.addEventListener("click", (e) => this.onClick(e));
    this.words.addEventListener("keydown", (e) => this.onKey(e));
    this.words.addEventListener("pointerover", (e) => e.pointerType === "mouse" && this.show(e.target.closest?.(".tile")));
    this.words.addEventListener("pointerleave", () => this.show(null));
    this.words.addEventListener("focusin", (e) => this.onFocus(e.target));
    this.words.addEventListener("focusout", () => this.show(null));
    this.words.addEventListener("copy", (e) => this.onCopy(e));
  }

  close() {
    this.show(null);
  }

  // ------------------------------------------------------------------ drawing

  draw({ data, setTriggerValue, setStateValue }) {
    const before = this.data;
    this.data = data;
    this.setTriggerValue = setTriggerValue;
    this.setStateValue = setStateValue;
    if (data.mode === "cut" && (!before || before.cuts.join() !== data.cuts.join() || before.name !== data.name)) {
      this.cuts = new Set(data.cuts);
    }
    this.root.className = `board ${data.mode === "cut" ? "cutting" : ""} ${data.close ? "close" : ""}`;
    this.words.setAttribute("role", "group");
    this.words.setAttribute("aria-label", data.label);
    const total = data.words.reduce((sum, word) => sum + word.t.length, 0);
    const slide =
      before && data.newest !== null && data.newest !== before.newest_id && total <= ANIMATE_UP_TO &&
      window.matchMedia("(prefers-reduced-motion: no-preference)").matches;
    const places = slide ? this.places() : null;
    const focused = this.root.getRootNode().activeElement;
    this.fill(data);
    data.newest_id = data.newest;
    if (places) this.slide(places);
    this.rest.textContent = data.rest || "";
    this.rest.hidden = !data.rest;
    this.rove(focused && focused.isConnected ? focused : null);
    if (this.shown && !this.shown.isConnected) this.show(null);
    else if (this.shown) this.show(this.shown);
  }

  fill(data) {
    const ringLeft = new Set(data.ring);
    const lit = new Set(data.lit);
    let flat = 0;
    const wanted = [];
    const groups = new Map();
    data.words.forEach((word, w) => {
      const group = this.groups.get(w) || { node: make("span", "word"), nodes: new Map() };
      const nodes = new Map();
      const keep = (key, create) => {
        const node = group.nodes.get(key) || create();
        nodes.set(key, node);
        return node;
      };
      const order = [];
      let offset = 0;
      word.t.forEach((kindIndex, i) => {
        const kind = data.kinds[kindIndex];
        const last = i === word.t.length - 1;
        const key = `t${offset}${kind.size ? "" : "m"}`;
        const tile = keep(key, () => make(data.pick === "none" ? "span" : "button", "tile"));
        this.dress(tile, kind, {
          flat,
          newest: kindIndex === data.newest_kind,
          ringL: ringLeft.has(flat),
          ringR: ringLeft.has(flat - 1) && i > 0,
          lit: lit.has(flat),
          chosen: data.chosen === flat,
          joins: !last && data.kinds[word.t[i + 1]].goes_on,
          key: `${w}.${key}`,
        });
        // A line ends after a token that ends in a line break, and before one that starts with it.
        if (kind.breaks === "before" && i > 0) order.push(keep(`p${offset}`, () => make("span", "break")));
        order.push(tile);
        if (kind.breaks === "after" && !last) order.push(keep(`b${offset}`, () => make("span", "break")));
        offset += kind.size;
        if (data.gaps && !(last && w === data.words.length - 1)) {
          const gap = keep(`g${offset}`, () => make("button", "gap"));
          this.dressGap(gap, flat, last, data);
          order.push(gap);
        }
        flat += 1;
      });
      if (word.n) {
        const count = keep("count", () => make("span", "count"));
        count.textContent = word.n;
        order.push(count);
      }
      place(group.node, order);
      group.node.setAttribute("role", "group");
      group.node.setAttribute("aria-label", word.name);
      groups.set(w, { node: group.node, nodes });
      // A real break opportunity between words; the space itself is never seen.
      const space = group.space || document.createTextNode(" ");
      groups.get(w).space = space;
      const turn = group.turn || make("br");
      groups.get(w).turn = turn;
      if (w > 0 && data.kinds[word.t[0]]?.breaks === "before") wanted.push(turn);
      wanted.push(group.node, space);
      if (data.kinds[word.t[word.t.length - 1]]?.breaks === "after") {
        const end = group.end || make("br");
        groups.get(w).end = end;
        wanted.push(end);
      }
    });
    if (!data.words.length) {
      this.empty = this.empty || make("div", "empty");
      this.empty.textContent = data.empty;
      wanted.push(this.empty);
    }
    place(this.words, wanted);
    this.groups = groups;
  }

  dress(tile, kind, is) {
    const classes = ["tile"];
    if (kind.hue === null) classes.push("unseen");
    if (kind.part) classes.push("part");
    if (is.newest) classes.push("newest");
    if (is.ringL) classes.push("ring-l");
    if (is.ringR) classes.push("ring-r");
    if (is.lit) classes.push("lit");
    if (is.chosen) classes.push("chosen");
    if (is.joins) classes.push("joins");
    if (this.data.pick === "tile") classes.push("pickable");
    const className = classes.join(" ");
    if (tile.className !== className) tile.className = className;
    tile.dataset.flat = is.flat;
    tile.dataset.key = is.key;
    if (tile.kind === kind.sign && tile.mark === className) { tile.info = kind; return; }
    tile.mark = className;
    tile.info = kind;
    if (kind.hue !== null) tile.style.setProperty("--h", (kind.hue * GOLDEN) % 360);
    if (tile.kind !== kind.sign) {
      tile.kind = kind.sign;
      const label = make("bdi");
      for (const [text, style] of kind.label) make("span", style, label).textContent = text;
      tile.replaceChildren(label);
    }
    if (tile.tagName === "BUTTON") {
      tile.type = "button";
      const says = [kind.says];
      if (is.newest) says.push("new");
      if (is.ringL) says.push("merges next with the one on its right");
      if (is.ringR) says.push("merges next with the one on its left");
      tile.setAttribute("aria-label", says.join(", "));
      if (this.data.pick === "tile") tile.setAttribute("aria-pressed", String(is.chosen));
    }
  }

  dressGap(gap, flat, wall, data) {
    gap.type = "button";
    gap.dataset.gap = flat;
    const style = data.gaps[flat] || "";
    const cut = data.mode === "cut" && this.cuts.has(flat);
    gap.className = `gap ${style} ${wall && data.mode !== "cut" ? "wall" : ""} ${cut ? "cut" : ""} ${data.chosen_gap === flat ? "chosen" : ""}`;
    const names = data.gap_names || [];
    gap.setAttribute("aria-label", names[flat] || `between token ${flat + 1} and token ${flat + 2}`);
    gap.setAttribute("aria-pressed", String(data.mode === "cut" ? cut : data.chosen_gap === flat));
  }

  // ------------------------------------------------------- sliding on a merge

  places() {
    const found = new Map();
    for (const tile of this.words.querySelectorAll(".tile")) {
      found.set(tile.dataset.key, { box: tile.getBoundingClientRect(), tile, width: tile.offsetWidth });
    }
    return found;
  }

  slide(before) {
    const timing = { duration: 260, easing: "cubic-bezier(.2,.7,.2,1)" };
    const home = this.root.getBoundingClientRect();
    for (const tile of this.words.querySelectorAll(".tile")) {
      const old = before.get(tile.dataset.key);
      if (!old) continue;
      before.delete(tile.dataset.key);
      const box = tile.getBoundingClientRect();
      const dx = old.box.left - box.left;
      const dy = old.box.top - box.top;
      if (Math.abs(dx) > 0.5 || Math.abs(dy) > 0.5) {
        tile.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], timing);
      }
      if (tile.classList.contains("newest") && box.width > old.box.width + 1) {
        const hidden = box.width - old.box.width;
        tile.animate([{ clipPath: `inset(0 ${hidden}px 0 0 round 6px)` }, { clipPath: "inset(0 0 0 0 round 6px)" }], timing);
        tile.slideInto = { box, hidden };
      }
    }
    // The right-hand tiles that are gone slide under the tile that took them in.
    for (const [key, { box, tile }] of before) {
      const [word, place_] = key.split(".");
      const group = this.groups.get(Number(word));
      if (!group) continue;
      let host = null;
      for (const candidate of group.node.querySelectorAll(".tile.newest")) {
        const start = parseInt(candidate.dataset.key.split(".")[1].slice(1), 10);
        if (start <= parseInt(place_.slice(1), 10)) host = candidate;
      }
      if (!host || !host.slideInto) continue;
      const ghost = tile.cloneNode(true);
      ghost.removeAttribute("data-flat");
      ghost.setAttribute("aria-hidden", "true");
      ghost.tabIndex = -1;
      Object.assign(ghost.style, {
        position: "absolute", margin: "0", pointerEvents: "none",
        left: `${box.left - home.left}px`, top: `${box.top - home.top}px`,
      });
      this.root.style.position = "relative";
      this.root.append(ghost);
      const dx = host.slideInto.box.right - box.right;
      const dy = host.slideInto.box.top - box.top;
      ghost.animate(
        [{ transform: "none", opacity: 1 }, { transform: `translate(${dx}px, ${dy}px)`, opacity: 0 }], timing,
      ).finished.finally(() => ghost.remove());
    }
  }

  // ------------------------------------------------- focus, keys, card, picks

  rove(focused) {
    const wanted = this.data.gaps && this.data.pick !== "tile" ? ".gap" : "button.tile";
    this.focusable = [...this.words.querySelectorAll(wanted)];
    const kept = focused ? this.focusable.indexOf(focused) : -1;
    if (kept >= 0) this.current = kept;
    this.current = Math.max(0, Math.min(this.current, this.focusable.length - 1));
    this.words.querySelectorAll("button").forEach((node) => { node.tabIndex = -1; });
    if (this.focusable.length) this.focusable[this.current].tabIndex = 0;
    if (focused && kept < 0 && !focused.isConnected && this.focusable.length) this.focusable[this.current].focus();
  }

  move(to) {
    if (!this.focusable.length) return;
    this.focusable[this.current].tabIndex = -1;
    this.current = Math.max(0, Math.min(to, this.focusable.length - 1));
    this.focusable[this.current].tabIndex = 0;
    this.focusable[this.current].focus();
  }

  onKey(event) {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (event.key in steps) this.move(this.current + steps[event.key]);
    else if (event.key === "Home") this.move(0);
    else if (event.key === "End") this.move(this.focusable.length - 1);
    else if (event.key === "Escape") { this.show(null); return; }
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  onFocus(node) {
    const at = this.focusable.indexOf(node);
    if (at >= 0) {
      this.focusable[this.current].tabIndex = -1;
      this.current = at;
      node.tabIndex = 0;
    }
    // Where two neighbours are picked, a card that opens under the finger would hide the second one.
    if (node.classList.contains("tile") && (!this.data.quiet || node.matches(":focus-visible"))) this.show(node);
  }

  onClick(event) {
    const gap = event.target.closest(".gap");
    if (gap) {
      const at = Number(gap.dataset.gap);
      if (this.data.mode === "cut") {
        if (this.cuts.has(at)) this.cuts.delete(at); else this.cuts.add(at);
        gap.classList.toggle("cut", this.cuts.has(at));
        gap.setAttribute("aria-pressed", String(this.cuts.has(at)));
        // With the name: the same cuts in the next word are news.
        this.setStateValue("cuts", { name: this.data.name, at: [...this.cuts].sort((a, b) => a - b) });
      } else {
        this.setTriggerValue("boundary", at);
      }
      return;
    }
    const tile = event.target.closest(".tile");
    if (tile && this.data.pick === "tile") this.setTriggerValue("picked", Number(tile.dataset.flat));
    else if (tile) this.show(tile);
  }

  onCopy(event) {
    // A tile in focus copies its token as it is, not as it is drawn: real spaces, the whole of a long token.
    const tile = event.target.closest?.(".tile");
    if (!tile || String(window.getSelection()) || !event.clipboardData) return;
    event.clipboardData.setData("text/plain", tile.info.raw);
    event.preventDefault();
  }

  show(tile) {
    this.shown = tile;
    const card = this.card;
    if (!tile || !tile.info || !tile.info.card.length) {
      if (card.popover) { if (card.matches(":popover-open")) card.hidePopover(); } else card.hidden = true;
      return;
    }
    const title = make("div", "title");
    const name = make("bdi", "", title);
    for (const [text, style] of tile.info.label) make("span", style, name).textContent = text;
    const list = make("dl");
    for (const [term, value] of tile.info.card) {
      make("dt", "", list).textContent = term;
      make("bdi", "", make("dd", "", list)).textContent = value;
    }
    card.replaceChildren(title, list);
    if (card.popover) { if (!card.matches(":popover-open")) card.showPopover(); } else card.hidden = false;
    const at = tile.getBoundingClientRect();
    const size = card.getBoundingClientRect();
    const left = Math.max(12, Math.min(at.left, window.innerWidth - size.width - 12));
    const below = at.bottom + 8;
    const top = below + size.height > window.innerHeight - 8 ? Math.max(8, at.top - size.height - 8) : below;
    card.style.left = `${left}px`;
    card.style.top = `${top}px`;
  }
}

// Make `parent` hold exactly `nodes`, moving as little as possible.
function place(parent, nodes) {
  let at = parent.firstChild;
  for (const node of nodes) {
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}
