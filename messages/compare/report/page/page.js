const data = JSON.parse(document.getElementById("data").textContent);
const pictures = JSON.parse(document.getElementById("picture-data").textContent);
const messages = JSON.parse(document.getElementById("message-data").textContent);
const stages = ["load", "render", "composite", "finish", "write"];
const cases = data.cases.filter(c => c.available);
const partitions = data.partitions.filter(p => p.available).map(p => p.name);
const partition = Object.fromEntries(data.partitions.map(p => [p.name, p]));
const words = p => partition[p].words;
const projections = data.projections.map(p => p.name);
/* Whether there are views other than the config's own. */
const projects = projections.length > 1 || projections[0] !== "as-is";

/* ---- Text ------------------------------------------------------------------------- */

const plain = v => v == null ? "–" : String(+v.toPrecision(3));
const percent = v => v == null ? "–" : (100 * v).toFixed(0) + " %";
const ranksText = n => n + (n === 1 ? " rank" : " ranks");
/* Without compositing, one run counts for all algorithms. */
const composites = c => c.ranks > 1 && !partition[c.partition].screen;
const shortText = c => words(c.partition) + ", " + (composites(c) ? c.algorithm + ", " : "") + ranksText(c.ranks);
const caseText = c => shortText(c) + (projects ? ", " + c.projection : "");
/* The addition to the title of a chart of one projection. */
const inProjection = p => projects ? ", " + p : "";
function projectionText(p) {
  return p.name + " covers " + percent(p.coverage) + " of the picture, which shows " + (p.factor === 1
    ? "the config's height" : plain(p.factor) + " times the config's height") +
    (p.reached ? "" : " (the nearest one found)");
}

/* ---- Elements --------------------------------------------------------------------- */

/* Marks an element that shows its value: to the pointer, the keyboard, and screen readers. */
function mark(element, tip, value) {
  element.classList.add("mark");
  element.setAttribute("tabindex", "0");
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", tip);
  element.dataset.tip = tip;
  element.dataset.value = value;
  return element;
}
function table(heads, rows) {
  const cell = (kind, value, n) =>
    html(kind, typeof value === "string" && n === 0 ? {class: "text"} : {}, value);
  return html("div", {class: "scroll"}, html("table", {},
    html("thead", {}, html("tr", {}, ...heads.map((h, n) => cell("th", h, n)))),
    html("tbody", {}, ...rows.map(r => html("tr", {}, ...r.map((v, n) => cell("td", v, n)))))));
}
function legend(entries) {
  return html("ul", {class: "legend"}, ...entries.map(e =>
    html("li", {}, html("i", {style: "background:" + e.color}), e.name)));
}
/* A chart: its title, the kind of its numbers, the drawing, a table of the numbers. */
function frame(id, title, kind, drawing, numbers, entries) {
  const box = html("div", {class: "chart", "data-chart": id}, html("h3", {}, title),
    html("p", {class: "kind"}, kind));
  if (entries) box.append(legend(entries));
  box.append(drawing);
  if (numbers) box.append(html("details", {}, html("summary", {}, "Numbers"), numbers));
  return box;
}

/* ---- Scales ----------------------------------------------------------------------- */

/* Round numbers from 0 to beyond `most`. */
function ticks(most) {
  const raw = (most > 0 ? most : 1) / 4, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map(m => m * power).find(s => s >= raw * 0.999);
  const list = [];
  for (let n = 0; n * step < most + step * 0.999 || n < 2; n++) list.push(n * step);
  return list;
}
function byteTicks(most) {
  const unit = 1024 ** Math.max(0, Math.floor(Math.log(Math.max(most, 1)) / Math.log(1024)));
  return ticks(most / unit).map(t => t * unit);
}
/* Moves labels apart that would overlap, and keeps them above `bottom`. */
function spreadLabels(labels, gap, bottom) {
  labels.sort((a, b) => a.y - b.y);
  for (let n = 1; n < labels.length; n++) labels[n].y = Math.max(labels[n].y, labels[n - 1].y + gap);
  for (let n = labels.length - 1; n >= 0; n--) {
    labels[n].y = Math.min(labels[n].y, bottom - gap * (labels.length - 1 - n));
  }
}
function axes(root, box, marks, y, format, title) {
  for (const t of marks) {
    root.append(svg("line", {class: "grid", x1: box.x0, x2: box.x1, y1: y(t), y2: y(t)}),
      svg("text", {x: box.x0 - 6, y: y(t) + 4, "text-anchor": "end"}, format(t)));
  }
  root.append(svg("text", {x: 0, y: 11}, title));
}

/* ---- Lines over ranks ------------------------------------------------------------- */

const longestName = series => Math.max(...series.map(s => s.name.length), 5);
/* series: [{name, color, dash, points: [[ranks, value]]}]; the axis of ranks is
   logarithmic. Names are drawn at the ends of lines, unless there is a legend. */
function lines(width, series, options) {
  const labelRoom = options.hasLegend ? 16 : longestName(series) * 7 + 8;
  const box = {x0: 60, x1: width - labelRoom, y0: 24, y1: 220};
  const root = svg("svg", {viewBox: "0 0 " + width + " 256"});
  const all = series.flatMap(s => s.points.map(p => p[1]));
  const marks = (options.ticks || ticks)(Math.max(...all, options.least || 0, options.most || 0));
  const top = marks[marks.length - 1];
  const logs = data.ranks.map(Math.log2), span = logs[logs.length - 1] - logs[0];
  const x = r => span ? box.x0 + 8 + (Math.log2(r) - logs[0]) / span * (box.x1 - box.x0 - 16)
                      : (box.x0 + box.x1) / 2;
  const y = v => box.y1 - v / top * (box.y1 - box.y0);
  axes(root, box, marks, y, options.axis || plain, options.unit);
  for (const r of data.ranks) {
    root.append(svg("text", {x: x(r), y: box.y1 + 17, "text-anchor": "middle"}, r));
  }
  root.append(svg("text", {x: (box.x0 + box.x1) / 2, y: box.y1 + 33, "text-anchor": "middle"}, "ranks"));
  if (options.ideal) {
    const path = data.ranks.map(r => x(r) + "," + y(options.ideal(r))).join(" ");
    root.append(svg("polyline", {class: "ideal", points: path}));
  }
  const labels = [];
  for (const s of series) {
    root.append(svg("polyline", {points: s.points.map(p => x(p[0]) + "," + y(p[1])).join(" "),
      fill: "none", style: "stroke:" + s.color, "stroke-width": 2, "stroke-dasharray": s.dash || ""}));
    for (const p of s.points) {
      root.append(mark(svg("circle", {cx: x(p[0]), cy: y(p[1]), r: 5, style: "fill:" + s.color}),
        s.name + ", " + ranksText(p[0]) + ": " + options.format(p[1]), p[1]));
    }
    const last = s.points[s.points.length - 1];
    if (last && !options.hasLegend) labels.push({x: x(last[0]) + 10, y: y(last[1]) + 4, s});
  }
  spreadLabels(labels, 14, box.y1 + 4);
  for (const l of labels) {
    root.append(svg("text", {class: "label", x: l.x, y: l.y, style: "fill:" + l.s.color}, l.s.name));
  }
  return root;
}
function lineChart(target, id, title, kind, series, options) {
  const kept = series.map(s => ({...s, points: s.points.filter(p => p[1] != null)}))
    .filter(s => s.points.length);
  if (!kept.length) return;
  const place = byId(target);
  const columns = getComputedStyle(place).gridTemplateColumns.split(" ").length;
  const width = Math.max(280, (place.clientWidth - 24 * (columns - 1)) / columns);
  const rows = kept.map(s => [s.name, ...data.ranks.map(r => {
    const p = s.points.find(q => q[0] === r);
    return p ? options.format(p[1]) : "–";
  })]);
  const hasLegend = longestName(kept) > 15;
  place.append(frame(id, title, kind, lines(width, kept, {...options, hasLegend}),
    table(["", ...data.ranks.map(ranksText)], rows), hasLegend ? kept : null));
}

/* ---- Bars ------------------------------------------------------------------------- */

/* bars: [{name, parts: [{name, value, color}]}], horizontal, with parts in a row. */
function bars(width, list, format, marks, unit) {
  /* Names are drawn beside their bars, or above them if they are long. */
  const longest = Math.max(...list.map(b => b.name.length)) * 6.4 + 12, isAbove = longest > width * 0.42;
  const room = isAbove ? 16 : longest; /* half a label of the axis sticks out */
  const high = 20, gap = isAbove ? 24 : 8, box = {x0: room, x1: width - 70, y0: 6};
  const root = svg("svg", {viewBox: "0 0 " + width + " " + (list.length * (high + gap) + 46)});
  const total = b => b.parts.reduce((sum, p) => sum + p.value, 0);
  const most = Math.max(...list.map(total)), scale = marks(most), top = scale[scale.length - 1];
  const x = v => box.x0 + v / top * (box.x1 - box.x0), bottom = box.y0 + list.length * (high + gap);
  const every = width < 500 ? 2 : 1;
  scale.forEach((t, n) => {
    root.append(svg("line", {class: "grid", x1: x(t), x2: x(t), y1: box.y0, y2: bottom}));
    if (n % every === 0) {
      root.append(svg("text", {x: x(t), y: bottom + 15, "text-anchor": "middle"}, format(t)));
    }
  });
  root.append(svg("text", {x: (box.x0 + box.x1) / 2, y: bottom + 31, "text-anchor": "middle"}, unit));
  list.forEach((b, n) => {
    const y = box.y0 + n * (high + gap) + (isAbove ? gap - 4 : gap / 2);
    let from = 0;
    root.append(isAbove ? svg("text", {x: 0, y: y - 5}, b.name)
      : svg("text", {x: room - 8, y: y + 14, "text-anchor": "end"}, b.name));
    for (const p of b.parts) {
      root.append(mark(svg("rect", {x: x(from), y, width: Math.max(0, x(from + p.value) - x(from)),
        height: high, style: "fill:" + p.color}), b.name + "\n" + p.name + ": " + format(p.value), p.value));
      from += p.value;
    }
    root.append(svg("text", {class: "label", x: x(from) + 6, y: y + 14}, format(total(b))));
  });
  return root;
}
function barChart(target, id, title, kind, list, format, marks, unit, entries) {
  const place = byId(target);
  const kept = list.map(b => ({...b, parts: b.parts.filter(p => p.value != null)}))
    .filter(b => b.parts.length);
  if (!kept.length) return;
  const heads = [...new Set(kept.flatMap(b => b.parts.map(p => p.name)))];
  const rows = kept.map(b => [b.name, ...heads.map(h => {
    const p = b.parts.find(q => q.name === h);
    return p ? format(p.value) : "–";
  })]);
  const columns = getComputedStyle(place).gridTemplateColumns.split(" ").length;
  const width = Math.max(280, (place.clientWidth - 24 * (columns - 1)) / columns);
  place.append(frame(id, title, kind, bars(width, kept, format, marks, unit),
    table(["", ...heads], rows), entries));
}

/* ---- Selection -------------------------------------------------------------------- */

const color = n => "var(--c" + n % 8 + ")";
const stageColor = {load: color(5), render: color(0), composite: color(1), finish: color(2), write: color(3)};
const eventColor = {wait: color(6), send: color(4), blend: color(7)};
const partitionOrder = ["object", "screen", "object-cost", "screen-area", "object-cells", "screen-cost"];
const partitionColor = p => color(Math.max(0, partitionOrder.indexOf(p)));
const twice = data.warm_caches ? "; pictures drawn twice, the second time counts" : "";
const modelKind = "modelled: processor seconds of the rank that works longest, without waiting" + twice;
const drawKind = "modelled: processor seconds of rendering and compositing, of the rank that works longest at both" +
  twice;
const coreText = n => n + (n === 1 ? " core" : " cores");
const wallKind = "measured: wall clock on " + coreText(data.cores);
const pick = (projection, partition, algorithm, ranks) => cases.find(c => c.projection === projection &&
  c.partition === partition && c.ranks === ranks && (!composites(c) || c.algorithm === algorithm));
const overRanks = (projection, partition, algorithm, name) => data.ranks.map(r => {
  const c = pick(projection, partition, algorithm, r);
  return [r, c ? c[name] : null];
});
const perPartition = (projection, algorithm, name) => partitions.map(p => ({name: words(p), color: partitionColor(p),
  dash: partition[p].screen ? "7 3" : "", points: overRanks(projection, p, algorithm, name)}));
/* The compared kind of figures comes first: modelled or measured. */
const kinds = data.modelled ? [["model", modelKind], ["wall", wallKind]]
                            : [["wall", wallKind], ["model", modelKind]];
const kindName = {model: "modelled", wall: "wall clock", model_draw: "modelled, drawing alone"};

function drawHead() {
  byId("subject").textContent = "karman compare " + data.config;
  byId("advice").textContent = data.advice.sentence;
  for (const [id, text] of [["yaml", data.advice.yaml.trimEnd()], ["command", data.advice.command]]) {
    byId(id).textContent = text;
    byId(id + "-lines").hidden = !text;
  }
  /* Options are kept on one line, for copying. */
  byId("reason").append(...data.advice.reason.split(/(--[a-z]+(?: \d+)?)/).map((t, n) => n % 2 ? html("code", {}, t) : t));
  byId("warnings").hidden = !data.advice.warnings.length;
  byId("warnings").append(...data.advice.warnings.map(w => html("li", {}, w)));
  const best = data.cases[data.advice.best], other = data.modelled ? "wall" : "model";
  if (best) {
    const main = data.modelled ? "model" : "wall";
    for (const [value, text] of [
      [seconds(best[main]), "a frame, " + kindName[main]],
      [plain(best[main + "_speedup"]) + "×", "speedup over " + ranksText(data.ranks[0]) + ", " + kindName[main]],
      [percent(best[main + "_efficiency"]), "parallel efficiency, " + kindName[main]],
      [seconds(best[other]), "a frame, " + kindName[other]]]) {
      byId("figures").append(html("span", {}, html("b", {}, value), text));
    }
  }
  if (data.modelled) {
    byId("doubt").hidden = false;
    byId("doubt").textContent = "Figures marked “modelled” are computed, not measured. The modelled time of a frame is the processor time of " +
      "the rank that worked longest, as it was on this shared machine. It leaves out waiting and the network. " +
      "Figures marked “measured” or “wall clock” are times of the clock.";
  }
  const failures = [...data.partitions.filter(p => !p.available).map(p =>
      "Partition " + p.words + " is not available: " + p.reason),
    ...data.cases.filter(c => !c.available && partitions.includes(c.partition)).map(c =>
      caseText(c) + " failed: " + c.reason)];
  byId("failures").hidden = !failures.length;
  byId("failures").append(...failures.map(f => html("li", {}, f)));
  byId("made").textContent = "karman " + data.karman + " on " + data.host + ": " + coreText(data.cores) + ", " +
    data.threads + (data.threads === 1 ? " thread" : " threads") + " a rank, " + data.frames +
    (data.frames === 1 ? " frame" : " frames") + " a run, " + data.repeat +
    (data.repeat === 1 ? " run" : " runs") + " of each case." + (data.bound_cores.length
      ? " All ranks of all runs were bound to " + (data.bound_cores.length === 1 ? "core " : "the cores ") +
        data.bound_cores.join(", ") + "." : "") + (data.warm_caches
      ? " Each rank drew each picture twice, and the second time counts: as if it had the caches of its core to " +
        "itself. Loading, compositing and writing are counted as they were." : "");
  byId("projections").textContent = projects
    ? "Projections: " + data.projections.map(projectionText).join("; ") + "."
    : "The view is the config's own. --projections small,large shows how speedup and parallel efficiency change if " +
      "the grid covers about a quarter of the picture, and nearly all of it.";
}
/* The same chart for each projection, side by side and on one scale. */
function smallMultiples(target, key, title, kind, algorithm, options) {
  const series = projections.map(p => perPartition(p, algorithm, key));
  const most = Math.max(0, ...series.flat().flatMap(s => s.points.map(p => p[1] || 0)));
  projections.forEach((p, n) => lineChart(target, key + (projects ? "_" + p : ""), title + inProjection(p),
    kind + ", " + algorithm, series[n], {...options, most}));
}
function drawSpeed() {
  const algorithm = byId("algorithm").value, base = data.ranks[0], draws = byId("work").value === "draw";
  /* Drawing alone replaces the modelled frame; there is no measured time of drawing alone. */
  const shown = kinds.map(([key, kind]) => key === "model" && draws ? ["model_draw", drawKind] : [key, kind]);
  byId("speed-charts").style.setProperty("--least", projections.length > 2 ? "17rem" : "27rem");
  for (const [key, kind] of shown) {
    smallMultiples("speed-charts", key + "_speedup", "Speedup, " + kindName[key], kind, algorithm,
      {unit: "T(" + base + ") / T(n), times (dotted: ideal)", format: plain,
       ideal: r => r / base, least: data.ranks[data.ranks.length - 1] / base});
  }
  for (const [key, kind] of shown) {
    smallMultiples("speed-charts", key + "_efficiency", "Parallel efficiency, " + kindName[key], kind, algorithm,
      {unit: (base === 1 ? "T(1) / (n T(n))" : base + " T(" + base + ") / (n T(n))") + ", %", format: percent, axis: percent, least: 1, ideal: () => 1});
  }
}
function drawAlgorithms() {
  const projection = byId("projection").value;
  for (const p of partitions.filter(name => !partition[name].screen)) {
    for (const [key, kind] of kinds) {
      lineChart("algorithm-charts", p + "_" + key, words(p) + ", " + kindName[key] + inProjection(projection), kind,
        data.algorithms.map((a, n) => ({name: a, color: color(n), dash: n % 2 ? "7 3" : "",
          points: overRanks(projection, p, a, key)})),
        {unit: "seconds a frame", format: seconds});
    }
  }
}
const chosen = () => cases.filter(c => c.projection === byId("projection").value &&
  (!composites(c) || c.algorithm === byId("algorithm").value));
function drawBars() {
  const algorithm = byId("algorithm").value + inProjection(byId("projection").value);
  barChart("stage-charts", "stages", "Work by stage, " + algorithm, modelKind, chosen().map(c => ({
    name: words(c.partition) + ", " + ranksText(c.ranks),
    parts: stages.map(s => ({name: s, value: c["work_" + s], color: stageColor[s]}))})),
    seconds, ticks, "processor seconds a frame", stages.map(s => ({name: s, color: stageColor[s]})));
  const later = cases.some(c => c.wall_later != null);
  if (!later) {
    byId("first-charts").append(html("p", {}, "The config draws one step only, so there is no later frame."));
  }
  for (const [key, kind] of later ? kinds : []) {
    barChart("first-charts", key + "_first", "Frames, " + kindName[key] + ", " + algorithm, kind,
      chosen().flatMap(c => [["first", 1], ["later", 0]].map(([which, shade]) => ({
        name: words(c.partition) + ", " + ranksText(c.ranks) + ", " + which,
        parts: [{name: which + " frame", value: c[key + "_" + which], color: color(shade)}]}))),
      seconds, ticks, "seconds a frame");
  }
}
function drawBalance() {
  const algorithm = byId("algorithm").value, kind = "measured: processor seconds of rendering";
  byId("balance-charts").style.setProperty("--least", projections.length > 2 ? "17rem" : "27rem");
  smallMultiples("balance-charts", "render_imbalance", "Imbalance", kind, algorithm,
    {unit: "max / mean over ranks (1 is even)", format: plain, least: 1, ideal: () => 1});
  smallMultiples("balance-charts", "render_range", "Relative range", kind, algorithm,
    {unit: "2 (max − min) / (max + min) over ranks (0 is even)", format: plain});
}
function drawCosts() {
  const algorithm = byId("algorithm").value, projection = byId("projection").value;
  barChart("cost-charts", "bytes", "Bytes, " + algorithm + inProjection(projection), "measured: counted, of all ranks", chosen().map(c => ({
    name: words(c.partition) + ", " + ranksText(c.ranks), parts: [
      {name: "sent between nodes", value: c.bytes_sent, color: color(1)},
      {name: "read from others of the node", value: c.bytes_shared, color: color(5)}]})),
    bytes, byteTicks, "a frame",
    [{name: "sent between nodes", color: color(1)}, {name: "read from others of the node", color: color(5)}]);
  lineChart("cost-charts", "memory", "Peak memory of a rank" + inProjection(projection), "measured, " + algorithm,
    perPartition(projection, algorithm, "memory"), {unit: "bytes, of the rank that held most", format: bytes, axis: bytes,
      ticks: byteTicks});
}

/* ---- Timeline --------------------------------------------------------------------- */

function drawTimeline() {
  const c = cases[+byId("timeline-case").value];
  const f = c && c.timeline[Math.min(+byId("timeline-frame").value, c.timeline.length - 1)];
  byId("timeline-chart").replaceChildren();
  if (!f) return;
  const width = Math.max(280, byId("timeline-chart").clientWidth);
  const high = c.ranks > 32 ? 8 : 20, box = {x0: 58, x1: width - 26, y0: 4};
  const close = byId("timeline-range").value === "composite";
  const shown = close ? ["composite"] : stages;
  const origin = close ? Math.min(...f.begin.composite) : 0;
  const ends = shown.flatMap(s => f.begin[s].map((b, r) => b + f.wall[s][r] - origin));
  const start = close ? 0 : Math.min(0, ...f.begin.load), scale = ticks(Math.max(...ends));
  const top = scale[scale.length - 1], bottom = box.y0 + c.ranks * (high + 4);
  const x = v => box.x0 + (v - start) / (top - start) * (box.x1 - box.x0);
  const root = svg("svg", {viewBox: "0 0 " + width + " " + (bottom + 40)});
  for (const t of scale) {
    root.append(svg("line", {class: "grid", x1: x(t), x2: x(t), y1: box.y0, y2: bottom}),
      svg("text", {x: x(t), y: bottom + 15, "text-anchor": "middle"}, t ? seconds(t) : "0"));
  }
  root.append(svg("text", {x: (box.x0 + box.x1) / 2, y: bottom + 31, "text-anchor": "middle"},
    "wall-clock time since " + (close ? "the first rank began to composite" : "the frame began")));
  const bar = (r, name, from, long, y, height, fill) => root.append(mark(svg("rect", {x: x(from - origin), y,
    width: Math.max(0.5, x(from - origin + long) - x(from - origin)), height, style: "fill:" + fill}),
    "rank " + r + ", " + name + ": " + seconds(long) + "\nfrom " + seconds(Math.max(0, from)), long));
  for (let r = 0; r < c.ranks; r++) {
    const y = box.y0 + r * (high + 4) + 2;
    if (c.ranks <= 32 || r % 8 === 0) {
      root.append(svg("text", {x: box.x0 - 8, y: y + high / 2 + 4, "text-anchor": "end"}, "rank " + r));
    }
    for (const s of shown) bar(r, s, f.begin[s][r], f.wall[s][r], y, high, stageColor[s]);
    const e = f.events ? f.events[r] : {kind: []};
    e.kind.forEach((kind, n) => {
      if (!eventColor[kind]) return;
      const whom = e.peer[n] < 0 ? "" : kind === "wait" ? " for rank " + e.peer[n] :
        kind === "send" ? " to rank " + e.peer[n] : " from rank " + e.peer[n];
      bar(r, kind + whom, e.begin[n], e.wall[n], y + high / 4, high / 2, eventColor[kind]);
    });
  }
  const rows = [];
  for (let r = 0; r < c.ranks; r++) rows.push(["rank " + r, ...stages.map(s => seconds(f.wall[s][r]))]);
  byId("timeline-chart").append(frame("timeline", caseText(c) + ", step " + f.step,
    wallKind, root, table(["", ...stages], rows),
    [...shown.map(s => ({name: s, color: stageColor[s]})),
      ...(f.events ? Object.keys(eventColor).map(k => ({name: k, color: eventColor[k]})) : [])]));
}
let shownMessages = "";
/* The page of a frame (messages/page) for the chosen case, in a frame of its own. Loaded once it is opened. */
function showMessages() {
  const box = byId("messages"), page = box.querySelector("iframe"), number = +byId("timeline-case").value;
  const frames = messages[number] ?? [], of = frames[Math.min(+byId("timeline-frame").value, frames.length - 1)];
  box.hidden = !of || cases[number].ranks < 2;
  if (box.hidden || !box.open) return;
  const text = JSON.stringify({...of, isPart: true}).replaceAll("<", "\\u003c");
  if (shownMessages === text) return;
  shownMessages = text;
  page.srcdoc = JSON.parse(byId("player").textContent).replace('id="data">', begin => begin + text);
}
/* ---- Pictures and the whole table ------------------------------------------------- */

function drawPictures() {
  /* The first picture of a projection is the reference for the others. */
  pictures.forEach((p, n) => byId("pictures").append(html("figure", {},
    html("img", {src: p.source, alt: p.caption,
      ...(pictures.findIndex(q => q.projection === p.projection) < n ? {} : {"data-reference": p.projection})}),
    html("figcaption", {}, p.caption))));
  const most = Math.max(0, ...cases.map(c => c.difference));
  const sum = cases.reduce((n, c) => n + c.pixels_differing, 0);
  byId("same").textContent = cases.length < 2 ? "There is only one case, so there is nothing to compare." :
    (most === 0 ? "All cases made the same pictures, to the last bit."
      : most === 1 ? "All cases made the same pictures within one count of 255; " + sum + " pixels differ by it."
      : "The pictures differ by up to " + most + " counts of 255 in " + sum + " pixels: they must not differ " +
        "by more than one. Please report this.") +
    " Every frame of every case was compared with the first case" + (projects ? " of its projection" : "") +
    ". The difference below is magnified " +
    "until its largest value is white.";
}
function drawAll() {
  const heads = ["case", ...(projects ? ["projection"] : []), "modelled frame [ms]", "speedup [1]",
    "parallel efficiency [%]", "modelled drawing [ms]", "speedup [1]", "measured frame [ms]", "speedup [1]",
    "parallel efficiency [%]", "imbalance [1]", "pixels sent and read [MiB]", "peak memory [MiB]",
    "difference [1/255]"];
  const times = (v, by) => v == null ? "–" : plain(v * by);
  const mebi = 1 / (1024 * 1024);
  byId("all").append(table(heads, cases.map(c => [shortText(c), ...(projects ? [c.projection] : []),
    times(c.model, 1e3), plain(c.model_speedup), times(c.model_efficiency, 100), times(c.model_draw, 1e3),
    plain(c.model_draw_speedup), times(c.wall, 1e3), plain(c.wall_speedup), times(c.wall_efficiency, 100),
    plain(c.render_imbalance), times(c.bytes_sent + c.bytes_shared, mebi), times(c.memory, mebi),
    String(c.difference)])));
}

/* ---- Behaviour -------------------------------------------------------------------- */

const tip = byId("tip");
addEventListener("pointermove", event => {
  const element = event.target.closest && event.target.closest(".mark");
  if (element) showTip(tip, element.dataset.tip, event.clientX, event.clientY);
  else tip.hidden = true;
});
addEventListener("focusin", event => {
  if (!event.target.classList.contains("mark")) return;
  const box = event.target.getBoundingClientRect();
  showTip(tip, event.target.dataset.tip, box.left + box.width / 2, box.bottom);
});
addEventListener("focusout", () => { tip.hidden = true; });
addEventListener("scroll", () => { tip.hidden = true; }, true);

function drawCharts() {
  for (const id of ["speed-charts", "algorithm-charts", "stage-charts", "balance-charts", "first-charts",
    "cost-charts"]) byId(id).replaceChildren();
  if (!cases.length) return;
  drawSpeed();
  drawAlgorithms();
  drawBars();
  drawBalance();
  drawCosts();
  drawTimeline();
  showMessages();
  drawMap();
}
function fillSelect(id, names, selected) {
  byId(id).append(...names.map((n, i) => html("option", {value: n.value ?? i}, n.text ?? n)));
  if (selected != null) byId(id).value = selected;
}
const best = data.cases[data.advice.best];
const bestCase = Math.max(0, cases.indexOf(best));
fillSelect("algorithm", data.algorithms.map(a => ({value: a, text: a})),
  best && composites(best) ? best.algorithm : data.algorithms[0]);
fillSelect("timeline-case", cases.map(caseText), bestCase);
fillSelect("map-ranks", data.ranks.filter(r => cases.some(c => c.ranks === r)).map(r => ({value: r, text: r})));
byId("map-ranks").value = best ? best.ranks : data.ranks[data.ranks.length - 1];
fillSelect("map-frame", ["first", ...(cases.some(c => c.drawn.length > 1) ? ["last"] : [])].map(n => ({value: n, text: n})), "first");
fillSelect("map-projection", projections.map(p => ({value: p, text: p})), best ? best.projection : projections[0]);
byId("map-projection-choice").hidden = projections.length < 2;
fillRanks();
fillSelect("timeline-frame", ["first", ...(cases.some(c => c.timeline.length > 1) ? ["second"] : [])], 0);
byId("algorithm").addEventListener("change", drawCharts);
fillSelect("projection", projections.map(p => ({value: p, text: p})), best ? best.projection : projections[0]);
byId("projection-choice").hidden = projections.length < 2;
for (const id of ["work", "projection"]) byId(id).addEventListener("change", drawCharts);
for (const id of ["timeline-case", "timeline-frame", "timeline-range"]) byId(id).addEventListener("change", () => { drawTimeline(); showMessages(); });
byId("messages").addEventListener("toggle", showMessages);
byId("map-ranks").addEventListener("change", () => { fillRanks(); drawMap(); });
for (const id of ["map-projection", "map-frame", "map-rank"]) byId(id).addEventListener("change", drawMap);
drawHead();
drawPictures();
drawAll();
drawCharts();
let lastWidth = innerWidth, timer;
addEventListener("resize", () => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (innerWidth !== lastWidth) { lastWidth = innerWidth; drawCharts(); }
  }, 150);
});
addEventListener("beforeprint", () => document.querySelectorAll("details:not(#messages)").forEach(d => { d.open = true; }));
