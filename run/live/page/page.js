/* karman live: passes data of the run to the parts of the page, and orders of the user to the run. */
import { Board } from "./charts.js";
import { command, Settings } from "./controls.js";
import { Drag } from "./drag.js";
import { Feed } from "./feed.js";
import { learn, pending } from "./layers.js";
import { Stage } from "./stage.js";
import { toast } from "./toast.js";
import { clip, plain } from "./text.js";

const silentSeconds = 10, mostLogged = 200;
const settings = new Settings();
const stage = new Stage(frame => board.show(frame.cycle), name => settings.choose(name));
const board = new Board(cycle => stage.goToCycle(cycle));
const drag = new Drag(settings, stage);

/* ---- State ----------------------------------------------------------------------------- */

const words = {waiting: "waiting", running: "running", halted: "halted", stopped: "stopping",
  finished: "finished", silent: "no news", died: "ended"};
let heard = null; /* time of the last change of the status, by the clock of this page */
let pace = null;  /* measured seconds of a cycle */
let shown = "";   /* run.json of the run that is shown, as text */
let stopped = ""; /* run.json of the run that was told to stop */

/* Seconds since the last change of the status. Clocks of machines differ: only the first time, the age
 * comes from the server. */
function age(state) {
  const status = state.status, mark = status.sequence ?? status.updated, now = performance.now() / 1000;
  const old = isNumber(status.updated) ? Math.max(0, state.now - status.updated) : 0;
  if (!heard) heard = {mark, at: now - old};
  if (heard.mark !== mark) heard = {mark, at: now};
  return now - heard.at;
}
function measurePace(status) {
  const now = performance.now() / 1000;
  if (!pace || status.cycle < pace.cycle || status.state !== "running") {
    pace = {cycle: status.cycle, at: now, text: "–"};
  } else if (status.cycle > pace.cycle && now - pace.at > 1) {
    pace = {cycle: status.cycle, at: now, text: seconds((now - pace.at) / (status.cycle - pace.cycle))};
  }
  return pace.text;
}
function judge(state) {
  const status = state.status;
  if (!status) return ["waiting", "The program has not begun: this page shows it as soon as it writes into " + state.folder + "."];
  if (status.state === "finished") return ["finished", status.message];
  if (state.alive === false) return ["died", "The program has ended without reporting its end."];
  const silent = age(state);
  if (silent > silentSeconds) {
    return ["silent", "No news from the program for " + Math.round(silent) +
      " s: it is in a long step, or it hangs, or it has died."];
  }
  return [status.state, status.message];
}
function showState(state) {
  learn(state.run);
  byId("empty").textContent = state.files?.frames?.size ? "Loading …" : "There is no picture yet.";
  const [judged, message] = judge(state), status = state.status || {};
  const kind = clip(judged, 40), word = Object.hasOwn(words, kind) ? words[kind] : kind;
  const badge = byId("badge"), program = clip(state.run?.program, 100), host = clip(state.run?.host, 100);
  if (badge.dataset.state !== kind) badge.textContent = word;
  badge.dataset.state = kind;
  document.title = word + " · " + (program || "karman live");
  byId("title").textContent = program ? program + (host ? " on " + host : "") : "karman live";
  byId("cycle").textContent = isNumber(status.cycle) ? status.cycle : "–";
  byId("time").textContent = plain(status.time);
  byId("frames").textContent = isNumber(status.frames) ? status.frames : "–";
  byId("pace").textContent = isNumber(status.cycle) ? measurePace(status) : "–";
  byId("folder").textContent = state.folder;
  byId("tunnel").textContent = "ssh -L " + state.port + ":127.0.0.1:" + state.port + " " + state.host;
  notice(clip(message, 1000));
  pending(status, stage.name);
  shown = JSON.stringify(state.run ?? null);
  const takes = allow(kind, status.state);
  settings.allow(takes);
  drag.allow(takes);
}
function notice(message) {
  if (byId("notice").textContent !== (message || "")) byId("notice").textContent = message || "";
  byId("notice").hidden = !message;
}
/* Enables the controls. A silent program may still read its orders. Returns whether orders are taken. */
function allow(kind, state) {
  const takes = ["running", "halted", "silent"].includes(kind) && ["running", "halted"].includes(state);
  byId("halt").disabled = !takes || state === "halted";
  byId("resume").disabled = byId("step").disabled = !takes || state !== "halted";
  byId("redraw").disabled = !takes;
  byId("stop").disabled = !takes || stopped === shown;
  return takes;
}

/* ---- Orders ---------------------------------------------------------------------------- */

const orders = {
  halt: () => command("halt"), resume: () => command("resume"), redraw: () => command("redraw"),
  step: () => {
    if (!byId("steps").reportValidity()) return;
    const count = +byId("steps").value || 1;
    command(...(count > 1 ? ["step", String(count)] : ["step"]));
  },
};
for (const name in orders) byId(name).addEventListener("click", orders[name]);

/* Sends one order, however long the step takes: a second one would reach a program that has ended. */
async function stop() {
  stopped = shown;
  byId("stop").disabled = true;
  if (!await command("stop")) stopped = "";
}

/* Ending a run needs a second click. */
let unsure;
byId("stop").addEventListener("click", () => {
  const button = byId("stop"), sure = button.classList.toggle("sure");
  clearTimeout(unsure);
  button.textContent = sure ? "Really stop?" : "Stop";
  if (!sure) return stop();
  unsure = setTimeout(() => { button.classList.remove("sure"); button.textContent = "Stop"; }, 4000);
});

const keys = {h: "halt", r: "resume", s: "step", d: "redraw", " ": "play", End: "newest"};
document.addEventListener("keydown", e => {
  const typing = e.target.closest("input, textarea, select, button") !== null;
  if (e.key === "Escape") drag.cancel();
  if (typing || e.ctrlKey || e.altKey || e.metaKey || !keys[e.key] || byId(keys[e.key]).disabled) return;
  e.preventDefault();
  byId(keys[e.key]).click();
});

/* ---- Orders so far --------------------------------------------------------------------- */

function describe(row) {
  const order = row.order && typeof row.order === "object" ? row.order : {};
  const what = order.order ?? row.event ?? "order";
  return [what, order.name, order.value, order.count, order.config].filter(v => v != null).map(v => clip(v)).join(" ");
}
function showLog(rows) {
  const place = byId("log");
  byId("history").hidden = false;
  for (const [row] of rows.slice(-mostLogged)) {
    place.prepend(html("li", row.accepted === false ? {class: "refused"} : {},
      "cycle " + (isNumber(row.cycle) ? row.cycle : "–") + ": " + describe(row) +
      (row.accepted === false ? ", refused" : "") + (row.message ? ": " + clip(row.message) : "")));
  }
  while (place.children.length > mostLogged) place.lastChild.remove();
}

/* ---- The run --------------------------------------------------------------------------- */

const resets = {
  frames: () => stage.forget(),
  monitors: () => board.forget("monitor"),
  timings: () => board.forget("timing"),
  log: () => { byId("log").replaceChildren(); byId("history").hidden = true; },
};
let away = false;
new Feed({
  state: showState,
  parameters: list => { settings.take(list); drag.settle(); },
  frames: rows => { stage.take(rows); drag.draw(); },
  monitors: rows => board.addMonitors(rows),
  timings: rows => board.addTimings(rows),
  log: showLog,
  found: () => { if (away) toast("karman live is there again."); away = false; },
  lost: error => {
    away = true;
    allow("away");
    notice(error.code === 401 ? "This page has no valid token: open the address that karman live printed."
      : error.code ? error.message : "karman live does not answer: has it ended, or the tunnel?");
  },
}, name => resets[name]()).start();
