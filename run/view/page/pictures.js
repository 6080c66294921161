/* Pictures of the state: coarse ones while it moves, whose size follows from the time of the last ones, and
 * the whole one at rest. One drawing is under way at a time, and the newest state is drawn next. */
import { json, send } from "./session.js";
import { clip } from "./text.js";

const restMilliseconds = 140, fast = 28, slow = 55, loadMilliseconds = 500, leastScale = 0.16, quickScale = 0.9999;

/* What is being loaded, in words; "" if nothing is. */
export function loadingText({what, share}) {
  return what ? "Loading " + clip(what, 60) + ": " + Math.round(100 * share) + " % …" : "";
}

export class Pictures {
  /* take: {shown(note, how), failed(error)}; own: the image, its name at the server, and what it shows of the state. */
  constructor(session, take, own = {image: "picture", state: () => session.state}) {
    Object.assign(this, {session, take, own, busy: false, wanted: null, scale: 0.5, address: null, jpeg: true,
      seconds: 1, number: 0, trip: Infinity});
  }
  move() {
    clearTimeout(this.timer);
    this.abort?.abort();
    this.wanted = "coarse";
    this.turn();
    this.timer = setTimeout(() => this.rest(), restMilliseconds);
  }
  rest() {
    clearTimeout(this.timer);
    /* One that takes long is refined in steps. */
    this.wanted = this.seconds > 0.4 && this.last !== "quick" ? "quick" : "whole";
    this.turn();
  }
  order(how) {
    this.drawn = this.own.state();
    const {config, step, other} = this.drawn, client = this.own.client ? {client: this.own.client} : {};
    const form = how !== "whole" && this.jpeg ? {form: "jpeg", quality: how === "quick" ? 90 : 75} : {form: "png"};
    const scale = how === "coarse" ? {scale: this.scale} : how === "quick" ? {scale: quickScale} : {};
    return {do: "draw", config, step, ...other ? {other} : {}, ...client, watched: !this.own.client, ...form, ...scale};
  }
  async turn() {
    if (this.busy || !this.wanted) return;
    const how = this.wanted, number = ++this.number, begin = performance.now();
    this.wanted = null;
    this.busy = true;
    this.abort = how === "coarse" ? null : new AbortController();
    if (!this.own.client) {
      byId("pending").hidden = how === "coarse";
      byId("pending").textContent = "drawing …";
    }
    /* The word stands below the first picture, which takes it away again. */
    const telling = this.own.client ? 0 : setInterval(() => this.tell(), loadMilliseconds);
    try {
      const answer = await send(this.order(how), this.abort?.signal);
      const note = JSON.parse(answer.headers.get("Karman-View") || "{}"), blob = await answer.blob();
      await this.show(blob);
      this.adapt(how, performance.now() - begin, note);
      this.take.shown({...note, bytes: blob.size, milliseconds: performance.now() - begin}, how);
      if (how === "quick" && !this.wanted) this.wanted = "whole";
    } catch (error) {
      /* Another order of this page has ended it, such as a small picture that came late: the state is still to be drawn. */
      if (error.code === 409) this.wanted ??= how;
      else if (error.name !== "AbortError") this.take.failed(error);
    }
    clearInterval(telling);
    this.busy = false;
    this.last = how;
    if (!this.own.client && !this.wanted && number === this.number) byId("pending").hidden = true;
    this.turn();
  }
  /* A picture that waits for its data says so. */
  async tell() {
    const text = loadingText(await json({do: "loading"}).catch(() => ({})));
    if (!text || !this.busy) return;
    byId("pending").textContent = text;
    byId("pending").hidden = false;
  }
  adapt(how, milliseconds, note) {
    if (how === "whole") this.seconds = note.seconds || 0;
    if (how !== "coarse") return;
    /* The way to the server and back takes as long for small pictures: the shortest one of late does not count. */
    this.trip = Math.min(1.02 * this.trip, Math.max(0, milliseconds - 1000 * (note.seconds || 0)));
    const cost = milliseconds - this.trip;
    if (cost > slow) this.scale = Math.max(leastScale, this.scale * Math.sqrt(0.8 * slow / cost));
    else if (cost < fast) this.scale = Math.min(0.99, this.scale * 1.15);
  }
  /* Swaps the picture when the new one is decoded, so that nothing flickers. */
  async show(blob) {
    const image = byId(this.own.image), address = URL.createObjectURL(blob), next = new Image();
    next.src = address;
    await next.decode();
    image.src = address;
    image.hidden = false;
    byId("empty").hidden = true;
    if (this.address) URL.revokeObjectURL(this.address);
    this.address = address;
  }
}
