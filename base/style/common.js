/* Elements, numbers and tips for all pages of karman. A page's own script follows. */
const byId = id => document.getElementById(id);
const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
const isNumber = value => typeof value === "number" && isFinite(value);

/* Attributes that begin with "on" are listeners; those without a value are left out. */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/* An element with attributes and children; one of SVG with a text. */
const html = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
const svg = (name, attributes = {}, text) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, text === undefined ? [] : [text]);

/* "2.34 ms". */
function seconds(value) {
  if (!isNumber(value)) return "–";
  if (value === 0) return "0 s";
  if (value >= 100) return value.toFixed(0) + " s";
  if (value >= 1) return value.toPrecision(3) + " s";
  return value >= 1e-3 ? (1e3 * value).toPrecision(3) + " ms" : (1e6 * value).toPrecision(3) + " µs";
}

/* "1.50 MiB". */
function bytes(value) {
  if (!isNumber(value)) return "–";
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let n = 0;
  for (; value >= 1024 && n < 4; n++) value /= 1024;
  return (n ? value.toFixed(value < 10 ? 2 : 1) : value.toFixed(0)) + " " + units[n];
}

/* Shows a text beside a point of the window, within it. */
function showTip(tip, text, x, y) {
  tip.textContent = text;
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = clamp(x + 13, 4, innerWidth - box.width - 4) + "px";
  tip.style.top = (y + box.height + 24 > innerHeight ? Math.max(4, y - box.height - 10) : y + 15) + "px";
}
