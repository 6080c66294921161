/* Predict: questions before the answer is shown. */
const Predict = {
  asked: 0, right: 0,

  /* From time `from` on nothing is shown. */
  open(view, from, words, choices, check) {
    view.masked = true;
    view.maskedFrom = from;
    Predict.hideLists(true);
    const group = html("div", { class: "choices" });
    const settle = choice => {
      Predict.unmask(view);
      const { right, text } = check(choice);
      Predict.asked++;
      Predict.right += right;
      Predict.choose = null;
      byId("score").textContent = `${Predict.right} of ${Predict.asked} right`;
      byId("question").replaceChildren(html("p", { class: `answer ${right ? "right" : "wrong"}` }, `${right ? "Right" : "No"}: ${text}`));
      refresh();
    };
    for (const [value, label] of choices) group.append(html("button", { onclick: () => settle(value) }, label));
    Predict.choose = value => choices.some(([v]) => v === value) && settle(value);
    byId("question").replaceChildren(html("p", {}, words), group);
    pause();
    refresh();
    const box = byId("question").getBoundingClientRect(); // the buttons that ask may stand far below
    if (box.top < 0 || box.bottom > innerHeight) byId("question").scrollIntoView({ block: "center" });
    group.querySelector("button")?.focus({ preventScroll: true });
  },

  unmask(view) {
    view.masked = false;
    view.maskedFrom = Infinity;
    Predict.hideLists(false);
  },

  /* Lists of messages tell the future, too. */
  hideLists(are) {
    for (const id of ["break-card", "steps-card"]) byId(id).hidden = are || (id === "break-card" && !view.core.isFree && !!(data.schedule || data.frame));
  },

  close(view) {
    if (!view.masked) return;
    Predict.unmask(view);
    Predict.choose = null;
    byId("question").replaceChildren();
  },

  askNext(view) {
    Predict.close(view);
    const { run, time } = view, eps = 1e-12 * run.seconds, later = run.messages.filter(m => m.src !== m.dst && m.sent > time + eps);
    const now = time <= eps ? run.messages.filter(m => m.src !== m.dst && m.sent <= eps) : [];
    const open = now.length ? now : later;
    if (!open.length) {
      byId("question").replaceChildren(html("p", {}, "Nobody sends any more: go back in time, or change the algorithm."));
      return;
    }
    const first = Math.min(...open.map(m => m.sent)), next = open.filter(m => m.sent <= first + eps);
    const src = next[Math.floor(Math.random() * next.length)].src, goals = next.filter(m => m.src === src).map(m => m.dst);
    const choices = Array.from({ length: run.size }, (_, rank) => [rank, `${rank}`]).filter(([rank]) => rank !== src);
    Predict.open(view, first, `Rank ${src} sends next. To which rank? Choose here, or its column.`, choices, choice => {
      seek(first + (next[0].came - first) / 2);
      const goal = goals.map(String).join(" or ");
      return { right: goals.includes(choice), text: `rank ${src} sends to rank ${goal}.` };
    });
  },

  askFaster(view) {
    Predict.close(view);
    const all = view.operation.algorithms.filter(a => view.core.seconds(view.problem, a) >= 0);
    if (!view.core.isFree || all.length < 2) {
      byId("question").replaceChildren(html("p", {}, "There is one algorithm alone."));
      return;
    }
    const first = Math.floor(Math.random() * all.length), second = (first + 1 + Math.floor(Math.random() * (all.length - 1))) % all.length;
    const pair = [all[first], all[second]], seconds = pair.map(a => view.core.run(view.problem, a).seconds);
    const same = Math.abs(seconds[0] - seconds[1]) <= 1e-9 * seconds[0], words = view.operation.isBarrier ? "" : ` and ${many(view.problem.count, view.unit)}`;
    Predict.open(view, 0, `With ${many(view.problem.size, "rank")}${words}: which one is faster?`,
      [[0, pair[0].name], [1, pair[1].name], [2, "they are equal"]], choice => {
        view.state.race = pair.map(a => a.name);
        seek(0);
        changed();
        play();
        const right = same ? choice === 2 : choice === (seconds[0] < seconds[1] ? 0 : 1);
        return { right, text: `${pair[0].name} takes ${timeText(seconds[0])}, ${pair[1].name} ${timeText(seconds[1])}. The race shows it.` };
      });
  },
};

/* Break it: changes of the schedule, as text "d3" (leave out message 3), "e3" and "l3" (a round earlier, later),
 * "o3" (the receiver takes it last in its round), "s3-5" (swap). Numbers are those of the right schedule. */
const Break = {
  /* The streams of all ranks after the changes. */
  streams(run, changes) {
    const messages = run.messages.map(m => ({ round: m.round, src: m.src, dst: m.dst, last: false, gone: false }));
    for (const change of changes) {
      const [a, b] = change.slice(1).split("-").map(Number), m = messages[a], other = messages[b];
      if (!m) continue;
      if (change[0] === "d") m.gone = true;
      if (change[0] === "e") m.round = Math.max(0, m.round - 1);
      if (change[0] === "l") m.round++;
      if (change[0] === "o") m.last = true;
      if (change[0] === "s" && other) {
        if (m.round === other.round) [m.dst, other.dst] = [other.dst, m.dst];
        else [m.round, other.round] = [other.round, m.round];
      }
    }
    const streams = Array.from({ length: run.size }, () => []);
    run.messages.forEach((original, number) => {
      const m = messages[number];
      if (m.gone) return;
      original.ops.forEach(op => {
        const moved = { ...op, round: m.round, src: m.src, dst: m.dst, last: m.last, place: run.ops.indexOf(op) };
        streams[m.src].push(moved);
        if (m.dst !== m.src) streams[m.dst].push({ ...moved, place: run.ops.findIndex((o, i) => i >= run.begin[original.dst] && o.message === original && o.first === op.first && o.from === op.from) });
      });
    });
    return streams.map(stream => stream.sort((a, b) => a.round - b.round || a.last - b.last || a.place - b.place));
  },

  add(view, change) {
    view.state.changes.push(change);
    changed();
  },

  show(view) {
    const { state, base, run } = view, verdict = byId("verdict"), most = 500;
    if (Break.serial === view.serial || view.core.frame) return;
    Break.serial = view.serial;
    const options = () => base.messages.slice(0, most).map(m => html("option", { value: m.number }, `round ${m.round}: ${m.src}→${m.dst} ${rangesText(view, m.ops, "from")}`));
    if (Break.base !== base) {
      Break.base = base;
      const chosen = byId("broken").value;
      byId("broken").replaceChildren(...options());
      byId("other").replaceChildren(...options());
      if (base.messages[chosen]) byId("broken").value = chosen;
      if (base.messages.length > 1) byId("other").selectedIndex = Math.min(1 + byId("broken").selectedIndex, base.messages.length - 1);
    }
    const promise = view.operation.isComposite ? "each pixel ends at one rank, with all images" : "each rank ends with what MPI promises";
    byId("mend").hidden = !state.changes.length;
    for (const button of document.querySelectorAll("[data-break]")) button.disabled = !view.core.isFree || !base.messages.length;
    verdict.className = run.sentence ? "wrong" : "right";
    verdict.textContent = run.sentence ? `${run.sentence[0].toUpperCase()}${run.sentence.slice(1)}.`
      : state.changes.length ? `Still right: ${promise}.` : `Proved: ${promise}.`;
  },
};
