/* Formats numbers and texts, beside common.js (base/style). The content of a run directory is not trusted: a number
 * may be a text, and a text may be endless. */

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

/* A number for an order: with seven digits, as short as possible. */
export const brief = v => String(+v.toPrecision(7));
