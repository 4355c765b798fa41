// All questions of a paper as small numbered buttons, each with its state as a mark. See ui/question_map.py.

const maps = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  let map = maps.get(parentElement);
  if (!map) {
    map = { root: document.createElement("div"), buttons: new Map(), sign: "" };
    map.root.className = "map";
    map.root.addEventListener("click", (event) => {
      const button = event.target.closest?.("button");
      if (button) map.go(button.dataset.id);
    });
    parentElement.append(map.root);
    maps.set(parentElement, map);
  }
  map.go = (id) => setTriggerValue("went", id);
  const sign = JSON.stringify(data.groups.map((group) => [group.label, group.items.map((item) => item.id)]));
  if (sign !== map.sign) {
    map.sign = sign;
    build(map, data);
  }
  map.legend.replaceChildren();
  for (const [mark, words] of data.legend) {
    const item = document.createElement("span");
    item.textContent = `${mark} ${words}`;
    map.legend.append(item, " ");
  }
  for (const group of data.groups) {
    for (const item of group.items) {
      const button = map.buttons.get(item.id);
      const here = item.id === data.here;
      button.className = `${item.state} ${here ? "here" : ""}`;
      button.setAttribute("aria-label", item.name);
      if (here) button.setAttribute("aria-current", "step"); else button.removeAttribute("aria-current");
      button.querySelector(".mark").textContent = item.mark;
    }
  }
}

function build(map, data) {
  map.legend = document.createElement("p");
  map.legend.className = "legend";
  map.buttons.clear();
  map.root.replaceChildren(
    ...data.groups.map((group) => {
      const row = document.createElement("div");
      row.setAttribute("role", "group");
      row.setAttribute("aria-label", group.label || data.label);
      if (group.label) {
        const head = document.createElement("p");
        head.textContent = group.label;
        row.append(head);
      }
      const line = document.createElement("div");
      line.className = "line";
      for (const item of group.items) {
        const button = document.createElement("button");
        button.type = "button";
        button.dataset.id = item.id;
        const number = document.createElement("span");
        number.textContent = item.number;
        const mark = document.createElement("span");
        mark.className = "mark";
        button.append(number, mark);
        map.buttons.set(item.id, button);
        line.append(button);
      }
      row.append(line);
      return row;
    }),
    map.legend,
  );
}
