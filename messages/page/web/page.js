/* The state of the page, its controls and its clock. */
const DEFAULTS = { op: "broadcast", alg: "binomial", size: 8, count: 8, root: 0, alpha: 30e-6, beta: 8 / 117e6,
  gamma: 1e-9, ports: 1, segment: 0, late: {}, race: [], rank: 0, changes: [], time: 0, side: "measured", whole: 0,
  nearest: 0, gather: 0, nodes: "", nearAlpha: 0, nearBeta: 0, flat: 0, group: 0, fanIn: 0, factors: "", beside: "", present: 0 };
/* Machines: α, seconds a byte, γ. */
const PRESETS = [["gigabit", 30e-6, 1 / 117e6, 1e-9], ["InfiniBand", 1.5e-6, 1 / 12e9, 1e-9], ["shared memory", 3e-7, 1 / 8e9, 1e-9]];
const ELEMENT_BYTES = 8, PIXEL_BYTES = 16;
const TIMES = ["alpha", "beta", "gamma", "nearAlpha", "nearBeta"];
const SECONDS = 9; // an animation at speed 1

const view = { state: structuredClone(DEFAULTS), hot: {}, time: 0, duration: 1, masked: false, maskedFrom: Infinity, playing: false, serial: 0, racers: [] };
const data = JSON.parse(byId("data").textContent), INITIAL = { ...DEFAULTS, ...data.state };
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/* ---- The address ---- */
const NUMBERS = { p: "size", n: "count", r: "root", a: "alpha", b: "beta", g: "gamma", o: "ports", s: "segment", k: "rank", t: "time", w: "whole",
  e: "nearest", q: "gather", j: "nearAlpha", z: "nearBeta", y: "flat", u: "group", i: "fanIn", present: "present" };

function addressOf(state) {
  const parts = [`c=${state.op}`, `m=${state.alg}`];
  for (const [key, name] of Object.entries(NUMBERS)) if (state[name] !== INITIAL[name] || (data.frame ? ["p", "w"] : ["p", "n"]).includes(key)) parts.push(`${key}=${state[name]}`);
  const late = Object.entries(state.late).filter(([, seconds]) => seconds > 0).map(([rank, seconds]) => `${rank}:${seconds}`);
  if (late.length) parts.push(`l=${late.join(",")}`);
  if (state.race.length) parts.push(`v=${state.race.join(",")}`);
  if (state.beside) parts.push(`beside=${state.beside}`);
  if (state.factors) parts.push(`f=${state.factors}`);
  if (state.nodes) parts.push(`h=${state.nodes}`);
  if (state.side !== INITIAL.side) parts.push(`d=${state.side}`);
  if (state.changes.length) parts.push(`x=${state.changes.join(".")}`);
  return "#" + parts.join("&");
}

function readAddress(text) {
  const state = structuredClone(INITIAL);
  const given = new Map(text.replace(/^#/, "").split("&").filter(Boolean).map(part => {
    const at = part.indexOf("=");
    return [part.slice(0, at), decodeURIComponent(part.slice(at + 1))];
  }));
  for (const [key, name] of Object.entries(NUMBERS)) {
    const number = given.has(key) ? Number(given.get(key)) : NaN;
    if (number >= 0 && Number.isFinite(number)) state[name] = number;
  }
  state.op = given.get("c") ?? state.op;
  state.alg = given.get("m") ?? state.alg;
  if (given.size) Object.assign(state, { factors: given.get("f") ?? "", nodes: given.get("h") ?? "", late: {} });
  state.side = SIDES.find(side => side === given.get("d")) ?? state.side;
  for (const part of given.get("l")?.split(",") ?? []) {
    const [rank, seconds] = part.split(":").map(Number);
    if (Number.isInteger(rank) && seconds > 0) state.late[rank] = seconds;
  }
  state.beside = given.get("beside") ?? state.beside;
  state.race = given.get("v")?.split(",") ?? state.race;
  state.changes = (given.get("x") ?? "").split(".").filter(change => /^([delo]\d+|s\d+-\d+)$/.test(change));
  return state;
}

let writing = 0;
function writeAddress() {
  if (data.isPart) return; // of a page that has an address of its own
  clearTimeout(writing);
  writing = setTimeout(() => {
    view.state.time = view.time;
    history.replaceState(null, "", addressOf(view.state));
  }, 150);
}

/* ---- Runs ---- */

/* Brings all values into their ranges. */
function tidy(state) {
  const { core } = view, operation = core.operations.find(o => o.name === state.op) ?? core.operations[0];
  const whole = (value, least, most) => clamp(Math.round(value) || 0, least, most);
  state.op = operation.name;
  const algorithm = operation.algorithms.find(a => a.name === state.alg) ?? operation.algorithms.find(a => a.name === "binomial") ?? operation.algorithms[0];
  state.alg = algorithm.name;
  if (!core.isFree) Object.assign(state, { size: data.state.size, count: data.state.count, root: data.state.root ?? 0, segment: data.state.segment ?? 0, changes: [] });
  state.size = whole(state.size, 1, core.frame?.size ?? 64);
  state.count = whole(state.count, operation.isComposite ? 1 : 0, 2 ** (operation.isComposite ? 31 : 40));
  state.root = whole(state.root, 0, state.size - 1);
  state.rank = whole(state.rank, 0, state.size - 1);
  state.whole = whole(state.whole, 0, core.lateness > 0 ? 2 : 1);
  state.ports = whole(state.ports, 1, 64);
  state.segment = whole(state.segment, 0, 2 ** 40);
  for (const [name, most] of [["nearest", 1], ["gather", 16], ["flat", 1], ["group", 64], ["fanIn", 64]]) state[name] = whole(state[name], 0, most);
  state.factors = readFactors(state.factors).join(",");
  state.nodes = readNodes(state.nodes).join(",");
  for (const name of TIMES) state[name] = clamp(state[name], 0, 1e5);
  for (const rank of Object.keys(state.late)) if (rank >= state.size || !(state.late[rank] > 0)) delete state.late[rank];
  if (state.beside === state.alg || !operation.algorithms.some(a => a.name === state.beside)) state.beside = "";
  state.race = state.race.filter(name => operation.algorithms.some(a => a.name === name)).slice(0, 4);
  return { operation, algorithm };
}

function problemOf(state) {
  const { size, count, root, segment, alpha, beta, gamma, nearAlpha, nearBeta, ports, late, nearest, gather, flat, group, fanIn, factors } = state;
  return { size, count, root, segment, alpha, beta, gamma, nearAlpha, nearBeta, ports, late, nearest, gather, nodeOf: nodesOf(state.nodes, size), flat, group, fanIn, factors };
}

/* The block of each row of a replay. */
const blocksOf = ({ replay, run, operation }) => replay.borders.slice(0, -1).map(border => {
  let block = 0;
  while (block + 1 < run.size && run.borders[block + 1] <= border) block++;
  return operation.isBarrier ? 0 : block;
});

function compute() {
  const { state, core } = view, { operation, algorithm } = tidy(state);
  Object.assign(view, { operation, algorithm, problem: problemOf(state), unit: core.frame ? "byte" : operation.isComposite ? "pixel" : "element" });
  Object.assign(core, core.frame ? { side: state.side, whole: state.whole } : {});
  view.picture = view.images?.parts.length === state.size ? view.images : null; // other numbers of ranks have other images
  byId("pieces-card").hidden = !view.picture || (core.frame && !core.frame.algorithm);
  view.base = core.run(view.problem, algorithm);
  view.run = state.changes.length && core.isFree ? core.runChanged(view.problem, algorithm, Break.streams(view.base, state.changes)) : view.base;
  view.replay = state.size <= 64 ? new Replay(view.run, operation) : null;
  view.nodeOf = core.frame ? (core.frame.nodes > 1 ? core.frame.node : null) : view.problem.nodeOf;
  view.panels = core.frame ? core.sides.map(side => core.runOf(side)) : [view.run];
  view.blockOf = view.replay ? blocksOf(view) : [];
  Beside.compute(view, state.beside);
  const names = state.race.length ? state.race : [state.alg];
  view.racers = core.frame ? [] : operation.algorithms.filter(a => names.includes(a.name) && (a === algorithm || core.seconds(view.problem, a) >= 0)).map(a => {
    const run = a === algorithm ? view.run : core.run(view.problem, a);
    return { algorithm: a, run, curve: (a === algorithm ? view.replay : new Replay(run, operation)).curve() };
  });
  const lates = Object.values(state.late);
  view.duration = core.frame ? core.end() : Math.max(...view.racers.map(r => r.run.seconds), view.run.seconds, view.other?.run.seconds ?? 0, ...lates, 1e-12);
  view.scale = view.dragScale ?? Math.max(view.base.seconds, ...lates, 1e-12);
  view.steps = [...new Set([0, ...view.run.messages.map(m => m.done), view.duration])].sort((a, b) => a - b)
    .filter((time, i, all) => i === 0 || time - all[i - 1] > 1e-9 * view.duration);
  view.arrivals = null;
  view.serial++;
}

/* After any change of the state but time. */
function changed() {
  const { state } = view, key = JSON.stringify([state.op, state.size, state.root, state.segment, state.alpha, state.beta, state.gamma, state.nearAlpha, state.nearBeta, state.ports, state.nearest, state.gather, state.nodes, state.flat, state.group, state.fanIn, state.factors]);
  byId("problem").hidden = true;
  try {
    compute();
  } catch (error) {
    byId("problem").textContent = `This cannot be shown: ${error.message}.`;
    byId("problem").hidden = false;
    showControls();
    return;
  }
  view.time = clamp(view.time, 0, view.duration);
  if (key !== view.chartKey) {
    view.chartKey = key;
    if (view.chart) {
      view.chart.stopped = true;
      clearTimeout(view.chart.timer);
    }
    view.chart = Chart.compute(view.core, view.problem, view.operation, () => refresh());
  }
  showControls();
  Steps.show(view);
  refresh();
  writeAddress();
}

/* ---- Drawing ---- */
let asked = 0;
function refresh() {
  if (!asked) asked = requestAnimationFrame(() => { asked = 0; drawAll(); });
}

const VIEWS = { memory: Memory, beside: Beside, diagram: Diagram, matrix: Matrix, race: Race, chart: Chart };
const parts = {}; // of each view: its key, its base, and what moves
let look = 0; // counts changes of the theme

/* The shapes of each view. */
const scenes = () => Object.fromEntries(Object.entries(parts).map(([name, { base, over }]) =>
  [name, Object.assign(new Scene(base.width, base.height), { items: [...base.items, ...over.items] })]));

const SLOW = 100; // ms between two drawings of views and texts that need not move smoothly
let slowAt = 0;

/* Draws a view again if anything in it has changed. A view that is slow may wait, unless more than the time has
 * changed. */
function drawView(name, of, width, mayWait) {
  if (!width) return;
  const stamp = [view.serial, width, look, view.hot.message, view.hot.rank, view.maskedFrom].join("|"), last = parts[name], same = last?.stamp === stamp;
  if (same && of.isSlow && mayWait) return;
  const key = of.key(view), isKept = same && last.key === key, part = isKept ? last : { stamp, key, base: of.base(width, view, same ? last.base : null) };
  const over = new Scene(part.base.width, part.base.height);
  of.over(over, view);
  const isStill = isKept && !over.items.length && !last.over.items.length && part.base.ratio === ratioOf();
  parts[name] = Object.assign(part, { over });
  if (!isStill) draw(byId(name).querySelector("canvas"), part.base, over);
}

function drawTexts() {
  if (view.core.frame) Facts.show(view);
  else Cost.show(view);
  Beside.show(view);
  Loops.show(view);
  Program.show(view);
  Now.show(view);
  Break.show(view);
  put(byId("ranges"), view.masked || !view.chart?.ranges.length ? "" : `Fastest: ${view.chart.ranges.map(r => `${r.algorithm.name} from n = ${r.count}`).join(", ")}.`);
  byId("scrub").setAttribute("aria-valuetext", timeText(view.time, 3));
  put(byId("clock"), view.masked ? timeText(view.time, 3) : `${timeText(view.time, 3)} of ${timeText(view.duration, 3)}`);
}

function drawAll() {
  if (!view.run) return;
  Beside.place(view);
  const now = performance.now(), mayWait = view.playing && now - slowAt < SLOW;
  const views = Object.entries(VIEWS).map(([name, of]) => [name, of, byId(name).clientWidth / theme.zoom]); // all are read before anything is written
  for (const [name, of, width] of views) drawView(name, of, width, mayWait);
  byId("scrub").value = Math.round(10000 * view.time / view.duration);
  if (mayWait) return;
  slowAt = now;
  drawTexts();
}

/* ---- The clock ---- */
let last = 0;
function tick(now) {
  if (!view.playing) return;
  const speed = +byId("speed").value;
  if (calm.matches) { // steps instead of motion
    if (now - last > 900 / speed) {
      last = now;
      view.time = nextStep();
      refresh();
    }
  } else {
    view.time += Math.min(now - last, 100) / 1000 * speed * view.duration / SECONDS;
    last = now;
    refresh();
  }
  if (view.time >= view.duration * (1 - 1e-12)) {
    view.time = view.duration;
    pause();
  } else {
    requestAnimationFrame(tick);
  }
}

function play() {
  if (view.masked || view.playing) return;
  if (view.time >= view.duration * (1 - 1e-9)) view.time = 0;
  view.playing = true;
  last = performance.now();
  byId("transport").classList.add("playing");
  byId("play").setAttribute("aria-label", "Pause (space)");
  requestAnimationFrame(tick);
}

function pause() {
  view.playing = false;
  byId("transport").classList.remove("playing");
  byId("play").setAttribute("aria-label", "Play (space)");
  writeAddress();
  refresh();
}

function seek(time) {
  view.time = clamp(time, 0, view.duration);
  writeAddress();
  refresh();
}

const nextStep = () => view.steps.find(time => time > view.time + 1e-9 * view.duration) ?? view.duration;
const lastStep = () => view.steps.findLast(time => time < view.time - 1e-9 * view.duration) ?? 0;

function step(forward) {
  if (view.masked && forward) return;
  pause();
  seek(forward ? nextStep() : lastStep());
}

/* ---- Controls ---- */
function showControls() {
  const { state, core, operation, algorithm } = view;
  byId("operation").value = state.op;
  byId("algorithm").replaceChildren(...operation.algorithms.map(a => html("option", { value: a.name }, a.name)));
  byId("algorithm").value = state.alg;
  for (const name of ["size", "count", "root", "ports", "segment", "rank"]) if (document.activeElement !== byId(name)) byId(name).value = state[name];
  for (const name of ["size", "count", "root"]) byId(name).style.width = `${byId(name).value.length + 1.5}ch`;
  byId("root").max = byId("rank").max = state.size - 1;
  byId("root-word").hidden = !operation.hasRoot;
  byId("count-word").hidden = operation.isBarrier || (core.frame && !state.count);
  byId("segment-field").hidden = !operation.algorithms.some(a => a.hasSegments);
  for (const [id, is] of [["factors-field", algorithm.hasFactors], ["group-field", algorithm.hasGroup], ["fan-field", algorithm.hasFanIn], ["nodes-field", true], ["flat-field", operation.isComposite && !!state.nodes],
    ["gather-field", operation.isComposite], ["nearest-field", operation.isComposite]]) byId(id).hidden = !is || !core.isFree;
  for (const element of document.querySelectorAll(".near")) element.hidden = !state.nodes;
  for (const name of ["factors", "group", "fanIn", "nodes", "gather"]) if (document.activeElement !== byId(name)) byId(name).value = state[name] || "";
  byId("nearest").value = state.nearest;
  byId("flat").checked = !state.flat;
  byId("summary").textContent = (core.frame?.measured ? `Step ${core.frame.step} of ${core.frame.config}. ` : "") + `${operation.summary[0].toUpperCase()}${operation.summary.slice(1)}: ${algorithm.summary}.`;
  byId("source").textContent = algorithm.source ? `${algorithm.name}: ${algorithm.source}.` : "";
  byId("legend").textContent = operation.isBarrier ? "a stripe for each rank that is known to have come"
    : view.picture ? "the part of the picture that each rank has" : operation.isComposite ? "a stripe for each rank whose image is blended" : operation.reduces ? "a stripe for each rank whose input is combined" : operation.hasVectors ? "the colour is the rank of origin" : "the colour is the block of a rank";
  for (const name of TIMES) {
    if (document.activeElement !== byId(name)) byId(name).value = state[name] > 0 ? Math.log10(state[name]) : byId(name).min;
    byId(`${name}-out`).textContent = timeText(state[name], 3);
  }
  if (document.activeElement !== byId("late")) byId("late").value = timeText(state.late[state.rank] ?? 0, 4);
  [...byId("presets").children].forEach((button, i) => {
    const preset = presets[i];
    if (preset) button.setAttribute("aria-pressed", ["alpha", "beta", "gamma"].every((name, k) => Math.abs(state[name] - preset[k + 1]) <= 1e-6 * preset[k + 1] || state[name] === preset[k + 1]));
  });
  const racing = state.race.length ? state.race : [state.alg];
  byId("racers").replaceChildren(...operation.algorithms.map(a => html("button", {
    "aria-pressed": racing.includes(a.name), onclick: () => toggleRacer(a.name), ...(core.isFree ? {} : { disabled: "" }) },
    html("i", { style: `background:var(--c${operation.algorithms.indexOf(a) % 8})` }), a.name)));
  byId("beside-field").hidden = !core.isFree || Boolean(core.frame) || operation.algorithms.length < 2;
  byId("beside-algorithm").replaceChildren(...besides().map(name => html("option", { value: name }, name || "nothing")));
  byId("beside-algorithm").value = state.beside;
  if (core.frame) {
    Facts.pressed(state, core);
    Facts.ranks(view);
  }
  document.title = `${state.op}, ${state.alg}: karman ${data.frame?.measured ? "render" : data.schedule || data.frame ? "schedule" : "collectives"}`;
}

function toggleRacer(name) {
  const race = view.state.race.length ? view.state.race : [view.state.alg];
  view.state.race = race.includes(name) ? race.filter(n => n !== name) : [...race, name].slice(-4);
  changed();
}

const BYTES = data.schedule ? PIXEL_BYTES : ELEMENT_BYTES;
const presets = [...PRESETS.map(([name, alpha, byte, gamma]) => [name, alpha, BYTES * byte, gamma]), ["α = β = 1 s", 1, 1, 0]];
function makePresets() {
  const choose = ([, alpha, beta, gamma]) => {
    Object.assign(view.state, { alpha, beta, gamma });
    changed();
  };
  byId("presets").replaceChildren(...presets.map(preset => html("button", { onclick: () => choose(preset) }, preset[0])));
  const file = html("input", { type: "file", accept: ".json,application/json", hidden: "" });
  file.addEventListener("change", async () => {
    try {
      const machine = JSON.parse(await file.files[0].text()), overhead = machine.points?.[0]?.[1] ?? machine.overhead ?? 0;
      const alpha = machine.alpha + overhead, beta = BYTES * machine.beta, gamma = machine.gamma;
      if (machine.karman_machine !== 1 || ![alpha, beta, gamma].every(v => v >= 0 && Number.isFinite(v))) throw new Error();
      presets.splice(PRESETS.length + 1, 1, ["measured", alpha, beta, gamma]);
      makePresets();
      choose(presets[PRESETS.length + 1]);
    } catch {
      byId("problem").textContent = "This is no machine file: choose one that karman simulate --measure has written.";
      byId("problem").hidden = false;
    }
  });
  byId("presets").append(html("button", { onclick: () => file.click(), title: "A machine file of karman simulate --measure" }, "from file …"), file);
}

function bindControls() {
  const set = (id, read) => byId(id).addEventListener("change", () => { Object.assign(view.state, read(byId(id).value)); Predict.close(view); changed(); });
  byId("operation").append(...view.core.operations.map(o => html("option", { value: o.name }, o.name)));
  set("operation", op => ({ op, race: [], changes: [] }));
  set("algorithm", alg => ({ alg, changes: [] }));
  set("size", size => ({ size: +size, changes: [], late: {}, factors: "" }));
  set("count", count => ({ count: +count, changes: [] }));
  set("root", root => ({ root: +root, changes: [] }));
  set("segment", segment => ({ segment: +segment, changes: [] }));
  for (const id of ["ports", "rank"]) set(id, value => ({ [id]: +value }));
  set("nodes", nodes => ({ nodes, changes: [], factors: "", group: 0 })); // parameters are those of the nodes then
  for (const id of ["gather", "group", "fanIn", "nearest"]) set(id, value => ({ [id]: +value, changes: [] }));
  set("factors", factors => ({ factors, changes: [] }));
  byId("flat").addEventListener("change", () => { Object.assign(view.state, { flat: byId("flat").checked ? 0 : 1, changes: [] }); changed(); });
  for (const name of TIMES) {
    byId(name).addEventListener("input", () => {
      view.state[name] = byId(name).value === byId(name).min ? 0 : +(10 ** byId(name).value).toPrecision(4);
      changed();
    });
  }
  byId("late").addEventListener("change", () => {
    const seconds = readTime(byId("late").value);
    if (seconds >= 0) view.state.late[view.state.rank] = seconds;
    changed();
  });
  byId("play").addEventListener("click", () => view.playing ? pause() : play());
  byId("play-race").addEventListener("click", () => { pause(); seek(0); play(); });
  byId("first").addEventListener("click", () => { pause(); seek(0); });
  byId("last").addEventListener("click", () => { if (!view.masked) { pause(); seek(view.duration); } });
  byId("back").addEventListener("click", () => step(false));
  byId("forward").addEventListener("click", () => step(true));
  byId("scrub").addEventListener("input", () => { if (!view.masked) { pause(); seek(view.duration * byId("scrub").value / 10000); } });
  byId("ask-next").addEventListener("click", () => Predict.askNext(view));
  byId("ask-faster").addEventListener("click", () => Predict.askFaster(view));
  for (const button of document.querySelectorAll("[data-break]")) {
    button.addEventListener("click", () => Break.add(view, button.dataset.break + byId("broken").value + (button.dataset.break === "s" ? `-${byId("other").value}` : "")));
  }
  byId("broken").addEventListener("change", () => point({ message: +byId("broken").value }));
  byId("beside-algorithm").addEventListener("change", () => { view.state.beside = byId("beside-algorithm").value; changed(); });
  byId("present").addEventListener("click", KEYS.t);
  byId("mend").addEventListener("click", () => { view.state.changes = []; changed(); });
  byId("save-svg").addEventListener("click", () => save("svg"));
  byId("save-png").addEventListener("click", () => save("png"));
}

/* ---- Pointing ---- */
function point(hot, x, y) {
  const tip = byId("tip"), m = view.run?.messages[hot.message];
  if (hot.message !== view.hot.message || hot.rank !== view.hot.rank) {
    view.hot = hot;
    refresh();
  }
  tip.hidden = !m || x === undefined;
  if (!tip.hidden) {
    showTip(tip, `${roundText(m.round)}: ${nameOf(m.src)} → ${nameOf(m.dst)}\n${payloadText(view, m)}\n${timeText(m.sent)} to ${timeText(m.done)}${m.critical && !view.masked ? "\non the critical path" : ""}`, x, y);
  }
}

const placeOf = event => {
  const box = event.currentTarget.getBoundingClientRect();
  return [(event.clientX - box.left) / theme.zoom, (event.clientY - box.top) / theme.zoom];
};

function bindPointing() {
  for (const name of ["memory", "diagram", "matrix"]) {
    const canvas = byId(name).querySelector("canvas");
    canvas.addEventListener("pointermove", event => { if (view.run && !view.drag) point(VIEWS[name].find(view, ...placeOf(event)), event.clientX, event.clientY); });
    canvas.addEventListener("pointerleave", () => point({}));
  }
  byId("program").addEventListener("pointerover", event => {
    const row = event.target.closest("[data-message]");
    point(row ? { message: +row.dataset.message } : {});
  });
  byId("program").addEventListener("pointerleave", () => point({}));
  bindColumns();
  bindTime();
  byId("chart").querySelector("canvas").addEventListener("pointerdown", event => {
    if (!view.chartLayout || !view.core.isFree || view.masked) return;
    Object.assign(view.state, { count: Chart.countAt(view, placeOf(event)[0]), changes: [] });
    changed();
  });
}

/* Clicking a column chooses its rank; dragging it down makes it late, with a finger once it is chosen. */
function bindColumns() {
  const canvas = byId("memory").querySelector("canvas");
  canvas.addEventListener("pointerdown", event => {
    const [x, y] = placeOf(event), found = Memory.find(view, x, y);
    if (found.message !== undefined) {
      byId("broken").value = found.message;
      return;
    }
    if (found.rank === undefined) return;
    if (view.masked) {
      Predict.choose?.(found.rank);
      return;
    }
    const holds = event.pointerType === "mouse" || found.rank === view.state.rank; // fingers also scroll: the chosen column alone can be drawn
    view.state.rank = found.rank;
    if (view.core.canTime && holds) {
      view.drag = { rank: found.rank, y, late: view.state.late[found.rank] ?? 0 };
      view.dragScale = view.scale;
      canvas.setPointerCapture(event.pointerId);
    }
    changed();
  });
  canvas.addEventListener("touchstart", event => { if (view.drag && event.cancelable) event.preventDefault(); }, { passive: false }); // comes after pointerdown
  canvas.addEventListener("pointermove", event => {
    if (!view.drag) return;
    const seconds = view.drag.late + (placeOf(event)[1] - view.drag.y) / view.memoryLayout.late * view.dragScale;
    if (Math.abs(placeOf(event)[1] - view.drag.y) < 3) return;
    view.state.late[view.drag.rank] = seconds > .02 * view.dragScale ? +clamp(seconds, 0, view.dragScale).toPrecision(3) : 0;
    changed();
  });
  const end = () => {
    view.drag = view.dragScale = undefined;
    changed();
  };
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => view.drag && end());
  canvas.classList.toggle("movable", view.core.canTime);
}

/* Dragging in the diagram moves the clock. */
function bindTime() {
  const canvas = byId("diagram").querySelector("canvas");
  const go = event => { if (!view.masked) { pause(); seek(Diagram.timeAt(view, placeOf(event)[0])); } };
  canvas.addEventListener("pointerdown", event => {
    const found = Diagram.find(view, ...placeOf(event));
    if (found.message !== undefined) byId("broken").value = found.message;
    canvas.setPointerCapture(event.pointerId);
    go(event);
  });
  canvas.addEventListener("pointermove", event => { if (event.buttons) go(event); });
}

/* ---- Keys ---- */
const turn = (list, item, by) => list[(list.indexOf(item) + by + list.length) % list.length];

/* What may stand beside the algorithm: nothing, or another one. */
const besides = () => ["", ...view.operation.algorithms.map(a => a.name).filter(name => name !== view.state.alg)];

const KEYS = {
  " ": () => view.playing ? pause() : play(),
  ArrowRight: () => step(true), ArrowLeft: () => step(false),
  Home: () => { pause(); seek(0); }, End: () => byId("last").click(),
  "+": () => speed(1), "=": () => speed(1), "-": () => speed(-1),
  a: () => free({ alg: turn(view.operation.algorithms, view.algorithm, 1).name }), A: () => free({ alg: turn(view.operation.algorithms, view.algorithm, -1).name }),
  c: () => free({ op: turn(view.core.operations, view.operation, 1).name, race: [] }), C: () => free({ op: turn(view.core.operations, view.operation, -1).name, race: [] }),
  "]": () => free({ size: view.state.size + 1, factors: "" }), "[": () => free({ size: view.state.size - 1, factors: "" }),
  ".": () => free({ count: Math.max(1, 2 * view.state.count) }), ",": () => free({ count: Math.floor(view.state.count / 2) }),
  b: () => free({ beside: turn(besides(), view.state.beside, 1) }),
  t: () => { view.state.present = view.state.present ? 0 : 1; present(); writeAddress(); },
  r: () => { view.state.rank = (view.state.rank + 1) % view.state.size; changed(); },
  R: () => { view.state.rank = (view.state.rank + view.state.size - 1) % view.state.size; changed(); },
  p: () => view.core.frame || Predict.askNext(view), f: () => view.core.frame || Predict.askFaster(view),
  d: () => view.core.frame && byId(view.run.side === "measured" ? "show-planned" : "show-measured").click(),
  w: () => view.core.frame && byId(["show-whole", view.core.lateness ? "show-together" : "show-composite", "show-composite"][view.state.whole]).click(),
  x: () => !view.core.frame && document.querySelector('[data-break="d"]').click(), m: () => byId("mend").click(), s: () => save("svg"),
};

function free(change) {
  if (!view.core.isFree) return;
  Predict.close(view);
  Object.assign(view.state, change, { changes: [] });
  changed();
}

function speed(by) {
  const select = byId("speed");
  select.selectedIndex = clamp(select.selectedIndex + by, 0, select.length - 1);
}

function bindKeys() {
  addEventListener("keydown", event => {
    const typing = event.target.matches("input:not([type=range]), select, textarea, summary");
    const taken = event.target.matches("button") && event.key === " " || event.target.matches("input[type=range]") && event.key.startsWith("Arrow") && event.target.id !== "scrub";
    if (typing || taken || event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
    event.preventDefault();
    KEYS[event.key]();
  });
}

/* ---- Begin ---- */
/* The words of compositing. */
function lockSchedule() {
  byId("brand").textContent = "schedule";
  byId("count-unit").textContent = "pixels";
  byId("matrix-title").textContent = "Pixels from rank to rank";
  byId("chart-title").textContent = "Time over the number of pixels";
  byId("beta-label").textContent = "β, a pixel";
  byId("gamma-label").textContent = "γ, to blend one";
}

function lock() {
  const { core } = view, always = ["operation", "algorithm", "size", "count", "root", "segment"];
  if (data.schedule) lockSchedule();
  if (core.isFree) return;
  for (const id of core.canTime ? always : [...always, "alpha", "beta", "gamma", "ports", "late"]) byId(id).disabled = true;
  for (const button of core.canTime ? [] : byId("presets").children) button.disabled = true;
  byId("ask-faster").disabled = true;
  if (core.frame) Facts.lock(core);
  if (data.schedule) for (const id of ["race-card", "chart-card", "break-card"]) byId(id).hidden = true;
  if (core.canTime || core.frame) return;
  byId("fixed").hidden = false;
  byId("fixed").textContent = "This page holds one schedule alone: it was made by a program without the collectives for browsers (clang and wasm-ld were missing when that was built).";
}

/* Within another page: as high as its contents, without head and foot. */
function fitPart() {
  document.documentElement.classList.add("part");
  new ResizeObserver(() => {
    const frame = window.frameElement;
    if (frame) frame.style.height = `${Math.ceil(document.body.getBoundingClientRect().height) + 2}px`;
  }).observe(document.body);
}

async function begin() {
  if (data.isPart) fitPart();
  readTheme();
  view.images = view.picture = data.picture ? await Picture.create(data.picture) : null;
  if (view.picture) VIEWS.pieces = Pieces;
  byId("pieces-card").hidden = !view.picture;
  view.core = await createCore(data, byId("core").textContent.trim());
  byId("made").textContent = data.made;
  makePresets();
  bindControls();
  bindPointing();
  bindKeys();
  lock();
  const open = () => {
    view.state = readAddress(data.isPart ? "" : location.hash);
    view.time = view.state.time;
    present();
    changed();
  };
  addEventListener("resize", present);
  open();
  addEventListener("hashchange", open);
  const again = () => { readTheme(); look++; refresh(); };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  new ResizeObserver(refresh).observe(document.querySelector("main"));
  document.documentElement.dataset.ready = "yes";
}

begin().catch(error => {
  byId("problem").textContent = `This page cannot start: ${error.message}. Open it in a browser of 2023 or later.`;
  byId("problem").hidden = false;
});
