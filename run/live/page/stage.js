/* The picture and the time line. */
import * as feed from "./feed.js";
import { clip, more, plain } from "./text.js";

const mostKept = 60, mostNames = 100, playMilliseconds = 100;
const mostPixels = 2 ** 27; /* half a gigabyte of a browser's memory */

/* Throws if a PNG has more pixels than a browser can take: even a small file may. */
async function checkSize(blob) {
  const view = new DataView(await blob.slice(16, 24).arrayBuffer());
  const wide = view.byteLength === 8 ? view.getUint32(0) : 0, high = wide && view.getUint32(4);
  if (wide * high > mostPixels) {
    throw new Error("the picture has " + wide + " times " + high + " pixels: too many for this page");
  }
}

export class Stage {
  /* onShow: called with each frame; onChoose: with the name of the picture that is chosen. */
  constructor(onShow, onChoose) {
    Object.assign(this, {onShow, onChoose});
    this.kept = new Map();
    this.forget();
    byId("slider").addEventListener("input", () => this.go(+byId("slider").value));
    byId("newest").addEventListener("click", () => this.follow());
    byId("play").addEventListener("click", () => this.play(!this.playing));
    byId("name").addEventListener("change", () => this.choose(byId("name").value));
  }
  forget() {
    this.play(false);
    for (const address of this.kept.values()) URL.revokeObjectURL(address);
    /* Byte of the line -> address of the picture, oldest first. A new map for each run, as a picture of
     * the previous run may still arrive in the old map. */
    this.kept = new Map();
    Object.assign(this, {names: new Map(), left: new Set(), name: null, index: -1, following: true, wanted: null,
      shown: null});
    byId("name").replaceChildren();
    byId("picture").hidden = true;
    byId("empty").hidden = false;
    this.drawPlayer();
  }
  get list() { return this.names.get(this.name) || []; }
  get frame() { return this.list[this.index]; }

  /* ---- Frames ---- */

  take(rows) {
    for (const [row, at] of rows) {
      const name = clip(row.name, 100);
      if (!isNumber(row.cycle) || !this.has(name)) continue;
      this.names.get(name).push({at, cycle: row.cycle, time: row.time, seconds: row.seconds});
    }
    if (!this.names.size) return;
    if (this.name === null) this.choose(this.names.keys().next().value);
    if (this.following) this.go(this.list.length - 1, true);
    else this.drawPlayer();
  }
  /* Makes a list for pictures of that name; false if there are too many names. */
  has(name) {
    if (this.names.has(name)) return true;
    if (this.names.size < mostNames) {
      this.names.set(name, []);
      byId("name").append(html("option", {value: name}, name || "picture"));
      return true;
    }
    if (!this.left.size) byId("name").append(html("option", {id: "hidden-names", disabled: ""}));
    this.left.add(name);
    byId("hidden-names").textContent = more(this.left.size);
    return false;
  }
  choose(name) {
    const cycle = this.frame?.cycle;
    this.name = name;
    this.index = -1;
    this.onChoose(name);
    if (this.following || cycle === undefined) this.go(this.list.length - 1, true);
    else this.goToCycle(cycle);
  }
  go(index, follow = false) {
    if (!this.list.length) return;
    this.index = Math.max(0, Math.min(index, this.list.length - 1));
    this.following = follow || (this.index === this.list.length - 1 && !this.playing);
    this.drawPlayer();
    this.want(this.frame);
    this.onShow(this.frame);
  }
  follow() {
    this.play(false);
    this.go(this.list.length - 1, true);
  }
  goToCycle(cycle) {
    let best = 0;
    this.list.forEach((f, n) => {
      if (Math.abs(f.cycle - cycle) < Math.abs(this.list[best].cycle - cycle)) best = n;
    });
    this.go(best);
  }

  /* ---- Loading: one picture at a time; the latest request comes next ---- */

  async want(frame) {
    this.wanted = frame;
    if (this.loading) return;
    this.loading = true;
    while (this.wanted && this.wanted !== this.shown) {
      const next = this.wanted, names = this.names;
      try {
        const address = await this.load(next.at);
        if (names === this.names) this.show(next, address);
      } catch (error) {
        if (this.wanted === next) this.fail(next, error);
      }
      if (this.wanted === next) this.wanted = null;
    }
    this.loading = false;
  }
  async load(at) {
    const kept = this.kept;
    let address = kept.get(at);
    if (!address) {
      const blob = await feed.picture(at);
      await checkSize(blob);
      address = URL.createObjectURL(blob);
      const image = new Image();
      image.src = address;
      await image.decode();
    }
    kept.delete(at);
    kept.set(at, address);
    for (const [old, used] of kept) {
      if (kept.size <= mostKept || used === byId("picture").src) break;
      URL.revokeObjectURL(used);
      kept.delete(old);
    }
    return address;
  }
  show(frame, address) {
    const image = byId("picture");
    image.src = address;
    image.alt = "Picture " + (this.name || "") + " of cycle " + frame.cycle;
    image.dataset.cycle = frame.cycle;
    image.dataset.at = frame.at;
    image.hidden = false;
    image.classList.remove("old");
    byId("empty").hidden = true;
    this.shown = frame;
    this.drawCaption(frame);
  }
  fail(frame, error) {
    byId("picture").classList.add("old");
    this.shown = null;
    byId("which").textContent = "Cycle " + frame.cycle + ": " + error.message;
  }

  /* ---- Player ---- */

  play(on) {
    this.playing = on;
    byId("play").textContent = on ? "❚❚" : "▶";
    byId("play").setAttribute("aria-label", on ? "Pause" : "Play from here");
    clearTimeout(this.timer);
    if (!on) return;
    if (this.index >= this.list.length - 1) this.index = -1;
    this.tick();
  }
  tick() {
    if (!this.playing) return;
    if (!this.loading) {
      if (this.index >= this.list.length - 1) return this.follow();
      this.go(this.index + 1);
    }
    this.timer = setTimeout(() => this.tick(), playMilliseconds);
  }
  drawPlayer() {
    const slider = byId("slider"), count = this.list?.length || 0;
    slider.max = Math.max(0, count - 1);
    slider.value = Math.max(0, this.index);
    slider.disabled = byId("play").disabled = count < 2;
    slider.setAttribute("aria-valuetext", this.frame ? "cycle " + this.frame.cycle : "none");
    byId("newest").setAttribute("aria-pressed", this.following);
    byId("name").hidden = (this.names?.size || 0) < 2;
    byId("name").value = this.name ?? "";
    if (!count) byId("which").textContent = "";
  }
  drawCaption(frame) {
    byId("which").textContent = "Frame " + (this.list.indexOf(frame) + 1) + " of " + this.list.length +
      " · cycle " + frame.cycle + " · time " + plain(frame.time) +
      (isNumber(frame.seconds) ? " · drawn in " + seconds(frame.seconds) : "");
  }
}
