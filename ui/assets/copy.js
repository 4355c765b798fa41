// A button that copies a link (made absolute here, where the address is known) or a text. See ui/downloads.py.

const frames = new WeakMap();

export default function ({ data, parentElement }) {
  let frame = frames.get(parentElement);
  if (!frame) {
    frame = document.createElement("div");
    frame.className = "frame";
    const button = document.createElement("button");
    button.type = "button";
    const said = document.createElement("span");
    said.className = "said";
    said.setAttribute("role", "status");
    frame.append(button, said);
    parentElement.append(frame);
    frames.set(parentElement, frame);
    button.addEventListener("click", async () => {
      const { query, text, done, failed } = frame.data;
      let wanted = text;
      if (query !== null) {
        const url = new URL(window.location.href);
        url.search = query;
        url.hash = "";
        wanted = url.href;
      }
      said.textContent = (await copy(wanted)) ? done : `${failed} ${wanted}`;
      clearTimeout(frame.timer);
      frame.timer = setTimeout(() => { said.textContent = ""; }, 6000);
    });
  }
  frame.data = data;
  frame.querySelector("button").textContent = data.label;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (refused) {
    // No clipboard on plain http: the old way still works from a click.
    const box = document.createElement("textarea");
    box.value = text;
    box.style.position = "fixed";
    box.style.opacity = "0";
    document.body.append(box);
    box.select();
    const ok = document.execCommand("copy");
    box.remove();
    return ok;
  }
}
