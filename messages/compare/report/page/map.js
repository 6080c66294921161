"use strict";
/* Maps of the costs of tiles, one for each case. The map is an image with a pixel for each tile, drawn
   larger. A transparent cover over it handles the pointer. */

/* From cheap, dark, to expensive, light: distinct for all kinds of colour vision. */
const heatStops = [[27, 12, 65], [74, 12, 107], [120, 28, 109], [165, 44, 96], [207, 68, 70], [237, 105, 37],
  [251, 155, 6], [247, 209, 61], [252, 255, 164]];
function heat(share) {
  const at = Math.max(0, Math.min(1, share)) * (heatStops.length - 1);
  const n = Math.min(Math.floor(at), heatStops.length - 2);
  return heatStops[n].map((v, c) => Math.round(v + (at - n) * (heatStops[n + 1][c] - v)));
}
const heatText = share => "rgb(" + heat(share).join(" ") + ")";
/* Nanoseconds to three digits, with a narrow space between thousands. */
const perPixel = v => v == null ? "–"
  : String(+v.toPrecision(3)).replace(/(?<=^\d+)(?=(\d{3})+$)/g, "\u202f") + " ns";

/* ---- Costs ------------------------------------------------------------------------ */

/* The cost of a tile for a rank, in nanoseconds. */
function tileCost(tiles, rank, column, row) {
  const x0 = tiles.x0[rank], x1 = tiles.x1[rank], y0 = tiles.y0[rank];
  return column < x0 || column >= x1 || row < y0 || row >= tiles.y1[rank] ? 0
    : tiles.cost[rank][(row - y0) * (x1 - x0) + column - x0];
}
/* The pixels of a tile; the last tiles are cut off at the edge of the picture. */
function tileRect(tiles, column, row) {
  const x0 = column * tiles.size, y0 = row * tiles.size;
  return {x0, y0, x1: Math.min(x0 + tiles.size, data.width), y1: Math.min(y0 + tiles.size, data.height)};
}
function tilePixels(tiles, column, row) {
  const r = tileRect(tiles, column, row);
  return (r.x1 - r.x0) * (r.y1 - r.y0);
}
/* Nanoseconds per pixel for all tiles, row by row: of one rank, or of all ranks if it is -1. */
function mapValues(tiles, rank) {
  const values = new Float64Array(tiles.columns * tiles.rows);
  for (let r = 0; r < tiles.cost.length; r++) {
    if (rank >= 0 && r !== rank) continue;
    const across = tiles.x1[r] - tiles.x0[r];
    tiles.cost[r].forEach((ns, n) => {
      const column = tiles.x0[r] + n % across, row = tiles.y0[r] + Math.floor(n / across);
      values[row * tiles.columns + column] += ns / tilePixels(tiles, column, row);
    });
  }
  return values;
}
const sumOf = list => list.reduce((sum, v) => sum + v, 0);

/* ---- Selection -------------------------------------------------------------------- */

const mapRank = () => +byId("map-rank").value;
const mapFrame = c => c.drawn[byId("map-frame").value === "last" ? c.drawn.length - 1 : 0];
function mapCases() {
  const ranks = +byId("map-ranks").value, projection = byId("map-projection").value;
  return partitions.map(p => pick(projection, p, byId("algorithm").value, ranks)).filter(c => c);
}
/* The cost with the last colour, common to all cases: a few tiles in a thousand may cost more. */
function mapTop(list) {
  const all = list.filter(c => mapFrame(c).tiles)
    .flatMap(c => [...mapValues(mapFrame(c).tiles, -1)].filter(v => v > 0)).sort((a, b) => a - b);
  const least = all.length ? all[Math.ceil(0.995 * all.length) - 1] : 1;
  return {top: least, most: all.length ? all[all.length - 1] : 1};
}
/* The kind of the numbers, and their source. */
function mapKind(d) {
  if (!d.tiles) return "not recorded: the runs of this case have no costs of tiles; remove its files in runs/ to measure them";
  const all = sumOf(d.tiles.cost.map(sumOf)), shared = all > 0 ? sumOf(d.tiles.shared) / all : 0;
  const how = "divided among tiles by the surfaces and lines visible there";
  return shared < 0.005 ? "measured: by the clock, tile by tile"
    : shared > 0.995 ? "measured for each rank, " + how
    : "measured: by the clock, tile by tile, but " + percent(shared) + " of it for each rank, " + how;
}

/* ---- Drawing ---------------------------------------------------------------------- */

function heatImage(tiles, values, top) {
  const canvas = document.createElement("canvas");
  canvas.width = tiles.columns;
  canvas.height = tiles.rows;
  const context = canvas.getContext("2d"), pixels = context.createImageData(tiles.columns, tiles.rows);
  values.forEach((v, n) => {
    if (v > 0) pixels.data.set([...heat(v / top), 255], 4 * n);
  });
  context.putImageData(pixels, 0, 0);
  return canvas.toDataURL();
}
/* The rectangles around the pixels of each rank, with its number if there is space. */
function drawOutlines(root, d, scale) {
  d.active_pixels.forEach((count, r) => {
    if (!count || (mapRank() >= 0 && mapRank() !== r)) return;
    const x = d.active_x0[r] * scale, y = d.active_y0[r] * scale;
    const width = d.active_x1[r] * scale - x, height = d.active_y1[r] * scale - y;
    for (const casing of [true, false]) {
      root.append(svg("rect", {class: casing ? "casing" : "outline", x, y, width, height}));
    }
    const at = {x: x + 5 + 16 * (r % 4), y: y + 15};
    if (at.x + 14 < x + width && at.y < y + height) root.append(svg("text", {class: "number", ...at}, r));
  });
}
function tileTip(tiles, column, row) {
  const rect = tileRect(tiles, column, row), pixels = tilePixels(tiles, column, row);
  const costs = tiles.cost.map((_, r) => [r, tileCost(tiles, r, column, row)]).filter(c => c[1] > 0)
    .sort((a, b) => b[1] - a[1]);
  const sum = sumOf(costs.map(c => c[1]));
  const ranks = costs.slice(0, 6).map(c => "rank " + c[0] + ": " + perPixel(c[1] / pixels) + " a pixel");
  if (costs.length > 6) ranks.push("and " + (costs.length - 6) + " ranks more");
  return {value: sum / pixels, text: ["tile " + column + ", " + row + ": columns " + rect.x0 + "…" + (rect.x1 - 1) +
    ", rows " + rect.y0 + "…" + (rect.y1 - 1), costs.length ? perPixel(sum / pixels) + " a pixel, " +
    seconds(1e-9 * sum) : "no rank drew here", ...ranks].join("\n")};
}
/* Shows the tile at the pointer or the keyboard's position, in all maps. */
function pointAt(column, row, shows) {
  byId("map-charts").classList.toggle("pointed", shows);
  for (const cover of document.querySelectorAll(".cover")) {
    const tiles = mapFrame(cases[+cover.dataset.case]).tiles, scale = +cover.dataset.scale;
    const c = Math.max(0, Math.min(tiles.columns - 1, column)), r = Math.max(0, Math.min(tiles.rows - 1, row));
    const tip = tileTip(tiles, c, r), rect = tileRect(tiles, c, r), at = cover.previousSibling;
    Object.assign(cover.dataset, {tip: tip.text, value: tip.value, column: c, row: r});
    cover.setAttribute("aria-label", tip.text);
    for (const [name, v] of [["x", rect.x0], ["y", rect.y0], ["width", rect.x1 - rect.x0], ["height", rect.y1 - rect.y0]]) {
      at.setAttribute(name, v * scale);
    }
  }
}
function followPointer(cover, tiles) {
  const point = event => {
    const box = cover.getBoundingClientRect();
    pointAt(Math.floor((event.clientX - box.left) / box.width * data.width / tiles.size),
      Math.floor((event.clientY - box.top) / box.height * data.height / tiles.size), true);
    showTip(tip, cover.dataset.tip, event.clientX, event.clientY);
  };
  cover.addEventListener("pointermove", point);
  cover.addEventListener("pointerdown", point);
  cover.addEventListener("keydown", event => {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (!step) return;
    event.preventDefault();
    pointAt(+cover.dataset.column + step[0], +cover.dataset.row + step[1], true);
    const box = cover.previousSibling.getBoundingClientRect();
    showTip(tip, cover.dataset.tip, box.right, box.bottom);
  });
}
function drawOneMap(c, width, top) {
  const d = mapFrame(c), tiles = d.tiles, scale = width / data.width;
  const picture = document.querySelector('[data-reference="' + c.projection + '"]');
  const root = svg("svg", {class: "map", viewBox: "0 0 " + width + " " + data.height * scale});
  if (picture) root.append(svg("image", {href: picture.src, width, height: data.height * scale}));
  if (tiles) {
    root.append(svg("image", {class: "heat", href: heatImage(tiles, mapValues(tiles, mapRank()), top),
      width: tiles.columns * tiles.size * scale, height: tiles.rows * tiles.size * scale,
      preserveAspectRatio: "none"}));
  }
  drawOutlines(root, d, scale);
  if (tiles) {
    const cover = mark(svg("rect", {class: "cover", width, height: data.height * scale}), "", 0);
    Object.assign(cover.dataset, {case: cases.indexOf(c), scale});
    root.append(svg("rect", {class: "tile"}), cover);
    followPointer(cover, tiles);
  }
  return root;
}
function mapTable(c) {
  const d = mapFrame(c), tiles = d.tiles;
  const row = (name, work, pixels, crossings, drawn, beside, where) => [name,
    perPixel(pixels ? 1e9 * work / pixels : null), seconds(work), drawn == null ? "–" : seconds(1e-9 * drawn),
    beside == null ? "–" : seconds(1e-9 * Math.max(0, beside)), String(pixels), String(crossings), where];
  const drawn = tiles && tiles.cost.map(sumOf);
  const rows = d.render_work.map((work, r) => row("rank " + r, work, d.active_pixels[r], d.crossings[r],
    tiles ? drawn[r] : null, tiles ? tiles.beside[r] : null,
    d.active_x0[r] + "…" + d.active_x1[r] + " × " + d.active_y0[r] + "…" + d.active_y1[r]));
  rows.push(row("all ranks", sumOf(d.render_work), sumOf(d.active_pixels), sumOf(d.crossings),
    tiles ? sumOf(drawn) : null, tiles ? sumOf(tiles.beside) : null, ""));
  return table(["", "an active pixel", "rendering", "in tiles", "set-up", "active pixels", "cells crossed",
    "columns × rows"], rows);
}
/* The colour scale. */
function drawScale(top, most) {
  const width = 320, root = svg("svg", {class: "scale", viewBox: "0 0 " + width + " 46", "data-top": top});
  const box = {x0: 8, x1: width - 40}, count = 64, step = (box.x1 - box.x0) / count;
  for (let n = 0; n < count; n++) {
    root.append(svg("rect", {x: box.x0 + n * step, y: 4, width: step + 0.5, height: 14, style: "fill:" + heatText((n + 0.5) / count)}));
  }
  for (const t of ticks(top).filter(v => v <= top)) {
    const x = box.x0 + t / top * (box.x1 - box.x0);
    root.append(svg("line", {class: "grid", x1: x, x2: x, y1: 18, y2: 23}),
      svg("text", {x, y: 36, "text-anchor": "middle"}, t ? perPixel(t) : "0"));
  }
  const words = "processor time a pixel, the same in all maps; nothing was drawn where the picture shows through" +
    (most > top * 1.0001 ? ". The dearest tile took " + perPixel(most) + ", 1 of 200 more than " + perPixel(top) : "");
  byId("map-scale").replaceChildren(root, html("p", {class: "kind"}, words + "."));
}
function drawMap() {
  const place = byId("map-charts"), list = mapCases();
  place.replaceChildren();
  if (!list.length) {
    byId("map-scale").replaceChildren();
    return;
  }
  const {top, most} = mapTop(list);
  drawScale(top, most);
  place.style.setProperty("--least", "18rem");
  const columns = getComputedStyle(place).gridTemplateColumns.split(" ").length;
  const width = Math.max(280, (place.clientWidth - 24 * (columns - 1)) / columns);
  for (const c of list) {
    place.append(frame("map_" + c.partition, words(c.partition) + ", " + ranksText(c.ranks) + inProjection(c.projection) +
      ", step " + mapFrame(c).step + (mapRank() < 0 ? "" : ", rank " + mapRank() + " alone"), mapKind(mapFrame(c)), drawOneMap(c, width, top), mapTable(c)));
  }
  const picture = document.querySelector('[data-reference="' + list[0].projection + '"]');
  if (picture) {
    place.append(frame("map_picture", "The picture" + inProjection(list[0].projection), "the first frame of the first case",
      html("img", {class: "map", src: picture.src, alt: picture.alt})));
  }
  pointAt(0, 0, false);
}
function fillRanks() {
  const before = byId("map-rank").value, ranks = +byId("map-ranks").value;
  byId("map-rank").replaceChildren(html("option", {value: -1}, "all ranks together"),
    ...Array.from({length: ranks}, (_, r) => html("option", {value: r}, "rank " + r + " alone")));
  byId("map-rank").value = +before < ranks && before !== "" ? before : -1;
}
