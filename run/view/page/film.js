/* A film of marked views: each mark is a camera and a step. The program that one takes away draws all pictures with
 * karman render; between two marks the camera goes round the centre, evenly. */
import { axes } from "./view.js";
import { download } from "./probe.js";
import { send } from "./session.js";
import { brief } from "./text.js";
import { toast } from "./toast.js";

const mostMarks = 60;
const mix = (a, b, t) => a.map((v, n) => v + t * (b[n] - v));
const long = v => Math.hypot(...v);

/* The camera between two: centre and distance on straight lines, the direction on a circle. */
function between(a, b, t) {
  const off = [a, b].map(c => c.position.map((v, n) => v - c.look_at[n])), far = off.map(long);
  const unit = off.map((v, n) => v.map(x => x / (far[n] || 1))), dot = clamp(unit[0].reduce((s, v, n) => s + v * unit[1][n], 0), -1, 1);
  const angle = Math.acos(dot), sine = Math.sin(angle);
  const way = sine > 1e-6 ? mix(unit[0].map(v => v * 0), unit[0], Math.sin((1 - t) * angle) / sine).map((v, n) => v + Math.sin(t * angle) / sine * unit[1][n]) : unit[0];
  const look_at = mix(a.look_at, b.look_at, t), distance = far[0] * (far[1] / far[0]) ** t;
  const camera = {position: look_at.map((v, n) => v + distance * way[n]), look_at, up: mix(a.up, b.up, t)};
  if (a.height && b.height) camera.height = a.height * (b.height / a.height) ** t;
  else camera.fov = a.fov + t * (b.fov - a.fov);
  return axes(camera) ? camera : a;
}
const flow = v => Array.isArray(v) ? "[" + v.map(brief).join(", ") + "]" : typeof v === "number" ? brief(v) : v;
const text = camera => "{" + Object.entries({...camera, projection: camera.height ? "orthographic" : "perspective"}).map(([k, v]) => k + ": " + flow(v)).join(", ") + "}";

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
  /* [number, step, camera] of each picture. */
  frames(count) {
    const list = [], index = s => this.steps.findIndex(t => t[0] === s);
    this.marks.slice(1).forEach((b, n) => {
      const a = this.marks[n], last = n === this.marks.length - 2;
      for (let k = 0; k < count + last; k++) {
        const t = k / count, step = this.steps[Math.round(index(a.step) + t * (index(b.step) - index(a.step)))];
        list.push([list.length, step[0], between(a.camera, b.camera, t)]);
      }
    });
    return list;
  }
  async save() {
    const {name} = this.take, frames = this.frames(+byId("film-count").value);
    const config = await (await send({do: "take", config: this.take.sized(), step: this.session.step})).text();
    download(name + ".yaml", "application/yaml", config);
    download(name + "_film.sh", "text/x-shellscript", ["#!/bin/sh", "# Draws " + frames.length + " pictures of " + name + ".yaml, in this folder: number, step and camera of each.",
      "while read -r number step camera; do", '  ' + this.take.launch() + 'karman render -q ' + name + '.yaml --set "data.steps=$step" --set "camera=$camera" --output "' + name + '_$number.png" </dev/null || exit 1',
      "done <<'END'", ...frames.map(([n, step, camera]) => String(n).padStart(4, "0") + " " + step + " " + text(camera)), "END", ""].join("\n"));
  }
}
