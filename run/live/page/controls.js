/* A control for each parameter that the program has registered. */
import * as feed from "./feed.js";
import { adder, head, place } from "./layers.js";
import { clip, more, plain } from "./text.js";
import { toast } from "./toast.js";

/* A program has at most 4096 parameters with 16 numbers each. The page draws no more, and shows the
 * number that is left out: a browser that draws a million fields does nothing else. */
const mostNumbers = 16, mostControls = 4096, mostChoices = 1000;

/* Makes a parameter that the page can draw from an entry of the run directory; null if it is invalid. */
function understand(p) {
  const count = p?.count ?? 1, counts = ["real", "int", "bool"].includes(p?.type);
  const known = counts || ["choice", "text"].includes(p?.type);
  if (!known || typeof p.name !== "string" || !Number.isSafeInteger(count) || count < 1) return null;
  const list = Array.isArray(p.choices) ? p.choices.filter(c => typeof c === "string") : [];
  const values = Array.isArray(p.value) && counts ? p.value.slice(0, mostNumbers) : p.value;
  return {name: p.name, type: p.type, count: counts ? count : 1, value: values, help: clip(p.help),
    unit: clip(p.unit, 60), min: isNumber(p.min) ? p.min : null, max: isNumber(p.max) ? p.max : null,
    optional: p.optional === true, choices: list.slice(0, mostChoices), hidden: Math.max(0, list.length - mostChoices)};
}

/* Sends one order and shows its answer. Returns false if the order is refused. */
export async function command(...words) {
  command.why = "";
  try {
    const answer = await feed.order(words);
    if (!answer) {
      toast("Sent: " + words.join(" ") + ". The program answers after its step.");
    } else {
      if (answer.message !== "") {
        toast(answer.message || (answer.accepted ? "Done: " : "Refused: ") + words.join(" "), !answer.accepted);
      }
    }
    return !answer || answer.accepted;
  } catch (error) {
    command.why = error.message;
    toast(error.message, true);
    return false;
  }
}

const list = value => Array.isArray(value) ? value : [value];
const text = value => clip(value, 4096);

/* ---- Input fields ---------------------------------------------------------------------- */

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
  const field = html("select", {"aria-label": p.name},
    ...p.choices.map(c => html("option", {value: c}, clip(c))));
  if (p.hidden) field.append(html("option", {disabled: ""}, more(p.hidden)));
  return field;
}
/* A list of control points needs space and a button; a word does not. */
const isWord = value => typeof value === "string" && /^[^\n[{]{0,40}$/.test(value);
function textField(p) {
  const common = {spellcheck: "false", maxlength: "4095", "aria-label": p.name};
  return isWord(p.value) ? html("input", {type: "text", ...common}) : html("textarea", {rows: "2", ...common});
}
/* A menu of what there is for a text that may also be another one, such as a derived field or a list of
 * colours. */
const other = "\u0000other";
function menuField(p) {
  const menu = html("select", {"aria-label": p.name}, ...p.choices.map(c => html("option", {value: c}, clip(c))),
    html("option", {value: other}, "other …"));
  if (p.hidden) menu.append(html("option", {disabled: ""}, more(p.hidden)));
  return menu;
}
/* A slider beside a number with two limits. */
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
      : Array.from({length: Math.min(p.count, mostNumbers)},
        (_, n) => (p.type === "bool" ? checkField : numberField)(p, n));
    /* An order needs all numbers of a parameter, so one with too many cannot be edited. */
    if (p.count > mostNumbers) for (const field of this.fields) field.disabled = true;
    this.waits = this.fields[0].tagName === "TEXTAREA"; /* for a click on its button */
    if (p.type === "text" && p.choices.length) this.addMenu();
    this.wrong = html("p", {class: "wrong", role: "alert", hidden: ""});
    this.box = html("div", {class: "control", "data-name": p.name}, this.label(), this.row());
    if (p.count > mostNumbers) this.box.append(html("p", {class: "soft"}, more(p.count - mostNumbers)));
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
  addMenu() {
    this.menu = menuField(this.p);
    this.menu.addEventListener("change", () => {
      const field = this.fields[0];
      field.hidden = this.menu.value !== other;
      if (!field.hidden) return field.focus();
      field.value = this.menu.value;
      this.send();
    });
  }
  /* Shows the menu's entry of the value, or the text itself. */
  showMenu(value) {
    const listed = this.p.choices.includes(value);
    this.menu.value = listed ? value : other;
    this.fields[0].hidden = listed;
    if (this.apply) this.apply.hidden = listed;
  }
  label() {
    const own = html("span", {class: "label"}, clip(this.p.name.split(".").pop(), 60));
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
    if (this.menu) {
      row.classList.add("menu");
      row.prepend(this.menu);
    }
    if (!this.waits) return row;
    const apply = this.apply = html("button", {type: "button", title: "Set it (Ctrl and Enter)"}, "Set");
    apply.addEventListener("click", () => this.send());
    row.append(apply);
    return row;
  }
  key(e) {
    if (e.key === "Escape") { this.edited = false; this.show(this.p.value); }
    if (e.key === "Enter" && this.waits && (e.ctrlKey || e.metaKey)) this.send();
  }

  /* Drops an edit that was not sent. A list waits for its button, a wrong value for its correction. */
  leave() {
    if (this.waits || !this.wrong.hidden || !this.edited || this.busy) return;
    this.edited = false;
    this.show(this.p.value);
  }

  /* Shows a value of the program, unless the user is editing. */
  show(value) {
    this.p.value = value;
    if (this.edited || this.busy) return;
    const values = list(value);
    this.fields.forEach((field, n) => {
      if (this.p.type === "bool") field.checked = Boolean(values[n]);
      else if (this.p.type === "text") field.value = text(value);
      else field.value = isNumber(values[n]) || typeof values[n] === "string" ? values[n] : "";
    });
    if (this.menu) this.showMenu(value);
    if (this.slider && isNumber(values[0])) this.slider.value = values[0];
    this.wrong.hidden = true;
    this.after?.(values[0]);
  }
  /* The words of the order; null if a value is missing or outside the limits. */
  read() {
    /* An empty field takes the value of a key away that may be missing. */
    if (this.p.optional && this.fields.every(f => f.value === "" && !f.validity.badInput)) return "none";
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
    /* A refused list stays, to be corrected; any other control returns to the program's value. */
    this.edited = !good && this.waits;
    if (!good) this.show(this.p.value);
    if (!good && command.why) {
      this.wrong.textContent = clip(command.why, 300);
      this.wrong.hidden = false;
    }
  }
}

/* ---- All of them ----------------------------------------------------------------------- */

/* A parameter without its value: if it changes, the control is rebuilt. */
const shape = p => JSON.stringify({...p, value: undefined});

export class Settings {
  constructor() { Object.assign(this, {controls: new Map(), takes: false, pictures: new Set(), picture: null}); }
  has(name) { return this.controls.has(name); }
  value(name) { return this.controls.get(name)?.p.value; }
  /* takes: whether the program takes orders; if not, its values can still be read. */
  allow(takes) {
    this.takes = takes;
    for (const group of byId("settings").querySelectorAll("fieldset")) group.disabled = !takes;
  }
  /* Takes the list of parameters.json, valid or not. */
  take(all) {
    const good = all.slice(0, mostControls).map(understand).filter(Boolean);
    const names = all.length + " " + good.map(shape).join();
    if (names !== this.names) this.build(good, all.length - good.length);
    this.names = names;
    for (const p of good) this.controls.get(p.name)?.show(p.value);
  }
  /* Shows the settings of one picture, and those that belong to none. */
  choose(picture) {
    this.picture = picture;
    for (const group of byId("settings").children) {
      const own = group.dataset.picture;
      group.hidden = own !== undefined && this.pictures.size > 1 && own !== picture;
    }
  }
  /* The group of a parameter: made when it is needed. */
  group(groups, its, own) {
    const title = its.layer !== null ? "layers." + its.layer : its.within;
    const id = its.prefix + "/" + title;
    if (groups.has(id)) return groups.get(id);
    const group = html("fieldset", its.picture === null ? {} : {"data-picture": its.picture});
    const marks = own.get(its.prefix + "layers." + its.layer + ".shown");
    if (its.layer !== null) group.append(head(marks?.kind ? marks : its, marks?.field, command));
    else group.append(html("legend", {}, clip(title, 120) || "general"));
    groups.set(id, group);
    return group;
  }
  /* The marks of layers: their controls, and the kinds of the layers. */
  marks(parameters) {
    const own = new Map();
    for (const p of parameters) {
      const its = place(p.name);
      if (its.layer === null) continue;
      const id = its.prefix + "layers." + its.layer + ".shown", mark = own.get(id) || {...its, kind: null};
      mark.kind = mark.kind || its.kind;
      own.set(id, mark);
      if (p.name !== id || p.type !== "bool") continue;
      const control = new Control(p);
      mark.field = control.fields[0];
      this.controls.set(p.name, control);
      control.after = on => mark.field.closest("fieldset")?.classList.toggle("off", !on);
    }
    return own;
  }
  build(parameters, hidden) {
    const groups = new Map();
    this.controls.clear();
    this.pictures = new Set();
    const own = this.marks(parameters), prefixes = new Map();
    for (const p of parameters) {
      const its = place(p.name);
      if (its.picture !== null) this.pictures.add(its.picture);
      const group = this.group(groups, its, own);
      if (its.layer !== null && !prefixes.has(its.prefix)) prefixes.set(its.prefix, null);
      if (its.key === "field" && p.choices.length) prefixes.set(its.prefix, p.choices[0]);
      if (this.controls.has(p.name)) continue; /* a mark */
      const control = new Control(p), within = its.layer === null ? "" : its.within;
      this.controls.set(p.name, control);
      if (within && group.dataset.within !== within) group.append(html("p", {class: "within"}, within));
      group.dataset.within = within;
      group.append(control.box);
    }
    const forms = [...prefixes].map(([prefix, field]) => {
      const picture = place(prefix + "x").picture;
      return html("fieldset", picture === null ? {} : {"data-picture": picture}, adder(prefix, field, command));
    });
    byId("settings").replaceChildren(...groups.values(), ...forms);
    for (const control of this.controls.values()) control.after?.(control.p.value);
    if (hidden) byId("settings").append(html("p", {class: "soft", id: "hidden-settings"}, more(hidden)));
    byId("nothing").hidden = groups.size > 0 || hidden > 0;
    this.allow(this.takes);
    this.choose(this.picture);
  }
}
