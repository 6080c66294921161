/* Panels of text: the cost, the program of a rank, the list of steps, the present moment. */

/* Changes a text only where it is another one: a change costs a layout. */
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const Cost = {
  /* Of the critical path, what has passed at a time. */
  counted(view) {
    const { run, time } = view, limit = time * (1 + 1e-12), most = run.walk;
    if (limit >= run.seconds) return most;
    const so = [0, 0, 0, 0, 0];
    for (const number of run.path) {
      const m = run.messages[number];
      if (m.src !== m.dst && m.came <= limit) {
        so[m.isNear ? 3 : 0]++;
        so[m.isNear ? 4 : 1] += m.elements;
      }
      if (m.done <= limit) so[2] += m.combined;
    }
    return so.map((value, i) => Math.min(value, most[i] ?? 0));
  },

  seconds(cost, problem) {
    const prices = [problem.alpha, problem.beta, problem.gamma, problem.nearAlpha, problem.nearBeta];
    return cost.reduce((sum, times, i) => sum + times * prices[i], 0);
  },

  show(view) {
    const key = `${view.serial}/${view.masked}`, counted = Cost.counted(view);
    if (Cost.key !== key) Cost.build(view, counted);
    Cost.key = key;
    put(Cost.now.firstChild, costText(counted));
    put(Cost.now.lastChild, timeText(Math.min(view.time, view.run.seconds)));
  },

  build(view, counted) {
    const { run, problem, algorithm } = view, t = run.totals;
    const waits = run.seconds - run.start - Cost.seconds(run.walk, problem);
    const rows = [...algorithm.formula ? [["formula", costText(run.formula), timeText(Cost.seconds(run.formula, problem))]] : [],
      ["critical path", costText(run.walk), timeText(run.seconds)], ["so far", costText(counted), timeText(Math.min(view.time, run.seconds))]];
    const list = html("dl", { class: "numbers" + (view.masked ? " hidden-future" : "") });
    for (const [name, cost, seconds] of rows) {
      const isPath = name === "critical path", waiting = isPath && waits > 1e-9 * run.seconds ? [html("i", {}, ` + ${timeText(waits, 3)} at ports`)] : [];
      const kind = isPath ? "main" : name === "formula" ? "other" : "";
      list.append(html("dt", { class: kind }, name), html("dd", { class: kind }, html("b", {}, cost, ...waiting), html("span", {}, seconds)));
    }
    Cost.now = list.lastChild;
    const extra = run.start > 0 ? ` The path begins at ${timeText(run.start)}.` : "";
    const onTime = Object.keys(problem.late).length && view.core.isFree && !view.state.changes.length ? view.core.seconds({ ...problem, late: {} }, algorithm) : -1;
    const late = onTime >= 0 ? ` Late ranks cost ${timeText(Math.max(0, run.seconds - onTime))}: without them it takes ${timeText(onTime)}.` : "";
    const port = waits > 1e-9 * run.seconds ? ` It waits ${timeText(waits)} for other messages at a port.` : "";
    byId("cost").replaceChildren(...algorithm.formula ? [html("p", { class: "formula" }, algorithm.formula)] : [], list,
      html("p", { class: "totals" }, `${many(t.messages, "message")} in ${many(t.rounds, "round")}, ${many(t.elements, view.unit)} sent; a rank sends at most ${many(t.mostSent, view.unit)}.` +
        (algorithm.order ? ` Operands are combined ${algorithm.order}.` : "") + extra + late + port + (view.problem.nodeOf && algorithm.formula ? " The formula is that of ranks with a node each." : "")));
  },
};

/* "[0, 4)", and "2's [0, 4)" in an alltoall. */
function rangesText(view, ops, end) {
  const parts = [];
  for (const op of ops) {
    if (op.kind === "notify") return "a notification";
    const owner = view.operation.hasVectors ? `${op[end]}'s ` : "", last = parts.at(-1);
    if (last && last.owner === owner && last.to === op.first) last.to = op.first + op.count;
    else parts.push({ owner, from: op.first, to: op.first + op.count });
  }
  const text = parts.slice(0, 3).map(p => `${p.owner}[${p.from}, ${p.to})`).join(" ");
  return parts.length > 3 ? `${text} and ${parts.length - 3} more` : text;
}

/* "round 3"; in a frame the last one may bring finished pieces to rank 0. */
const roundText = round => data.frame && round === data.frame.last ? "gathering" : `round ${round}`;

/* What a message carries. */
function payloadText(view, m) {
  const kind = m.ops[0]?.kind, ranges = m.ops.length ? `${rangesText(view, m.ops, "from")}, ${kind}` : "";
  return view.core.frame ? [ranges && rangesText(view, m.ops, "from"), m.elements ? bytesText(m.elements) : "no pixels"].filter(Boolean).join(", ") : ranges;
}

const WORDS = { copy: "stores it", move: "takes it over", reduce: "combines it", concatenate: "adds it", notify: "knows of it", blend: "blends it" };

/* The program of one rank: its part of the schedule, a line for each message. */
const Program = {
  lines(view, rank) {
    const { run } = view, lines = [], seen = new Set();
    if (view.core.frame) return Program.linesOfFrame(view, rank);
    for (let i = run.begin[rank]; i < run.begin[rank + 1]; i++) {
      const op = run.ops[i], m = op.message, sends = op.src === rank, key = `${m.number},${sends}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (m.src === m.dst) lines.push({ m, round: m.round, from: m.combines, to: m.done, text: `arrange ${rangesText(view, m.ops, "from")}` });
      else if (sends) lines.push({ m, round: m.round, from: m.sent, to: m.left, text: `send ${rangesText(view, m.ops, "from")} to ${m.dst}` });
      else lines.push({ m, round: m.round, from: m.comes, to: m.done, text: `receive ${rangesText(view, m.ops, "into")} from ${m.src}${m.combined ? ", combine" : ""}` });
    }
    return lines;
  },

  /* In a frame by time, without messages that had no pixels. */
  linesOfFrame(view, rank) {
    const what = m => m.ops.length ? `${rangesText(view, m.ops, "from")}, ${bytesText(m.elements)},` : bytesText(m.elements);
    return view.run.messages.filter(m => m.elements && m.src !== m.dst && (m.src === rank || m.dst === rank))
      .map(m => m.src === rank ? { m, round: m.round, from: m.sent, to: m.isNear ? m.came : m.left, text: `${m.isNear ? "let" : "send"} ${what(m)} ${m.isNear ? `be read by ${nameOf(m.dst)}` : `to ${nameOf(m.dst)}`}` }
        : { m, round: m.round, from: m.combines, to: m.done, text: `blend ${what(m)} from ${nameOf(m.src)}` })
      .sort((a, b) => a.from - b.from || a.to - b.to);
  },

  state(line, time, eps) { return time + eps >= line.to ? "past" : time + eps >= line.from ? "is" : "later"; },

  /* Rows for the lines; of very long programs, those around the present. */
  show(view) {
    const key = `${view.state.rank}/${view.serial}`, list = byId("program"), eps = 1e-12 * view.run.seconds;
    if (Program.key !== key) {
      Program.key = key;
      Program.all = Program.lines(view, view.state.rank);
      Program.window = -1;
    }
    const all = Program.all, most = 160;
    const present = all.findIndex(line => Program.state(line, view.time, eps) !== "past");
    const start = all.length <= most ? 0 : clamp((present < 0 ? all.length : present) - most / 2, 0, all.length - most);
    if (Program.window !== start) {
      Program.window = start;
      const rows = all.slice(start, start + most).map(line => html("li", { "data-message": line.m.number }, html("i"), html("i", {}, roundText(line.round)), html("span", {}, line.text)));
      if (!all.length) rows.push(html("li", { class: "more" }, "nothing to do"));
      if (start) rows.unshift(html("li", { class: "more" }, `… ${many(start, "line")} before`));
      if (start + most < all.length) rows.push(html("li", { class: "more" }, `… ${many(all.length - start - most, "line")} more`));
      list.replaceChildren(...rows);
      Program.rows = [...list.querySelectorAll("li[data-message]")].map(row => ({ row, look: "" }));
      Program.marked = null;
    }
    const marked = Program.mark(view, all.slice(start, start + most), eps);
    if (marked && marked !== Program.marked) list.scrollTop = clamp(list.scrollTop, marked.offsetTop + marked.offsetHeight - list.clientHeight + 8, marked.offsetTop - 8);
    Program.marked = marked;
    put(byId("program-rank"), `${nameOf(view.state.rank)}`);
  },

  /* Gives the rows their marks; returns the first that is at work or waits, or null. */
  mark(view, lines, eps) {
    let marked = null;
    Program.rows.forEach((at, i) => {
      const line = lines[i], state = Program.state(line, view.time, eps), waits = state === "later" && !marked, { row } = at;
      if (state === "is" || waits) marked ??= row;
      const hot = view.hot.message === line.m.number, look = `${waits ? "waits" : state === "later" ? "" : state}${hot ? " hot" : ""}`, hidden = line.from >= view.maskedFrom;
      if (at.look === look && row.hidden === hidden) return;
      at.look = row.className = look;
      row.hidden = hidden;
      row.firstChild.textContent = state === "is" ? "▶" : waits ? "▷" : "";
    });
    return marked;
  },
};

/* The program of one rank with loops: rounds that look alike are one loop, and so are messages of a round. Peers
 * and counts are given as formulas where one fits. */
const Loops = {
  /* Formulas of a peer in iteration k. */
  FORMS: [["r + 1", (r, k, p) => (r + 1) % p], ["r − 1", (r, k, p) => (r + p - 1) % p],
    ["r xor 2^k", (r, k) => r ^ 2 ** k], ["r xor 2^(LAST − k)", (r, k, p, n) => r ^ 2 ** (n - 1 - k)], ["r + 2^(LAST − k)", (r, k, p, n) => (r + 2 ** (n - 1 - k)) % p], ["r + 2^k", (r, k, p) => (r + 2 ** k) % p], ["r − 2^k", (r, k, p) => (r - 2 ** k + p * 2 ** k) % p],
    ["r + k + 1", (r, k, p) => (r + k + 1) % p], ["r − k − 1", (r, k, p) => (r + p * (k + 1) - k - 1) % p], ["r xor (k + 1)", (r, k) => r ^ (k + 1)], ["k", (r, k) => k], ["k + 1", (r, k) => k + 1]],

  /* Whether a formula gives the peers of a rank. */
  fits(of, list, rank, size, n) { return list.length === n && list.every((peer, k) => peer === of(rank, k, size, n)); },

  /* Of the formulas that fit, that which fits most other ranks: [of each rank the peers in the same rounds]. */
  peers(list, rank, size, others) {
    if (list.length === 1) return `${nameOf(list[0])}`;
    const n = list.length, constant = [`${nameOf(list[0])}`, () => list[0]], forms = data.frame ? [constant] : [...Loops.FORMS, constant];
    const scored = forms.filter(([, of]) => Loops.fits(of, list, rank, size, n)).map(form => ({ form, score: others.filter((other, r) => Loops.fits(form[1], other, r, size, n)).length }));
    if (!scored.length) return n > 6 ? `${list.slice(0, 4).map(nameOf).join(", ")}, …` : list.map(nameOf).join(", ");
    const [text, of] = scored.reduce((best, one) => one.score > best.score ? one : best).form;
    return text.replace("LAST", n - 1) + (/[+−]/.test(text) && !text.includes("xor") && list.some((peer, k) => peer !== of(rank + 1e6 * size, k, 1e9 * size, n) - 1e6 * size) ? " mod p" : "");
  },

  counts(view, list) {
    const unit = view.unit, [first] = list, same = of => list.every((count, k) => count === of(k));
    const text = count => unit === "byte" ? bytesText(count) : many(count, unit);
    if (same(() => first)) return first ? text(first) : "a notification";
    if (same(k => first * 2 ** k)) return `${first === 1 ? "" : `${first} · `}2^k ${unit}s`;
    if (same(k => Math.round(first / 2 ** k))) return `${first} / 2^k ${unit}s`;
    const least = Math.min(...list), most = Math.max(...list);
    return unit === "byte" ? `${bytesText(least)} to ${bytesText(most)}` : `${least.toLocaleString("en").replaceAll(",", "\u202f")} to ${many(most, unit)}`;
  },

  /* Rounds as lists of groups: messages that the rank sends, receives, or keeps. */
  rounds(view, rank) {
    const rounds = new Map(), kinds = [["send", m => m.src === rank && m.dst !== rank], ["receive", m => m.dst === rank && m.src !== rank], ["arrange", m => m.src === rank && m.dst === rank]];
    const mine = view.run.messages.filter(m => (m.src === rank || m.dst === rank) && !(view.core.frame && !m.elements));
    for (const m of mine) rounds.set(m.round, [...rounds.get(m.round) ?? [], m]);
    return [...rounds].sort((a, b) => a[0] - b[0]).map(([round, all]) => ({ round, groups: kinds.map(([kind, is]) => ({ kind, messages: all.filter(is) })).filter(group => group.messages.length) }));
  },

  /* Peers of all ranks, by kind and round. */
  index(view) {
    if (Loops.indexed === view.serial) return Loops.table;
    Loops.indexed = view.serial;
    Loops.table = { send: Array.from({ length: view.run.size }, () => new Map()), receive: Array.from({ length: view.run.size }, () => new Map()) };
    const put = (map, round, peer) => map.set(round, [...map.get(round) ?? [], peer]);
    if (view.run.size <= 64) for (const m of view.run.messages) if (m.src !== m.dst) {
      put(Loops.table.send[m.src], m.round, m.dst);
      put(Loops.table.receive[m.dst], m.round, m.src);
    }
    return Loops.table;
  },

  phrase(view, rank, kind, messages) {
    const what = Loops.counts(view, messages.map(m => m.elements)), rounds = [...new Set(messages.map(m => m.round))], index = Loops.index(view)[kind] ?? [];
    const peers = Loops.peers(messages.map(m => kind === "send" ? m.dst : m.src), rank, view.run.size, index.map(map => rounds.flatMap(round => map.get(round) ?? [])));
    if (kind === "arrange") return "arrange the elements";
    return kind === "send" ? `send ${what} to ${peers}` : `receive ${what} from ${peers}${messages.some(m => m.combined) ? ", combine" : ""}`;
  },

  /* Lines { text, depth, messages, iterations }. */
  lines(view, rank) {
    const rounds = Loops.rounds(view, rank), lines = [], shape = round => round.groups.map(g => g.kind + (g.messages[0].combined > 0) + (g.messages.length > 1 ? `*${g.messages.length}` : "")).join();
    for (let i = 0; i < rounds.length;) {
      let end = i + 1;
      while (end < rounds.length && shape(rounds[end]) === shape(rounds[i]) && rounds[i].groups.every(g => g.messages.length === 1)) end++;
      const block = rounds.slice(i, end);
      if (block.length > 1) {
        lines.push({ text: k => `for k = 0 to ${block.length - 1}${k >= 0 ? `:  # k = ${k}` : ":"}`, iterations: block.map(round => round.groups.flatMap(g => g.messages)), depth: 0, isHead: true });
        block[0].groups.forEach((group, n) => {
          const messages = block.map(round => round.groups[n].messages[0]);
          lines.push({ text: () => Loops.phrase(view, rank, group.kind, messages), iterations: messages.map(m => [m]), depth: 1 });
        });
      } else {
        for (const { kind, messages } of block[0].groups) {
          if (messages.length > 1) lines.push({ text: k => `for k = 0 to ${messages.length - 1}${k >= 0 ? `:  # k = ${k}` : ":"}`, iterations: messages.map(m => [m]), depth: 0, isHead: true });
          lines.push({ text: () => Loops.phrase(view, rank, kind, messages), iterations: messages.map(m => [m]), depth: messages.length > 1 ? 1 : 0 });
        }
      }
      i = end;
    }
    return lines;
  },

  show(view) {
    const { state, run, time, serial } = view, key = `${state.rank}/${serial}`, eps = 1e-12 * run.seconds, going = m => m.sent <= time + eps && time + eps < m.done;
    if (Loops.key !== key) {
      Loops.key = key;
      const all = Loops.lines(view, state.rank);
      Loops.all = all.some(line => line.isHead) && all.length <= 40 ? all : [];
      byId("loops").replaceChildren(...Loops.all.map(line => html("li", { class: line.depth ? "inner" : "" }, line.text(-1))));
    }
    Loops.all.forEach((line, i) => {
      const k = view.masked ? -1 : line.iterations.findIndex(messages => messages.some(going)), row = byId("loops").children[i];
      if (row.classList.contains("is") !== k >= 0) row.classList.toggle("is");
      if (line.isHead) put(row, line.text(k));
    });
    byId("loops").hidden = view.masked;
  },
};

const describe = (view, m) => view.core.frame ? `rank ${nameOf(m.src)} ${m.isNear ? "lets" : "sends"} ${bytesText(m.elements)} ${m.isNear ? "be read by" : "to"} rank ${nameOf(m.dst)}, which blends them`
  : m.src === m.dst ? `rank ${m.src} arranges its elements`
  : `rank ${m.src} sends ${rangesText(view, m.ops, "from")} to rank ${m.dst}, which ${WORDS[m.ops[0].kind]}`;

const Steps = {
  most: 1200,
  show(view) {
    const all = view.core.frame ? view.run.messages.filter(m => m.elements) : view.run.messages, messages = all.slice(0, Steps.most);
    const rows = messages.map(m => html("li", { value: m.number + 1 }, `${roundText(m.round)[0].toUpperCase()}${roundText(m.round).slice(1)}: ${describe(view, m)}, from ${timeText(m.sent)} to ${timeText(m.done)}${m.critical ? "; on the critical path" : ""}.`));
    if (all.length > Steps.most) rows.push(html("li", {}, `and ${many(all.length - Steps.most, "message")} more`));
    byId("steps").replaceChildren(...rows);
  },
};

const Now = {
  text(view) {
    const { run, time } = view, eps = 1e-12 * run.seconds;
    const going = run.messages.filter(m => (!view.core.frame || m.elements) && m.sent <= time + eps && time + eps < m.done && m.sent < view.maskedFrom);
    const late = Object.entries(view.state.late).filter(([, seconds]) => seconds > time + eps).map(([rank]) => +rank);
    if (view.core.frame) return Now.ofFrame(view, going);
    if (!run.messages.length) return "There is nothing to send.";
    if (time + eps >= run.seconds) return run.sentence ? "The end: the result is wrong." : view.operation.isComposite ? "The end: the picture is finished." : "The end: each rank has its result.";
    const parts = going.slice(0, 3).map(m => describe(view, m));
    if (going.length > 3) parts.push(`and ${many(going.length - 3, "message")} more`);
    if (!parts.length && !late.length) return view.masked ? "What happens now?" : "All ranks wait.";
    if (late.length) parts.unshift(late.length === 1 ? `rank ${late[0]} is late` : `ranks ${late.join(", ")} are late`);
    const text = parts.join("; ");
    return text[0].toUpperCase() + text.slice(1) + ".";
  },
  /* How many ranks render, wait and blend. */
  ofFrame(view, going) {
    const { run, time } = view, during = bars => bars?.some(([from, to]) => from <= time && time < to), rows = run.finish.map((_, row) => row);
    const count = kind => rows.filter(row => during(run.bars[kind]?.[row])).length;
    const begun = rows.filter(row => run.begins[row] <= time).length, done = rows.filter(row => run.finish[row] <= time).length;
    const busy = count("blend") + count("send") + count("wait") + done, parts = [[rows.length - begun, "before compositing"], [count("blend"), "blending"], [count("send"), "sending"], [count("wait"), "waiting"], [Math.max(0, begun - busy), "at other work"], [done, "done"]].filter(([n]) => n).map(([n, word]) => `${n} ${word}`);
    const now = going.slice(0, 2).map(m => describe(view, m));
    if (going.length > 2) now.push(`and ${many(going.length - 2, "message")} more`);
    return `Ranks: ${parts.join(", ")}.${now.length ? ` ${now[0][0].toUpperCase()}${now.join("; ").slice(1)}.` : ""}`;
  },
  show(view) {
    const text = view.playing && view.run.messages.length > 400 ? "" : Now.text(view);
    put(byId("now"), text);
    byId("now").setAttribute("aria-live", view.playing ? "off" : "polite"); // screen readers hear of steps, not of each frame
  },
};
