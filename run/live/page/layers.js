/* The settings of the shown picture, layer by layer: a mark that shows or hides a layer, a button that
 * removes it, and a form that adds one. */
import { clip } from "./text.js";

/* Where a parameter belongs: "pictures.front.layers.1.volume.range" is of the picture "front", in layer 1. */
export function place(name) {
  const picture = /^pictures\.([^.]+)\./.exec(name), rest = picture ? name.slice(picture[0].length) : name;
  const layer = /^layers\.(\d+)\.(.*)$/.exec(rest);
  const parts = (layer ? layer[2] : rest).split(".");
  return {picture: picture ? picture[1] : null, prefix: picture ? picture[0] : "", rest, key: parts.at(-1),
    layer: layer ? +layer[1] : null, kind: layer && parts.length > 1 ? parts[0] : null,
    within: parts.slice(layer ? 1 : 0, -1).join(" · ")};
}

const mostKinds = 32;

/* What a new layer of each kind begins with, as run.json says. FIELD stands for a field that there is. */
let samples = new Map();

/* Takes run.json, valid or not. */
export function learn(run) {
  const list = Array.isArray(run?.layer_kinds) ? run.layer_kinds.slice(0, mostKinds) : [];
  samples = new Map(list.filter(k => typeof k?.kind === "string" && typeof k.sample === "string")
    .map(k => [clip(k.kind, 40), clip(k.sample, 1000)]));
}

/* The head of a layer's group. send: sends an order of these words. */
export function head(place, mark, send) {
  const name = "Layer " + place.layer + (place.kind ? ", " + place.kind : "");
  const row = html("div", {class: "layer", "data-layer": place.prefix + "layers." + place.layer});
  if (mark) row.append(html("label", {}, mark, " " + name));
  else row.append(html("span", {}, name));
  const remove = html("button", {type: "button", title: "Take this layer out of the picture",
    "aria-label": "Remove " + name}, "Remove");
  let unsure;
  remove.addEventListener("click", () => {
    clearTimeout(unsure);
    const sure = remove.classList.toggle("sure");
    remove.textContent = sure ? "Really?" : "Remove";
    if (!sure) return send("change", place.prefix + "layers." + place.layer + "=null");
    unsure = setTimeout(() => { remove.classList.remove("sure"); remove.textContent = "Remove"; }, 4000);
  });
  row.append(remove);
  return row;
}

/* The form that adds a layer to a picture. */
export function adder(prefix, field, send) {
  const menu = html("select", {"aria-label": "Kind of the new layer"},
    ...[...samples.keys()].map(kind => html("option", {value: kind}, kind)));
  const text = html("textarea", {rows: "3", spellcheck: "false", "aria-label": "The new layer"});
  const add = html("button", {type: "button"}, "Add");
  const fill = () => { text.value = (samples.get(menu.value) || "").replace("FIELD", field || "auto"); };
  menu.addEventListener("change", fill);
  add.addEventListener("click", () => send("change", prefix + "layers.+=" + text.value));
  fill();
  return html("details", {class: "adder"}, html("summary", {}, "Add a layer"),
    html("div", {class: "row"}, menu, add), text,
    html("p", {class: "help"}, "As in a config; it is checked before anything changes."));
}

/* Says below the picture that a change is still to be drawn. */
export function pending(status, name) {
  const list = Array.isArray(status.waiting) ? status.waiting : [];
  const waits = list.some(n => clip(n, 100) === name) && ["running", "halted"].includes(status.state);
  byId("pending").textContent = status.soon === false && status.state === "running"
    ? "drawn when it is next due" : "drawn at the next step";
  byId("pending").hidden = !waits;
}
