/* Curves over cycles. A curve may have hundred thousands of samples; each column of pixels shows the
 * smallest and the largest of its samples. */
import { clip, more, plain } from "./text.js";

const mostCharts = 60, mostCurves = 32; /* of a section, of a chart */
const colors = 8, block = 64, room = {left: 58, right: 8, top: 8, bottom: 18};

/* ---- Samples --------------------------------------------------------------------------- */

/* One curve. It keeps the least value, the greatest value and the least value above zero of each block
 * of samples, so that drawing a long curve does not visit each sample. */
export class Curve {
  constructor(name) {
    Object.assign(this, {name, count: 0, blocks: [], x: new Float64Array(256), y: new Float64Array(256)});
  }
  /* If a run begins anew from an earlier cycle, its samples replace those from that cycle on. */
  add(x, y) {
    if (this.count && this.x[this.count - 1] >= x) this.cut(this.from(x));
    if (this.count === this.x.length) {
      for (const key of ["x", "y"]) {
        const longer = new Float64Array(2 * this.count);
        longer.set(this[key]);
        this[key] = longer;
      }
    }
    this.x[this.count] = x;
    this.y[this.count] = y;
    this.note(this.count++);
  }
  cut(count) {
    this.count = count;
    this.blocks.length = Math.ceil(count / block);
    for (let n = count - count % block; n < count; n++) this.note(n);
  }
  note(n) {
    const y = this.y[n], k = Math.floor(n / block);
    if (n % block === 0) this.blocks[k] = {least: Infinity, most: -Infinity, above: Infinity};
    if (!(Math.abs(y) < Infinity)) return;
    const b = this.blocks[k];
    b.least = Math.min(b.least, y);
    b.most = Math.max(b.most, y);
    if (y > 0) b.above = Math.min(b.above, y);
  }
  /* The block that begins at sample n, if one does and it is complete. */
  whole(n) { return n % block === 0 && n + block <= this.count ? this.blocks[n / block] : null; }
  /* The first sample at x or beyond it. */
  from(x) {
    let low = 0, high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.x[middle] < x) low = middle + 1; else high = middle;
    }
    return low;
  }
  /* The number of samples up to x, and one beyond. */
  end(x) { return Math.min(this.from(x) + 1, this.count); }
  nearest(x) {
    const after = Math.min(this.from(x), this.count - 1), before = Math.max(0, after - 1);
    return Math.abs(this.x[before] - x) <= Math.abs(this.x[after] - x) ? before : after;
  }
}

/* ---- Scales ---------------------------------------------------------------------------- */

function linearTicks(low, high) {
  const raw = (high - low) / 3, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map(m => m * power).find(s => s >= raw * 0.999), list = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n++) list.push(n * step);
  return list;
}
function byteTicks(low, high) {
  const unit = 1024 ** Math.floor(Math.log(Math.max(high, 1)) / Math.log(1024));
  return linearTicks(low / unit, high / unit).map(t => t * unit);
}
function decades(low, high) {
  const first = Math.ceil(low - 1e-9), last = Math.floor(high + 1e-9), list = [];
  const every = Math.max(1, Math.ceil((last - first) / 4));
  for (let n = first; n <= last; n += every) list.push(n);
  return list.length > 1 ? list : linearTicks(low, high);
}

/* ---- A chart --------------------------------------------------------------------------- */

export class Chart {
  /* format: prints its values; board: the state that all charts share. */
  constructor(name, title, format, board) {
    Object.assign(this, {name, format, board, curves: new Map(), log: null});
    this.value = html("span", {class: "value"});
    this.legend = html("ul", {class: "legend"});
    this.scale = html("button", {type: "button", "aria-pressed": "false"}, "log");
    this.canvas = html("canvas", {tabindex: "0", role: "img"});
    this.box = html("div", {class: "chart", "data-chart": name}, html("div", {class: "head"},
      html("h3", {}, title), this.value, this.scale), this.legend, this.canvas);
    this.scale.addEventListener("click", () => { this.log = !this.isLog; board.redraw(); });
    this.canvas.title = "Click: the picture. Drag: zoom, for all charts. Double click or Escape: all.";
    this.bindPointer(board);
    this.canvas.addEventListener("keydown", e => this.key(e));
    this.canvas.addEventListener("blur", () => board.hover(null));
  }
  add(name, cycle, value) {
    if (!this.curves.has(name)) {
      if (this.curves.size >= mostCurves) return this.board.leave("timing", name);
      this.curves.set(name, new Curve(name));
    }
    this.curves.get(name).add(cycle, value);
  }
  /* A click or a tap picks a cycle, a drag the cycles that all charts show; fingers scroll up and down. */
  bindPointer(board) {
    const on = (name, act) => this.canvas.addEventListener(name, act);
    on("pointerdown", e => { this.begin = e.offsetX; this.canvas.setPointerCapture(e.pointerId); });
    on("pointermove", e => {
      board.drawn = this.begin !== undefined && Math.abs(e.offsetX - this.begin) > 6 ? [this.begin, e.offsetX].map(x => this.cycleAt(x)).sort((a, b) => a - b) : null;
      board.hover(this.cycleAt(e.offsetX));
    });
    on("pointerup", e => {
      if (board.drawn) board.zoom(board.drawn);
      else board.pick(this.cycleAt(e.offsetX));
      this.begin = undefined;
    });
    on("pointercancel", () => { this.begin = undefined; board.zoom(board.range); });
    on("pointerleave", () => board.hover(null));
    on("dblclick", () => board.zoom(null));
  }
  get list() { return [...this.curves.values()]; }
  cycleAt(x) {
    const {low, high} = this.view, wide = this.canvas.clientWidth - room.left - room.right;
    return low + (x - room.left) / wide * (high - low);
  }
  key(e) {
    const way = {ArrowLeft: -1, ArrowRight: 1}[e.key], curve = this.list[0];
    if (e.key === "Escape") this.board.zoom(null);
    if (e.key === "Enter" && this.board.at != null) this.board.pick(this.board.at);
    if (!way || !curve?.count) return;
    e.preventDefault();
    const at = this.board.at ?? curve.x[curve.count - 1];
    const n = curve.nearest(at) + way * (e.shiftKey ? 10 : 1);
    this.board.hover(curve.x[Math.max(0, Math.min(curve.count - 1, n))]);
  }

  /* ---- Ranges ---- */

  get isLog() {
    if (this.log !== null || this.format !== plain) return Boolean(this.log);
    return this.extent && this.extent.positive && this.extent.high > 50 * this.extent.low;
  }
  measure() {
    const ends = this.list.filter(c => c.count);
    const last = Math.max(...ends.map(c => c.x[c.count - 1]));
    let first = Math.min(...ends.map(c => c.x[0]));
    if (this.board.span) first = Math.max(first, last - this.board.span);
    const range = this.board.range;
    this.view = range ? {low: range[0], high: range[1]} : {low: first, high: last > first ? last : first + 1};
    const e = {low: Infinity, high: -Infinity, positive: true, lowest: Infinity};
    for (const c of ends) {
      const end = c.end(this.view.high);
      for (let n = c.from(this.view.low); n < end;) {
        const b = n + block <= end ? c.whole(n) : null, y = c.y[n], good = Math.abs(y) < Infinity;
        e.low = Math.min(e.low, b ? b.least : good ? y : Infinity);
        e.high = Math.max(e.high, b ? b.most : good ? y : -Infinity);
        e.lowest = Math.min(e.lowest, b ? b.above : good && y > 0 ? y : Infinity);
        n += b ? block : 1;
      }
    }
    e.positive = e.low > 0;
    this.extent = e.low <= e.high ? e : null;
  }
  /* The mapping from values to heights: {of, ticks, log}. */
  makeScale(high) {
    const log = this.isLog && this.extent.lowest < Infinity, e = this.extent;
    let a = log ? Math.log10(e.lowest) : e.low, b = log ? Math.log10(e.high) : e.high;
    /* The scale of counts, seconds and bytes begins at 0. */
    if (!log && this.format !== plain) {
      a = 0;
      b = b > 0 ? b : 1;
    }
    if (b - a < 1e-12 * Math.max(Math.abs(a), Math.abs(b), 1e-300)) {
      const half = log ? 0.5 : Math.abs(a) * 0.1 || 1;
      a -= half;
      b += half;
    }
    const edge = (b - a) * 0.05, from = a === 0 ? 0 : a - edge, to = b + edge;
    const ticks = log ? decades(from, to) : this.format === bytes ? byteTicks(from, to) : linearTicks(from, to);
    const bottom = high - room.bottom, scale = (bottom - room.top) / (to - from);
    const place = v => bottom - (v - from) * scale;
    return {of: y => log ? (y > 0 ? place(Math.log10(y)) : bottom) : place(y),
      ticks: ticks.map(t => [place(t), this.format(log ? 10 ** t : t)]), log};
  }

  /* ---- Drawing ---- */

  draw() {
    const canvas = this.canvas, wide = canvas.clientWidth, high = canvas.clientHeight;
    if (!wide || !this.list.some(c => c.count)) return;
    const dense = window.devicePixelRatio || 1, pen = canvas.getContext("2d");
    if (canvas.width !== Math.round(wide * dense) || canvas.height !== Math.round(high * dense)) {
      canvas.width = Math.round(wide * dense);
      canvas.height = Math.round(high * dense);
    }
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    pen.clearRect(0, 0, wide, high);
    this.measure();
    canvas.dataset.cycles = `${this.view.low} ${this.view.high}`;
    this.drawValues();
    if (!this.extent) return;
    const scale = this.makeScale(high), {low, high: top} = this.view;
    const x = cycle => room.left + (cycle - low) / (top - low) * (wide - room.left - room.right);
    this.scale.setAttribute("aria-pressed", Boolean(scale.log));
    this.drawAxes(pen, scale, x, wide, high);
    pen.save();
    pen.beginPath();
    pen.rect(room.left, 0, wide - room.left - room.right, high);
    pen.clip();
    this.list.forEach((c, n) => this.drawCurve(pen, c, this.board.color(n), x, scale.of));
    pen.restore();
    this.drawMarks(pen, x, scale.of, high);
  }
  drawAxes(pen, scale, x, wide, high) {
    pen.font = "11px system-ui, 'DejaVu Sans', sans-serif";
    pen.lineWidth = 1;
    pen.strokeStyle = this.board.ink.line;
    pen.fillStyle = this.board.ink.soft;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const [y, text] of scale.ticks) {
      pen.beginPath();
      pen.moveTo(room.left, y);
      pen.lineTo(wide - room.right, y);
      pen.stroke();
      pen.fillText(text, room.left - 5, y);
    }
    pen.textBaseline = "alphabetic";
    pen.textAlign = "left";
    pen.fillText(plain(this.view.low), room.left, high - 4);
    pen.textAlign = "right";
    pen.fillText("cycle " + plain(this.view.high), wide - room.right, high - 4);
  }
  drawCurve(pen, curve, color, x, y) {
    pen.strokeStyle = color;
    pen.lineWidth = 1.5;
    pen.lineJoin = "round";
    pen.beginPath();
    let column = null, down = true;
    /* Draws a column of pixels: its first, least, greatest and last value. */
    const flush = () => {
      if (!column) return;
      const [px, first, least, most, last] = column;
      if (down) pen.moveTo(px, first); else pen.lineTo(px, first);
      if (least !== most) { pen.lineTo(px, least); pen.lineTo(px, most); }
      pen.lineTo(px + (down ? 0.01 : 0), last);
      down = false;
    };
    const begin = Math.max(0, curve.from(this.view.low) - 1), end = curve.end(this.view.high);
    const dense = end - begin > block * this.canvas.clientWidth;
    for (let n = begin, step = 1; n < end; n += step) {
      const b = dense ? curve.whole(n) : null, value = curve.y[n];
      step = b ? block : 1;
      if (b ? b.least > b.most : !(Math.abs(value) < Infinity)) {
        flush();
        column = null;
        down = true;
        continue;
      }
      const px = x(curve.x[n]);
      const low = y(b ? b.least : value), high = y(b ? b.most : value);
      const last = b && Math.abs(curve.y[n + block - 1]) < Infinity ? y(curve.y[n + block - 1]) : low;
      if (column && Math.floor(px) === Math.floor(column[0])) {
        column[2] = Math.min(column[2], high);
        column[3] = Math.max(column[3], low);
        column[4] = last;
      } else {
        flush();
        column = [px, b && Math.abs(value) < Infinity ? y(value) : low, high, low, last];
      }
    }
    flush();
    pen.stroke();
  }
  drawMarks(pen, x, y, high) {
    if (this.board.drawn) {
      const [from, to] = this.board.drawn.map(x);
      pen.fillStyle = this.board.ink.shade;
      pen.fillRect(from, room.top, to - from, high - room.top - room.bottom);
    }
    for (const [cycle, dash] of [[this.board.shown, [3, 3]], [this.board.at, []]]) {
      if (cycle == null || cycle < this.view.low || cycle > this.view.high) continue;
      pen.setLineDash(dash);
      pen.lineWidth = 1;
      pen.strokeStyle = this.board.ink.soft;
      pen.beginPath();
      pen.moveTo(x(cycle), room.top);
      pen.lineTo(x(cycle), high - room.bottom);
      pen.stroke();
    }
    pen.setLineDash([]);
    if (this.board.at == null) return;
    this.list.forEach((c, n) => {
      const k = c.nearest(this.board.at);
      if (!c.count || !isFinite(c.y[k]) || c.x[k] < this.view.low) return;
      pen.fillStyle = this.board.color(n);
      pen.beginPath();
      pen.arc(x(c.x[k]), y(c.y[k]), 3.5, 0, 7);
      pen.fill();
    });
  }
  /* Shows the values at the pointer, or else the last ones. */
  drawValues() {
    const at = this.board.at, list = this.list.filter(c => c.count);
    const index = c => at == null ? c.count - 1 : c.nearest(at);
    const cycle = list[0].x[index(list[0])];
    const texts = list.map(c => [c.name, this.format(c.y[index(c)])]);
    const single = list.length === 1;
    this.value.textContent = (single ? texts[0][1] : "") + (at == null ? "" : " at cycle " + plain(cycle));
    this.legend.hidden = single;
    if (!single) {
      this.legend.replaceChildren(...texts.map(([name, text], n) =>
        html("li", {}, html("i", {class: "k" + n % colors}), name + " " + text)));
    }
    this.canvas.setAttribute("aria-label", "Cycle " + plain(cycle) + ": " +
      texts.map(t => t.join(" ")).join(", "));
  }
}

/* ---- All charts ------------------------------------------------------------------------ */

const ours = new Set(["particles", "particles_ended"]);

export class Board {
  /* onPick(cycle): called when the user picks a cycle. */
  constructor(onPick) {
    Object.assign(this, {pick: onPick, charts: new Map(), left: {monitor: new Set(), timing: new Set()}, at: null, shown: null, span: 0, range: null, drawn: null, asked: false});
    byId("span").addEventListener("change", () => { this.span = +byId("span").value; this.zoom(null); });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.readColors();
      this.redraw();
    });
    new ResizeObserver(() => this.redraw()).observe(document.body);
    this.readColors();
  }
  readColors() {
    const style = getComputedStyle(document.documentElement);
    this.ink = {line: style.getPropertyValue("--line"), soft: style.getPropertyValue("--soft"), shade: style.getPropertyValue("--accent") + "40"};
    this.palette = Array.from({length: colors}, (_, n) => style.getPropertyValue("--c" + n));
  }
  color(n) { return this.palette[n % colors]; }
  /* The chart of that name, made if necessary; undefined if there are too many. */
  chart(place, name, title, format) {
    const key = place + "/" + name;
    if (!this.charts.has(key) && byId(place + "-charts").children.length < mostCharts) {
      const chart = new Chart(name, title, format, this);
      this.charts.set(key, chart);
      /* Numbers of particles are karman's own: those of the program come first. */
      const before = ours.has(name) ? null : byId(place + "-charts").querySelector([...ours].map(n => `[data-chart="${n}"]`).join());
      byId(place + "-charts").insertBefore(chart.box, before);
      byId(place + "s").hidden = false;
    } else if (!this.charts.has(key)) {
      this.leave(place, name);
    }
    return this.charts.get(key);
  }
  /* Shows the number of charts and curves that are left out. */
  leave(place, name) {
    this.left[place].add(name);
    byId(place + "-left").textContent = more(this.left[place].size);
  }
  forget(place) {
    for (const [key, chart] of this.charts) {
      if (!key.startsWith(place + "/")) continue;
      chart.box.remove();
      this.charts.delete(key);
    }
    this.left[place].clear();
    byId(place + "-left").textContent = "";
    byId(place + "s").hidden = true;
  }
  addMonitors(rows) {
    for (const [cycle, name, value] of samples(rows)) {
      this.chart("monitor", name, name, plain)?.add(name, cycle, value);
    }
    this.redraw();
  }
  /* The seconds of all stages share a chart; memory and bytes have one each. */
  addTimings(rows) {
    for (const [cycle, name, value] of samples(rows)) {
      const counts = /memory|bytes/.test(name);
      const chart = counts ? this.chart("timing", name, name, bytes)
                           : this.chart("timing", "stages", "seconds by stage", seconds);
      chart?.add(name === "seconds" ? "all" : name, cycle, value);
    }
    this.redraw();
  }
  /* Shows the cycles [first, last] in all charts; null: those of the menu. */
  zoom(range) {
    this.range = range;
    this.drawn = null;
    this.redraw();
  }
  hover(cycle) { this.at = cycle; this.redraw(); }
  show(cycle) { this.shown = cycle; this.redraw(); }
  redraw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      for (const chart of this.charts.values()) chart.draw();
    });
  }
}

/* Yields [cycle, name, value] for each value of the lines. */
function* samples(rows) {
  for (const [row] of rows) {
    if (!isNumber(row.cycle) || !row.values || typeof row.values !== "object") continue;
    for (const name in row.values) {
      const value = row.values[name];
      yield [row.cycle, clip(name, 100), typeof value === "number" ? value : NaN];
    }
  }
}
