/* Compositing: schedules of all algorithms, computed in the page, or the one that stands in it. */
const COMPOSITE_INPUTS = { nearest: 139, gather: 140, flat: 141, group: 142, fanIn: 143, factors: 144 }, MOST_RANKS = 64, MOST_FACTORS = 8;
const COMPOSITING = { name: "compositing", summary: "the images of all ranks are blended into one picture",
  isComposite: true, hasRoot: true, reduces: true, isBarrier: false, hasVectors: false };

/* Text such as "4,2" as numbers. */
const readFactors = text => String(text).split(/[^0-9]+/).map(Number).filter(n => n > 1).slice(0, MOST_FACTORS);

/* The ranks of each node, of text such as "4,4,3" or "2x4". */
function readNodes(text) {
  const times = /^\s*(\d+)\s*x\s*(\d+)\s*$/.exec(text);
  const sizes = times ? Array(Math.min(+times[1], MOST_RANKS)).fill(+times[2]) : String(text).split(/[^0-9]+/).filter(Boolean).map(Number);
  return sizes.filter(n => n > 0).map(n => Math.min(n, MOST_RANKS)).slice(0, MOST_RANKS);
}

/* The node of each rank; null: each has its own. The last size goes on, and the last node may have fewer ranks. */
function nodesOf(text, size) {
  const sizes = readNodes(text), node = [];
  for (let n = 0; sizes.length && node.length < size; n++) node.push(...Array(sizes[Math.min(n, sizes.length - 1)]).fill(n));
  return sizes.length ? node.slice(0, size) : null;
}

class CompositeCore extends WasmCore {
  /* core: of the collectives, whose memory and functions it takes over. */
  constructor(core, data) {
    super();
    Object.assign(this, { x: core.x, core: core.core, data, algorithms: [] });
    const operation = { ...COMPOSITING, algorithms: this.algorithms };
    for (let n = 0; this.x.browser_composite_text(n, 0); n++) {
      const text = which => this.text(this.x.browser_composite_text(n, which)), flags = this.x.browser_composite_flags(n);
      this.algorithms.push({ number: n, operation, name: text(0), summary: text(1), source: text(2), formula: "", order: null, hasSegments: false,
        hasFactors: !!(flags & 1), hasGroup: !!(flags & 2), hasFanIn: !!(flags & 4) });
    }
    this.operations = [operation];
  }

  /* Parameters that an algorithm does not have are left out. */
  give(problem, algorithm) {
    super.give({ ...problem, segment: 0 });
    const input = new Float64Array(this.x.memory.buffer, this.x.browser_input(this.core), COMPOSITE_INPUTS.factors + MOST_FACTORS);
    const put = (name, value) => { input[COMPOSITE_INPUTS[name]] = value; };
    put("nearest", problem.nearest);
    put("gather", problem.gather);
    put("flat", problem.flat ? 0 : 1);
    put("group", algorithm?.hasGroup ? problem.group : 0);
    put("fanIn", algorithm?.hasFanIn ? problem.fanIn : 0);
    input.fill(0, COMPOSITE_INPUTS.factors);
    if (algorithm?.hasFactors) input.set(readFactors(problem.factors), COMPOSITE_INPUTS.factors);
  }

  /* The sentence of a failure. */
  refuse(status) {
    if (status) throw new Error(this.text(this.x.base_fail_message()) || "the schedule cannot be made with these numbers");
  }

  run(problem, algorithm) {
    this.give(problem, algorithm);
    this.refuse(this.x.browser_composite(this.core, algorithm.number));
    const run = finishComposite(this.finish(0), problem), streams = run.begin.slice(0, -1).map((from, rank) => run.ops.slice(from, run.begin[rank + 1]));
    return { ...run, sentence: this.prove(streams, run.last) };
  }

  /* Puts the ops of someone's own into the tables. */
  load(streams) {
    const all = streams.flat().flatMap(op => [op.round, op.src, op.dst, 2, ...op.run, op.first, op.count]), at = this.x.browser_change(this.core, all.length / OP);
    if (!at) throw new Error("the schedule takes more memory than there is");
    new Float64Array(this.x.memory.buffer, at, all.length).set(all);
    const begin = new Float64Array(this.x.memory.buffer, this.x.browser_numbers(this.core, 1), streams.length + 1);
    streams.reduce((sum, stream, rank) => (begin[rank] = sum, begin[rank + 1] = sum + stream.length), 0);
  }

  /* The defect of the rounds before the gathering, "" if there is none: by the program's checker. */
  prove(streams, last) {
    this.load(streams.map(stream => stream.filter(op => op.round < last)));
    this.refuse(this.x.browser_composite_check(this.core));
    return this.text(this.x.browser_sentence(this.core)).replace("the schedule of this page is wrong: ", "");
  }

  /* Ops of someone's own are timed as any messages. */
  runChanged(problem, algorithm, streams) {
    const last = this.run(problem, algorithm).last, sentence = this.prove(streams, last), ops = streams.flat(), begin = [0];
    for (const stream of streams) begin.push(begin.at(-1) + stream.length);
    const run = this.runOps({ ...problem, segment: 0 }, ops.flatMap(op => [op.round, op.src, op.dst, 2, 0, 0, op.first, op.count]), begin);
    return { ...finishComposite(run, problem, ops.map(op => op.run), last), sentence };
  }

  seconds(problem, algorithm) {
    this.give(problem, algorithm);
    return this.x.browser_composite_seconds(this.core, algorithm.number);
  }

  /* Where another algorithm becomes the fastest: between two counts of the chart. */
  rangesOf(points) {
    const counts = [...new Set([...points.values()].flatMap(list => list.map(p => p[0])))].sort((a, b) => a - b), ranges = [];
    for (const count of counts) {
      const all = [...points].map(([algorithm, list]) => [algorithm, list.find(p => p[0] === count)?.[1] ?? -1]).filter(([, s]) => s > 0);
      if (!all.length) continue;
      const [fastest, least] = all.reduce((a, b) => b[1] < a[1] ? b : a), before = all.find(([algorithm]) => algorithm === ranges.at(-1)?.algorithm)?.[1] ?? Infinity;
      if (least < .99 * before) ranges.push({ count, algorithm: fastest }); // nearly equal times are no change
    }
    return ranges;
  }
  ranges() { return []; }
}

/* What the tables of a schedule do not tell: runs of payloads, the critical path and its cost, sums. */
function finishComposite(run, problem, runs, last) {
  run.ops.forEach((op, i) => Object.assign(op, { kind: "blend", run: runs ? runs[i] : [op.from, op.into], from: 0, into: 0 }));
  run.borders = [0, problem.count];
  const real = run.messages, rounds = [...new Set(real.map(m => m.round))], merged = new Set(run.ops.filter(op => op.run[1] - op.run[0] === run.size).map(op => op.round));
  run.last = last ?? (problem.gather > 0 && merged.has(Math.max(...rounds)) ? Math.max(...rounds) : Infinity);
  const span = (pick, rank) => real.filter(m => m.src !== m.dst).filter(pick(rank));
  run.begins = Array.from({ length: run.size }, (_, rank) => problem.late[rank] ?? 0);
  run.bars = { blend: run.begins.map((_, rank) => span(r => m => m.dst === r, rank).map(m => [m.combines, m.done])),
    send: run.begins.map((_, rank) => span(r => m => m.src === r && !m.isNear, rank).map(m => [m.sent, m.left])) };
  const found = criticalPath({ ...run, start: 0, length: run.seconds });
  real.forEach(m => { m.critical = false; });
  for (const number of found.path) real[number].critical = true;
  const path = found.path.map(number => real[number]), sums = key => run.begins.map((_, rank) => real.filter(m => m[key] === rank).reduce((sum, m) => sum + m.elements, 0));
  const paid = messages => [messages.length, messages.reduce((sum, m) => sum + m.elements, 0)];
  delete run.bars;
  return Object.assign(run, { path: found.path, start: run.begins[found.first] ?? 0,
    walk: [...paid(path.filter(m => !m.isNear)), path.reduce((sum, m) => sum + m.combined, 0), ...paid(path.filter(m => m.isNear))],
    totals: { rounds: rounds.length, messages: real.length, elements: real.reduce((sum, m) => sum + m.elements, 0), mostSent: Math.max(0, ...sums("src")), mostReceived: Math.max(0, ...sums("dst")) } });
}

/* A schedule that stands in the page, which cannot compute: its problem and the machine are fixed. */
class ScheduleCore {
  constructor(data, inner) {
    const { schedule } = data, operation = { ...COMPOSITING, hasRoot: false };
    const algorithm = { number: 0, name: schedule.name, operation, formula: "", source: schedule.source, order: null, hasSegments: false,
      summary: schedule.summary + (schedule.parameters ? `; ${schedule.parameters}` : "") };
    operation.algorithms = [algorithm];
    Object.assign(this, { operations: [operation], algorithms: [algorithm], inner, pixels: data.state.count });
  }
  get isFree() { return false; }
  get canTime() { return false; }
  run(problem) { return finishComposite(this.inner.run(), problem); }
  seconds() { return -1; }
  ranges() { return []; }
}

/* The images of the positions, and blends of them: front over back, as bytes. */
class Picture {
  static async create(data) {
    const picture = new Picture();
    Object.assign(picture, data);
    picture.parts = await Promise.all(data.images.map(source => new Promise((done, fail) => {
      const image = new Image();
      image.onload = () => done(image);
      image.onerror = () => fail(new Error("a picture cannot be read"));
      image.src = source;
    })));
    picture.blends = new Map();
    return picture;
  }

  /* The blend of a set of positions, as a canvas. */
  blend(lo, hi) {
    const key = `${lo},${hi}`;
    if (!this.blends.has(key)) {
      if (this.blends.size > 400) this.blends.clear();
      const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
      canvas.width = this.width;
      canvas.height = this.height;
      for (let position = this.parts.length - 1; position >= 0; position--) {
        if (position < 32 ? lo >>> position & 1 : hi >>> (position - 32) & 1) context.drawImage(this.parts[position], 0, 0);
      }
      this.blends.set(key, canvas);
    }
    return this.blends.get(key);
  }

  /* Part of the blend of a set, from one share of the rows to another, into a box for the whole picture. */
  band(scene, x, y, w, h, from, to, lo, hi) {
    const top = Math.round(y + h * from), bottom = Math.round(y + h * to); // whole pixels leave no seams
    scene.rect(x, top, w, bottom - top, this.background);
    scene.image(x, top, w, bottom - top, this.blend(lo, hi), [0, this.height * from, this.width, this.height * (to - from)]);
  }
}

/* The memory of one rank, and the most complete pieces, enlarged. */
const Pieces = {
  key(view) {
    view.replay.seek(view.time);
    return `${view.replay.next},${view.state.rank}`;
  },
  over() {},

  base(width, view) {
    const { picture, replay, run } = view, wide = width >= 640, w = wide ? (width - 16) / 2 : width, h = w * picture.height / picture.width;
    const scene = new Scene(width, wide ? h + 22 : 2 * h + 52), total = replay.borders[replay.rows];
    const place = (n, title) => {
      const x = wide ? n * (w + 16) : 0, y = wide ? 22 : n * (h + 30) + 22;
      scene.text(x, y - 7, title, theme.soft, { size: 12 });
      scene.rect(x, y, w, h, theme.panel);
      return [x, y];
    };
    const band = ([x, y], first, end, at) => picture.band(scene, x, y, w, h, replay.borders[first] / total, replay.borders[end] / total, replay.lo[at], replay.hi[at]);
    const own = place(0, `the image of rank ${nameOf(view.state.rank)}`), best = place(1, "the pieces with most images so far, of all ranks");
    for (const [, first, end] of Memory.pieces(view, view.state.rank)) band(own, first, end, replay.at(view.state.rank, 0, first));
    for (let row = 0; row < replay.rows; row++) {
      const count = rank => countBits(replay.lo[replay.at(rank, 0, row)]) + countBits(replay.hi[replay.at(rank, 0, row)]);
      let most = 0;
      for (let rank = 1; rank < run.size; rank++) if (count(rank) > count(most)) most = rank;
      band(best, row, row + 1, replay.at(most, 0, row));
    }
    return scene;
  },
};
