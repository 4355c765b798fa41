// A sentence whose place on the page stays, so that a screen reader announces it when it changes. See ui/say.py.

const places = new WeakMap();

export default function ({ data, parentElement }) {
  let place = places.get(parentElement);
  if (!place) {
    place = document.createElement("div");
    place.className = "say";
    parentElement.append(place);
    places.set(parentElement, place);
  }
  place.setAttribute("role", data.live ? "status" : "note");
  place.setAttribute("aria-live", data.live ? "polite" : "off");
  place.setAttribute("aria-atomic", "true");
  place.style.minHeight = data.lines ? `${data.lines * 1.7}rem` : "0";
  const sentence = JSON.stringify(data.parts);
  if (place.sentence === sentence) return;
  place.sentence = sentence;
  place.replaceChildren(
    ...data.parts.map(([text, style]) => {
      if (style === "br") return document.createElement("br");
      const node = document.createElement(style === "token" ? "bdi" : "span");
      node.className = style;
      node.textContent = text;
      return node;
    }),
  );
}
