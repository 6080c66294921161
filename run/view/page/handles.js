/* Handles of slices and clips in the picture, and the form that cuts. A slice moves along its normal, an index plane
 * along the lines of its block, a box by its faces. */
import { along } from "./project.js";
import { brief } from "./text.js";

const axisNames = ["x", "y", "z"], most = 33;
const dot = (a, b) => a.reduce((sum, v, n) => sum + v * b[n], 0);

export class Handles {
  constructor(session, overlay, tools) {
    Object.assign(this, {session, overlay, tools, ways: new Map()});
    overlay.add(() => this.list());
    this.form = this.makeForm();
  }
  get bounds() { return this.tools.data.bounds; }
  get middle() { return this.bounds[0].map((v, n) => (v + this.bounds[1][n]) / 2); }
  list() {
    if (!this.tools.data) return [];
    const {layers = [], clip = []} = this.session.config;
    const slices = (Array.isArray(layers) ? layers : []).flatMap((layer, n) => layer.contour && layer.shown !== false
      ? this.slice("layers." + n + ".contour", layer.contour, "Slice of layer " + n) : []);
    return [...slices, ...clip.flatMap((c, n) => this.clip("clip." + n, c, "Clip " + n))].map(h => ({key: h.key, handle: h}));
  }
  slice(path, c, label) {
    if (Array.isArray(c.plane?.point)) return [this.plane(path + ".plane.point", c.plane.point, c.plane.normal, label)];
    const axis = axisNames.findIndex(a => isNumber(c[a]));
    if (axis >= 0) {
      const [low, high] = this.bounds, at = v => this.middle.map((m, n) => n === axis ? v : m);
      return [{key: path, label: label + ", " + axisNames[axis], value: c[axisNames[axis]], low: low[axis], high: high[axis], at,
        set: (v, rests) => this.tools.set(path + "." + axisNames[axis], +brief(v), rests)}];
    }
    const index = ["i", "j", "k"].find(a => isNumber(c[a]));
    return index ? this.index(path, c, index, label) : [];
  }
  /* A point that moves along its normal, within the bounds of the data. */
  plane(key, point, normal, label) {
    const size = Math.hypot(...normal) || 1, unit = normal.map(v => v / size), [low, high] = this.bounds;
    const ends = unit.map((u, n) => [u * low[n], u * high[n]].sort((a, b) => a - b)), value = dot(unit, point);
    return {key, label, value, low: ends.reduce((s, e) => s + e[0], 0), high: ends.reduce((s, e) => s + e[1], 0),
      at: v => along(point, unit, v - value),
      set: (v, rests) => this.tools.set(key, along(point, unit, v - value).map(p => +brief(p)), rests)};
  }
  /* An index plane moves along the line of vertices through the middle of its block. */
  index(path, c, letter, label) {
    const axis = "ijk".indexOf(letter), {blocks} = this.tools.data;
    const size = b => b.n.reduce((a, v) => a * v, 1);
    const n = c.block ? blocks.findIndex(b => b.name === c.block) : blocks.reduce((best, b, m) => size(b) > size(blocks[best]) ? m : best, 0);
    const way = this.ways.get(n + letter);
    if (n >= 0 && way === undefined) this.ask(n, axis, letter);
    if (!way) return [];
    const end = blocks[n].n[axis] - 1, value = c[letter] < 0 ? end + 1 + c[letter] : c[letter];
    const at = v => {
      const k = clamp(way.findIndex(([i]) => i >= v), 1, way.length - 1), [a, p] = way[k - 1], [b, q] = way[k];
      return along(p, q.map((x, m) => x - p[m]), (v - a) / (b - a));
    };
    return [{key: path, label: label + ", " + letter, value: clamp(value, 0, end), low: 0, high: end, step: 1, at,
      set: (v, rests) => this.tools.set(path + "." + letter, v, rests)}];
  }
  async ask(n, axis, letter) {
    this.ways.set(n + letter, null);
    const {n: size} = this.tools.data.blocks[n], count = Math.min(most, size[axis]);
    const indices = Array.from({length: count}, (_, m) => Math.round(m * (size[axis] - 1) / Math.max(1, count - 1)));
    const vertices = indices.map(i => [n, ...size.map((s, a) => a === axis ? i : Math.floor(s / 2))]);
    const found = await this.session.ask({do: "sample", vertices}).catch(() => null);
    const way = found ? indices.map((i, m) => [i, found.points[m].x]).filter(([, x]) => x.every(isNumber)) : [];
    if (way.length < 2) return;
    this.ways.set(n + letter, way);
    this.overlay.draw();
  }
  clip(path, c, label) {
    if (Array.isArray(c.normal)) return [this.plane(path + ".point", c.point, c.normal, label)];
    if (!Array.isArray(c.box)) return [];
    return [0, 1].flatMap(end => [0, 1, 2].map(axis => {
      const middle = c.box[0].map((v, n) => (v + c.box[1][n]) / 2);
      return {key: path + end + axis, label: label + ", " + axisNames[axis] + (end ? " above" : " below"), value: c.box[end][axis],
        low: end ? c.box[0][axis] : this.bounds[0][axis], high: end ? this.bounds[1][axis] : c.box[1][axis],
        at: v => middle.map((m, n) => n === axis ? v : m),
        set: (v, rests) => this.tools.set(path + ".box", c.box.map((p, m) => p.map((x, n) => m === end && n === axis ? +brief(v) : x)), rests)};
    }));
  }

  /* ---- Cutting ---- */

  makeForm() {
    const button = (text, act) => html("button", {type: "button", onclick: act}, text);
    this.cuts = html("div");
    return html("details", {class: "cutter"}, html("summary", {}, "Cut"),
      html("div", {class: "row"}, ...axisNames.map((a, n) => button("plane " + a, () => this.cut({point: this.middle.map(v => +brief(v)), normal: [0, 1, 2].map(m => +(m === n))}))),
        button("box", () => this.cut({box: this.bounds.map((p, m) => p.map((v, n) => +brief(v + (m ? -1 : 1) * 0.25 * (this.bounds[1][n] - this.bounds[0][n]))))})),
        button("by value", () => this.limit())),
      this.cuts, html("p", {class: "help"}, "Drag the handles in the picture. What a clip or a threshold leaves, all layers show."));
  }
  cut(entry) { return this.tools.change(config => ({...config, clip: [...(config.clip || []), entry]})); }
  /* A threshold of the first field that is shown, in the middle of its range. */
  async limit() {
    const {config} = this.session, own = config.layers.map(l => Object.values(l).find(v => v?.field || v?.color_by)).find(Boolean);
    const field = own?.field || own?.color_by || this.tools.data.fields[0], found = await this.tools.histogram(field);
    const above = found?.range ? +brief((found.middle[0] + found.middle[1]) / 2) : 0;
    this.tools.change(now => ({...now, layers: [...now.layers, {threshold: {field, above}}]}));
  }
  /* The clips that there are, in the form. */
  refresh() {
    const clips = this.session.config.clip || [], name = c => c.box ? "box" : c.radius ? "sphere" : "plane";
    const turned = c => ({...c, normal: c.normal.map(v => -v || 0)});
    const give = edit => this.tools.change(config => {
      const list = edit(config.clip || []);
      return {...config, clip: list.length ? list : undefined};
    });
    this.cuts.replaceChildren(...clips.map((c, n) => html("p", {class: "row"}, "Clip " + n + ", " + name(c) + " ",
      c.normal ? html("button", {type: "button", onclick: () => give(list => list.map((d, m) => m === n && d.normal ? turned(d) : d))}, "other side") : "",
      html("button", {type: "button", "aria-label": "Remove clip " + n, onclick: () => give(list => list.filter((_, m) => m !== n))}, "×"))));
  }
}
