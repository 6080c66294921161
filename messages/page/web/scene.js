/* Shapes, drawn on a canvas or written as SVG. */
/* ---- Colours: the eight of the style sheet; for more ranks a scale of rising lightness (viridis) ---- */
const SCALE = [[72, 36, 117], [65, 68, 135], [53, 95, 141], [42, 120, 142], [33, 145, 140], [34, 168, 132],
  [68, 191, 112], [122, 209, 81], [189, 223, 38], [248, 230, 33]];
let theme = {};

function readTheme() {
  const style = getComputedStyle(document.documentElement);
  theme = { zoom: 1, high: 400, least: 130, most: 232, ...theme };
  for (const name of ["paper", "card", "ink", "soft", "line", "panel", "accent", "send", "receive", "combine", "draw", "path",
    "ghost", "bad", "good", "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"]) {
    theme[name] = style.getPropertyValue("--" + name).trim();
  }
}

const colours = new Map();
/* The colour of a rank among `size`. */
function colour(rank, size) {
  if (size <= 8) return theme["c" + rank];
  const key = rank + "/" + size;
  if (!colours.has(key)) {
    const at = (SCALE.length - 1) * rank / (size - 1), i = Math.min(Math.floor(at), SCALE.length - 2), part = at - i;
    const mix = c => Math.round(SCALE[i][c] + part * (SCALE[i + 1][c] - SCALE[i][c]));
    colours.set(key, `#${[0, 1, 2].map(c => mix(c).toString(16).padStart(2, "0")).join("")}`);
  }
  return colours.get(key);
}

/* Black or white, whichever can be read on a colour "#rrggbb". */
function inkOn(hex) {
  const [r, g, b] = [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
  return .299 * r + .587 * g + .114 * b > 140 ? "#000000" : "#ffffff";
}

/* ---- Scenes ---- */
class Scene {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.items = [];
  }
  /* Options: stroke, line, alpha, round. */
  rect(x, y, w, h, fill, options) {
    if (w > 0 && h > 0) this.items.push({ kind: "rect", x, y, w, h, fill, ...options });
  }
  line(x1, y1, x2, y2, stroke, options) {
    this.items.push({ kind: "line", x1, y1, x2, y2, stroke, ...options });
  }
  /* Points in pairs. Options: fill, stroke, line, alpha, dash. */
  path(points, options) {
    this.items.push({ kind: "path", points, ...options });
  }
  /* Half an ellipse around (x, y), above it if ry > 0. */
  arc(x, y, rx, ry, stroke, options) {
    this.items.push({ kind: "arc", x, y, rx, ry, stroke, ...options });
  }
  /* Options: align (start, middle, end), size, bold, alpha. */
  text(x, y, text, fill, options) {
    this.items.push({ kind: "text", x, y, text: String(text), fill, ...options });
  }
  /* Part [x, y, width, height] of a canvas. */
  image(x, y, w, h, source, part) {
    if (w > 0 && h > 0) this.items.push({ kind: "image", x, y, w, h, source, part });
  }
}

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
const ALIGN = { start: "left", middle: "center", end: "right" };

function drawItem(context, item) {
  context.globalAlpha = item.alpha ?? 1;
  if (item.kind === "rect" && !item.round && !item.stroke) { // most shapes
    context.fillStyle = item.fill;
    context.fillRect(item.x, item.y, item.w, item.h);
    return;
  }
  context.setLineDash(item.dash ?? []);
  context.lineWidth = item.line ?? 1;
  context.beginPath();
  if (item.kind === "text") {
    context.font = `${item.bold ? 650 : 400} ${item.size ?? 12}px ${FONT}`;
    context.textAlign = ALIGN[item.align ?? "start"];
    context.fillStyle = item.fill;
    context.fillText(item.text, item.x, item.y);
    return;
  }
  if (item.kind === "image") {
    context.drawImage(item.source, ...item.part, item.x, item.y, item.w, item.h);
    return;
  }
  if (item.kind === "rect") {
    context.roundRect(item.x, item.y, item.w, item.h, item.round ?? 0);
  } else if (item.kind === "line") {
    context.moveTo(item.x1, item.y1);
    context.lineTo(item.x2, item.y2);
  } else if (item.kind === "arc") {
    context.ellipse(item.x, item.y, Math.max(item.rx, .1), Math.max(Math.abs(item.ry), .1), 0, 0, Math.PI, item.ry > 0);
  } else {
    for (let i = 0; i < item.points.length; i += 2) context.lineTo(item.points[i], item.points[i + 1]);
  }
  if (item.fill) {
    context.fillStyle = item.fill;
    context.fill();
  }
  if (item.stroke) {
    context.strokeStyle = item.stroke;
    context.stroke();
  }
}

/* ---- Many plain rectangles as pixels: several times faster than one after the other ---- */
const MANY = 300; // in a row
const isPlain = item => item.kind === "rect" && !item.round && !item.stroke && /^#[0-9a-f]{6}$/i.test(item.fill);
const block = document.createElement("canvas");

/* The edges of a rectangle in whole pixels, at least one wide and high. */
function pixelsOf({ x, y, w, h }, ratio) {
  const x0 = Math.round(x * ratio), y0 = Math.round(y * ratio);
  return [x0, y0, Math.max(x0 + 1, Math.round((x + w) * ratio)), Math.max(y0 + 1, Math.round((y + h) * ratio))];
}

/* Lays a colour over the pixels [from, to). */
function blendPixels(bytes, from, to, [r, g, b], alpha) {
  for (let at = 4 * from; at < 4 * to; at += 4) {
    const under = (1 - alpha) * bytes[at + 3] / 255, all = alpha + under;
    bytes[at] = (r * alpha + bytes[at] * under) / all;
    bytes[at + 1] = (g * alpha + bytes[at + 1] * under) / all;
    bytes[at + 2] = (b * alpha + bytes[at + 2] * under) / all;
    bytes[at + 3] = 255 * all;
  }
}

function drawPlain(context, items, { width, height, ratio }) {
  const edges = items.map(item => pixelsOf(item, ratio)), least = k => edges.reduce((a, e) => Math.min(a, e[k]), Infinity), most = k => edges.reduce((a, e) => Math.max(a, e[k]), 0);
  const left = Math.max(0, least(0)), top = Math.max(0, least(1)), wide = Math.min(width, most(2)) - left, high = Math.min(height, most(3)) - top;
  if (wide < 1 || high < 1) return;
  const image = new ImageData(wide, high), words = new Uint32Array(image.data.buffer), colours = new Map();
  items.forEach(({ fill, alpha }, i) => {
    if (!colours.has(fill)) colours.set(fill, [1, 3, 5].map(k => parseInt(fill.slice(k, k + 2), 16)));
    const [x0, y0, x1, y1] = edges[i], rgb = colours.get(fill), from = Math.max(0, x0 - left), to = Math.min(wide, x1 - left);
    rgb.word ??= new Uint32Array(new Uint8Array([...rgb, 255]).buffer)[0];
    for (let y = Math.max(0, y0 - top); y < Math.min(high, y1 - top); y++) {
      if (alpha === undefined) words.fill(rgb.word, y * wide + from, y * wide + to);
      else blendPixels(image.data, y * wide + from, y * wide + to, rgb, alpha);
    }
  });
  Object.assign(block, { width: wide, height: high });
  block.getContext("2d").putImageData(image, 0, 0);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.globalAlpha = 1;
  context.drawImage(block, left, top);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
}

/* Draws the items in their order. */
function drawList(context, items, size) {
  for (let i = 0; i < items.length;) {
    let end = i;
    while (end < items.length && isPlain(items[end])) end++;
    if (end - i >= MANY) drawPlain(context, items.slice(i, end), size);
    else for (let n = i; n < end; n++) drawItem(context, items[n]);
    if (end < items.length) drawItem(context, items[end]);
    i = end + 1;
  }
}

/* Draws the items on an empty canvas, or on a copy of another one. */
function drawItems(target, size, items, under) {
  const { width, height, ratio } = size;
  if (target.width !== width || target.height !== height) {
    target.width = width;
    target.height = height;
  }
  const context = target.getContext("2d");
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.globalAlpha = 1;
  context.clearRect(0, 0, width, height);
  if (under) context.drawImage(under, 0, 0);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawList(context, items, size);
}

/* Draws the patches of a scene on the bitmap of the last one: { box: [x, y, width, height], items }. */
function drawPatches(bitmap, patches) {
  const context = bitmap.getContext("2d");
  for (const { box, items } of patches) {
    context.clearRect(...box);
    for (const item of items) drawItem(context, item);
  }
}

/* Pixels of the screen for a unit of a scene. */
const ratioOf = () => (window.devicePixelRatio || 1) * theme.zoom;

/* Draws on a canvas, which takes the size of the scene. The items of `base`, the part that rarely changes,
 * are drawn once; with `patches` it is the last one but for these. */
function draw(canvas, base, over) {
  const ratio = ratioOf(), high = base.height * theme.zoom + "px", size = { width: Math.round(base.width * ratio), height: Math.round(base.height * ratio), ratio };
  if (base.ratio !== ratio) {
    canvas.spare ??= document.createElement("canvas");
    if (base.patches && canvas.spare.shows === base.last && base.last.ratio === ratio) drawPatches(canvas.spare, base.patches);
    else drawItems(canvas.spare, size, base.items);
    canvas.spare.shows = base;
    base.ratio = ratio;
    base.last = base.patches = null;
  }
  if (canvas.style.height !== high) canvas.style.height = high;
  drawItems(canvas, size, over.items, canvas.spare);
}

const escapeText = text => text.replace(/[&<>"]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const fixed = number => +number.toFixed(2);

/* The part of a canvas that an item shows, as a data URI. */
function crop(item) {
  const canvas = document.createElement("canvas"), [x, y, w, h] = item.part;
  canvas.width = Math.max(1, Math.round(w));
  canvas.height = Math.max(1, Math.round(h));
  canvas.getContext("2d").drawImage(item.source, x, y, w, h, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL();
}

function svgItem(item) {
  const look = `fill="${item.fill ?? "none"}"` + (item.stroke ? ` stroke="${item.stroke}" stroke-width="${item.line ?? 1}"` : "") +
    (item.alpha !== undefined ? ` opacity="${fixed(item.alpha)}"` : "") + (item.dash ? ` stroke-dasharray="${item.dash}"` : "");
  switch (item.kind) {
    case "rect": return `<rect x="${fixed(item.x)}" y="${fixed(item.y)}" width="${fixed(item.w)}" height="${fixed(item.h)}" rx="${item.round ?? 0}" ${look}/>`;
    case "line": return `<line x1="${fixed(item.x1)}" y1="${fixed(item.y1)}" x2="${fixed(item.x2)}" y2="${fixed(item.y2)}" ${look}/>`;
    case "arc": return `<path d="M${fixed(item.x - item.rx)} ${fixed(item.y)}A${fixed(item.rx)} ${fixed(Math.abs(item.ry))} 0 0 ${item.ry > 0 ? 1 : 0} ${fixed(item.x + item.rx)} ${fixed(item.y)}" ${look}/>`;
    case "path": return `<polyline points="${item.points.map(fixed).join(" ")}" ${look}/>`;
    case "image": return `<image x="${fixed(item.x)}" y="${fixed(item.y)}" width="${fixed(item.w)}" height="${fixed(item.h)}" preserveAspectRatio="none" href="${crop(item)}"/>`;
    default: return `<text x="${fixed(item.x)}" y="${fixed(item.y)}" font-size="${item.size ?? 12}" text-anchor="${item.align ?? "start"}"${item.bold ? ' font-weight="650"' : ""} ${look}>${escapeText(item.text)}</text>`;
  }
}

function svgOf(scene, title) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${scene.width} ${scene.height}" width="${scene.width}" height="${scene.height}" font-family='${FONT}'>` +
    `<title>${escapeText(title)}</title><rect width="100%" height="100%" fill="${theme.card}"/>${scene.items.map(svgItem).join("\n")}</svg>`;
}

/* ---- Numbers ---- */
const UNITS = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"], [1e-12, "ps"]];

/* "91.6 µs". */
function timeText(seconds, digits = 4) {
  if (!(seconds >= 1e-15)) return "0 s";
  const unit = UNITS.find(([least]) => seconds >= .9995 * least) ?? UNITS[4];
  return `${+(seconds / unit[0]).toPrecision(digits)} ${unit[1]}`;
}

/* Seconds of "20us" or "1e-6"; NaN if it is no time. */
function readTime(text) {
  const found = /^\s*([\d.]+(?:e[-+]?\d+)?)\s*(s|ms|us|µs|μs|ns|ps|)\s*$/i.exec(text);
  if (!found) return NaN;
  const factor = { s: 1, ms: 1e-3, us: 1e-6, "µs": 1e-6, "μs": 1e-6, ns: 1e-9, ps: 1e-12, "": 1 };
  return +found[1] * factor[found[2].toLowerCase()];
}

/* "3α + 24β". */
function costText(cost) {
  const names = ["α", "β", "γ", "α′", "β′"], terms = cost.map((times, i) => times ? (times === 1 ? "" : times.toLocaleString("en").replaceAll(",", "\u202f")) + names[i] : "");
  return terms.filter(Boolean).join(" + ") || "0";
}

const many = (count, word) => `${count.toLocaleString("en").replaceAll(",", "\u202f")} ${word}${count === 1 ? "" : "s"}`;
