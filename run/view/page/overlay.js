/* Marks over the picture: points, lines with texts, and handles that are dragged. They follow the camera. */
import { project, unproject } from "./project.js";
import { plain } from "./text.js";

const flat = 0.3; /* pixels for a hundredth of the way: a handle that points at the eye is dragged up and down */

export class Overlay {
  constructor(session, sight) {
    Object.assign(this, {session, sight, sources: [], items: new Map(), shown: true});
    this.box = byId("overlay");
    new ResizeObserver(() => this.draw()).observe(byId("stage"));
  }
  /* source(): list of {key, dot, line, text, kind} with points of space, or {key, handle}. */
  add(source) { this.sources.push(source); }
  get aspect() {
    const {width = 4, height = 3} = this.session.config.image || {};
    return width / height;
  }
  /* Pixels of the stage for a place in the picture, which is fitted into it. */
  pixels([x, y]) {
    const {offsetLeft: left, offsetTop: top, offsetWidth: w, offsetHeight: h} = byId("picture");
    const wide = Math.min(w, h * this.aspect), high = wide / this.aspect;
    return [left + (w - wide) / 2 + x * wide, top + (h - high) / 2 + y * high];
  }
  of(point) {
    const place = project(this.sight.camera, this.aspect, point);
    return place && this.pixels(place);
  }
  /* The point of space at a place, in the plane of the camera's centre. */
  plane(place) { return unproject(this.sight.camera, this.aspect, place, this.sight.camera.look_at); }
  draw() {
    if (!this.session.state) return;
    const left = new Set(this.items.keys());
    for (const item of this.sources.flatMap(s => s())) {
      left.delete(item.key);
      const own = this.items.get(item.key) || this.make(item);
      if (item.handle) own.handle.take(item.handle);
      else this.place(own, item);
    }
    for (const key of left) {
      this.items.get(key).group.remove();
      this.items.delete(key);
    }
  }
  make(item) {
    const group = svg("g", {class: "mark " + (item.kind || "")}), own = {group};
    if (item.handle) own.handle = new Handle(this, group);
    this.items.set(item.key, own);
    this.box.append(group);
    return own;
  }
  place({group}, item) {
    const ends = (item.line || [item.dot]).map(p => item.flat ? this.pixels(p) : this.of(p));
    group.replaceChildren();
    if (ends.some(e => !e)) return;
    if (item.line) group.append(svg("line", {x1: ends[0][0], y1: ends[0][1], x2: ends[1][0], y2: ends[1][1]}));
    for (const [x, y] of ends) group.append(svg("circle", {cx: x, cy: y, r: item.small ? 3 : 4.5}));
    const [x, y] = ends.reduce((a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
    if (item.text) group.append(svg("text", {x: x + 8, y: item.kind === "distance" ? y + 18 : y - 8}, item.text));
  }
}

/* A handle: a value that moves a point of space. {label, value, low, high, step, at(value), set(value, rests)} */
class Handle {
  constructor(overlay, group) {
    Object.assign(this, {overlay, group, held: null});
    fill(group, {tabindex: 0, role: "slider", class: "mark handle"}, [svg("line"), svg("circle", {r: 7}), svg("title")]);
    group.addEventListener("pointerdown", e => this.begin(e));
    group.addEventListener("pointermove", e => this.held && this.drag(e, false));
    for (const kind of ["pointerup", "pointercancel"]) group.addEventListener(kind, e => this.held && this.drag(e, true));
    group.addEventListener("keydown", e => this.key(e));
    for (const kind of ["click", "dblclick"]) group.addEventListener(kind, e => e.stopPropagation());
  }
  take(of) {
    this.of = this.held ? {...of, value: this.held.value} : of;
    const at = this.overlay.of(this.of.at(this.of.value)), way = this.way();
    this.group.style.display = at && this.overlay.shown ? "" : "none";
    if (!at) return;
    const long = Math.hypot(...way) || 1, [x, y] = way.map(v => 22 * v / long), [line, dot, title] = this.group.children;
    fill(line, {x1: at[0] - x, y1: at[1] - y, x2: at[0] + x, y2: at[1] + y}, []);
    fill(dot, {cx: at[0], cy: at[1]}, []);
    title.textContent = this.of.label + ": " + plain(this.of.value) + ". Drag it, or press the arrow keys.";
    fill(this.group, {"aria-label": this.of.label, "aria-valuemin": this.of.low, "aria-valuemax": this.of.high, "aria-valuenow": this.of.value}, []);
  }
  /* Pixels for a hundredth of the way. */
  way() {
    const {value, low, high, at} = this.of, part = (high - low) / 100 || 1;
    const a = this.overlay.of(at(value)), b = this.overlay.of(at(value + part > high ? value - part : value + part));
    const sign = value + part > high ? -1 : 1, way = a && b ? [sign * (b[0] - a[0]), sign * (b[1] - a[1])] : [0, 0];
    return Math.hypot(...way) < flat ? [0, -byId("stage").clientHeight / 200] : way;
  }
  begin(e) {
    e.stopPropagation();
    e.preventDefault();
    this.group.setPointerCapture(e.pointerId);
    this.group.focus({preventScroll: true});
    this.held = {x: e.clientX, y: e.clientY, value: this.of.value, from: this.of.value};
  }
  drag(e, rests) {
    const held = this.held, {low, high, step, set} = this.of, way = this.way(), square = way[0] ** 2 + way[1] ** 2;
    held.value = clamp(held.value + ((e.clientX - held.x) * way[0] + (e.clientY - held.y) * way[1]) / square * (high - low) / 100, low, high);
    Object.assign(held, {x: e.clientX, y: e.clientY});
    e.stopPropagation();
    if (rests) this.held = null;
    if (!rests || held.value !== held.from) set(step ? Math.round(held.value / step) * step : held.value, rests);
    this.overlay.draw();
  }
  key(e) {
    const {value, low, high, step, set} = this.of, part = (step || (high - low) / 100) * (e.shiftKey ? 10 : 1);
    const sign = {ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1}[e.key];
    if (!sign) return;
    e.preventDefault();
    e.stopPropagation();
    set(clamp(value + sign * part, low, high), true);
  }
}
