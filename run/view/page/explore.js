/* karman view: the parts of the page, and their state. */
import { Compare } from "./compare.js";
import { command, Settings } from "./controls.js";
import { orderBy } from "./feed.js";
import { Film } from "./film.js";
import { Handles } from "./handles.js";
import { learn } from "./layers.js";
import { Curves, Lines } from "./lines.js";
import { Modes } from "./modes.js";
import { Overlay } from "./overlay.js";
import { loadingText, Pictures } from "./pictures.js";
import { Probe } from "./probe.js";
import { fromAddress, json, Session, valueAt } from "./session.js";
import { Sight } from "./sight.js";
import { Thumbs, Timeline } from "./timeline.js";
import { Take } from "./take.js";
import { clip, plain } from "./text.js";
import { toast } from "./toast.js";
import { Tools } from "./tools.js";

const lostPause = 1000, newsPause = 4000, loadPause = 250, seedCells = 3, mostPixels = 2600;
const settings = new Settings();
const session = new Session(changed, complete);
const pictures = new Pictures(session, {shown, failed});
const sight = new Sight(session, {click: (x, y) => modes.click(x, y), double: async (x, y) => {
  const point = await probe.point(x, y);
  if (point) sight.centre(point);
}});
const probe = new Probe(session, sight);
const take = new Take(session);
const film = new Film(session, sight, take);
const tools = new Tools(session, settings, change);
const overlay = new Overlay(session, sight), handles = new Handles(session, overlay, tools);
const lines = new Lines(session, overlay), curves = new Curves(probe);
const modes = new Modes(session, sight, {probe, overlay, lines, change});
overlay.add(() => probe.pins.map((p, n) => ({key: "pin" + n, dot: p.x, text: String(n + 1), small: true})));
probe.drawn = () => overlay.draw();
/* Seeds around a pin, in its block: at a wall the fluid rests. */
probe.seed = ({x, block, at}) => {
  const n = tools.data.blocks.find(b => b.name === block)?.n;
  const corner = sign => at.map((v, axis) => clamp(v + sign * seedCells, 0, n[axis] - 1));
  return modes.seed(n ? {block, box: [corner(-1), corner(1)], count: [3, 3, 3]} : {points: [x]});
};
tools.probe = probe;
const compare = new Compare(session, tools);
const player = new Timeline(session), thumbs = new Thumbs(session, player);
let steps = [];

/* ---- Changes --------------------------------------------------------------------------- */

function changed(how) {
  probe.ready = false;
  probe.hide();
  if (how === "moves") pictures.move();
  else pictures.rest();
  thumbs.stop();
  compare.changed(how);
  if (how !== "moves") showCamera();
  drawState();
}

/* The camera moves without the server: its controls show where it is. */
function showCamera() {
  for (const [name, control] of settings.controls) {
    const value = name.startsWith("camera.") ? valueAt(session.config, name) : undefined;
    if (value !== undefined) control.show(value);
  }
}

/* The server completes a config, and knows its settings. */
async function complete(config, changes, step) {
  const answer = await json({do: "change", config, step, changes: changes || [], ends: Boolean(changes)});
  settings.take(answer.parameters);
  return answer.config;
}
/* Waits for a change of the session, and shows its settings. */
async function settle(changing) {
  try {
    await changing;
    arrange();
    return true;
  } catch (error) {
    toast(error.message, true);
    return false;
  }
}
/* edit(config): another config. */
function change(edit) { return settle(session.change(edit)); }

/* Orders of the controls, in the words of karman steer. */
function text(p, value) {
  if (p?.optional && value === "none") return value;
  if (["real", "int"].includes(p?.type) && p.count !== 1) return "[" + value + "]";
  if (["null", "~"].includes(value)) return '"' + value + '"';
  return /^[-+.eE\d, ]*,[-+.eE\d, ]*$/.test(value) ? "[" + value + "]" : value;
}
orderBy(async (...orders) => {
  const changes = orders.map(([what, name, value]) =>
    what === "set" ? name + "=" + text(settings.controls.get(name)?.p, value) : name);
  await session.change(config => config, changes);
  arrange();
  return {accepted: true, message: ""};
});

/* ---- The settings ---------------------------------------------------------------------- */

const open = new Set(["general"]);

/* Keys that one changes often; the others of a layer are folded. */
const main = new Set(["field", "color_by", "range", "colors", "color", "opacity", "value", "values", "i", "j", "k", "point",
  "normal", "levels", "scale", "style", "lit"]);
const unfolded = new Set();
function shorten(group) {
  const row = group.querySelector(":scope > .layer");
  if (!row || group.querySelector(".more")) return;
  const id = row.dataset.layer, controls = [...group.querySelectorAll(":scope > .control")];
  for (const box of controls) box.classList.toggle("main", main.has(box.dataset.name.split(".").pop()));
  const rank = box => [...main].indexOf(box.dataset.name.split(".").pop());
  const first = controls.filter(b => b.classList.contains("main")).sort((a, b) => rank(a) - rank(b));
  row.after(...first);
  if (first.length === controls.length) return;
  const more = html("button", {class: "more", type: "button"});
  const show = () => {
    group.classList.toggle("short", !unfolded.has(id));
    more.textContent = unfolded.has(id) ? "Fewer settings" : "More settings";
    more.setAttribute("aria-expanded", unfolded.has(id));
  };
  more.addEventListener("click", () => { unfolded.has(id) ? unfolded.delete(id) : unfolded.add(id); show(); });
  (first.at(-1) || row).after(more);
  show();
}

/* Layers come first; other groups are folded until they are opened. */
function arrange() {
  const place = byId("settings"), groups = [...place.children];
  const isLayer = g => g.querySelector(":scope > .layer") !== null, isForm = g => g.querySelector(".adder") !== null;
  const sorted = [...groups.filter(isLayer), ...groups.filter(isForm), ...groups.filter(g => !isLayer(g) && !isForm(g))];
  if (sorted.some((g, n) => g !== groups[n])) place.replaceChildren(...sorted);
  sorted.filter(isLayer).forEach(shorten);
  for (const group of sorted.filter(g => !isLayer(g) && !isForm(g))) {
    const legend = group.querySelector("legend");
    if (!legend || legend.tabIndex === 0) continue;
    legend.tabIndex = 0;
    legend.setAttribute("role", "button");
    const name = legend.textContent, show = () => {
      group.classList.toggle("folded", !open.has(name));
      legend.setAttribute("aria-expanded", open.has(name));
    };
    const toggle = () => { open.has(name) ? open.delete(name) : open.add(name); show(); };
    legend.addEventListener("click", toggle);
    legend.addEventListener("keydown", e => { if (["Enter", " "].includes(e.key)) { e.preventDefault(); toggle(); } });
    open.delete("general");
    show();
  }
  tools.equip();
  const form = place.querySelector(".adder")?.parentElement;
  if (form && !form.contains(handles.form)) form.append(handles.form);
  handles.refresh();
}

/* ---- Pictures -------------------------------------------------------------------------- */

function shape(image = {}) {
  byId("stage").style.aspectRatio = (image.width || 1024) + " / " + (image.height || 768);
}
function shown(note, how) {
  const picture = byId("picture");
  if (how === "whole") shape(note);
  picture.dataset.how = how;
  picture.dataset.step = note.step;
  picture.dataset.count = +(picture.dataset.count || 0) + 1;
  picture.dataset.milliseconds = note.milliseconds.toFixed(1);
  picture.dataset.bytes = note.bytes;
  notice("");
  state("running", how === "whole" ? "ready" : "drawing");
  byId("nothing-shown").hidden = !note.blank || how === "coarse";
  byId("cycle").textContent = plain(note.step);
  byId("time").textContent = plain(note.time);
  byId("pace").textContent = seconds(note.milliseconds / 1000);
  byId("which").textContent = note.width + " × " + note.height + (how === "coarse" ? ", coarse" : "") + ", " + bytes(note.bytes);
  showWarnings(note.warnings || [], how);
  probe.ready = how !== "coarse";
  player.shown(pictures.wanted !== "coarse");
  if (how === "whole" && !player.playing) {
    tools.refresh();
    lines.refresh();
    thumbs.wait();
  }
}
/* What the picture lacks stands below it, until another one is at rest. */
let warned = [];
function showWarnings(list, how) {
  warned.push(...list.map(w => clip(w.replace(/^[^ ]*:\d*: */, ""), 300)));
  if (how !== "whole") return;
  byId("warnings").textContent = [...new Set(warned)].join(" · ");
  warned = [];
}
function failed(error) {
  if (error.code === 410) return ended();
  if (error.code) notice(clip(error.message, 1000));
  else lost();
}
function state(kind, word) {
  byId("badge").dataset.state = kind;
  byId("badge").textContent = word;
}
function notice(message) {
  byId("notice").textContent = message;
  byId("notice").hidden = !message;
}
function ended() {
  state("died", "ended");
  notice("The view has ended: start karman view again, and open the address that it prints.");
}
/* Asks until the server is there again: the state is that of the page. */
async function lost() {
  state("silent", "no answer");
  notice("karman view does not answer: has it ended, or the tunnel? This page goes on as soon as it answers.");
  await new Promise(done => setTimeout(done, lostPause));
  if (!pictures.busy) pictures.rest();
}

function drawState() {
  byId("undo").disabled = !session.past.length;
  byId("redo").disabled = !session.future.length;
  player.draw();
  byId("projection").setAttribute("aria-pressed", sight.parallel);
  sight.draw();
  overlay.draw();
}

/* ---- Buttons and keys ------------------------------------------------------------------ */

const actions = {undo: () => settle(session.undo()), redo: () => settle(session.redo()), fit: () => sight.fit(),
  reset: () => sight.reset(), projection: () => sight.project(), keys: () => byId("help").showModal(),
  "mend-fit": () => sight.fit(), "mend-undo": () => actions.undo(), handles: () => {
    overlay.shown = !overlay.shown;
    byId("handles").setAttribute("aria-pressed", overlay.shown);
    overlay.draw();
  }};
for (const [name, act] of Object.entries(actions)) byId(name).addEventListener("click", act);
byId("nothing-shown").addEventListener("pointerdown", e => e.stopPropagation()); /* it lies on the picture */

const keys = {0: "fit", r: "reset", R: "reset", p: "projection", P: "projection", t: "take", T: "take", m: "mark", M: "mark", "?": "keys",
  " ": "play", v: "mode-pin", l: "mode-line", d: "mode-distance", s: "mode-seeds", k: "mode-rake", h: "handles", ",": "back", ".": "forth", PageUp: "back", PageDown: "forth"};
const names = {"Arrow keys": "turn; with Shift: move", "+ and -": "zoom", "x, y, z": "look from that side; with Shift: from the other",
  0: "show all data", r: "the first view", p: "perspective or parallel", "Space": "play or pause",
  ", and .": "the step before, the next step", "Ctrl Z, Ctrl Y": "undo, redo", t: "take away", m: "mark this view for a film", "v, l, d, s, k": "a click pins values, draws a line, measures a distance, sets seeds; a drag draws a rake",
  Enter: "a click in the middle of the picture", h: "handles of slices and clips", "Escape": "take a drag back; clicks pin again",
  "?": "this list"};
byId("key-list").append(...Object.entries(names).flatMap(([key, what]) => [html("dt", {}, html("kbd", {}, key)), html("dd", {}, what)]));
document.addEventListener("keydown", e => {
  if (e.key === "Escape") {
    sight.cancel();
    modes.choose("pin");
  }
  if (e.target.closest("input:not([type=range]), textarea, select, dialog[open]") || !session.state) return;
  const history = (e.ctrlKey || e.metaKey) && {z: e.shiftKey ? "redo" : "undo", y: "redo"}[e.key.toLowerCase()];
  const name = history || (!e.ctrlKey && !e.altKey && !e.metaKey && keys[e.key]);
  if (name && !(e.target.closest("button, legend, summary") && e.key === " ")) {
    e.preventDefault();
    if (!byId(name).disabled) byId(name).click();
  } else if (e.key === "Enter" && !e.target.closest("button, input, select, textarea, legend, summary, [role=slider], a")) {
    modes.key();
  } else if (!e.target.closest("#stage, input, button, legend, summary")) {
    sight.key(e);
  }
});

/* ---- Data that change ------------------------------------------------------------------ */

/* Asks now and then, while the page is in sight; the view does not take it for use. */
async function lookForNews() {
  const news = !document.hidden && !pictures.busy && session.state && await json({do: "news"}).catch(() => null);
  if (news) {
    byId("news").hidden = news.there && !news.changed;
    byId("reopen").hidden = !news.changed;
    byId("news-text").textContent = news.changed ? "The data have changed."
      : "The file of the data is not there any more. What is loaded can still be drawn.";
  }
  setTimeout(lookForNews, newsPause);
}
byId("reopen").addEventListener("click", async () => {
  byId("news").hidden = true;
  try {
    introduce({...await json({do: "reopen", config: session.config, step: session.step}), beside: compare.beside});
    session.rest();
  } catch (error) { toast(error.message, true); }
});

/* ---- The start ------------------------------------------------------------------------- */

/* The picture keeps its proportions, and fills its place, in points of the screen. */
function sized(config) {
  const box = byId("stage").getBoundingClientRect(), dense = Math.min(devicePixelRatio || 1, 2);
  const {scale, width = 1024, height = 768, ...image} = config.image || {};
  const wide = clamp(Math.min(box.width, box.height * width / height), 64, mostPixels / dense);
  return {...config, image: {...image, ...(dense > 1 ? {scale: dense} : {}),
    width: Math.round(wide), height: Math.max(16, Math.round(wide * height / width))}};
}
let resizing;
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(() => session.state && session.resize(sized), 250);
});

/* Shows how much of the data is loaded, until orders are taken. */
async function load() {
  for (let pause;;) {
    try {
      const now = await json({do: "loading"});
      if (now.ready) {
        const about = await json({do: "about"});
        return {...about, beside: about.other ? (await json({do: "about", other: true})).data : null};
      }
      byId("empty").textContent = loadingText(now) || "Loading …";
      notice("");
      pause = loadPause;
    } catch (error) {
      if (error.code === 401) throw error;
      notice(error.message);
      pause = lostPause;
    }
    await new Promise(done => setTimeout(done, pause));
  }
}
function introduce(about) {
  const name = clip(about.data.file, 300).split("/").pop(), {cells, blocks} = about.data;
  steps = about.data.steps;
  learn({layer_kinds: about.kinds});
  sight.bounds = about.data.bounds;
  tools.data = about.data;
  take.name = name.replace(/\.[^.]*$/, "").replace(/[^\w-]+/g, "_") || "view";
  take.ranks = about.ranks;
  pictures.jpeg = compare.pictures.jpeg = about.jpeg;
  compare.take(about.data, about.beside);
  film.steps = lines.steps = curves.steps = steps;
  byId("curves").hidden = steps.length < 2;
  document.title = name + " · karman view";
  byId("title").textContent = name;
  byId("folder").textContent = about.data.file;
  byId("size").textContent = "· " + cells.toLocaleString("en") + " cells in " + blocks.length + (blocks.length === 1 ? " block" : " blocks")
    + " · " + about.ranks + (about.ranks === 1 ? " rank" : " ranks") + " of " + about.threads + " threads";
  player.take(steps);
  notice("");
}
async function start() {
  const about = await load(), linked = await fromAddress();
  shape((linked || about).config.image);
  introduce(about);
  settings.take(about.parameters);
  settings.allow(true);
  session.begin({config: sized(about.config), step: about.step});
  if (linked) {
    session.rest(sized(linked.config), linked.step);
    settle(session.change(config => config));
  }
  arrange();
  sight.allow(true);
  setTimeout(lookForNews, newsPause);
}
start().catch(error => notice(error.code === 401
  ? "This page has no valid token: open the address that karman view printed." : error.message));
export { command, pictures, session };
