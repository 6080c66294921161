/* Ranks from top to bottom, time from left to right. A frame has two panels: measured above planned. */
const Diagram = {
  layout(width, view) {
    const { panels, run } = view, rows = Math.ceil(run.size / (run.step ?? 1)), titled = !!view.core.frame, head = titled ? 20 : 0;
    const row = rows > 64 ? clamp(Math.floor(560 / rows), 1, 6) : clamp(Math.floor((panels.length > 1 ? 300 : 380) / rows), panels.length > 1 ? 6 : 9, panels.length > 1 ? 30 : 44);
    const tops = panels.map((_, n) => 8 + head + n * (row * rows + head + 8));
    return { left: titled ? 40 : 34, right: 14, tops, top: tops[0], row, rows, step: run.step ?? 1, width, height: tops.at(-1) + row * rows + 26 };
  },

  x(l, view, time) { return l.left + (l.width - l.left - l.right) * clamp(time / view.duration, 0, 1); },

  /* Bars of one kind; those that touch and are short are drawn as one. */
  bars(scene, l, view, top, spans, fill, shift, height, alpha = .9) {
    spans.forEach((list, row) => {
      let open = null;
      const flush = () => {
        if (open) scene.rect(open[0], top + l.row * row + shift, Math.max(open[1] - open[0], .8), height, fill, { alpha });
        open = null;
      };
      for (const [from, to] of list.sort((a, b) => a[0] - b[0])) {
        if (to <= 0) continue;
        const x0 = Diagram.x(l, view, from), x1 = Diagram.x(l, view, to);
        if (open && x0 - open[1] < .5 && (x1 - open[1] < 2 || x0 < open[1] - .5)) open[1] = Math.max(open[1], x1);
        else {
          flush();
          open = [x0, x1 - (x1 - x0 > 4 ? 1 : 0)];
        }
      }
      flush();
    });
  },

  spans(view, end, pick) {
    const all = Array.from({ length: view.run.size }, () => []);
    for (const m of view.run.messages) {
      const [rank, from, to] = pick(m);
      if (from < end && to > from) all[rank].push([from, Math.min(to, end)]);
    }
    return all;
  },

  arrows(scene, l, view, run, top, end) {
    const many = run.messages.length > 1500, y = rank => top + l.row * (Math.floor(rank / l.step) + .5);
    const draw = (m, stroke, line, alpha) => {
      const part = m.came > end ? (end - m.sent) / (m.came - m.sent) : 1;
      const x0 = Diagram.x(l, view, m.sent), x1 = Diagram.x(l, view, m.sent + (m.came - m.sent) * part);
      scene.line(x0, y(m.src), x1, y(m.src) + (y(m.dst) - y(m.src)) * part, stroke, { line, alpha });
      if (part === 1 && line > 1) scene.rect(x1 - 2, y(m.dst) - 2, 4, 4, stroke, { round: 2 });
    };
    const shown = run.messages.filter(m => m.src !== m.dst && m.sent < end && (!run.bars || (m.elements && m.came > 0)));
    if (!many) shown.forEach(m => draw(m, theme.ink, 1, run.size > 16 ? .25 : .4));
    if (!view.masked) shown.filter(m => m.critical).slice(0, 1500).forEach(m => draw(m, theme.path, 2, 1));
    const hot = shown.find(m => m.number === view.hot.message);
    if (hot) draw(hot, theme.accent, 3, 1);
  },

  ticks(scene, l, view) {
    const rough = view.duration / Math.max(2, (l.width - 60) / 110), power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(f => f * power).find(f => f >= rough);
    for (let n = 0; n * step <= view.duration * 1.0001; n++) {
      const x = Diagram.x(l, view, n * step);
      scene.line(x, l.top, x, l.height - 20, theme.line);
      scene.text(x, l.height - 6, timeText(n * step, 3), theme.soft, { align: n ? "middle" : "start", size: 11 });
    }
  },

  key(view) { return view.masked ? view.time : ""; },

  /* Stripes of the rows, and the names of ranks. */
  rows(scene, l, view, top) {
    const { state, hot } = view, every = Math.ceil(12 / l.row);
    for (let row = 0; row < l.rows; row++) {
      const y = top + l.row * row, rank = row * l.step, chosen = rank === state.rank, is = chosen || rank === hot.rank;
      if (is || row % 2 === 0) scene.rect(l.left, y, l.width - l.left - l.right, l.row, is ? theme.accent : theme.panel, { alpha: is ? .14 : .6 });
      if (view.nodeOf && row && view.nodeOf[rank] !== view.nodeOf[rank - l.step]) scene.line(4, y, l.width - l.right, y, theme.soft);
      if (row % every === 0 || (is && l.row > 4)) scene.text(l.left - 6, y + l.row / 2 + 4, nameOf(rank), chosen ? theme.accent : theme.soft, { align: "end", size: Math.min(12, Math.max(9, l.row + 2)), bold: chosen });
    }
  },

  /* What a schedule's ranks do. */
  work(scene, l, view) {
    const { run, state } = view, end = view.masked ? view.time : Infinity, half = Math.max(2, (l.row - 3) / 2), bars = (pick, fill, shift) => Diagram.bars(scene, l, view, l.top, Diagram.spans(view, end, pick), fill, shift, half);
    for (let rank = 0; rank < run.size; rank++) {
      const late = state.late[rank] ?? 0;
      if (late > 0) scene.rect(l.left, l.top + l.row * rank + 2, Diagram.x(l, view, Math.min(late, end)) - l.left, l.row - 4, theme.ghost, { stroke: theme.soft, dash: [3, 3] });
    }
    bars(m => m.src === m.dst ? [m.src, 0, 0] : [m.src, m.sent, m.left], theme.send, 1);
    bars(m => m.src === m.dst ? [m.dst, 0, 0] : [m.dst, m.comes, m.came], theme.receive, 1 + half);
    bars(m => [m.dst, m.combines, m.done], theme.combine, 1 + half);
    Diagram.arrows(scene, l, view, run, l.top, end);
  },

  /* What the ranks of a frame did, or are planned to do. */
  workOfFrame(scene, l, view, run, top) {
    const { frame } = view.core, shift = (frame.origin ?? 0) - view.core.shift, thick = Math.max(1, l.row - 2), inset = l.row > 5 ? 1 : 0;
    const bars = (spans, fill, from, height, alpha) => Diagram.bars(scene, l, view, top, spans, fill, from, height, alpha);
    const stage = name => frame.stages[name].begin.map((begin, row) => [[begin - shift, begin - shift + frame.stages[name].wall[row]]]);
    scene.text(l.left, top - 6, run.side === "measured" ? "measured" : frame.measured ? "planned" : "planned by the model", theme.ink, { size: 12, bold: run.side === view.run.side });
    if (frame.stages) {
      const fills = run.side === "measured" ? { load: theme.c6, render: theme.draw, finish: theme.c4, write: theme.c6 } : { render: theme.draw };
      for (const [name, fill] of Object.entries(fills)) bars(stage(name), fill, inset, thick, run.side === "measured" ? .5 : .25);
    }
    const half = Math.max(1, thick / 2);
    bars(run.bars.wait, theme.ghost, inset, thick, 1);
    bars(run.bars.receive, theme.receive, inset + half, half);
    bars(run.bars.send, theme.send, inset, half);
    bars(run.bars.blend, theme.combine, inset + half, half);
    Diagram.arrows(scene, l, view, run, top, Infinity);
  },

  base(width, view) {
    const l = Diagram.layout(width, view), scene = new Scene(width, l.height);
    for (const top of l.tops) Diagram.rows(scene, l, view, top);
    Diagram.ticks(scene, l, view);
    if (view.core.frame) view.panels.forEach((run, n) => Diagram.workOfFrame(scene, l, view, run, l.tops[n]));
    else Diagram.work(scene, l, view);
    view.diagramLayout = l;
    return scene;
  },

  over(scene, view) {
    const l = view.diagramLayout, x = Diagram.x(l, view, view.time);
    scene.line(x, l.top - 6, x, l.height - 18, theme.accent, { line: 2 });
    scene.path([x - 5, l.top - 8, x + 5, l.top - 8, x, l.top - 1], { fill: theme.accent });
  },

  timeAt(view, x) {
    const l = view.diagramLayout;
    return clamp((x - l.left) / (l.width - l.left - l.right), 0, 1) * view.duration;
  },

  find(view, x, y) {
    const l = view.diagramLayout, panel = l.tops.findLastIndex(top => y >= top), row = Math.floor((y - l.tops[panel]) / l.row), rank = row * l.step, time = Diagram.timeAt(view, x);
    if (panel < 0 || row < 0 || row >= l.rows) return {};
    if (view.masked && time > view.time) return { rank };
    const messages = view.panels[panel].messages.filter(o => !view.core.frame || o.elements);
    const m = messages.find(o => (o.src === rank && o.sent <= time && time <= o.left) || (o.dst === rank && o.comes <= time && time <= o.done));
    return m && x > l.left ? { message: m.number, rank } : { rank };
  },
};

/* Elements from each rank to each other one: whole, and sent so far. */
const Matrix = {
  isSlow: true,

  /* It changes when messages arrive. */
  key(view) {
    const arrivals = view.arrivals ??= view.run.messages.map(m => m.came).sort((a, b) => a - b);
    let low = 0, high = arrivals.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (arrivals[middle] <= view.time * (1 + 1e-12)) low = middle + 1;
      else high = middle;
    }
    return low;
  },

  base(width, view) {
    const { run, state } = view, left = 26, size = Math.min(width - left - 4, 280), cell = size / run.size, scene = new Scene(width, size + 34);
    const all = new Map(), now = new Map();
    if (run.matrix) return Matrix.ofGroups(width, view);
    for (const m of run.messages) {
      if (m.src === m.dst || (view.core.frame && !m.elements)) continue;
      const key = m.src * run.size + m.dst, weight = m.elements || 1;
      all.set(key, (all.get(key) ?? 0) + weight);
      if (m.came <= view.time * (1 + 1e-12)) now.set(key, (now.get(key) ?? 0) + weight);
    }
    const most = Math.max(1, ...all.values()), every = Math.max(1, Math.ceil(Math.max(14, 8 * String(run.size - 1).length) / cell));
    scene.rect(left, 20, size, size, theme.panel);
    for (const [key, total] of view.masked ? now : all) {
      const src = Math.floor(key / run.size), dst = key % run.size, x = left + cell * dst, y = 20 + cell * src;
      const gap = cell > 6 ? 1 : 0, part = (now.get(key) ?? 0) / total, strength = .25 + .75 * Math.sqrt(total / most);
      scene.rect(x, y, cell - gap, cell - gap, theme.accent, { alpha: .22 * strength });
      if (part) scene.rect(x, y + (cell - gap) * (1 - part), cell - gap, (cell - gap) * part, theme.accent, { alpha: strength });
      const text = view.core.frame ? bytesText(total) : String(total);
      if (cell >= 6 + 6.5 * text.length) scene.text(x + cell / 2, y + cell / 2 + 4, text, part > .7 && strength > .55 ? theme.card : theme.ink, { align: "middle", size: 10 });
    }
    for (let rank = 1; view.nodeOf && rank < run.size; rank++) {
      if (view.nodeOf[rank] === view.nodeOf[rank - 1]) continue;
      scene.line(left, 20 + cell * rank, left + size, 20 + cell * rank, theme.soft);
      scene.line(left + cell * rank, 20, left + cell * rank, 20 + size, theme.soft);
    }
    const hot = run.messages[view.hot.message];
    if (hot) scene.rect(left + cell * hot.dst, 20 + cell * hot.src, cell, cell, null, { stroke: theme.ink, line: 2 });
    for (let rank = 0; rank < run.size; rank += every) {
      const is = rank === (view.hot.rank ?? state.rank);
      scene.text(left - 5, 24 + cell * (rank + .5), nameOf(rank), is ? theme.accent : theme.soft, { align: "end", size: 10, bold: is });
      scene.text(left + cell * (rank + .5), 15, nameOf(rank), is ? theme.accent : theme.soft, { align: "middle", size: 10, bold: is });
    }
    scene.text(left, size + 33, "rows send, columns receive", theme.soft, { size: 11 });
    view.matrixLayout = { left, cell };
    return scene;
  },

  /* Of very many messages the sums from group to group of ranks. */
  ofGroups(width, view) {
    const { run } = view, left = 34, size = Math.min(width - left - 4, 280), cell = size / run.groups, scene = new Scene(width, size + 34), most = Math.max(1, ...run.matrix);
    scene.rect(left, 20, size, size, theme.panel);
    run.matrix.forEach((bytes, i) => {
      if (bytes) scene.rect(left + cell * (i % run.groups), 20 + cell * Math.floor(i / run.groups), cell, cell, theme.accent, { alpha: .15 + .85 * Math.sqrt(bytes / most) });
    });
    for (const group of [0, Math.floor(run.groups / 2), run.groups - 1]) {
      const rank = Math.floor(group * run.size / run.groups);
      scene.text(left - 5, 24 + cell * (group + .5), nameOf(rank), theme.soft, { align: "end", size: 10 });
      scene.text(left + cell * (group + .5), 15, nameOf(rank), theme.soft, { align: "middle", size: 10 });
    }
    scene.text(left, size + 33, `rows send, columns receive, ${+(run.size / run.groups).toFixed(1)} ranks each`, theme.soft, { size: 11 });
    view.matrixLayout = null;
    return scene;
  },

  find(view, x, y) {
    if (!view.matrixLayout) return {};
    const { left, cell } = view.matrixLayout, dst = Math.floor((x - left) / cell), src = Math.floor((y - 20) / cell);
    const m = view.run.messages.find(o => o.src === src && o.dst === dst && src !== dst);
    return m && !view.masked ? { message: m.number } : {};
  },

  over() {},
};
