/* A second picture with the same camera: of another step, another field or other data, beside the first one or behind a slider. */
import { Pictures } from "./pictures.js";
import { client, json } from "./session.js";
import { plain } from "./text.js";
import { toast } from "./toast.js";

const ways = {off: "One picture", beside: "Side by side", slider: "Behind a slider"};

export class Compare {
  constructor(session, tools) {
    Object.assign(this, {session, tools, way: "off", base: null, word: ""});
    this.pictures = new Pictures(session, {shown: note => this.shown(note), failed: e => e.code && toast(e.message, true)},
      {image: "other", client: client + "b", state: () => this.state()});
    byId("compare-way").append(...Object.entries(ways).map(([value, text]) => html("option", {value}, text)));
    byId("compare-way").addEventListener("change", () => this.choose(byId("compare-way").value));
    byId("compare-data").addEventListener("change", () => { this.fill(); this.changed("rests"); });
    for (const id of ["compare-step", "compare-field"]) byId(id).addEventListener("change", () => this.changed("rests"));
    byId("divider").addEventListener("input", () => this.divide());
    this.divide();
  }
  /* beside: what other data have, or null. */
  take(data, beside = null) {
    Object.assign(this, {data, beside});
    byId("compare-data").replaceChildren(html("option", {value: ""}, "these data"), ...beside ? [html("option", {value: "other"}, beside.file.split("/").pop())] : []);
    byId("compare-data").hidden = !beside;
    if (beside) byId("compare-data").value = "other";
    this.fill();
    if (beside && this.way === "off") {
      byId("compare-way").value = "beside";
      this.choose("beside");
    }
  }
  get isOther() { return byId("compare-data").value === "other"; }
  fill() {
    const {steps, fields} = this.isOther ? this.beside : this.data;
    byId("compare-step").replaceChildren(html("option", {value: ""}, "this step"), ...steps.map(([n, t]) => html("option", {value: n}, "step " + n + ", " + plain(t))));
    byId("compare-field").replaceChildren(html("option", {value: ""}, "this field"), ...fields.map(f => html("option", {value: f}, f)));
    byId("compare-step").hidden = steps.length < 2;
  }
  /* Of other data, the last step that is not later. */
  get step() {
    if (byId("compare-step").value !== "") return +byId("compare-step").value;
    if (!this.isOther) return this.session.step;
    const time = (this.data.steps.find(([n]) => n === this.session.step) || [0, Infinity])[1];
    const before = this.beside.steps.filter(([, t]) => t <= time + 1e-9 * Math.abs(time));
    return (before.pop() || this.beside.steps[0])[0];
  }
  choose(way) {
    this.way = way;
    byId("stage").dataset.way = way;
    byId("comparing").hidden = way === "off";
    byId("divider").hidden = way !== "slider";
    byId("other").hidden = byId("other-label").hidden = way === "off";
    byId("division").hidden = way !== "slider";
    byId("other").style.clipPath = "";
    this.divide();
    this.changed("rests");
  }
  divide() {
    const at = byId("divider").value + "%";
    byId("division").style.left = at;
    if (this.way === "slider") byId("other").style.clipPath = "inset(0 0 0 " + at + ")";
  }
  /* The layers of the state, in another field with the range that is found for it; other data have walls of their own. */
  async other() {
    const field = byId("compare-field").value, {layers} = this.session.config, word = field + this.isOther + this.step + JSON.stringify(layers);
    if (!(field || this.isOther) || this.word === word) return field || this.isOther ? this.base : layers;
    const open = layer => {
      if (!(this.isOther && layer.object?.from)) return layer;
      const {block, from, to, ...rest} = layer.object;
      return {...layer, object: {...rest, walls: "auto"}};
    };
    const change = layer => Object.fromEntries(Object.entries(layer).map(([kind, own]) => {
      const key = !field ? null : own?.color_by ? "color_by" : ["volume", "contour", "isosurface"].includes(kind) && own?.field ? "field" : null;
      if (!key || (kind === "isosurface" && key === "field")) return [kind, own];
      const {range, opacity, extinction, levels, ...rest} = own;
      return [kind, {...rest, [key]: field, ...(kind === "volume" ? {} : opacity === undefined ? {} : {opacity})}];
    }));
    const answer = await json({do: "change", config: {...this.session.config, layers: layers.map(open).map(change)}, step: this.step, other: this.isOther, changes: []});
    this.word = word;
    this.base = answer.config.layers;
    return this.base;
  }
  state() { return {config: {...this.session.config, layers: this.layers || this.session.config.layers}, step: this.step, field: this.field, other: this.isOther}; }
  /* how: as of the session. */
  async changed(how) {
    if (this.way === "off" || !this.session.state) return;
    try {
      if (how !== "moves" || !this.layers) {
        const field = byId("compare-field").value, layers = await this.other();
        Object.assign(this, {layers, field});
      }
    } catch (error) { return toast(error.message, true); }
    if (how === "moves") this.pictures.move();
    else this.pictures.rest();
  }
  shown(note) {
    byId("other").hidden = this.way === "off";
    const {field, other} = this.pictures.drawn;
    byId("other").dataset.step = note.step;
    byId("other-label").textContent = (other ? this.beside.file.split("/").pop() + ", " : "") + "step " + note.step + (field ? ", " + field : "");
  }
}
