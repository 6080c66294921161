/* The window, and files of what it shows. */

/* Fits the animation to the window, so that its controls are in sight. For talks: large type, and little else. */
function present() {
  const on = Boolean(view.state.present) && !data.isPart, zoom = on ? clamp(innerWidth / 960, 1, 2) : 1;
  document.documentElement.classList.toggle("presenting", on);
  document.documentElement.style.fontSize = on ? `${16 * zoom}px` : "";
  byId("present").setAttribute("aria-pressed", on);
  /* What is left for the memories beside the sentence, texts, controls and the cost. */
  Object.assign(theme, { zoom, high: innerHeight / zoom - (on ? 285 : 330), least: on ? 60 : 130, most: on ? 500 : 232 });
  look++;
  refresh();
}

/* ---- Files ---- */
function save(kind) {
  drawAll();
  const name = `${view.state.op}-${view.state.alg}-${Math.round(1000 * view.time / view.duration)}`;
  const give = blob => {
    const link = html("a", { href: URL.createObjectURL(blob), download: `${name}.${kind}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  if (kind === "svg") give(new Blob([svgOf(scenes()[byId("save-svg").dataset.of ?? "memory"], Now.text(view))], { type: "image/svg+xml" }));
  else {
    const canvas = document.createElement("canvas"), from = byId(byId("save-png").dataset.of ?? "memory").querySelector("canvas");
    canvas.width = from.width;
    canvas.height = from.height;
    const context = canvas.getContext("2d");
    context.fillStyle = theme.card;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(from, 0, 0);
    canvas.toBlob(give);
  }
}
