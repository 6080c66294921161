/* The collectives: the program's own C code as WebAssembly, or one schedule that stands in the page. */
const KINDS = ["copy", "move", "reduce", "concatenate", "notify"];
const TABLES = ["ops", "begin", "messages", "path", "finish", "totals", "cost", "borders", "given", "promised", "ranges"];
const OP = 8, MESSAGE = 12, CELL = 5;
/* The places of inputs (numbers.h). */
const LATE = 8, NEAR = 72, NODES = 74, NODE = 75, INPUTS = 139;

/* Rows of a table of numbers. */
function rowsOf(numbers, width) {
  return Array.from({ length: numbers.length / width }, (_, i) => numbers.slice(i * width, (i + 1) * width));
}

/* A run as objects, from its tables. */
function decodeRun(tables, sentence) {
  const ops = rowsOf(tables.ops, OP).map(([round, src, dst, kind, from, into, first, count]) =>
    ({ round, src, dst, kind: KINDS[kind], from, into, first, count }));
  const messages = rowsOf(tables.messages, MESSAGE).map((m, number) => ({
    number, round: m[0], src: m[1], dst: m[2], elements: m[3], combined: m[4], sent: m[5], left: m[6], comes: m[7], came: m[8],
    combines: m[9], done: m[10], critical: !!(m[11] & 1), isNear: !!(m[11] & 2), ops: [] }));
  const byEnds = new Map(messages.map(m => [`${m.round},${m.src},${m.dst}`, m]));
  const begin = tables.begin.slice(0, tables.finish.length + 1);
  for (let rank = 0; rank + 1 < begin.length; rank++) {
    for (let i = begin[rank]; i < begin[rank + 1]; i++) {
      const op = ops[i];
      op.message = byEnds.get(`${op.round},${op.src},${op.dst}`);
      if (op.src === rank) op.message.ops.push(op);
    }
  }
  const [rounds, count, elements, mostSent, mostReceived] = tables.totals;
  return { size: begin.length - 1, ops, begin, messages, path: tables.path, finish: tables.finish, borders: tables.borders,
    totals: { rounds, messages: count, elements, mostSent, mostReceived },
    formula: tables.cost.slice(0, 3), walk: [...tables.cost.slice(3, 6), ...tables.cost.slice(8, 10)], seconds: tables.cost[6], start: tables.cost[7],
    given: rowsOf(tables.given, CELL), promised: rowsOf(tables.promised, CELL), sentence };
}

/* The names of all collectives and algorithms. */
function describeFlags(operations, algorithms) {
  for (const operation of operations) {
    const flags = operation.flags;
    Object.assign(operation, { hasRoot: !!(flags & 1), reduces: !!(flags & 2), isBarrier: !!(flags & 4), hasVectors: !!(flags & 8) });
    operation.algorithms = [];
  }
  algorithms.forEach((algorithm, number) => {
    algorithm.number = number;
    algorithm.operation = operations[algorithm.flags & 255];
    algorithm.hasSegments = !!(algorithm.flags & 256);
    algorithm.operation.algorithms.push(algorithm);
  });
  return { operations, algorithms };
}

class WasmCore {
  static async create(bytes) {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    const core = new WasmCore();
    core.x = instance.exports;
    core.core = core.x.browser_open();
    if (!core.core) throw new Error("there is too little memory");
    const texts = (of, n) => ({ name: core.text(of(n, 0)), summary: core.text(of(n, 1)), source: core.text(of(n, 2)),
      formula: core.text(of(n, 3)), order: core.text(of(n, 4)) });
    const list = (text, flags) => {
      const all = [];
      for (let n = 0; text(n, 0); n++) all.push({ ...texts(text, n), flags: flags(n) });
      return all;
    };
    Object.assign(core, describeFlags(list(core.x.browser_operation_text, core.x.browser_operation_flags),
      list(core.x.browser_algorithm_text, core.x.browser_algorithm_flags)));
    return core;
  }
  /* Whether the problem can change, and the machine. */
  get isFree() { return true; }
  get canTime() { return true; }
  text(at) {
    if (!at) return null;
    const bytes = new Uint8Array(this.x.memory.buffer);
    let end = at;
    while (bytes[end]) end++;
    return new TextDecoder().decode(bytes.subarray(at, end));
  }
  numbers(table) {
    const count = this.x.browser_numbers_count(this.core, table), at = this.x.browser_numbers(this.core, table);
    return Array.from(new Float64Array(this.x.memory.buffer, at, at ? count : 0));
  }
  give(problem) {
    const input = new Float64Array(this.x.memory.buffer, this.x.browser_input(this.core), INPUTS);
    input.fill(0);
    input.set([problem.size, problem.count, problem.root, problem.segment, problem.alpha, problem.beta, problem.gamma, problem.ports]);
    for (const [rank, seconds] of Object.entries(problem.late)) input[LATE + +rank] = seconds;
    input.set([problem.nearAlpha ?? 0, problem.nearBeta ?? 0, problem.nodeOf ? 1 : 0, ...problem.nodeOf ?? []], NEAR);
  }
  finish(status) {
    if (status) throw new Error(status === 4 ? "the schedule takes more memory than there is" : "the collective cannot be run with these numbers");
    const tables = Object.fromEntries(TABLES.map((name, n) => [name, name === "ranges" ? [] : this.numbers(n)]));
    return decodeRun(tables, this.text(this.x.browser_sentence(this.core)));
  }
  run(problem, algorithm) {
    this.give(problem);
    return this.finish(this.x.browser_run(this.core, algorithm.number));
  }
  /* Streams: for each rank a list of ops. */
  runChanged(problem, algorithm, streams) {
    const ops = streams.flat();
    this.give(problem);
    const at = this.x.browser_change(this.core, ops.length);
    if (!at) throw new Error("the schedule takes more memory than there is");
    new Float64Array(this.x.memory.buffer, at, OP * ops.length).set(ops.flatMap(op =>
      [op.round, op.src, op.dst, KINDS.indexOf(op.kind), op.from, op.into, op.first, op.count]));
    const begin = new Float64Array(this.x.memory.buffer, this.x.browser_numbers(this.core, 1), streams.length + 1);
    streams.reduce((sum, stream, rank) => (begin[rank] = sum, begin[rank + 1] = sum + stream.length), 0);
    return this.finish(this.x.browser_run_changed(this.core, algorithm.number));
  }
  /* Ops that are no collective's, as numbers. */
  runOps(problem, ops, begin) {
    this.give(problem);
    const at = this.x.browser_change(this.core, ops.length / OP);
    if (!at) throw new Error("the schedule takes more memory than there is");
    new Float64Array(this.x.memory.buffer, at, ops.length).set(ops);
    new Float64Array(this.x.memory.buffer, this.x.browser_numbers(this.core, 1), begin.length).set(begin);
    return this.finish(this.x.browser_run_ops(this.core));
  }
  seconds(problem, algorithm) {
    this.give(problem);
    return this.x.browser_seconds(this.core, algorithm.number);
  }
  ranges(problem, operation) {
    this.give(problem);
    if (this.x.browser_find_ranges(this.core, this.operations.indexOf(operation))) return [];
    return rowsOf(this.numbers(10), 2).map(([count, algorithm]) => ({ count, algorithm: this.algorithms[algorithm] }));
  }
}

/* The schedule that the program wrote into the page. */
class GivenCore {
  constructor(data) {
    Object.assign(this, describeFlags(data.operations, data.algorithms));
    this.given = data.run;
  }
  get isFree() { return false; }
  get canTime() { return false; }
  run() { return decodeRun(this.given.tables, this.given.sentence); }
  seconds() { return -1; }
  ranges() { return []; }
}

async function createCore(data, text) {
  if (data.frame) return new FrameCore(data);
  const core = text ? await WasmCore.create(Uint8Array.from(atob(text), letter => letter.charCodeAt(0))) : new GivenCore(data);
  return !data.schedule ? core : core.isFree ? new CompositeCore(core, data) : new ScheduleCore(data, core);
}
