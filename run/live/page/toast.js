/* Short messages in a corner. */
import { clip } from "./text.js";

const most = 4;

export function toast(message, bad) {
  const text = clip(message, 500);
  const place = byId("toasts");
  for (const old of [...place.children]) if (old.textContent === text) old.remove();
  while (place.children.length >= most) place.firstChild.remove();
  const box = html("div", {class: bad ? "toast bad" : "toast"}, text);
  place.append(box);
  setTimeout(() => box.remove(), bad ? 12000 : 5000);
}
