/* A film of marked views: a config whose camera passes through them. Steps of the data go on evenly. */
import { download } from "./probe.js";
import { json } from "./session.js";
import { toast } from "./toast.js";

const mostMarks = 60, pick = ({position, look_at, up, fov, height}) => ({position, look_at, up, ...(height ? {height} : {fov})});

export class Film {
  /* steps(): [[number, time], …] of the data; take: the dialog of taking away. */
  constructor(session, sight, take) {
    Object.assign(this, {session, sight, take, marks: [], steps: []});
    byId("mark").addEventListener("click", () => this.mark());
    byId("take-marks").addEventListener("click", () => take.attempt(() => this.save()));
  }
  mark() {
    if (this.marks.length >= mostMarks) return toast("A film has " + mostMarks + " views at most.", true);
    const {camera} = this.sight;
    this.marks.push({camera: structuredClone(camera), step: this.session.step, image: byId("picture").src});
    this.draw();
    toast("View " + this.marks.length + " is marked: 'Take away' gives the film.");
  }
  go(mark) { this.session.rest(this.sight.withCamera(mark.camera), mark.step); }
  draw() {
    byId("film").hidden = !this.marks.length;
    byId("film-list").replaceChildren(...this.marks.map((m, n) => html("li", {},
      html("button", {type: "button", onclick: () => { byId("taking").close(); this.go(m); }}, "View " + (n + 1) + ", step " + m.step), " ",
      html("button", {type: "button", "aria-label": "Remove view " + (n + 1), onclick: () => { this.marks.splice(n, 1); this.draw(); }}, "×"))));
    byId("take-marks").disabled = this.marks.length < 2;
  }
  /* The frames at which the marks stand, and the steps: one, or those from the first mark to the last. */
  plan(count) {
    const at = this.marks.map(m => this.steps.findIndex(s => s[0] === m.step)), first = at[0], last = at.at(-1);
    const frames = count * (at.length - 1) + 1;
    if (at.every(n => n === first)) return {frames, steps: this.marks[0].step, places: at.map((_, n) => n * count)};
    if (!at.every((n, m) => m === 0 || n > at[m - 1])) throw new Error("Steps of marked views ascend, or all are the same.");
    return {frames, steps: [this.marks[0].step, this.marks.at(-1).step], places: at.map(n => Math.floor((n - first) * frames / (last - first + 1)))};
  }
  async save() {
    const {name} = this.take, {frames, steps, places} = this.plan(+byId("film-count").value);
    const taken = await json({do: "take", form: "json", config: this.take.sized(), step: this.session.step});
    const keyframes = this.marks.map((m, n) => ({at: places[n], ...pick(m.camera)}));
    const config = {...taken, data: {...taken.data, steps}, film: {frames}, camera: {...taken.camera, path: {keyframes}},
      output: {...taken.output, frames: name + "_%04d.png"}};
    download(name + "_film.yaml", "application/yaml", JSON.stringify(config, null, 1) + "\n");
  }
}
