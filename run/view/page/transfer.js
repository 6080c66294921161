/* The transfer function of a volume: points of opacity that are dragged over the histogram of its field, presets,
 * and colours by map or by point. Positions are those of the config: 0 to 1 of the range, on its scale. */
import { json, valueAt } from "./session.js";
import { brief, plain } from "./text.js";

const wide = 300, high = 96, edge = 7, thick = 0.1; /* of the diagonal of the data: the layer whose opacity is shown */
const near = 1e-3, nudge = 0.01, most = 64;

/* ---- Scales ---- */

/* The scale of a layer, as base/scale: positions of values, and values of positions. */
export function scaleOf(layer) {
  const [low, high] = layer.range, kind = layer.scale || "linear";
  const threshold = layer.threshold || Math.max(Math.abs(low), Math.abs(high)) / 1000;
  const on = {linear: v => v, log: v => Math.log(v), symlog: v => Math.sign(v) * Math.log1p(Math.abs(v) / threshold)}[kind];
  const off = {linear: u => u, log: u => Math.exp(u), symlog: u => Math.sign(u) * threshold * Math.expm1(Math.abs(u))}[kind];
  const a = on(low), b = on(high);
  return {position: v => (on(v) - a) / (b - a), value: p => off(a + p * (b - a)), kind, threshold};
}

/* ---- Colours ---- */

const hex = c => "#" + c.map(v => Math.round(255 * clamp(v, 0, 1)).toString(16).padStart(2, "0")).join("");
const unhex = text => [1, 3, 5].map(n => parseInt(text.slice(n, n + 2), 16) / 255);

/* The colour of resolved points, [[position, r, g, b], …], at a position. */
function colorAt(points, p) {
  const n = points.findIndex(q => q[0] > p), after = points[n < 0 ? points.length - 1 : n], before = points[Math.max(0, (n < 0 ? points.length : n) - 1)];
  const part = after[0] > before[0] ? clamp((p - before[0]) / (after[0] - before[0]), 0, 1) : 0;
  return [1, 2, 3].map(c => before[c] + part * (after[c] - before[c]));
}

let number = 0;
function gradient(points) {
  const id = "gradient-" + ++number, shape = svg("linearGradient", {id, gradientUnits: "userSpaceOnUse", x1: edge, x2: wide - edge});
  shape.append(...points.map(([p, ...c]) => svg("stop", {offset: clamp(p, 0, 1), "stop-color": hex(c)})));
  return shape;
}

/* ---- Points that are dragged ---- */

/* A plot whose points one drags. Keys: arrows move a point, Delete removes it, Enter adds one after it. */
class Points {
  /* take: {list() gives places [x, y], 0 to 1; pick(list, rests); name(n); add(x, y)} */
  constructor(label, tall, take) {
    Object.assign(this, {take, tall, held: null});
    this.box = svg("svg", {viewBox: `0 0 ${wide} ${tall}`, role: "group", "aria-label": label, class: "points"});
    this.back = svg("g");
    this.front = svg("g");
    this.box.append(this.back, this.front);
    this.box.addEventListener("pointermove", e => this.held !== null && this.drag(e, false));
    this.box.addEventListener("pointerup", e => this.held !== null && this.drag(e, true));
    this.box.addEventListener("dblclick", e => this.toggle(e));
  }
  x(p) { return edge + clamp(p, 0, 1) * (wide - 2 * edge); }
  y(v) { return this.tall - edge - clamp(v, 0, 1) * (this.tall - 2 * edge); }
  at(e) {
    const box = this.box.getBoundingClientRect();
    return [clamp(((e.clientX - box.left) / box.width * wide - edge) / (wide - 2 * edge), 0, 1),
      clamp((this.tall - edge - (e.clientY - box.top) / box.height * this.tall) / (this.tall - 2 * edge), 0, 1)];
  }
  /* Points stay in their order. */
  move(n, place, rests) {
    const list = this.take.list().map(p => p.slice());
    list[n] = [clamp(place[0], list[n - 1]?.[0] ?? 0, list[n + 1]?.[0] ?? 1), place[1]];
    this.take.pick(list, rests, n);
    this.draw();
  }
  drag(e, rests) {
    const n = this.held;
    if (rests) this.held = null;
    if (this.moved || !rests) this.move(n, this.at(e), rests);
    this.moved = !rests;
  }
  remove(n) {
    const list = this.take.list();
    if (list.length > 2) this.take.pick(list.filter((_, m) => m !== n), true, n);
    this.draw();
  }
  toggle(e) {
    const n = e.target.dataset.point;
    this.held = null;
    if (n !== undefined) this.remove(+n);
    else this.add(this.at(e));
  }
  add(place) {
    const list = this.take.list().map(p => p.slice()), n = list.findIndex(p => p[0] > place[0]);
    if (list.length >= most) return;
    list.splice(n < 0 ? list.length : n, 0, place);
    this.take.pick(list, true, null);
    this.draw();
    this.front.querySelector(`[data-point="${n < 0 ? list.length - 1 : n}"]`)?.focus();
  }
  key(e, n) {
    const list = this.take.list(), step = nudge * (e.shiftKey ? 10 : 1), at = list[n];
    const way = {ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step]}[e.key];
    if (!way && !["Delete", "Backspace", "Enter", "Insert"].includes(e.key)) return;
    e.preventDefault();
    e.stopPropagation();
    if (way) this.move(n, [at[0] + way[0], clamp(at[1] + way[1], 0, 1)], true);
    else if (e.key === "Delete" || e.key === "Backspace") this.remove(n);
    else this.add([(at[0] + (list[n + 1]?.[0] ?? 1)) / 2, (at[1] + (list[n + 1]?.[1] ?? at[1])) / 2]);
    this.front.querySelector(`[data-point="${clamp(n, 0, this.take.list().length - 1)}"]`)?.focus();
  }
  draw() {
    const list = this.take.list(), focused = this.front.querySelector(":focus")?.dataset.point;
    while (this.front.children.length > list.length) this.front.lastChild.remove();
    while (this.front.children.length < list.length) this.front.append(this.dot(this.front.children.length));
    list.forEach(([p, v], n) => fill(this.front.children[n], {cx: this.x(p), cy: this.y(v), "aria-label": this.take.name(n),
      "aria-valuetext": this.take.name(n), ...(this.take.color ? {fill: this.take.color(n)} : {})}, []));
    if (focused !== undefined) this.front.children[Math.min(focused, list.length - 1)]?.focus();
    this.take.back?.(this.back, this);
  }
  dot(n) {
    const dot = svg("circle", {r: 5, tabindex: 0, role: "slider", "data-point": n});
    dot.addEventListener("pointerdown", e => {
      this.held = n;
      this.moved = false;
      this.take.hold?.(n);
      this.box.setPointerCapture(e.pointerId);
      e.preventDefault();
      dot.focus();
    });
    dot.addEventListener("keydown", e => this.key(e, n));
    dot.addEventListener("focus", () => this.take.hold?.(n));
    return dot;
  }
}

/* ---- A layer's colours ---- */

export class Colors {
  /* path: "layers.0.volume"; tools: those of the page. */
  constructor(path, tools) {
    Object.assign(this, {path, tools, points: null, held: 0});
    this.plot = new Points("Colours by point: drag, double click adds or removes", 30, {
      list: () => this.byPoint ? this.places() : [],
      pick: (list, rests, n) => this.pick(list, rests, n),
      name: n => "Colour at " + plain(this.places()[n][0]),
      color: n => hex(this.points[n].slice(1)), hold: n => this.hold(n), back: g => this.paint(g)});
    this.field = html("input", {type: "color", "aria-label": "Colour of the point", oninput: e => this.tint(e, false), onchange: e => this.tint(e, true)});
    this.button = html("button", {type: "button", onclick: () => this.turn()}, "by point");
    this.box = html("div", {class: "tool"}, this.plot.box, html("div", {class: "row"}, this.button, this.field));
    this.refresh();
  }
  get layer() { return valueAt(this.tools.session.config, this.path) || {}; }
  get byPoint() { return Array.isArray(this.layer.colors); }
  toPlace(p) { return this.layer.positions === "data" ? scaleOf(this.layer).position(p) : p; }
  places() { return (this.points || []).map(p => [this.toPlace(p[0]), 0.5]); }
  async refresh() {
    const word = this.path + JSON.stringify(this.layer.colors);
    if (this.points) this.draw();
    if (this.word === word || !("colors" in this.layer)) return;
    this.word = word;
    const {config} = this.tools.session, found = await json({do: "colors", config, layer: +this.path.split(".")[1]}).catch(() => null);
    if (!found?.colors.length || this.word !== word) return;
    this.points = found.colors;
    this.box.dispatchEvent(new Event("colors", {bubbles: true}));
    this.draw();
  }
  draw() {
    this.button.setAttribute("aria-pressed", this.byPoint);
    this.field.hidden = !this.byPoint;
    if (this.points) this.plot.draw();
    this.hold(this.held);
  }
  paint(g) {
    const shape = gradient(this.points.map(([p, ...c]) => [this.toPlace(p), ...c]));
    g.replaceChildren(shape, svg("rect", {x: edge, y: 6, width: wide - 2 * edge, height: 18, fill: `url(#${shape.id})`}));
  }
  hold(n) {
    this.held = clamp(n, 0, Math.max(0, (this.points?.length || 1) - 1));
    if (this.points && this.byPoint) this.field.value = hex(this.points[this.held].slice(1));
  }
  give(points, rests) {
    const list = points.map(([p, ...c]) => [+brief(p), hex(c)]);
    this.points = points;
    this.word = this.path + JSON.stringify(list);
    this.tools.set(this.path + ".colors", list, rests);
    this.draw();
  }
  pick(list, rests, n) {
    const old = this.points, data = this.layer.positions === "data", scale = data && scaleOf(this.layer);
    const kept = list.length < old.length ? old.filter((_, m) => m !== n) : old;
    const colors = list.length > old.length ? list.map(([p]) => colorAt(old.map(([q, ...c]) => [this.toPlace(q), ...c]), p)) : kept.map(q => q.slice(1));
    this.give(list.map(([p], m) => [data ? scale.value(p) : p, ...colors[m]]), rests);
  }
  tint(e, rests) {
    const points = this.points.map(p => p.slice());
    points[this.held] = [points[this.held][0], ...unhex(e.target.value)];
    this.give(points, rests);
  }
  /* From the map to five points of it, and back. */
  turn() {
    if (this.byPoint) return this.tools.set(this.path + ".colors", this.map || "viridis", true);
    const data = this.layer.positions === "data", scale = data && scaleOf(this.layer), places = this.points.map(([p, ...c]) => [this.toPlace(p), ...c]);
    this.map = this.layer.colors;
    this.give([0, 0.25, 0.5, 0.75, 1].map(p => [data ? scale.value(p) : p, ...colorAt(places, p)]), true);
  }
}

/* ---- A volume's opacity ---- */

/* The position of the most common value, and that with a part of the weight below it. */
function common(bins) { return (bins.indexOf(Math.max(...bins)) + 0.5) / bins.length; }
function quantile(bins, part) {
  let left = part * bins.reduce((a, b) => a + b, 0);
  return bins.findIndex(b => (left -= b) <= 0) / bins.length;
}
/* Opacities as one sees them, over positions. */
const presets = {
  "free stream clear": bins => {
    const m = common(bins), low = m > 0.1 ? [[0, 0.7], [m / 2, 0.2], [m - 0.05, 0]] : [];
    return [...low, [Math.max(0, m - 0.04), 0], [Math.min(1, m + 0.04), 0], ...(m < 0.9 ? [[m + 0.05, 0], [(1 + m) / 2, 0.2], [1, 0.7]] : [])];
  },
  peaks: bins => {
    const q = clamp(quantile(bins, 0.97), 0.1, 0.95);
    return [[0, 0], [q, 0], [(1 + q) / 2, 0.5], [1, 0.95]];
  },
  bands: () => [1, 2, 3, 4, 5].flatMap(n => [[n / 6 - 0.03, 0], [n / 6, 0.5], [n / 6 + 0.03, 0]]),
  ramp: () => [[0, 0], [1, 0.8]],
};

export class Opacity {
  constructor(path, tools) {
    Object.assign(this, {path, tools, found: null, logs: true});
    this.plot = new Points("Opacity over the values: drag the points, double click adds or removes one", high, {
      list: () => this.places(), pick: (list, rests) => this.pick(list, rests), name: n => this.name(n), back: (g, plot) => this.paint(g, plot)});
    const menu = html("select", {"aria-label": "Opacity by a preset", onchange: () => { this.preset(menu.value); menu.value = ""; }},
      html("option", {value: ""}, "preset …"), ...["auto", ...Object.keys(presets)].map(k => html("option", {value: k}, k)));
    this.button = html("button", {type: "button", "aria-pressed": "true", onclick: () => this.count()}, "log counts");
    this.box = html("div", {class: "tool"}, this.plot.box, html("div", {class: "row"}, menu, this.button),
      html("p", {class: "help"}, "Height: the opacity that one sees of a layer a tenth as thick as the data. Drag points; double click adds or removes one."));
    this.refresh();
  }
  get layer() { return valueAt(this.tools.session.config, this.path) || {}; }
  get key() { return this.layer.extinction ? "extinction" : "opacity"; }
  /* Unit lengths in the layer whose opacity is shown. */
  get depth() {
    const [low, top] = this.tools.data.bounds, diagonal = Math.hypot(...low.map((v, n) => top[n] - v)) || 1;
    return thick * diagonal / (this.layer.unit_length || diagonal / 100);
  }
  seen(value) { return 1 - (this.key === "extinction" ? Math.exp(-value * this.depth) : (1 - Math.min(value, 0.9999)) ** this.depth); }
  unseen(y) {
    const passes = Math.max(1 - y, 1e-9) ** (1 / this.depth);
    return +brief(this.key === "extinction" ? -Math.log(passes) : y > 1 - near && passes < 0.5 ? 1 : 1 - passes);
  }
  get points() { const list = this.layer[this.key]; return Array.isArray(list) ? list : []; }
  places() {
    const data = this.layer.positions === "data", scale = data && scaleOf(this.layer);
    return this.points.map(([p, v]) => [data ? scale.position(p) : p, this.seen(v)]);
  }
  name(n) {
    const [p, y] = this.places()[n];
    return "Point " + (n + 1) + ": value " + plain(scaleOf(this.layer).value(p)) + ", opacity " + Math.round(100 * y) + " %";
  }
  /* A height that has not changed keeps its number. */
  pick(list, rests) {
    const old = this.places(), data = this.layer.positions === "data", scale = data && scaleOf(this.layer);
    const made = list.map(([p, y]) => {
      const same = old.findIndex(q => Math.abs(q[1] - y) < 1e-9);
      return [+brief(data ? scale.value(p) : p), same < 0 ? this.unseen(y) : this.points[same][1]];
    });
    this.tools.set(this.path + "." + this.key, made, rests);
  }
  preset(word) {
    if (word === "auto") return this.tools.set(this.path + "." + this.key, "auto", true);
    if (!this.found || !word) return;
    const data = this.layer.positions === "data", scale = data && scaleOf(this.layer);
    this.tools.set(this.path + "." + this.key, presets[word](this.found.bins).map(([p, y]) => [+brief(data ? scale.value(p) : p), this.unseen(y)]), true);
  }
  count() {
    this.logs = !this.logs;
    this.button.setAttribute("aria-pressed", this.logs);
    this.plot.draw();
  }
  async refresh() {
    const {field, range, scale, threshold} = this.layer;
    if (!Array.isArray(range)) return;
    this.plot.draw();
    this.found = await this.tools.histogram(field, {within: range, scale, threshold});
    this.plot.draw();
  }
  paint(g, plot) {
    const list = this.places(), line = [[0, list[0]?.[1] ?? 0], ...list, [1, list.at(-1)?.[1] ?? 0]].map(([p, v]) => plot.x(p) + " " + plot.y(v));
    const points = this.tools.colorsOf(this.path), shape = points && gradient(points);
    const under = svg("path", {class: "under", d: `M ${plot.x(0)} ${high - edge} L ${line.join(" L ")} L ${plot.x(1)} ${high - edge} Z`});
    under.setAttribute("fill", shape ? `url(#${shape.id})` : "currentColor");
    g.replaceChildren(...(shape ? [shape] : []), this.bars(plot), under, svg("path", {class: "over", d: "M " + line.join(" L ")}));
  }
  bars(plot) {
    const bins = this.found?.range ? this.found.bins : [], tall = this.logs ? Math.log1p : v => v, top = tall(Math.max(1, ...bins));
    const d = bins.map((b, n) => `M ${plot.x(n / bins.length)} ${high - edge} V ${plot.y(tall(b) / top)} H ${plot.x((n + 1) / bins.length)} V ${high - edge} Z`);
    return svg("path", {class: "bars", d: d.join(" ")});
  }
}
