/* Steps: the slider, playing, and small pictures of steps, which are made while nothing else is to do. */
import { send } from "./session.js";
import { plain } from "./text.js";

export class Timeline {
  constructor(session) {
    Object.assign(this, {session, steps: [], playing: false, since: 0});
    const on = (id, kind, act) => byId(id).addEventListener(kind, act);
    on("slider", "input", () => this.go(+byId("slider").value, false));
    on("slider", "change", () => this.go(+byId("slider").value, true));
    on("play", "click", () => this.play(!this.playing));
    on("back", "click", () => this.go(this.index() - 1, true));
    on("forth", "click", () => this.go(this.index() + 1, true));
  }
  take(steps) {
    this.steps = steps;
    byId("slider").max = steps.length - 1;
    for (const id of ["slider", "play", "speed"]) byId(id).disabled = steps.length < 2;
  }
  index() { return this.steps.findIndex(s => s[0] === this.session.step); }
  go(index, rests) {
    if (index < 0 || index >= this.steps.length) return false;
    this.since = performance.now();
    if (rests) this.session.rest(this.session.config, this.steps[index][0]);
    else this.session.move(this.session.config, this.steps[index][0]);
    return true;
  }
  play(on) {
    this.playing = on && this.steps.length > 1;
    clearTimeout(this.next);
    byId("play").textContent = this.playing ? "❚❚" : "▶";
    byId("play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
    if (this.playing && !this.go(this.index() + 1)) this.go(0);
    if (!this.playing && this.session.state) this.session.rest();
  }
  /* The next step follows when the picture of this one is there, as soon as the speed allows. */
  shown(isLast) {
    if (!this.playing || !isLast || +byId("picture").dataset.step !== this.session.step) return;
    const speed = +byId("speed").value, pause = speed ? 1000 / speed - (performance.now() - this.since) : 0;
    clearTimeout(this.next);
    this.next = setTimeout(() => this.follow(), Math.max(0, pause));
  }
  follow() {
    if (!this.playing || this.go(this.index() + 1)) return;
    if (byId("loop").checked) this.go(0);
    else this.play(false);
  }
  draw() {
    const n = this.index();
    byId("slider").value = n;
    byId("back").disabled = n <= 0;
    byId("forth").disabled = n >= this.steps.length - 1;
  }
}

/* Small pictures of some steps, as they look now. The next step is drawn first, shown or not: its data are then near. */
const idleMilliseconds = 900, wide = 92, most = 14, slowSeconds = 2;

export class Thumbs {
  constructor(session, player) { Object.assign(this, {session, player, made: new Map(), word: "", run: 0}); }
  /* Something happens: no small pictures for now. */
  stop() {
    this.run++;
    this.abort?.abort();
    clearTimeout(this.timer);
  }
  wait() {
    clearTimeout(this.timer);
    if (this.player.steps.length > 1 && !this.player.playing) this.timer = setTimeout(() => this.make(), idleMilliseconds);
  }
  /* The steps that have a picture: evenly spaced, with the last. */
  chosen() {
    const count = this.player.steps.length, room = clamp(Math.floor(byId("stage").clientWidth / wide), 2, Math.min(most, count));
    return [...new Set(Array.from({length: room}, (_, n) => Math.round(n * (count - 1) / (room - 1))))];
  }
  async make() {
    const run = this.run, word = JSON.stringify(this.session.config);
    if (word !== this.word) {
      for (const address of this.made.values()) URL.revokeObjectURL(address);
      this.made = new Map();
    }
    this.word = word;
    const now = this.player.index(), chosen = this.chosen(), left = [...chosen].sort((a, b) => (a <= now) - (b <= now) || a - b);
    this.draw(chosen);
    if (now + 1 < this.player.steps.length && !chosen.includes(now + 1)) await this.ask(now + 1);
    if (run !== this.run) return;
    for (const index of left.filter(n => !this.made.has(n))) {
      const begin = performance.now(), blob = await this.ask(index);
      if (run !== this.run || !blob) return;
      this.made.set(index, URL.createObjectURL(blob));
      this.draw(chosen);
      if (performance.now() - begin > 1000 * slowSeconds) break; /* large data: the next step alone */
    }
    if (this.made.size) await this.ask(now); /* the data of the shown step are at hand again */
  }
  async ask(index) {
    const {config} = this.session, [step] = this.player.steps[index], scale = Math.min(1, wide / (config.image?.width || 1024));
    this.abort = new AbortController();
    const answer = await send({do: "draw", config, step, form: "jpeg", quality: 70, scale}, this.abort.signal).catch(() => null);
    return answer && answer.blob().catch(() => null);
  }
  draw(chosen) {
    byId("thumbs").hidden = false;
    byId("thumbs").replaceChildren(...chosen.map(n => {
      const [step, time] = this.player.steps[n], label = "Step " + step + ", time " + plain(time), address = this.made.get(n);
      return html("button", {type: "button", title: label, "aria-label": label, tabindex: -1, onclick: () => this.player.go(n, true)},
        ...(address ? [html("img", {src: address, alt: ""})] : []));
    }));
  }
}
