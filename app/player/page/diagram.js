/* Ranks from top to bottom, time from left to right. */
const Diagram = {
  layout(width, size) {
    const row = clamp(Math.floor(380 / size), 9, 44);
    return { left: 34, right: 14, top: 8, row, width, height: 8 + row * size + 26 };
  },

  x(l, view, time) { return l.left + (l.width - l.left - l.right) * time / view.duration; },

  /* Bars of one kind; those that touch and are short are drawn as one. */
  bars(scene, l, view, spans, fill, top, height) {
    for (let rank = 0; rank < view.run.size; rank++) {
      let open = null;
      const flush = () => {
        if (open) scene.rect(open[0], l.top + l.row * rank + top, Math.max(open[1] - open[0], .8), height, fill, { alpha: .9 });
        open = null;
      };
      for (const [from, to] of spans[rank].sort((a, b) => a[0] - b[0])) {
        const x0 = Diagram.x(l, view, from), x1 = Diagram.x(l, view, to);
        if (open && x0 - open[1] < .5 && (x1 - open[1] < 2 || x0 < open[1] - .5)) open[1] = Math.max(open[1], x1);
        else {
          flush();
          open = [x0, x1 - (x1 - x0 > 4 ? 1 : 0)];
        }
      }
      flush();
    }
  },

  spans(view, end, pick) {
    const all = Array.from({ length: view.run.size }, () => []);
    for (const m of view.run.messages) {
      const [rank, from, to] = pick(m);
      if (from < end && to > from) all[rank].push([from, Math.min(to, end)]);
    }
    return all;
  },

  arrows(scene, l, view, end) {
    const { run } = view, many = run.messages.length > 1500, y = rank => l.top + l.row * (rank + .5);
    const draw = (m, stroke, line, alpha) => {
      const part = m.came > end ? (end - m.sent) / (m.came - m.sent) : 1;
      const x0 = Diagram.x(l, view, m.sent), x1 = Diagram.x(l, view, m.sent + (m.came - m.sent) * part);
      scene.line(x0, y(m.src), x1, y(m.src) + (y(m.dst) - y(m.src)) * part, stroke, { line, alpha });
      if (part === 1 && line > 1) scene.rect(x1 - 2, y(m.dst) - 2, 4, 4, stroke, { round: 2 });
    };
    const shown = run.messages.filter(m => m.src !== m.dst && m.sent < end);
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

  base(width, view) {
    const l = Diagram.layout(width, view.run.size), scene = new Scene(width, l.height), { run, state } = view;
    const end = view.masked ? view.time : Infinity, half = Math.max(2, (l.row - 3) / 2), every = Math.ceil(12 / l.row);
    for (let rank = 0; rank < run.size; rank++) {
      const y = l.top + l.row * rank, chosen = rank === state.rank, hot = rank === view.hot.rank;
      if (chosen || hot || rank % 2 === 0) scene.rect(l.left, y, width - l.left - l.right, l.row, chosen || hot ? theme.accent : theme.panel, { alpha: chosen || hot ? .14 : .6 });
      if (rank % every === 0 || chosen || hot) scene.text(l.left - 6, y + l.row / 2 + 4, rank, chosen ? theme.accent : theme.soft, { align: "end", size: Math.min(12, l.row + 2), bold: chosen });
      const late = state.late[rank] ?? 0;
      if (late > 0) scene.rect(l.left, y + 2, Diagram.x(l, view, Math.min(late, end)) - l.left, l.row - 4, theme.ghost, { stroke: theme.soft, dash: [3, 3] });
    }
    Diagram.ticks(scene, l, view);
    Diagram.bars(scene, l, view, Diagram.spans(view, end, m => m.src === m.dst ? [m.src, 0, 0] : [m.src, m.sent, m.left]), theme.send, 1, half);
    Diagram.bars(scene, l, view, Diagram.spans(view, end, m => m.src === m.dst ? [m.dst, 0, 0] : [m.dst, m.comes, m.came]), theme.receive, 1 + half, half);
    Diagram.bars(scene, l, view, Diagram.spans(view, end, m => [m.dst, m.combines, m.done]), theme.combine, 1 + half, half);
    Diagram.arrows(scene, l, view, end);
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
    const l = view.diagramLayout, rank = Math.floor((y - l.top) / l.row), time = Diagram.timeAt(view, x);
    if (rank < 0 || rank >= view.run.size) return {};
    if (view.masked && time > view.time) return { rank };
    const m = view.run.messages.find(o => (o.src === rank && o.sent <= time && time <= o.left) || (o.dst === rank && o.comes <= time && time <= o.done));
    return m && x > l.left ? { message: m.number, rank } : { rank };
  },
};

/* Elements from each rank to each other one: whole, and sent so far. */
const Matrix = {
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
    for (const m of run.messages) {
      if (m.src === m.dst) continue;
      const key = m.src * run.size + m.dst, weight = m.elements || 1;
      all.set(key, (all.get(key) ?? 0) + weight);
      if (m.came <= view.time * (1 + 1e-12)) now.set(key, (now.get(key) ?? 0) + weight);
    }
    const most = Math.max(1, ...all.values()), every = Math.max(1, Math.ceil(14 / cell));
    scene.rect(left, 20, size, size, theme.panel);
    for (const [key, total] of view.masked ? now : all) {
      const src = Math.floor(key / run.size), dst = key % run.size, x = left + cell * dst, y = 20 + cell * src;
      const gap = cell > 6 ? 1 : 0, part = (now.get(key) ?? 0) / total, strength = .25 + .75 * Math.sqrt(total / most);
      scene.rect(x, y, cell - gap, cell - gap, theme.accent, { alpha: .22 * strength });
      if (part) scene.rect(x, y + (cell - gap) * (1 - part), cell - gap, (cell - gap) * part, theme.accent, { alpha: strength });
      if (cell >= 6 + 6.5 * String(total).length) scene.text(x + cell / 2, y + cell / 2 + 4, total, part > .7 && strength > .55 ? theme.card : theme.ink, { align: "middle", size: 10 });
    }
    const hot = run.messages[view.hot.message];
    if (hot) scene.rect(left + cell * hot.dst, 20 + cell * hot.src, cell, cell, null, { stroke: theme.ink, line: 2 });
    for (let rank = 0; rank < run.size; rank += every) {
      const is = rank === (view.hot.rank ?? state.rank);
      scene.text(left - 5, 24 + cell * (rank + .5), rank, is ? theme.accent : theme.soft, { align: "end", size: 10, bold: is });
      scene.text(left + cell * (rank + .5), 15, rank, is ? theme.accent : theme.soft, { align: "middle", size: 10, bold: is });
    }
    scene.text(left, size + 33, "rows send, columns receive", theme.soft, { size: 11 });
    view.matrixLayout = { left, cell };
    return scene;
  },

  find(view, x, y) {
    const { left, cell } = view.matrixLayout, dst = Math.floor((x - left) / cell), src = Math.floor((y - 20) / cell);
    const m = view.run.messages.find(o => o.src === src && o.dst === dst && src !== dst);
    return m && !view.masked ? { message: m.number } : {};
  },

  over() {},
};
