/* The camera follows the pointer: each movement makes a new camera, which is sent as orders. Only one
 * request is under way at a time. The next one sends the latest camera. */
import * as feed from "./feed.js";
import { toast } from "./toast.js";
import { brief } from "./text.js";
import { dolly, orbit, pan, tips } from "./view.js";

const turnPerHeight = Math.PI, /* of the picture */ patience = 5000;
const keys = {ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
const isPoint = v => Array.isArray(v) && v.length === 3 && v.every(isNumber);
const same = (a, b) => !a || !b ? a === b : a.every((v, n) => brief(v) === brief(b[n]));

export class Drag {
  /* settings: values by name; stage: names the picture that is shown. */
  constructor(settings, stage) {
    Object.assign(this, {settings, stage, wanted: null, sent: null, busy: false, from: null, takes: false,
      pointers: new Map()});
    const place = byId("stage");
    place.addEventListener("pointerdown", e => this.down(e));
    place.addEventListener("pointermove", e => this.move(e));
    for (const kind of ["pointerup", "pointercancel"]) place.addEventListener(kind, e => this.up(e));
    place.addEventListener("wheel", e => this.wheel(e), {passive: false});
    place.addEventListener("keydown", e => this.key(e));
  }

  /* ---- The camera ---- */

  /* If a run has several pictures, each has its own camera. */
  get prefix() {
    const own = "pictures." + this.stage.name + ".camera.";
    return this.settings.has(own + "position") ? own : "camera.";
  }
  get hasCamera() { return isPoint(this.settings.value(this.prefix + "position")); }
  get possible() { return this.takes && this.hasCamera; }
  /* takes: whether the program takes orders; if not, a drag ends. */
  allow(takes) {
    if (takes === this.takes) return;
    this.takes = takes;
    if (!takes) {
      this.finish();
      this.wanted = null;
    }
    this.draw();
  }
  known() {
    const value = key => this.settings.value(this.prefix + key);
    const point = (key, otherwise) => isPoint(value(key)) ? value(key) : otherwise;
    return {position: point("position", [1, 0, 0]), look_at: point("look_at", [0, 0, 0]),
      up: point("up", [0, 0, 1]), fov: isNumber(value("fov")) && value("fov") || 30, prefix: this.prefix};
  }
  /* The camera that was sent counts until the program reports it, or some seconds are over. */
  get camera() { return this.wanted || this.sent || this.known(); }

  set(camera) {
    this.wanted = camera;
    this.draw();
    this.send();
  }
  async send() {
    if (this.busy || !this.wanted) return;
    const next = this.wanted, before = this.sent || this.known();
    const orders = ["position", "look_at", "up"]
      .filter(k => this.settings.has(next.prefix + k) && !same(next[k], before[k]))
      .map(k => ["set", next.prefix + k, next[k].map(brief).join(",")]);
    this.wanted = null;
    if (!orders.length) return;
    clearTimeout(this.rest);
    this.busy = true;
    this.sent = next;
    this.moved = true;
    await this.deliver(orders);
    this.busy = false;
    this.rest = setTimeout(() => { this.sent = null; this.draw(); }, patience);
    this.settle();
    this.send();
  }
  /* Called when the program has reported its values. */
  settle() {
    const known = this.known(), agree = ["position", "look_at", "up"].every(k => same(this.sent?.[k], known[k]));
    if (agree && !this.busy) this.sent = null;
    this.draw();
  }
  async deliver(orders) {
    try {
      const answer = await feed.order(...orders);
      if (answer && answer.accepted === false) throw new Error(answer.message);
      if (!answer) toast("The camera is sent; the program answers after its step.");
    } catch (error) {
      this.sent = null;
      toast(error.message, true);
    }
  }

  /* ---- Pointers ---- */

  begin() {
    if (this.from) return;
    this.from = this.camera;
    this.moved = false;
    if (!this.stage.following) this.stage.follow();
    byId("stage").classList.add("dragging");
    this.draw();
  }
  finish() {
    this.from = null;
    this.pointers.clear();
    byId("stage").classList.remove("dragging");
  }
  /* Returns to the camera at the start of the drag, by an order if another one was sent. */
  cancel() {
    const from = this.from;
    if (!from) return;
    this.finish();
    if (this.moved || this.busy) this.set(from);
    else this.wanted = null;
    this.draw();
  }
  down(e) {
    if (!this.possible || e.button > 0) return;
    byId("stage").setPointerCapture(e.pointerId);
    this.pointers.set(e.pointerId, [e.clientX, e.clientY]);
    this.begin();
  }
  move(e) {
    const before = this.pointers.get(e.pointerId);
    if (!before || !this.from) return;
    const now = [e.clientX, e.clientY], high = byId("stage").clientHeight;
    const x = (now[0] - before[0]) / high, y = (now[1] - before[1]) / high;
    const other = [...this.pointers].find(([id]) => id !== e.pointerId);
    this.pointers.set(e.pointerId, now);
    if (other) this.pinch(before, now, other[1]);
    else if (e.shiftKey) this.set(pan(this.camera, x, y));
    else this.set(orbit(this.camera, -x * turnPerHeight, y * turnPerHeight));
  }
  pinch(before, now, other) {
    const apart = p => Math.max(20, Math.hypot(p[0] - other[0], p[1] - other[1]));
    this.set(dolly(this.camera, apart(before) / apart(now)));
  }
  up(e) {
    if (!this.pointers.delete(e.pointerId)) return;
    if (!this.pointers.size) this.finish();
  }
  wheel(e) {
    if (!this.possible || e.ctrlKey) return;
    e.preventDefault();
    const lines = e.deltaMode === 1 ? 20 : e.deltaMode === 2 ? 400 : 1;
    if (!this.stage.following) this.stage.follow();
    this.set(dolly(this.camera, Math.exp(Math.max(-1, Math.min(1, e.deltaY * lines / 1000)))));
  }
  key(e) {
    if (!this.possible || e.altKey || e.ctrlKey || e.metaKey) return;
    const way = keys[e.key], angle = 5 * Math.PI / 180;
    if (way && e.shiftKey) this.set(pan(this.camera, -way[0] / 20, -way[1] / 20));
    else if (way) this.set(orbit(this.camera, way[0] * angle, -way[1] * angle));
    else if (e.key === "+" || e.key === "=") this.set(dolly(this.camera, 1 / 1.1));
    else if (e.key === "-") this.set(dolly(this.camera, 1.1));
    else return;
    e.preventDefault();
  }

  /* ---- Drawing ---- */

  draw() {
    const place = byId("stage"), under = Boolean(this.wanted || this.sent);
    place.classList.toggle("fixed", !this.possible);
    place.classList.toggle("turned", under);
    byId("hint").textContent = !this.possible || !(under || this.from) ? ""
      : this.camera.position.map(v => +v.toPrecision(4)).join(", ");
    byId("triad").replaceChildren();
    if (!this.hasCamera) return;
    for (const [name, x, y] of tips(this.camera)) {
      byId("triad").append(svg("line", {class: name, x1: 0, y1: 0, x2: 32 * x, y2: 32 * y}),
        svg("text", {class: name, x: 42 * x, y: 42 * y}, name));
    }
  }
}
