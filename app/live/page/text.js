/* Formats numbers and texts, and makes elements. The content of a run directory is not trusted: a number
 * may be a text, and a text may be endless. */

export const byId = id => document.getElementById(id);

export function html(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const key in attributes) e.setAttribute(key, attributes[key]);
  e.append(...children);
  return e;
}

export function svg(name, attributes, text) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) e.setAttribute(key, attributes[key]);
  if (text !== undefined) e.textContent = text;
  return e;
}

export const isNumber = v => typeof v === "number" && isFinite(v);

/* Any value as text, cut to some letters. */
export function clip(value, most = 300) {
  let text = value ?? "";
  if (typeof text !== "string") {
    try { text = JSON.stringify(text); } catch { text = "…"; /* nested too deeply */ }
  }
  return text.length > most ? text.slice(0, most) + "…" : text;
}

/* Text for `count` things that are left out. */
export const more = count => "… and " + count.toLocaleString("en") + " more";

export function plain(v) {
  if (!isNumber(v)) return "–";
  if (v === 0) return "0";
  const a = Math.abs(v);
  return a >= 1e6 || a < 1e-3 ? v.toExponential(3).replace(/\.?0+e/, "e") : String(+v.toPrecision(5));
}

export function seconds(v) {
  if (!isNumber(v)) return "–";
  if (v === 0) return "0 s";
  if (v >= 100) return v.toFixed(0) + " s";
  if (v >= 1) return v.toPrecision(3) + " s";
  return v >= 1e-3 ? (1e3 * v).toPrecision(3) + " ms" : (1e6 * v).toPrecision(3) + " µs";
}

export function bytes(v) {
  if (!isNumber(v)) return "–";
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let n = 0;
  while (v >= 1024 && n < 4) { v /= 1024; n++; }
  return (n ? v.toFixed(v < 10 ? 2 : 1) : v.toFixed(0)) + " " + units[n];
}

/* A number for an order: with seven digits, as short as possible. */
export const brief = v => String(+v.toPrecision(7));
