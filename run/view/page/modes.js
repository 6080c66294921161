/* What a click in the picture does: pin values, draw a line, measure, set seeds of streamlines. A rake is dragged. */
import { toast } from "./toast.js";

const modes = {
  pin: ["Pin", "Click pins the values there."],
  line: ["Line", "Click two points: the values between them."],
  distance: ["Distance", "Click two points: their distance."],
  seeds: ["Seeds", "Each click sets a seed of streamlines."],
  rake: ["Rake", "Drag a line: streamlines set out from it."],
};
const rakeSeeds = 20, round = p => p.map(v => +v.toPrecision(6));

export class Modes {
  /* take: {probe, overlay, lines, change(edit)} */
  constructor(session, sight, take) {
    Object.assign(this, {session, sight, take, name: "pin", first: null, rake: null});
    byId("modes").append(...Object.entries(modes).map(([name, [title, help]]) =>
      html("button", {type: "button", id: "mode-" + name, title: help, onclick: () => this.choose(name)}, title)));
    take.overlay.add(() => this.marks());
    for (const kind of ["pointerdown", "pointermove", "pointerup", "pointercancel"]) byId("stage").addEventListener(kind, e => this.drag(e), true);
    this.choose("pin");
  }
  choose(name) {
    this.name = name;
    this.first = null;
    for (const key of Object.keys(modes)) byId("mode-" + key).setAttribute("aria-pressed", key === name);
    byId("mode-help").textContent = modes[name][1];
    byId("stage").classList.toggle("picking", name !== "pin");
    this.take.overlay.draw();
  }
  /* Marks of what is half made, and of seeds while they are set. */
  marks() {
    const list = this.first ? [{key: "first", dot: this.first}] : [];
    if (this.rake) list.push({key: "rake", line: this.rake, flat: true});
    if (!["seeds", "rake"].includes(this.name)) return list;
    const {layers} = this.session.config, seeds = layers.flatMap(l => l.shown !== false && Array.isArray(l.particles?.seeds) ? l.particles.seeds : []);
    return [...list, ...seeds.flatMap((s, n) => s.block ? [] : s.points ? s.points.slice(0, 200).map((p, m) => ({key: "seed" + n + "." + m, dot: p, small: true}))
      : s.line ? [{key: "seed" + n, line: s.line, small: true}] : [])];
  }
  /* The point of space at a place: of the first surface, or in the plane of the camera's centre. */
  async point(x, y) {
    const found = await this.take.probe.point(x, y);
    if (!found) toast("There is nothing at this place: the point lies in the plane of the centre.");
    return found || this.take.overlay.plane([x, y]);
  }
  async click(x, y) {
    if (this.name === "pin" || this.name === "rake") return this.name === "pin" && this.take.probe.pin(x, y);
    const name = this.name, point = round(await this.point(x, y));
    if (name === "seeds") return this.seed({points: [point]});
    if (!this.first) {
      this.first = point;
      return this.take.overlay.draw();
    }
    const first = this.first;
    this.first = null;
    return this.take.lines.add(name, first, point);
  }
  /* Enter on the picture is a click in its middle. */
  key() { return this.name === "rake" ? this.makeRake([[0.5, 0.35], [0.5, 0.65]]) : this.click(0.5, 0.5); }
  drag(e) {
    if (this.name !== "rake" || e.target.closest(".handle, button")) return;
    e.stopPropagation();
    const place = this.sight.place(e);
    if (e.type === "pointerdown" && place) {
      byId("stage").setPointerCapture(e.pointerId);
      this.rake = [place, place];
    } else if (this.rake && place) {
      this.rake = [this.rake[0], place];
    }
    const rake = this.rake;
    if (["pointerup", "pointercancel"].includes(e.type)) this.rake = null;
    this.take.overlay.draw();
    if (e.type === "pointerup" && rake && Math.hypot(rake[0][0] - rake[1][0], rake[0][1] - rake[1][1]) > 0.01) this.makeRake(rake);
  }
  async makeRake(rake) {
    const ends = [round(await this.point(...rake[0])), round(await this.point(...rake[1]))];
    this.seed({line: ends, count: rakeSeeds});
  }
  /* Adds seeds to the last streamlines whose seeds are listed, or to new ones. */
  seed(entry) {
    return this.take.change(config => {
      const layers = structuredClone(config.layers);
      const own = layers.findLast(l => l.shown !== false && Array.isArray(l.particles?.seeds) && (l.particles.mode || "stream") === "stream");
      const points = entry.points && own?.particles.seeds.find(s => s.points && !s.block);
      if (points) points.points.push(...entry.points);
      else if (own) own.particles.seeds.push(entry);
      else layers.push({particles: {mode: "stream", seeds: [entry], direction: "both", color_by: "velocity_magnitude"}});
      return {...config, layers};
    });
  }
}
