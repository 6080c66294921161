/* A frame that was drawn, or a schedule of many ranks: runs whose messages stand in the page (app/traffic). */
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
    const operation = { name: "compositing", summary: frame.algorithm ? "the images of all ranks are blended into one picture" : "each rank draws its part of the picture, and nothing is blended",
      isComposite: true, hasRoot: false, reduces: true, isBarrier: false, hasVectors: false };
    const notes = [frame.parameters, frame.by_nodes && frame.nodes > 1 ? "ranks of a node merge first" : ""].filter(Boolean);
    const algorithm = { number: 0, name: state.alg, operation, formula: "", source: frame.source ?? "", order: null, hasSegments: false,
      summary: [frame.summary ?? "pixels only change places", ...notes].join("; ") };
    operation.algorithms = [algorithm];
    Object.assign(this, { operations: [operation], algorithms: [algorithm], frame, pixels: state.count, made: new Map() });
    this.sides = SIDES.filter(side => frame[side]);
    this.table = frame.table ? rowsOf(unpack(frame.table, Uint16Array), 3) : [];
    this.pieces = frame.pieces ? rowsOf(unpack(frame.pieces, Uint32Array), 3) : [];
  }
  get isFree() { return false; }
  get canTime() { return false; }
  seconds() { return -1; }
  ranges() { return []; }

  /* The time of a page's tick: since the first rank began to composite, or since the frame began. */
  at(tick) { return tick * this.frame.tick + (this.whole ? this.frame.origin : 0); }

  messages(side) {
    const times = rowsOf(unpack(side.times, Uint16Array).map(tick => this.at(tick)), 5), bytes = unpack(side.bytes, Uint32Array);
    return this.table.map(([round, src, dst], number) => {
      const [sent, left, came, combines, done] = times[number];
      return { number, round, src, dst, elements: bytes[number], combined: bytes[number] ? 1 : 0, sent, left, comes: came, came, combines, done, critical: false, ops: [] };
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
      start: this.at(0), seconds: (this.whole ? this.frame.origin : 0) + side.seconds, formula: [0, 0, 0], walk: [0, 0, 0] };
    run.path = criticalPath(run);
    for (const number of run.path) messages[number].critical = true;
    const real = messages.filter(m => m.elements);
    run.totals = { rounds: new Set(real.map(m => m.round)).size, messages: real.length, elements: real.reduce((sum, m) => sum + m.elements, 0) };
    return run;
  }

  runOf(name) {
    const key = `${name}/${!!this.whole}`;
    if (!this.made.has(key)) this.made.set(key, this.decode(name));
    return this.made.get(key);
  }

  run() { return this.runOf(this.sides.includes(this.side) ? this.side : this.sides[0]); }

  /* When the last stage of the last rank ends. */
  end() {
    const { stages } = this.frame, ends = this.sides.map(name => Math.max(this.runOf(name).seconds, ...this.runOf(name).finish));
    if (this.whole) for (const stage of STAGES) stages[stage]?.begin.forEach((begin, row) => ends.push(begin + stages[stage].wall[row]));
    return Math.max(...ends);
  }
}

/* The messages that decide the end, from the first to the last. From the end of the last rank back: where the
 * rank had nothing to do until a message came, go on at its sender; else at the rank's work before. */
function criticalPath(run) {
  if (!run.messages.length || run.step > 1) return [];
  const real = run.messages.filter(m => m.elements && m.src !== m.dst), into = Array.from({ length: run.size }, () => []);
  for (const m of real) into[m.dst].push(m);
  for (const list of into) list.sort((a, b) => a.done - b.done);
  const busy = Array.from({ length: run.size }, (_, rank) => [...run.bars.blend[rank], ...run.bars.send[rank]].sort((a, b) => a[1] - b[1]));
  const path = [], eps = 1e-4 * (run.seconds - run.start);
  let rank = run.finish.indexOf(Math.max(...run.finish)), time = Infinity;
  for (let n = 0; n < 10000; n++) {
    const m = into[rank].findLast(o => o.done <= time + 1e-15 && !path.includes(o.number));
    if (!m) break;
    const before = busy[rank].findLast(bar => bar[1] <= m.combines + eps && bar[0] < m.combines - eps), idle = m.combines - (before?.[1] ?? run.start);
    if (idle > eps) {
      path.unshift(m.number);
      rank = m.src;
      time = Math.min(time, m.sent + eps);
    } else {
      time = m.combines - eps / 4;
    }
  }
  return path;
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

  row(name, text) { return make("tr", {}, make("th", { scope: "row" }, name), ...text.map(t => make("td", {}, t))); },

  /* The longest wait cannot be read off planned bars: a rank waits when it has nothing else to do. */
  waits(run, rank) {
    return run.bars.wait?.[rank]?.length ? Facts.sum(run.bars.wait[rank]) : Math.max(0, run.finish[rank] - Facts.begin(run, rank) - Facts.sum(run.bars.blend[rank]) - Facts.sum(run.bars.send[rank]));
  },

  begin(run, rank) {
    const stage = data.frame.stages?.composite;
    return stage ? stage.begin[rank] - (view.core.whole ? 0 : data.frame.origin) : run.start;
  },

  table(core) {
    const runs = core.sides.map(side => core.runOf(side)), gathers = run => run.messages.filter(m => m.round === core.frame.last && m.elements);
    const all = (pick, text = timeText) => runs.map(run => text(pick(run), 3)), rows = [
      Facts.row("compositing", all(run => run.seconds - run.start)),
      Facts.row("sent", runs.map(run => `${bytesText(run.sums.sent)} in ${many(run.sums.messages, "message")}`)),
      Facts.row("read in place", runs.map(run => `${bytesText(run.sums.read)} in ${many(run.sums.reads, "piece")}`)),
      Facts.row("longest blending", all(run => Facts.most(run, "blend"))),
      Facts.row("longest wait", all(run => Math.max(...run.finish.map((_, rank) => Facts.waits(run, rank))))),
    ];
    if (runs.some(run => gathers(run).length)) rows.push(Facts.row("gathered", runs.map(run => bytesText(gathers(run).reduce((sum, m) => sum + m.elements, 0)))));
    return make("table", { class: "facts" }, make("thead", {}, make("tr", {}, make("td"), ...core.sides.map(side => make("th", { scope: "col" }, side)))), make("tbody", {}, ...rows));
  },

  /* "The path: rank 5 draws until 12 ms; 5 → 2 → 0". */
  path(run) {
    if (!run.path.length) return "";
    const messages = run.path.map(number => run.messages[number]), names = [messages[0].src, ...messages.map(m => m.dst)].map(nameOf);
    const joined = names.filter((name, i) => i === 0 || name !== names[i - 1]);
    return `Critical path: ${joined.length > 9 ? [...joined.slice(0, 4), "…", ...joined.slice(-4)].join(" → ") : joined.join(" → ")}.`;
  },

  show(view) {
    const { core, run } = view, { frame } = core, clock = frame.clock_error > 0 ? `Clocks of nodes differ from that of rank 0 by at most ${timeText(frame.clock_error, 2)} more than what was corrected.` : frame.nodes === 1 ? "All ranks have the clock of one node." : "";
    const words = [Facts.path(run), frame.planned ? frame.measured ? `Planned by the model for: ${frame.machine}; ranks begin when they did.` : "" : frame.algorithm ? "The schedule has too many messages to plan it." : "There is no schedule: nothing is blended.",
      clock, `Times are exact to ${timeText(frame.tick, 2)}.`, frame.is_cut_off ? "A rank had more events than it can note: its last ones are missing." : ""];
    $("cost").replaceChildren(Facts.table(core), make("p", { class: "totals" }, words.filter(Boolean).join(" ")));
  },

  ranks(view) {
    const { core } = view, { frame } = core, { stages } = frame, run = core.runOf(core.sides[0]);
    if (!stages) return;
    const most = 64, rows = stages.render.begin.slice(0, most).map((_, row) => make("tr", { "data-rank": row },
      make("th", { scope: "row" }, nameOf(row * frame.rows)), ...(frame.nodes > 1 ? [make("td", {}, frame.node[row * frame.rows])] : []),
      ...[stages.render.wall[row], stages.composite.wall[row], Facts.waits(run, row), Facts.sum(run.bars.blend[row]), Facts.sum(run.bars.send[row]), stages.finish.wall[row] + stages.write.wall[row]].map(s => make("td", {}, timeText(s, 3)))));
    $("ranks").replaceChildren(make("table", { class: "facts" }, make("thead", {}, make("tr", {}, ...["rank", ...(frame.nodes > 1 ? ["node"] : []), "renders", "composites", "of it waits", "blends", "sends", "finishes"].map(h => make("th", { scope: "col" }, h)))), make("tbody", {}, ...rows)));
    if (stages.render.begin.length > most) $("ranks").append(make("p", { class: "soft" }, `and ${many(stages.render.begin.length - most, "rank")} more`));
  },

  /* Cards and words of a frame's page. */
  lock(core) {
    const { frame } = core;
    $("brand").textContent = frame.measured ? "render" : "schedule";
    $("count-unit").textContent = "pixels";
    $("count-word").hidden = !core.pixels;
    $("matrix-title").textContent = "Bytes from rank to rank";
    $("cost-title").textContent = core.sides.length > 1 ? "Measured and planned" : core.sides[0][0].toUpperCase() + core.sides[0].slice(1);
    for (const id of ["race-card", "chart-card", "break-card", "predict-card", "machine-card"]) $(id).hidden = true;
    $("ranks-card").hidden = !frame.stages;
    $("frame-tools").hidden = !frame.measured;
    $("side-tools").hidden = core.sides.length < 2;
    $("diagram-legend").replaceChildren(...[["k-draw", "renders", frame.stages], ["k-send", "sends", true], ["k-receive", "receives", frame.planned], ["k-combine", "blends", true], ["k-wait", "waits", frame.measured], ["k-path", "critical path", frame.table]]
      .filter(([, , is]) => is).flatMap(([kind, name]) => [make("i", { class: kind }), `${name} `]));
    if (!core.pieces.length && frame.size > 64) {
      $("memory").hidden = $("legend").hidden = true;
      for (const button of document.querySelectorAll("#save-svg, #save-png")) button.dataset.of = "diagram";
      $("stage-title").textContent = "Time";
    }
    for (const [id, name, value] of [["show-measured", "side", "measured"], ["show-planned", "side", "planned"], ["show-composite", "whole", 0], ["show-whole", "whole", 1]]) {
      $(id).addEventListener("click", () => { Object.assign(view.state, { [name]: value }); changed(); });
    }
  },

  pressed(state, core) {
    $("show-measured").setAttribute("aria-pressed", core.run().side === "measured");
    $("show-planned").setAttribute("aria-pressed", core.run().side === "planned");
    $("show-composite").setAttribute("aria-pressed", !state.whole);
    $("show-whole").setAttribute("aria-pressed", !!state.whole);
  },
};
