/* Curves as SVG: one plot for each field, over a way or over time. */
import { clip, plain } from "./text.js";

const wide = 360, high = 130, room = {left: 52, right: 8, top: 16, bottom: 18}, colors = 8;

/* title; across: the name of x; curves: [{name, x: [], y: []}], numbers or null; hover(n): the n-th point, or null. */
export function plot(title, across, curves, hover) {
  const all = key => curves.flatMap(c => c[key]).filter(isNumber), xs = all("x"), ys = all("y");
  const box = svg("svg", {viewBox: `0 0 ${wide} ${high}`, class: "plot", role: "img"});
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const flat = !(y1 > y0), x = v => room.left + (x1 > x0 ? (v - x0) / (x1 - x0) : 0.5) * (wide - room.left - room.right);
  const y = v => high - room.bottom - (flat ? 0.5 : (v - y0) / (y1 - y0)) * (high - room.top - room.bottom);
  box.append(svg("text", {x: room.left, y: 11, class: "title"}, clip(title, 60)));
  if (!ys.length) box.append(svg("text", {x: room.left, y: high / 2}, "no values"));
  for (const v of ys.length ? flat ? [y0] : [y0, (y0 + y1) / 2, y1] : []) {
    box.append(svg("line", {x1: room.left, x2: wide - room.right, y1: y(v), y2: y(v)}), svg("text", {x: room.left - 4, y: y(v) + 3, class: "end"}, plain(v)));
  }
  if (xs.length) box.append(svg("text", {x: room.left, y: high - 5}, plain(x0)), svg("text", {x: wide - room.right, y: high - 5, class: "end"}, across + " " + plain(x1)));
  curves.forEach((c, n) => {
    let pen = false;
    const d = c.x.map((v, m) => {
      const draws = isNumber(v) && isNumber(c.y[m]), part = draws ? (pen ? "L" : "M") + x(v).toFixed(1) + " " + y(c.y[m]).toFixed(1) : "";
      pen = draws;
      return part;
    }).join("");
    box.append(svg("path", {class: "curve s" + n % colors, d: d || "M0 0"}));
  });
  box.setAttribute("aria-label", title + " over " + across + ": " + (ys.length ? plain(y0) + " to " + plain(y1) : "no values"));
  const mark = svg("line", {class: "at", y1: room.top, y2: high - room.bottom, visibility: "hidden"}), value = svg("text", {x: wide - room.right, y: 11, class: "end"});
  box.append(mark, value);
  box.addEventListener("pointermove", e => {
    const r = box.getBoundingClientRect(), at = (e.clientX - r.left) / r.width * wide, list = curves[0]?.x || [];
    const n = list.reduce((best, v, m) => Math.abs(x(v) - at) < Math.abs(x(list[best]) - at) ? m : best, 0);
    fill(mark, {x1: x(list[n]), x2: x(list[n]), visibility: "visible"}, []);
    value.textContent = plain(list[n]) + ": " + curves.map(c => plain(c.y[n])).join(", ");
    hover?.(n);
  });
  box.addEventListener("pointerleave", () => { mark.setAttribute("visibility", "hidden"); value.textContent = ""; hover?.(null); });
  return box;
}

/* Rows of values as CSV; a text with a comma or a quote is quoted. */
export const csv = rows => rows.map(row => row.map(v => v === null || v === undefined ? "" : typeof v === "number" ? String(+v.toPrecision(9))
  : /[",\n]/.test(v) ? '"' + v.replaceAll('"', '""') + '"' : v).join(",")).join("\n") + "\n";
