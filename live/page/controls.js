/* A control for each parameter that the program lets be set. */
import * as feed from "./feed.js";
import { byId, html, plain } from "./text.js";
import { toast } from "./toast.js";

/* Sends one order and says what became of it; gives whether it was not refused. */
export async function command(...words) {
  try {
    const answer = await feed.order(words);
    if (!answer) {
      toast("Sent: " + words.join(" ") + ". The program answers after its step.");
    } else {
      toast(answer.message || (answer.accepted ? "Done: " : "Refused: ") + words.join(" "), !answer.accepted);
    }
    return !answer || answer.accepted;
  } catch (error) {
    toast(error.message, true);
    return false;
  }
}

const list = value => Array.isArray(value) ? value : [value];
const text = value => typeof value === "string" ? value : JSON.stringify(value ?? "");

/* ---- Fields: what people type into ----------------------------------------------------- */

function numberField(p, n) {
  const field = html("input", {type: "number", step: p.type === "int" ? "1" : "any",
    "aria-label": p.name + (p.count > 1 ? " " + (n + 1) : "")});
  if (p.min != null) field.min = p.min;
  if (p.max != null) field.max = p.max;
  return field;
}
function checkField(p, n) {
  return html("input", {type: "checkbox", "aria-label": p.name + (p.count > 1 ? " " + (n + 1) : "")});
}
function choiceField(p) {
  return html("select", {"aria-label": p.name}, ...(p.choices || []).map(c => html("option", {value: c}, c)));
}
/* Lists of control points need room and a button; a word does not. */
const isWord = value => typeof value === "string" && /^[^\n[{]{0,40}$/.test(value);
function textField(p) {
  const common = {spellcheck: "false", maxlength: "1023", "aria-label": p.name};
  return isWord(p.value) ? html("input", {type: "text", ...common}) : html("textarea", {rows: "2", ...common});
}
/* A slider beside a number that has two limits. */
function sliderFor(p, field) {
  const whole = p.type === "int", step = whole ? 1 : (p.max - p.min) / 200;
  const slider = html("input", {type: "range", min: p.min, max: p.max, step, tabindex: "-1", "aria-hidden": "true"});
  slider.addEventListener("input", () => {
    field.value = whole ? slider.value : +(+slider.value).toPrecision(4);
    field.dispatchEvent(new Event("input"));
  });
  slider.addEventListener("change", () => field.dispatchEvent(new Event("change")));
  return slider;
}

/* ---- A control ------------------------------------------------------------------------- */

class Control {
  constructor(p) {
    this.p = p;
    this.edited = false;
    this.fields = p.type === "choice" ? [choiceField(p)] : p.type === "text" ? [textField(p)]
      : Array.from({length: p.count || 1}, (_, n) => (p.type === "bool" ? checkField : numberField)(p, n));
    this.waits = this.fields[0].tagName === "TEXTAREA"; /* for its button */
    this.wrong = html("p", {class: "wrong", role: "alert", hidden: ""});
    this.box = html("div", {class: "control", "data-name": p.name}, this.label(), this.row());
    if (p.help) this.box.append(html("p", {class: "help"}, this.explain()));
    this.box.append(this.wrong);
    for (const field of this.fields) {
      field.addEventListener("input", () => { this.edited = true; });
      if (!this.waits) field.addEventListener("change", () => this.send());
      field.addEventListener("keydown", e => this.key(e));
      field.addEventListener("blur", () => this.leave());
    }
    this.show(p.value);
  }
  label() {
    const words = this.p.name.split("."), own = html("span", {class: "label"}, words[words.length - 1]);
    if (this.p.unit) own.append(html("span", {class: "unit"}, " [" + this.p.unit + "]"));
    return own;
  }
  explain() {
    const {min, max} = this.p;
    const limits = min != null && max != null ? plain(min) + " to " + plain(max)
      : min != null ? "at least " + plain(min) : max != null ? "at most " + plain(max) : "";
    return this.p.help + (limits ? " (" + limits + ")" : "");
  }
  row() {
    const p = this.p, row = html("div", {class: "row"}, ...this.fields);
    if (["real", "int"].includes(p.type) && p.count === 1 && p.min != null && p.max != null) {
      this.slider = sliderFor(p, this.fields[0]);
      row.prepend(this.slider);
    }
    if (!this.waits) return row;
    const apply = html("button", {type: "button", title: "Set it (Ctrl and Enter)"}, "Set");
    apply.addEventListener("click", () => this.send());
    row.append(apply);
    return row;
  }
  key(e) {
    if (e.key === "Escape") { this.edited = false; this.show(this.p.value); }
    if (e.key === "Enter" && this.waits && (e.ctrlKey || e.metaKey)) this.send();
  }

  /* Lists wait for their button, and what is wrong waits to be mended. */
  leave() {
    if (this.waits || !this.wrong.hidden || !this.edited || this.busy) return;
    this.edited = false;
    this.show(this.p.value);
  }

  /* A value of the program. What somebody is about to type stays. */
  show(value) {
    this.p.value = value;
    if (this.edited || this.busy) return;
    const values = list(value);
    this.fields.forEach((field, n) => {
      if (this.p.type === "bool") field.checked = Boolean(values[n]);
      else field.value = this.p.type === "text" ? text(value) : values[n] ?? "";
    });
    if (this.slider) this.slider.value = values[0];
    this.wrong.hidden = true;
  }
  /* The words of the order; null where something is missing or beyond the limits. */
  read() {
    const bad = this.fields.find(f => !f.checkValidity() || (f.type === "number" && f.value === ""));
    if (bad) {
      this.wrong.textContent = bad.validationMessage || "Give a number.";
      this.wrong.hidden = false;
      return null;
    }
    return this.fields.map(f => f.type === "checkbox" ? String(f.checked) : f.value).join(",");
  }
  async send() {
    const value = this.read();
    if (value === null) return;
    this.wrong.hidden = true;
    this.busy = true;
    this.box.classList.add("waiting");
    const good = await command("set", this.p.name, value);
    this.box.classList.remove("waiting");
    this.busy = false;
    /* A list that was refused stays to be mended; all else goes back. */
    this.edited = !good && this.waits;
    if (!good) this.show(this.p.value);
  }
}

/* ---- All of them ----------------------------------------------------------------------- */

/* All that makes a control look as it does, but the value. */
const shape = p => JSON.stringify({...p, value: undefined});

export class Settings {
  constructor() { this.controls = new Map(); }
  has(name) { return this.controls.has(name); }
  value(name) { return this.controls.get(name)?.p.value; }
  take(parameters) {
    const names = parameters.map(shape).join();
    if (names !== this.names) this.build(parameters);
    this.names = names;
    for (const p of parameters) this.controls.get(p.name)?.show(p.value);
  }
  build(parameters) {
    const groups = new Map();
    this.controls.clear();
    for (const p of parameters) {
      if (typeof p.name !== "string") continue;
      const group = p.name.split(".").slice(0, -1).join(" · ") || "general";
      const control = new Control({...p, count: p.count || 1});
      this.controls.set(p.name, control);
      if (!groups.has(group)) groups.set(group, html("fieldset", {}, html("legend", {}, group)));
      groups.get(group).append(control.box);
    }
    byId("settings").replaceChildren(...groups.values());
    byId("nothing").hidden = groups.size > 0;
  }
}
