/* Tools beside the controls of layers: sliders for planes, surfaces and opacities, histograms for ranges and
 * values, the order of layers. Coarse pictures follow them; the state changes when they are let go. */
import { valueAt, withValue } from "./session.js";
import { brief } from "./text.js";
import { Colors, Opacity } from "./transfer.js";

const steps = 400, mostAsked = 200;

/* ---- Sliders ---- */

/* A slider from low to high. set(value, rests). */
function slider(label, low, high, value, whole, set) {
  const field = html("input", {type: "range", min: low, max: high, step: whole ? 1 : (high - low) / steps || 1,
    "aria-label": label});
  field.value = value;
  const read = () => whole ? +field.value : +brief(+field.value);
  field.addEventListener("input", () => set(read(), false));
  field.addEventListener("change", () => set(read(), true));
  return field;
}

/* ---- Histograms ---- */

class Histogram {
  /* ask(): the histogram; marks(): values to mark; pick(value, n, rests): the n-th mark was dragged to a value. */
  constructor(label, ask, marks, pick) {
    Object.assign(this, {ask, marks, pick, found: null});
    this.canvas = html("canvas", {width: 300, height: 52, role: "img", "aria-label": label});
    this.box = html("div", {class: "tool"}, this.canvas);
    this.canvas.addEventListener("pointerdown", e => this.begin(e));
    this.canvas.addEventListener("pointermove", e => this.held !== undefined && this.drag(e, false));
    this.canvas.addEventListener("pointerup", e => {
      if (this.held !== undefined) this.drag(e, true);
      this.held = undefined;
    });
  }
  async refresh() {
    const found = await this.ask();
    this.found = found?.range ? found : null;
    this.draw();
  }
  valueOf(e) {
    const box = this.canvas.getBoundingClientRect(), [low, high] = this.found.range;
    return low + clamp((e.clientX - box.left) / box.width, 0, 1) * (high - low);
  }
  begin(e) {
    if (!this.found) return;
    const value = this.valueOf(e), marks = this.marks();
    this.held = marks.reduce((best, v, n) => Math.abs(v - value) < Math.abs(marks[best] - value) ? n : best, 0);
    this.canvas.setPointerCapture(e.pointerId);
    this.drag(e, false);
  }
  drag(e, rests) {
    this.pick(+brief(this.valueOf(e)), this.held, rests);
    this.draw();
  }
  draw() {
    const {canvas, found} = this, pen = canvas.getContext("2d"), style = getComputedStyle(canvas);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    if (!found) return;
    const most = Math.log1p(Math.max(...found.bins)), wide = canvas.width / found.bins.length;
    pen.fillStyle = style.getPropertyValue("--c0");
    found.bins.forEach((count, n) => {
      const high = most ? (canvas.height - 4) * Math.log1p(count) / most : 0;
      pen.fillRect(n * wide, canvas.height - high, Math.ceil(wide), high);
    });
    pen.fillStyle = style.getPropertyValue("--c1");
    for (const v of this.marks()) {
      const x = (v - found.range[0]) / (found.range[1] - found.range[0] || 1) * canvas.width;
      pen.fillRect(clamp(x, 1, canvas.width - 2) - 1, 0, 3, canvas.height);
    }
  }
}

/* ---- Tools of a layer ---- */

export class Tools {
  /* change(edit): makes another config of the config, and takes it; data: of the server. */
  constructor(session, settings, change) {
    Object.assign(this, {session, settings, change, data: null, asked: new Map(), live: [], probe: null});
  }
  set(path, value, rests) {
    if (rests) this.change(config => withValue(config, path, value));
    else this.session.move(withValue(this.session.config, path, value));
  }
  /* The histogram of a field at the shown step; scale: {within, scale, threshold}, otherwise even over all values. */
  histogram(field, scale = {}) {
    const key = field + " " + this.session.step + JSON.stringify(scale);
    if (!this.asked.has(key)) {
      if (this.asked.size >= mostAsked) this.asked.clear();
      this.asked.set(key, this.session.ask({do: "histogram", field, ...scale}).catch(() => null));
    }
    return this.asked.get(key);
  }
  /* The resolved colours of a layer: [[position, r, g, b], …], or null. */
  colorsOf(path) {
    const colors = this.live.find(t => t instanceof Colors && t.path === path);
    return colors?.points && colors.points.map(([p, ...c]) => [colors.toPlace(p), ...c]);
  }
  /* The state is another one, and its picture is there. */
  refresh() {
    this.live = this.live.filter(t => t.box.isConnected);
    for (const tool of this.live) tool.refresh();
  }
  add(tool) {
    this.live.push(tool);
    tool.box.addEventListener("colors", () => this.live.forEach(t => t instanceof Opacity && t.plot.draw()));
    return tool.box;
  }
  /* Puts tools beside the controls that are there. */
  equip() {
    for (const [name, control] of this.settings.controls) {
      const clip = /^clip\.(\d+)\.point$/.test(name) && !control.equipped && this.plane(name);
      if (clip) control.box.append(clip);
      if (clip) control.equipped = true;
      const found = /^layers\.(\d+)\.(\w+)\.(.+)$/.exec(name);
      if (!found || control.equipped) continue;
      const tool = this.make(name, found[2], found[3]);
      control.equipped = true;
      if (tool) control.box.append(tool);
    }
    this.order();
  }
  make(name, kind, key) {
    if (["x", "y", "z"].includes(key)) return this.across(name, "xyz".indexOf(key));
    if (["i", "j", "k"].includes(key)) return this.index(name, "ijk".indexOf(key));
    const layer = name.replace(/\.[^.]+$/, "");
    if (key === "colors") return this.add(new Colors(layer, this));
    if (kind === "volume" && (key === "opacity" || key === "extinction")) return this.add(new Opacity(layer, this));
    if (key === "plane.point") return this.plane(name);
    if (key === "range") return this.range(name, kind);
    if (kind === "isosurface" && ["value", "values"].includes(key)) return this.level(name);
    return null;
  }
  index(name, axis) {
    const block = valueAt(this.session.config, name.replace(/\.[ijk]$/, ".block"));
    const sizes = this.data.blocks.filter(b => !block || b.name === block).map(b => b.n[axis]);
    return html("div", {class: "tool"}, slider(name, 0, Math.max(1, ...sizes) - 1,
      valueAt(this.session.config, name), true, (v, rests) => this.set(name, v, rests)));
  }
  across(name, axis) {
    const [low, high] = this.data.bounds;
    return html("div", {class: "tool"}, slider(name, low[axis], high[axis], valueAt(this.session.config, name), false,
      (v, rests) => this.set(name, v, rests)));
  }
  /* Moves the point of a plane along its normal, through the bounds of the data. */
  plane(name) {
    const [low, high] = this.data.bounds, config = this.session.config;
    const normal = valueAt(config, name.replace("point", "normal")), point = valueAt(config, name);
    if (!Array.isArray(point) || !Array.isArray(normal)) return null;
    const size = Math.hypot(...normal) || 1, unit = normal.map(v => v / size);
    const ends = unit.map((u, n) => [u * low[n], u * high[n]].sort((a, b) => a - b));
    const from = ends.reduce((sum, e) => sum + e[0], 0), to = ends.reduce((sum, e) => sum + e[1], 0);
    const at = unit.reduce((sum, u, n) => sum + u * point[n], 0);
    return html("div", {class: "tool"}, slider(name, from, to, at, false, (v, rests) =>
      this.set(name, point.map((p, n) => +brief(p + (v - at) * unit[n])), rests)));
  }
  fieldOf(name, kind) {
    const layer = name.replace(/\.[^.]+$/, ""), get = key => valueAt(this.session.config, layer + "." + key);
    return get("color_by") || get("field");
  }
  range(name, kind) {
    const field = this.fieldOf(name, kind);
    if (!field) return null;
    const read = () => { const r = valueAt(this.session.config, name); return Array.isArray(r) ? r : []; };
    const plot = new Histogram("Histogram of " + field + "; drag the ends of the range", () => this.histogram(this.fieldOf(name, kind)), read, (v, n, rests) => {
      const range = read().slice();
      range[n] = v;
      if (range[0] < range[1]) this.set(name, range, rests);
    });
    const button = (text, pick) => html("button", {type: "button", onclick: async () => {
      const f = await this.histogram(this.fieldOf(name, kind)), range = f && pick(f);
      if (range && range[0] < range[1]) this.set(name, range.map(v => +brief(v)), true);
    }}, text);
    plot.box.append(html("div", {class: "row"}, button("this step", f => f.range), button("middle 98 %", f => f.middle),
      ...["least", "greatest"].map(what => html("button", {type: "button", title: "Pin the place of the " + what + " value at this step",
        onclick: () => this.probe.extreme(this.fieldOf(name, kind), what === "least")}, "pin " + what))));
    plot.refresh();
    return this.add(plot);
  }
  level(name) {
    const field = this.fieldOf(name, "isosurface");
    const read = () => { const v = valueAt(this.session.config, name); return Array.isArray(v) ? v : isNumber(v) ? [v] : []; };
    const plot = new Histogram("Histogram of " + field + "; drag the value", () => this.histogram(this.fieldOf(name, "isosurface")), read, (v, n, rests) => {
      const values = read().slice();
      values[n] = v;
      values.sort((a, b) => a - b);
      this.set(name, Array.isArray(valueAt(this.session.config, name)) ? values : v, rests);
    });
    plot.refresh();
    return this.add(plot);
  }

  /* ---- The order of layers ---- */

  order() {
    for (const row of document.querySelectorAll("#settings .layer")) {
      const number = /layers\.(\d+)$/.exec(row.dataset.layer || "");
      if (!number || row.querySelector(".order")) continue;
      const n = +number[1], button = (sign, what, act) =>
        html("button", {type: "button", title: what, "aria-label": what + " " + n, onclick: act}, sign);
      row.insertBefore(html("span", {class: "order"},
        button("↑", "Move the layer up", () => this.arrange(n, n - 1)),
        button("↓", "Move the layer down", () => this.arrange(n, n + 1)),
        button("+", "Duplicate the layer", () => this.duplicate(n))), row.lastElementChild);
    }
  }
  arrange(from, to) {
    if (to < 0 || to >= this.session.config.layers.length) return;
    this.rework(layers => layers.splice(to, 0, ...layers.splice(from, 1)));
  }
  duplicate(n) { this.rework(layers => layers.splice(n + 1, 0, structuredClone(layers[n]))); }
  /* act(layers): changes the list. */
  rework(act) {
    this.change(config => {
      const layers = config.layers.slice();
      act(layers);
      return {...config, layers};
    });
  }
}
