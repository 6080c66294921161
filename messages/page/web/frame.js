/* A frame that was drawn, or a schedule of many ranks: runs whose messages stand in the page (messages/frame). */
const SIDES = ["measured", "planned"], STAGES = ["load", "render", "composite", "finish", "write"];

/* Numbers of 2 or 4 bytes, the lowest first, from base64. */
function unpack(text, Kind) {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  return Array.from(new Kind(bytes.buffer));
}

/* Bars of each row, as [begin, end]. */
function unpackBars(packed, at) {
  const counts = unpack(packed.counts, Uint16Array), ticks = unpack(packed.ticks, Uint16Array);
  let next = 0;
  return counts.map(count => Array.from({ length: count }, () => [at(ticks[next++]), at(ticks[next++])]));
}

class FrameCore {
  constructor(data) {
    const { frame, state } = data;
    const operation = { name: state.op, summary: frame.algorithm ? "the images of all ranks are blended into one picture" : "each rank draws its part of the picture, and nothing is blended",
      isComposite: true, hasRoot: false, reduces: true, isBarrier: false, hasVectors: false };
    const notes = [frame.parameters, frame.by_nodes && frame.nodes !== 1 ? "ranks of a node merge first" : ""].filter(Boolean);
    const algorithm = { number: 0, name: state.alg, operation, formula: "", source: frame.source ?? "", order: null, hasSegments: false,
      summary: [frame.summary ?? "pixels only change places", ...notes].join("; ") };
    operation.algorithms = [algorithm];
    Object.assign(this, { operations: [operation], algorithms: [algorithm], frame, pixels: state.count || 1, made: new Map() });
    this.sides = SIDES.filter(side => frame[side]);
    this.table = frame.table ? rowsOf(unpack(frame.table, Uint16Array), 3) : [];
    const borders = frame.pieces ? unpack(frame.borders, Uint32Array) : [];
    this.pieces = frame.pieces ? rowsOf(unpack(frame.pieces, Uint16Array), 3).map(([number, from, to]) => [number, borders[from], borders[to] - borders[from]]) : [];
  }
  get isFree() { return false; }
  get canTime() { return false; }
  seconds() { return -1; }
  ranges() { return []; }

  /* Seconds of the page at which the first rank begins to composite: time 0 of ticks. The page shows the whole
   * frame (1), compositing (0), or that from the last rank's beginning on (2). */
  get shift() { return this.whole === 1 ? this.frame.origin : this.whole === 2 ? -this.lateness : 0; }

  /* How much later than the first rank the last one begins. */
  get lateness() {
    this.latest ??= Math.max(...unpack(this.frame[this.sides[0]].begin, Uint16Array)) * this.frame.tick;
    return this.frame.measured ? this.latest : 0;
  }

  at(tick) { return tick * this.frame.tick + this.shift; }

  /* Pixels that are read in place travel while they are blended; they were ready before. */
  messages(side) {
    const near = side.near ? unpack(side.near, Uint16Array) : [], times = rowsOf(unpack(side.times, Uint16Array).map(tick => this.at(tick)), 5), bytes = unpack(side.bytes, Uint32Array);
    return this.table.map(([round, src, dst], number) => {
      const [sent, left, came, combines, done] = times[number];
      const rest = { combines, done, critical: false, ops: [] }, is = { number, round, src, dst, elements: bytes[number], combined: bytes[number] ? 1 : 0, isNear: !!near[number], ready: sent };
      return near[number] ? { ...is, sent: combines, left: combines, comes: combines, came: done, ...rest } : { ...is, sent, left, comes: came, came, ...rest };
    });
  }

  /* The streams of all positions: each has its own object of an op. */
  streams(messages) {
    const streams = Array.from({ length: this.pieces.length ? this.frame.size : 0 }, () => []);
    for (const [number, first, count] of this.pieces) {
      const message = messages[number], op = { round: message.round, src: message.src, dst: message.dst, kind: "blend", from: 0, into: 0, first, count, message };
      message.ops.push(op);
      streams[op.src].push(op);
      if (op.dst !== op.src) streams[op.dst].push({ ...op });
    }
    return streams.map(stream => stream.sort((a, b) => a.round - b.round));
  }

  decode(name) {
    const side = this.frame[name], at = tick => this.at(tick), messages = side.times ? this.messages(side) : [];
    const streams = this.streams(messages), begin = [0];
    for (const stream of streams) begin.push(begin.at(-1) + stream.length);
    const bars = Object.fromEntries(Object.entries(side.bars).map(([kind, packed]) => [kind, unpackBars(packed, at)]));
    const run = { side: name, size: this.frame.size, step: this.frame.rows, ops: streams.flat(), begin, messages, path: [], bars,
      finish: unpack(side.finish, Uint16Array).map(at), borders: [0, this.pixels], given: [], promised: [], sentence: "", sums: side,
      groups: this.frame.groups, matrix: side.matrix ? unpack(side.matrix, Uint32Array) : null,
      start: this.at(0), seconds: this.shift + side.seconds, length: side.seconds, formula: [0, 0, 0], walk: [0, 0, 0] };
    run.begins = unpack(side.begin, Uint16Array).map(at);
    Object.assign(run, criticalPath(run));
    for (const number of run.path) messages[number].critical = true;
    const real = messages.filter(m => m.elements);
    run.totals = { rounds: new Set(real.map(m => m.round)).size, messages: real.length, elements: real.reduce((sum, m) => sum + m.elements, 0) };
    return run;
  }

  runOf(name) {
    const key = `${name}/${this.whole}`;
    if (!this.made.has(key)) this.made.set(key, this.decode(name));
    return this.made.get(key);
  }

  run() { return this.runOf(this.sides.includes(this.side) ? this.side : this.sides[0]); }

  /* When the last stage of the last rank ends. */
  end() {
    const { stages } = this.frame, ends = this.sides.map(name => Math.max(this.runOf(name).seconds, ...this.runOf(name).finish));
    if (this.whole === 1) for (const stage of STAGES) stages[stage]?.begin.forEach((begin, row) => ends.push(begin + stages[stage].wall[row]));
    return Math.max(...ends);
  }
}

/* The messages that decide the end, from the first to the last. From the end of the last rank back: where the
 * rank had nothing to do until a message came, go on at its sender; else at the rank's work before. */
function criticalPath(run) {
  if (!run.messages.length || run.step > 1) return { path: [], first: -1 };
  const real = run.messages.filter(m => m.elements && m.src !== m.dst), into = Array.from({ length: run.size }, () => []);
  for (const m of real) into[m.dst].push(m);
  for (const list of into) list.sort((a, b) => a.done - b.done);
  const busy = Array.from({ length: run.size }, (_, rank) => [...run.bars.blend[rank], ...run.bars.send[rank]].sort((a, b) => a[1] - b[1]));
  const path = [], eps = 1e-4 * (run.seconds - run.start);
  const last = busy.map((list, rank) => Math.max(run.begins[rank], list.at(-1)?.[1] ?? -Infinity, into[rank].at(-1)?.done ?? -Infinity)); // waiting for others to end does not count
  let rank = last.indexOf(Math.max(...last)), time = Infinity;
  for (let n = 0; n < 10000; n++) {
    const latest = into[rank].findLast(o => o.done <= time + 1e-15 && !path.includes(o.number));
    if (!latest) break;
    const ready = o => o.isNear ? o.ready : o.came; // of those that are merged together the last one counts
    const m = into[rank].filter(o => Math.abs(o.combines - latest.combines) <= 1e-15).reduce((a, b) => ready(b) > ready(a) ? b : a, latest);
    const before = Math.max(busy[rank].findLast(bar => bar[1] <= m.combines + eps && bar[0] < m.combines - eps)?.[1] ?? -Infinity, run.begins[rank]);
    const waited = run.bars.wait?.[rank].some(([, end]) => end > before - eps && end <= m.combines + eps);
    if (run.side === "measured" ? waited : m.combines - before > eps) {
      path.unshift(m.number);
      rank = m.src;
      time = Math.min(time, (m.isNear ? m.ready : m.sent) + eps);
    } else {
      time = m.combines - eps / 4;
    }
  }
  return { path, first: rank };
}

/* "12.3 kB". */
function bytesText(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let n = 0;
  for (; bytes >= 999.5 && n < units.length - 1; n++) bytes /= 1000;
  return `${+bytes.toPrecision(3)} ${units[n]}`;
}

/* The rank at a position; the number itself where there are no others. */
const nameOf = position => data.frame?.order?.length ? data.frame.order[position] : position;

/* Both sides in numbers, and each rank. */
const Facts = {
  sum(bars) { return bars.reduce((sum, [from, to]) => sum + to - from, 0); },
  most(run, kind) { return run.bars[kind] ? Math.max(0, ...run.bars[kind].map(Facts.sum)) : 0; },

  row(name, text) { return html("tr", {}, html("th", { scope: "row" }, name), ...text.map(t => html("td", {}, t))); },

  /* The longest wait cannot be read off planned bars: a rank waits when it has nothing else to do. */
  waits(run, rank) {
    return run.bars.wait?.[rank]?.length ? Facts.sum(run.bars.wait[rank]) : Math.max(0, run.finish[rank] - run.begins[rank] - Facts.sum(run.bars.blend[rank]) - Facts.sum(run.bars.send[rank]));
  },

  table(core) {
    const runs = core.sides.map(side => core.runOf(side)), gathers = run => run.messages.filter(m => m.round === core.frame.last && m.elements);
    const all = (pick, text = timeText) => runs.map(run => text(pick(run), 3)), rows = [
      Facts.row("compositing", all(run => run.length)), ...core.lateness > 0 ? [Facts.row("from the last rank on", all(run => run.length - core.lateness))] : [],
      ...runs.some(run => run.sums.messages) ? [Facts.row("sent", runs.map(run => `${bytesText(run.sums.sent)} in ${many(run.sums.messages, "message")}`))] : [],
      ...runs.some(run => run.sums.reads) ? [Facts.row("read in place", runs.map(run => `${bytesText(run.sums.read)} in ${many(run.sums.reads, "piece")}`))] : [],
      Facts.row("longest blending", all(run => Facts.most(run, "blend"))),
      Facts.row("longest wait", all(run => Math.max(...run.finish.map((_, rank) => Facts.waits(run, rank))))),
    ];
    if (runs.some(run => gathers(run).length)) rows.push(Facts.row("gathered", runs.map(run => bytesText(gathers(run).reduce((sum, m) => sum + m.elements, 0)))));
    return html("table", { class: "facts" }, html("thead", {}, html("tr", {}, html("td"), ...core.sides.map(side => html("th", { scope: "col" }, side)))), html("tbody", {}, ...rows));
  },

  path(run) {
    if (run.first < 0) return "";
    const names = [run.first, ...run.path.map(number => run.messages[number]).flatMap(m => [m.src, m.dst])].map(nameOf);
    const joined = names.filter((name, i) => i === 0 || name !== names[i - 1]), begin = timeText(run.begins[run.first] - run.start, 3);
    if (joined.length === 1) return `Critical path: rank ${joined[0]} alone. It begins ${begin} after the first rank.`;
    return `Critical path: rank ${joined.length > 9 ? [...joined.slice(0, 4), "…", ...joined.slice(-4)].join(" → ") : joined.join(" → ")}. It begins ${begin} after the first rank.`;
  },

  show(view) {
    const { core, run } = view, { frame } = core, clock = frame.clock_error > 0 ? `Clocks of nodes differ from that of rank 0 by at most ${timeText(frame.clock_error, 2)} more than what was corrected.` : frame.nodes === 1 ? "All ranks have the clock of one node." : "";
    const words = [frame.size === 1 ? "One rank has nobody to send to: it only puts its pixels in their place." : Facts.path(run), frame.planned ? frame.measured ? `Planned by the model for: ${frame.machine}; ranks begin when they did.` : "" : frame.algorithm ? "The schedule has too many messages to plan it." : "There is no schedule: nothing is blended.",
      clock, `Times are exact to ${timeText(frame.tick, 2)}.`, frame.is_cut_off ? "A rank had more events than it can note: its last ones are missing." : ""];
    byId("cost").replaceChildren(Facts.table(core), html("p", { class: "totals" }, words.filter(Boolean).join(" ")));
  },

  ranks(view) {
    const { core } = view, { frame } = core, { stages } = frame, run = core.runOf(core.sides[0]);
    if (!stages) return;
    const most = 64, rows = stages.render.begin.slice(0, most).map((_, row) => html("tr", { "data-rank": row },
      html("th", { scope: "row" }, nameOf(row * frame.rows)), ...(frame.nodes > 1 ? [html("td", {}, frame.node[row * frame.rows])] : []),
      ...[stages.render.wall[row], stages.composite.wall[row], Facts.waits(run, row), Facts.sum(run.bars.blend[row]), Facts.sum(run.bars.send[row]), stages.finish.wall[row] + stages.write.wall[row]].map(s => html("td", {}, timeText(s, 3)))));
    byId("ranks").replaceChildren(html("table", { class: "facts" }, html("thead", {}, html("tr", {}, ...["rank", ...(frame.nodes > 1 ? ["node"] : []), "renders", "composites", "of it waits", "blends", "sends", "finishes"].map(h => html("th", { scope: "col" }, h)))), html("tbody", {}, ...rows)));
    if (stages.render.begin.length > most) byId("ranks").append(html("p", { class: "soft" }, `and ${many(stages.render.begin.length - most, "rank")} more`));
  },

  /* Cards and words of a frame's page. */
  lock(core) {
    const { frame } = core;
    byId("brand").textContent = frame.measured ? "render" : "schedule";
    byId("count-unit").textContent = "pixels";
    byId("matrix-title").textContent = "Bytes from rank to rank";
    byId("cost-title").textContent = core.sides.length > 1 ? "Measured and planned" : core.sides[0][0].toUpperCase() + core.sides[0].slice(1);
    for (const id of ["race-card", "chart-card", "break-card", "predict-card", "machine-card"]) byId(id).hidden = true;
    if (!frame.table) byId("program-card").hidden = byId("steps").closest("details").hidden = true;
    byId("ranks-card").hidden = !frame.stages;
    byId("frame-tools").hidden = !frame.measured;
    byId("show-together").hidden = !core.lateness;
    if (core.lateness > .6 * core.frame.tick * 65535) data.state.whole ??= 2; // else nothing happens for most of the time
    byId("side-tools").hidden = core.sides.length < 2;
    byId("diagram-legend").replaceChildren(...[["k-draw", "renders", frame.stages], ["k-send", "sends", true], ["k-receive", "receives", frame.planned], ["k-combine", "blends", true], ["k-wait", "waits", frame.measured], ["k-finish", "finishes", frame.measured], ["k-path", "critical path", frame.table]]
      .filter(([, , is]) => is).flatMap(([kind, name]) => [html("i", { class: kind }), `${name} `]));
    if (!core.pieces.length && frame.size > 64) {
      byId("memory").hidden = byId("legend").hidden = true;
      for (const button of document.querySelectorAll("#save-svg, #save-png")) button.dataset.of = "diagram";
      byId("stage-title").textContent = "Time";
    }
    for (const [id, name, value] of [["show-measured", "side", "measured"], ["show-planned", "side", "planned"], ["show-together", "whole", 2], ["show-composite", "whole", 0], ["show-whole", "whole", 1]]) {
      byId(id).addEventListener("click", () => { Object.assign(view.state, { [name]: value }); changed(); });
    }
  },

  pressed(state, core) {
    byId("show-measured").setAttribute("aria-pressed", core.run().side === "measured");
    byId("show-planned").setAttribute("aria-pressed", core.run().side === "planned");
    ["show-composite", "show-whole", "show-together"].forEach((id, whole) => byId(id).setAttribute("aria-pressed", state.whole === whole));
  },
};
