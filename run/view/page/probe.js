/* Values under the pointer, and at pinned points. */
import { csv } from "./plot.js";
import { clip, plain } from "./text.js";
import { toast } from "./toast.js";

const stillMilliseconds = 110, mostPins = 100;

function describe(p) {
  const rows = Object.entries(p.values || {}).map(([name, v]) => clip(name, 40) + " = " + plain(v));
  return ["x = " + p.x.map(plain).join(", "),
    (p.inside ? "" : "near ") + clip(p.block, 40) + " (" + p.at.join(", ") + ")", ...rows].join("\n");
}

export class Probe {
  constructor(session, sight) {
    Object.assign(this, {session, sight, pins: []});
    this.tip = html("p", {id: "hover", hidden: ""});
    document.body.append(this.tip);
    const stage = byId("stage");
    stage.addEventListener("pointermove", e => this.hover(e));
    for (const kind of ["pointerleave", "pointerdown", "wheel"]) stage.addEventListener(kind, () => this.hide());
    byId("save-pins").addEventListener("click", () => this.save());
  }
  hide() {
    clearTimeout(this.timer);
    this.tip.hidden = true;
    this.number = (this.number || 0) + 1;
  }
  hover(e) {
    this.hide();
    if (e.buttons || e.pointerType === "touch" || !this.ready) return;
    this.timer = setTimeout(() => this.look(e), stillMilliseconds);
  }
  async ask(x, y) {
    return this.session.ask({do: "probe", at: [x, y]}, AbortSignal.timeout(30000));
  }
  async look(e) {
    const place = this.sight.place(e), number = this.number;
    if (!place || !this.ready) return;
    const found = await this.ask(...place).catch(() => null);
    if (found?.x && number === this.number) showTip(this.tip, describe(found), e.clientX, e.clientY);
  }
  pin(x, y) { return this.keep(() => this.ask(x, y)); }
  extreme(field, least) { return this.keep(() => this.session.ask({do: "extreme", field, least})); }
  async keep(ask) {
    try {
      const found = await ask();
      if (!found.x) return toast("There is nothing at this place.");
      this.pins.push({...found, step: this.session.step});
      this.pins.splice(0, this.pins.length - mostPins);
      this.draw();
    } catch (error) { toast(error.message, true); }
  }
  async point(x, y) {
    const found = await this.ask(x, y).catch(() => null);
    return found?.x || null;
  }
  columns() {
    return [...new Set(this.pins.flatMap(p => Object.keys(p.values)))];
  }
  rows() {
    const fields = this.columns();
    return this.pins.map((p, n) => [n + 1, p.step, ...p.x, p.block, p.at.join(" "), ...fields.map(f => p.values[f] ?? "")]);
  }
  draw() {
    byId("pins").hidden = !this.pins.length;
    const heads = ["step", "x", "y", "z", "block", "i j k", ...this.columns()];
    byId("pin-head").replaceChildren(html("td", {}), ...heads.map(h => html("th", {scope: "col"}, clip(h, 40))));
    byId("pin-rows").replaceChildren(...this.rows().map(([number, ...row], n) => html("tr", {},
      html("td", {}, number + " ", html("button", {title: "Streamlines through this point and around it", "aria-label": "Streamlines through point " + number,
        onclick: () => this.seed?.(this.pins[n])}, "≈"), " ", html("button", {"aria-label": "Remove point " + number, onclick: () => {
        this.pins.splice(n, 1);
        this.draw();
      }}, "×")),
      ...row.map(v => html("td", {}, typeof v === "number" ? plain(v) : clip(v, 40))))));
    this.drawn?.();
  }
  save() {
    download("points.csv", "text/csv", csv([["point", "step", "x", "y", "z", "block", "ijk", ...this.columns()], ...this.rows()]));
  }
}

/* Gives the browser a file to save. */
export function download(name, type, content) {
  const address = URL.createObjectURL(new Blob([content], {type}));
  html("a", {href: address, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
