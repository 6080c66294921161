/* The camera of a view: the movements of karman live's, and keys. A movement is a new state. */
import { Drag } from "./drag.js";
import { brief } from "./text.js";
import { centre, fit, lookFrom, orbit, project } from "./view.js";

const sides = {x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1]};
const round = v => v.map(x => +brief(x));
const clickPixels = 4;

export class Sight extends Drag {
  /* bounds: of the data; take: {click(x, y), double(x, y)} of places in the picture, 0 to 1. */
  constructor(session, take) {
    super({has: () => true, value: () => null}, {name: "", following: true});
    Object.assign(this, {session, take, bounds: [[0, 0, 0], [1, 1, 1]]});
    byId("stage").addEventListener("dblclick", e => this.at(e, take.double));
  }
  get possible() { return Boolean(this.session?.state); }
  get hasCamera() { return this.possible; }
  get camera() {
    const c = this.session.config.camera || {}, parallel = ["orthographic", "parallel"].includes(c.projection);
    return {position: c.position || [1, 0, 0], look_at: c.look_at || [0, 0, 0], up: c.up || [0, 0, 1],
      fov: c.fov || 30, ...(parallel && c.height ? {height: c.height} : {})};
  }
  get parallel() { return Boolean(this.camera.height); }
  withCamera(camera) {
    const {config} = this.session, {height, ...old} = config.camera || {};
    const own = {...old, position: round(camera.position), look_at: round(camera.look_at), up: round(camera.up),
      projection: camera.height ? "orthographic" : "perspective"};
    if (camera.height) own.height = +brief(camera.height);
    if (own.projection === "perspective" && !("projection" in (config.camera || {}))) delete own.projection;
    return {...config, camera: own};
  }
  set(camera) {
    this.session.move(this.withCamera(camera), this.session.step, !this.from);
    this.moved = true;
    this.draw();
  }
  jump(camera) {
    this.session.rest(this.withCamera(camera));
    this.draw();
  }

  /* ---- Pointers ---- */

  down(e) {
    this.start = [e.clientX, e.clientY];
    super.down(e);
  }
  up(e) {
    const was = this.from, still = this.start && Math.hypot(e.clientX - this.start[0], e.clientY - this.start[1]) < clickPixels;
    super.up(e);
    if (!was || this.from) return;
    if (this.moved) this.session.rest();
    else if (still) this.at(e, this.take.click);
  }
  move(e) {
    if (this.start && this.pointers.size === 1 && Math.hypot(e.clientX - this.start[0], e.clientY - this.start[1]) < clickPixels) return;
    if (this.pointers.size) this.start = null;
    super.move(e);
  }
  cancel() {
    const from = this.from;
    if (!from) return;
    this.finish();
    if (this.moved) this.set(from);
  }
  /* Calls `use` with the place of an event in the picture, which is fitted into the stage. */
  at(e, use) {
    const place = this.place(e);
    if (place) use(...place, e);
  }
  place(e) {
    const image = byId("picture"), box = image.getBoundingClientRect();
    const scale = Math.min(box.width / image.naturalWidth, box.height / image.naturalHeight);
    const x = (e.clientX - box.left - (box.width - scale * image.naturalWidth) / 2) / (scale * image.naturalWidth);
    const y = (e.clientY - box.top - (box.height - scale * image.naturalHeight) / 2) / (scale * image.naturalHeight);
    return x >= 0 && x < 1 && y >= 0 && y < 1 ? [x, y] : null;
  }

  /* ---- Keys ---- */

  key(e) {
    if (!this.possible || e.altKey || e.ctrlKey || e.metaKey) return;
    const side = sides[e.key.toLowerCase()];
    if (side && e.key.length === 1) {
      const sign = e.key === e.key.toLowerCase() ? 1 : -1, up = e.key.toLowerCase() === "z" ? [0, 1, 0] : [0, 0, 1];
      e.preventDefault();
      return this.jump(lookFrom(this.camera, side.map(v => sign * v), up));
    }
    super.key(e);
  }
  fit() {
    const {width = 4, height = 3} = this.session.config.image || {};
    this.jump(fit(this.camera, this.bounds, width / height));
  }
  reset() {
    this.session.rest({...this.session.config, camera: this.session.first.config.camera});
    this.draw();
  }
  project() { this.jump(project(this.camera)); }
  centre(point) { this.jump(centre(this.camera, point)); }
  turn(yaw) { this.set(orbit(this.camera, yaw, 0)); }
}
