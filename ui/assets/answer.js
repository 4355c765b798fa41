// A question with its answer field: radio buttons, check boxes or a line of text, all native and all filled
// by textContent. See ui/answer.py for what `data` holds.
//
// What is typed or chosen is kept in this tab at once, so that a lost connection loses nothing.

const forms = new WeakMap();
const DRAFTS = "bpe-drafts";
const DRAFTS_KEPT = 60;
const PAUSE = 400; // ms after the last key

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  let form = forms.get(parentElement);
  if (!form) {
    form = { root: make("div", "question", parentElement), timer: null, name: null, moved: data.moved };
    forms.set(parentElement, form);
    form.flush = () => { if (form.timer) send(form); };
    // A link to another page takes no focus from the field, and a report that comes after its click would
    // bring this page back. What is typed is kept in the tab, so it can wait until the reader returns.
    form.pressed = (event) => {
      if (event.composedPath().some((node) => node.tagName === "A")) {
        clearTimeout(form.timer);
        form.timer = null;
      } else form.flush();
    };
  }
  document.addEventListener("pointerdown", form.pressed, true);
  form.report = (value) => setStateValue("draft", { name: form.name, value });
  form.enter = (value) => setTriggerValue("entered", { name: form.name, value, time: performance.now() });
  if (form.name !== data.name || form.kind !== data.kind) begin(form, data);
  form.data = data;
  dress(form, data);
  if (form.moved !== data.moved) {
    form.moved = data.moved;
    form.prompt.focus(); // the reader went to this question: start reading here
  }
  return () => {
    form.flush();
    document.removeEventListener("pointerdown", form.pressed, true);
  };
}

function make(tag, className, parent, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  if (parent) parent.append(node);
  return node;
}

// ---------------------------------------------------------------- drafts in this tab

function drafts() {
  try {
    return JSON.parse(window.sessionStorage.getItem(DRAFTS)) || {};
  } catch (problem) {
    return {};
  }
}

function keepDraft(name, value) {
  const all = drafts();
  delete all[name];
  if (value !== null) all[name] = value;
  for (const old of Object.keys(all).slice(0, -DRAFTS_KEPT)) delete all[old];
  try {
    window.sessionStorage.setItem(DRAFTS, JSON.stringify(all));
  } catch (problem) {
    // Switched off or full: the answer is still sent to the page as it is typed.
  }
}

// ---------------------------------------------------------------- building

function begin(form, data) {
  if (form.timer) send(form);
  form.name = data.name;
  form.kind = data.kind;
  form.options = new Map();
  form.field = null;
  form.root.replaceChildren();
  const typed = data.kind === "text";
  const choice = data.kind === "one" || data.kind === "several";
  form.prompt = make("p", "prompt", form.root, data.prompt);
  form.prompt.id = "prompt";
  form.prompt.tabIndex = -1;
  given(form.root, data);
  const kept = data.locked ? undefined : drafts()[data.name];
  const fits = typed ? typeof kept === "string" : choice && Array.isArray(kept);
  const value = fits ? kept : data.value;
  if (choice) chooser(form, data, value);
  if (typed) field(form, data, value);
  if (data.locked) keepDraft(data.name, null);
  else if (fits && JSON.stringify(kept) !== JSON.stringify(data.value)) form.report(kept);
}

function given(root, data) {
  if (data.words.length) {
    const list = make("ul", "words", root);
    list.setAttribute("aria-label", "The words of the corpus with their counts");
    for (const [word, count] of data.words) {
      const item = make("li", "", list);
      make("bdi", "token", item, word);
      make("span", "count", item, ` ×${count}`);
    }
    if (data.more_words) make("li", "count", list, data.more_words);
  }
  if (data.merges.length) {
    const list = make("ol", "merges", root);
    list.setAttribute("aria-label", "The merges, in order");
    for (const merge of data.merges) make("bdi", "token", make("li", "", list), merge);
  }
}

function chooser(form, data, value) {
  const group = make("div", "options", form.root);
  group.setAttribute("role", data.kind === "one" ? "radiogroup" : "group");
  group.setAttribute("aria-labelledby", "prompt");
  if (data.hint) {
    const hint = make("p", "hint", group, data.hint);
    hint.id = "hint";
    group.setAttribute("aria-describedby", "hint");
  }
  data.options.forEach((option, i) => {
    const row = make("div", "option", group);
    const label = make("label", "", row);
    const input = make("input", "", label);
    input.type = data.kind === "one" ? "radio" : "checkbox";
    input.name = "answer";
    input.value = option.key;
    input.checked = value.includes(option.key);
    make("bdi", "text", label, option.text);
    const mark = make("span", "mark", label);
    const why = make("p", "why", row);
    why.id = `why${i}`;
    form.options.set(option.key, { row, input, mark, why });
    input.addEventListener("change", () => {
      const chosen = picked(form);
      keepDraft(form.name, chosen);
      form.report(chosen);
    });
    input.addEventListener("keydown", (event) => enter(event, form, () => picked(form)));
  });
}

function picked(form) {
  return [...form.options].filter(([, option]) => option.input.checked).map(([key]) => key);
}

function field(form, data, value) {
  const frame = make("div", "typed", form.root);
  const label = make("label", "", frame, data.label);
  label.id = "label";
  label.htmlFor = "field";
  const line = make("div", "line", frame);
  const input = make("input", "", line);
  Object.assign(input, { id: "field", type: "text", autocomplete: "off", spellcheck: false, dir: "auto", maxLength: 2000, value });
  input.setAttribute("autocapitalize", "off");
  input.setAttribute("inputmode", data.inputmode);
  input.setAttribute("aria-describedby", "prompt hint");
  form.field = input;
  for (const [text, name] of data.inserts) {
    const button = make("button", "insert", line, text);
    button.type = "button";
    button.setAttribute("aria-label", name);
    button.addEventListener("pointerdown", (event) => event.preventDefault()); // the caret stays in the field
    button.addEventListener("click", () => {
      input.setRangeText(text, input.selectionStart, input.selectionEnd, "end");
      input.focus();
      typing(form);
    });
    button.addEventListener("keydown", (event) => event.stopPropagation());
  }
  make("p", "hint", frame, data.hint).id = "hint";
  input.addEventListener("input", () => typing(form));
  input.addEventListener("compositionstart", () => { form.composing = true; clearTimeout(form.timer); });
  input.addEventListener("compositionend", () => { form.composing = false; typing(form); });
  input.addEventListener("blur", () => { if (form.timer) send(form); });
  input.addEventListener("keydown", (event) => {
    if (!event.isComposing) enter(event, form, () => input.value);
  });
}

function typing(form) {
  keepDraft(form.name, form.field.value);
  clearTimeout(form.timer);
  if (!form.composing) form.timer = setTimeout(() => send(form), PAUSE);
}

function send(form) {
  clearTimeout(form.timer);
  form.timer = null;
  if (form.field) form.report(form.field.value);
}

function enter(event, form, value) {
  event.stopPropagation(); // page shortcuts stay quiet while someone answers
  if (event.key !== "Enter" || form.data.locked) return;
  event.preventDefault();
  clearTimeout(form.timer);
  form.timer = null;
  form.enter(value());
}

// ---------------------------------------------------------------- what changes while a question is open

function dress(form, data) {
  if (data.locked) keepDraft(form.name, null);
  if (form.field) {
    form.field.readOnly = data.locked;
    if (data.locked) form.field.value = data.value;
    for (const button of form.root.querySelectorAll(".insert")) button.hidden = data.locked;
  }
  for (const option of data.options) {
    const { row, input, mark, why } = form.options.get(option.key) || {};
    if (!row) continue;
    row.className = `option ${option.mark}`;
    input.disabled = data.locked;
    if (data.locked) input.checked = data.value.includes(option.key);
    mark.textContent = option.says;
    mark.hidden = !option.says;
    why.replaceChildren();
    if (option.why_name) make("strong", "", why, `${option.why_name}. `);
    if (option.why) make("span", "", why, option.why);
    why.hidden = !option.why;
    if (option.why) input.setAttribute("aria-describedby", why.id); else input.removeAttribute("aria-describedby");
  }
}
