/* Lines between two points with the values along them, distances, and curves over time at pinned points. */
import { csv, plot } from "./plot.js";
import { download } from "./probe.js";
import { distance } from "./project.js";
import { plain } from "./text.js";
import { toast } from "./toast.js";

const count = 200, mostLines = 8, stepsAtOnce = 16, mostSteps = 400;

/* The rows of karman line, with its heading. */
function rowsOf(found, step) {
  const fields = Object.keys(found.values), points = found.points;
  const rows = points.map((p, n) => [step[0], step[1], distance(points[0].x, p.x), ...p.x, ...(p.inside ? [p.block, ...p.at] : ["", "", "", ""]),
    ...fields.map(f => found.values[f][0][n])]);
  return [["step", "time", "distance", "x", "y", "z", "block", "i", "j", "k", ...fields], ...rows];
}

export class Lines {
  constructor(session, overlay) {
    Object.assign(this, {session, overlay, lines: [], made: 0, at: null, steps: []});
    overlay.add(() => [...this.lines.map(l => ({key: "line" + l.number, line: [l.a, l.b], kind: l.kind,
      text: (l.kind === "distance" ? plain(distance(l.a, l.b)) : "line " + l.number)})), ...(this.at ? [{key: "at", dot: this.at, small: true}] : [])]);
  }
  add(kind, a, b) {
    this.lines.push({kind, a, b, number: ++this.made, box: html("div", {class: "curves"})});
    this.lines.splice(0, this.lines.length - mostLines);
    this.refresh();
  }
  remove(line) {
    this.lines = this.lines.filter(l => l !== line);
    this.at = null;
    this.draw();
  }
  /* Values belong to a step and the shown fields. */
  async refresh() {
    const {config, step} = this.session, word = step + JSON.stringify(config.layers);
    for (const line of this.lines) {
      if (line.kind !== "line" || line.word === word) continue;
      line.word = word;
      try { line.found = await this.session.ask({do: "sample", line: [line.a, line.b], count}); } catch (error) { toast(error.message, true); }
      line.step = this.steps.find(s => s[0] === step) || [step, null];
    }
    this.draw();
  }
  draw() {
    byId("lines").hidden = !this.lines.length;
    byId("line-list").replaceChildren(...this.lines.map(l => this.describe(l)));
    this.overlay.draw();
  }
  describe(line) {
    const long = distance(line.a, line.b), parts = line.b.map((v, n) => plain(v - line.a[n])).join(", ");
    const title = (line.kind === "line" ? "Line " : "Distance ") + line.number + ": " + plain(long) + " (" + parts + ")";
    const head = html("div", {class: "heading"}, html("h3", {}, title), html("span", {},
      line.found ? html("button", {onclick: () => download("line" + line.number + ".csv", "text/csv", csv(rowsOf(line.found, line.step)))}, "Save as CSV") : "", " ",
      html("button", {"aria-label": "Remove " + title, onclick: () => this.remove(line)}, "×")));
    if (!line.found) return head;
    const {points, values} = line.found, x = points.map(p => distance(points[0].x, p.x));
    const hover = n => { this.at = n === null ? null : points[n].x; this.overlay.draw(); };
    return html("div", {}, head, html("div", {class: "plots"}, ...Object.entries(values).map(([name, [y]]) => plot(name, "distance", [{name, x, y}], hover))));
  }
}

/* Curves over time at the pinned points, step by step. */
export class Curves {
  constructor(probe) {
    Object.assign(this, {probe, steps: [], run: 0});
    byId("curves").addEventListener("click", () => this.find());
  }
  async find() {
    const pins = this.probe.pins.slice(), points = pins.map(p => p.x), run = ++this.run;
    const stride = Math.ceil(this.steps.length / mostSteps), steps = this.steps.filter((_, n) => n % stride === 0);
    const values = {};
    byId("curve-note").textContent = stride > 1 ? "of every " + stride + "th step" : "";
    try {
      for (let n = 0; n < steps.length && run === this.run; n += stepsAtOnce) {
        const found = await this.probe.session.ask({do: "sample", points, steps: steps.slice(n, n + stepsAtOnce).map(s => s[0])});
        for (const [name, rows] of Object.entries(found.values)) (values[name] ??= []).push(...rows);
        if (run === this.run) this.draw(pins, steps, values);
      }
    } catch (error) { toast(error.message, true); }
  }
  draw(pins, steps, values) {
    const plots = Object.entries(values).map(([name, rows]) => plot(name, "time", pins.map((_, n) =>
      ({name: "point " + (n + 1), x: rows.map((_, m) => steps[m][1] ?? steps[m][0]), y: rows.map(r => r[n])}))));
    const rows = steps.slice(0, Object.values(values)[0]?.length).flatMap(([step, time], m) =>
      pins.map((p, n) => [step, time, ...p.x, ...Object.values(values).map(v => v[m][n])]));
    byId("curve-list").replaceChildren(html("div", {class: "plots"}, ...plots), html("button", {onclick: () =>
      download("curves.csv", "text/csv", csv([["step", "time", "x", "y", "z", ...Object.keys(values)], ...rows]))}, "Save curves as CSV"));
  }
}
