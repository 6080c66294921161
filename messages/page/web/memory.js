/* Memories as columns, and messages as boxes that move: to higher ranks above the columns, to lower ones below. */
const Memory = {
  layout(width, size, phone, picture, nodes) {
    const margin = phone ? 6 : 14, step = (width - 2 * margin) / size;
    const column = picture ? Math.min(step * .92, 320) : Math.min(step * (size > 24 ? .86 : .7), 84);
    const rise = phone ? 50 : 76, small = phone ? 11 : 16, most = 44;
    const tall = picture ? Math.max(24, column * picture.height / picture.width) : phone && theme.zoom === 1 ? 150 : clamp(theme.high - 2 * (rise + small) - 46, theme.least, theme.most);
    const box = picture ? tall * .7 : small, band = rise + box;
    return { width, margin, step, column, pad: clamp((step - column) / 2 - 1.25, 0, 2), band, tall, box, top: band + 26, late: most, height: band + 26 + tall + band + (nodes ? 40 : 20),
      x: rank => margin + (rank + .5) * step };
  },

  /* The shift of a column whose rank is late. */
  shift(l, late, view) { return late > 0 ? Math.min(1, late / view.scale) * l.late : 0; },

  /* A stripe for each rank at its place; where there is too little room, stripes of some of the set side by side. */
  stripes(scene, x, y, w, h, runs, size) {
    if (w < 2.5 * size) {
      Memory.narrowStripes(scene, x, y, w, h, runs, size);
      return;
    }
    for (const [first, end] of runs) {
      const pieces = clamp(Math.round(w / size * (end - first) / 3), 1, end - first);
      for (let i = 0; i < pieces; i++) {
        const from = (end - first) * i / pieces, to = (end - first) * (i + 1) / pieces;
        scene.rect(x + w / size * (first + from), y, w / size * (to - from) + .3, h, colour(first + Math.floor((from + to) / 2), size));
      }
    }
  },

  narrowStripes(scene, x, y, w, h, runs, size) {
    const count = runs.reduce((sum, [first, end]) => sum + end - first, 0), wide = w * (.3 + .7 * count / size);
    const stripes = clamp(Math.round(wide / 3), 1, count), unit = wide / stripes;
    let run = 0, passed = 0; // ranks in the runs before
    for (let i = 0; i < stripes; i++) {
      const at = Math.floor((i + .5) * count / stripes);
      while (at - passed >= runs[run][1] - runs[run][0]) {
        passed += runs[run][1] - runs[run][0];
        run++;
      }
      scene.rect(x + unit * i, y, unit + .3, h, colour(runs[run][0] + at - passed, size));
    }
  },

  /* Contents as shapes in a box: a set of ranks as stripes where the operation combines, else one colour. */
  cell(scene, view, x, y, w, h, vector, row, lo, hi) {
    const { operation, run } = view, size = run.size;
    if (operation.reduces || operation.isBarrier) {
      Memory.stripes(scene, x, y, w, h, runsOf(lo, hi, size), size);
      return;
    }
    scene.rect(x, y, w, h, colour(Memory.origin(view, vector, row), size));
  },

  /* The rank whose colour a row has: in an alltoall that of the vector, else that of the block. */
  origin(view, vector, row) {
    if (view.operation.hasVectors) return vector;
    return view.blockOf[row];
  },

  /* Neighbouring rows with the same contents, of one rank: [vector, first, end, lo, hi]. */
  pieces(view, rank) {
    const { replay, operation } = view, sets = operation.reduces || operation.isBarrier, all = [];
    for (let vector = 0; vector < replay.vectors; vector++) {
      let last = null;
      for (let row = 0; row < replay.rows; row++) {
        const at = replay.at(rank, vector, row), lo = replay.lo[at], hi = replay.hi[at];
        if (!lo && !hi) { last = null; continue; }
        const same = last && last[3] === lo && last[4] === hi &&
          !operation.hasVectors && (sets || view.blockOf[row] === view.blockOf[row - 1]);
        if (same) last[2] = row + 1;
        else all.push(last = [vector, row, row + 1, lo, hi]);
      }
    }
    return all;
  },

  column(scene, texts, l, view, rank, y0) {
    const { replay, operation, run } = view, x = l.x(rank) - l.column / 2, pieces = Memory.pieces(view, rank);
    const total = operation.isBarrier ? 1 : replay.borders[replay.rows] || 1;
    const text = (y, h, words, back) => {
      if (h >= 13 && l.column >= 9 + 6 * words.length) texts.text(l.x(rank), y + h / 2 + 4, words, inkOn(back), { align: "middle", size: 11 });
    };
    if (operation.hasVectors) { // one below the other: s→d
      const h = l.tall / Math.max(run.size, pieces.length);
      pieces.forEach(([vector, row, , lo, hi], i) => {
        const y = y0 + h * i;
        Memory.cell(scene, view, x, y, l.column, h > 5 ? h - 1 : h, vector, row, lo, hi);
        text(y, h - 1, `${vector}→${view.blockOf[row]}`, colour(vector, run.size));
      });
      return;
    }
    // A root that gathers before it combines has several vectors, one below the other.
    const vectors = [...new Set(pieces.map(piece => piece[0]))], tall = l.tall / Math.max(1, vectors.length);
    for (const [vector, first, end, lo, hi] of pieces) {
      const from = operation.isBarrier ? 0 : replay.borders[first], to = operation.isBarrier ? 1 : replay.borders[end];
      const y = y0 + tall * (vectors.indexOf(vector) + from / total), h = tall * (to - from) / total, gap = h > 5 ? 1 : 0;
      if (view.picture) {
        view.picture.band(scene, x, y0, l.column, l.tall, from / total, to / total, lo, hi);
        continue;
      }
      Memory.cell(scene, view, x, y, l.column, h - gap, vector, first, lo, hi);
      if (!operation.reduces && !operation.isBarrier) {
        text(y, h - gap, to - from > 1 ? `${from}–${to - 1}` : `${from}`, colour(view.blockOf[first], run.size));
      }
    }
  },

  /* The rows that MPI promises to a rank, and that are not there yet. */
  ghosts(scene, l, view, rank, y0) {
    const { replay, operation } = view, x = l.x(rank) - l.column / 2;
    if (operation.hasVectors) return;
    const total = operation.isBarrier ? 1 : replay.borders[replay.rows] || 1;
    let first = -1;
    for (let row = 0; row <= replay.rows; row++) {
      const at = replay.at(rank, 0, row), misses = row < replay.rows && replay.isRight(at) === false && !replay.lo[at] && !replay.hi[at];
      if (misses && first < 0) first = row;
      if (!misses && first >= 0) {
        const from = operation.isBarrier ? 0 : replay.borders[first], to = operation.isBarrier ? 1 : replay.borders[row];
        scene.rect(x + .5, y0 + l.tall * from / total + .5, l.column - 1, Math.max(1, l.tall * (to - from) / total - 2), null,
          { stroke: theme.soft, dash: [2, 3], alpha: .55 });
        first = -1;
      }
    }
  },

  /* The column of a rank in three levels: within its step, so that it can be drawn alone. */
  rank({ under, cells, over }, l, view, rank) {
    const { state, time } = view, late = state.late[rank] ?? 0, y0 = l.top + Memory.shift(l, late, view), x = l.x(rank);
    const chosen = rank === state.rank, hot = view.hot.rank === rank, box = [x - l.column / 2 - l.pad, y0 - l.pad, l.column + 2 * l.pad, l.tall + 2 * l.pad - 1];
    if (view.nodeOf && rank > 0 && view.nodeOf[rank] !== view.nodeOf[rank - 1]) under.line(x - l.step / 2 + .5, l.top, x - l.step / 2 + .5, l.top + l.tall, theme.soft);
    under.rect(...box, theme.panel, { round: 2 * l.pad, stroke: hot || chosen ? theme.accent : theme.panel, line: hot ? 2.5 : 1.5 });
    Memory.ghosts(under, l, view, rank, y0);
    Memory.column(cells, over, l, view, rank, y0);
    if (time < late) over.rect(...box, theme.card, { alpha: .6, round: 2 * l.pad });
    const done = view.replay.isDone(rank) && (!view.operation.isComposite || view.replay.wants(rank));
    if (done && l.step > 9) {
      const y = y0 + l.tall + 11, s = Math.min(5, l.step / 4);
      over.path([x - s, y, x - s / 3, y + s * .8, x + s, y - s], { stroke: theme.good, line: 2 });
    }
  },

  /* The names above the columns; below those that wait for their rank, how late it is. */
  label(scene, l, view, rank) {
    const { state, time, run } = view, late = state.late[rank] ?? 0, y0 = l.top + Memory.shift(l, late, view), chosen = rank === state.rank;
    const every = Math.max(1, Math.ceil((run.size > 9 ? 20 : 13) / l.step)), isRoot = view.operation.hasRoot && rank === state.root;
    if (rank % every === 0 || chosen || view.hot.rank === rank) {
      scene.text(l.x(rank), y0 - 8, isRoot && l.step > 34 ? `${rank} root` : `${nameOf(rank)}`, chosen ? theme.accent : theme.ink, { align: "middle", size: l.step < 16 ? 9 : 12, bold: chosen || isRoot });
    }
    if (time < late && l.step > 30) scene.text(l.x(rank), y0 + l.tall + 14, `late ${timeText(late, 2)}`, theme.soft, { align: "middle", size: 11 });
  },

  /* Lines below all, one for each node. */
  nodes(scene, l, { nodeOf }) {
    for (let first = 0, end; nodeOf && first < nodeOf.length; first = end) {
      for (end = first + 1; end < nodeOf.length && nodeOf[end] === nodeOf[first];) end++;
      const x0 = l.x(first) - l.column / 2, x1 = l.x(end - 1) + l.column / 2, y = l.height - 18;
      scene.line(x0, y, x1, y, theme.soft, { line: 2 });
      if (x1 - x0 > 48) scene.text((x0 + x1) / 2, y + 14, `node ${nodeOf[first]}`, theme.soft, { align: "middle", size: 11 });
    }
  },

  /* The contents of a message: [share, cell], at most 32, where neighbours of one colour are one. */
  shares(view, message) {
    const cells = message.ops.flatMap(op => op.payload ?? []), weight = ([, row]) => view.operation.isBarrier ? 1 : view.replay.weight(row);
    const total = cells.reduce((sum, cell) => sum + weight(cell), 0) || 1, merged = [];
    let last = null;
    for (const cell of cells) {
      const [vector, row, lo, hi] = cell, tone = view.operation.reduces || view.operation.isBarrier ? `${lo},${hi}` : Memory.origin(view, vector, row);
      if (last && last.tone === tone) last.weight += weight(cell);
      else merged.push(last = { tone, weight: weight(cell), cell: [vector, row, lo, hi] });
    }
    const every = Math.ceil(merged.length / 32);
    return every > 1 ? merged.filter((_, i) => i % every === 0).map(piece => [1 / Math.ceil(merged.length / every), piece.cell]) : merged.map(piece => [piece.weight / total, piece.cell]);
  },

  /* The same in a box. */
  payload(scene, view, message, x, y, w, h) {
    const sets = view.operation.reduces || view.operation.isBarrier;
    let at = 0;
    for (const [part, cell] of message.shares ??= Memory.shares(view, message)) {
      if (sets) Memory.cell(scene, view, x, y + h * at, w, h * part, ...cell);
      else Memory.cell(scene, view, x + w * at, y, w * part + .2, h, ...cell);
      at += part;
    }
  },

  /* The pixels of a message, at their places in a small picture. */
  travellers(scene, view, m, x, y, w, h) {
    const { replay } = view, total = replay.borders[replay.rows];
    scene.rect(x, y, w, h, theme.panel);
    let last = null;
    const flush = () => last && view.picture.band(scene, x, y, w, h, last[0] / total, last[1] / total, last[2], last[3]);
    for (const [, row, lo, hi] of m.ops.flatMap(op => op.payload ?? [])) {
      const from = replay.borders[row], to = replay.borders[row + 1];
      if (last && last[1] === from && last[2] === lo && last[3] === hi) last[1] = to;
      else {
        flush();
        last = [from, to, lo, hi];
      }
    }
    flush();
  },

  message(scene, l, view, m) {
    const { time, run } = view, up = m.dst > m.src, from = l.x(m.src), to = l.x(m.dst), span = Math.abs(m.dst - m.src);
    const hot = view.hot.message === m.number, base = up ? l.top - 24 - l.box / 2 : l.top + l.tall + 18 + l.box / 2;
    const rise = 12 + (l.band - l.box - 22) * Math.sqrt(span / Math.max(1, run.size - 1)), rx = Math.abs(to - from) / 2;
    const part = m.came > m.sent ? clamp((time - m.sent) / (m.came - m.sent), 0, 1) : 1;
    const path = m.critical && !view.masked, stroke = hot ? theme.accent : path ? theme.path : theme.soft;
    const x = from + (to - from) * (1 - Math.cos(Math.PI * part)) / 2;
    const y = base + (up ? -1 : 1) * rise * Math.sin(Math.PI * part);
    scene.arc((from + to) / 2, base, rx, up ? rise : -rise, stroke, { line: hot ? 2.5 : path ? 2 : 1, alpha: hot || path ? .9 : .4, dash: m.isNear ? [3, 3] : undefined });
    const h = l.box, w = view.picture ? h * view.picture.width / view.picture.height : clamp(l.step * .62, 7, 44);
    scene.rect(x - w / 2 - 1.5, y - h / 2 - 1.5, w + 3, h + 3, theme.card, { round: 3, stroke, line: hot || path ? 2 : 1 });
    if (view.picture) Memory.travellers(scene, view, m, x - w / 2, y - h / 2, w, h);
    else if (m.elements || m.ops.some(op => op.kind === "notify")) Memory.payload(scene, view, m, x - w / 2, y - h / 2, w, h);
    view.boxes.push({ x, y, w: w + 6, h: h + 6, message: m });
  },

  /* Work of one rank on its own memory has no box. */
  isMoving(m, time, eps) { return m.src !== m.dst && m.sent <= time + eps && time + eps < m.done && (m.came > m.sent || m.done > m.came); },

  /* The columns change with each event. */
  key(view) {
    view.replay.seek(view.time);
    return [view.replay.next, ...Object.values(view.state.late).map(late => view.time < late)].join();
  },

  /* last: the scene before, if nothing but the time has changed. Columns with the same contents are taken over. */
  base(width, view, last) {
    const phone = width < 560, l = Memory.layout(width, view.run.size, phone, view.picture, view.nodeOf), scene = new Scene(width, l.height);
    const same = Object.values(view.state.late).length ? null : last; // columns of late ranks change with the time
    view.phone = phone;
    view.memoryLayout = l;
    Object.assign(scene, { last: same, patches: same && [], versions: view.replay.versions.slice(), columns: [] });
    for (let rank = 0; rank < view.run.size; rank++) {
      if (same?.versions[rank] === scene.versions[rank]) {
        scene.columns.push(same.columns[rank]);
        continue;
      }
      const [under, cells, over] = [0, 1, 2].map(() => new Scene(width, l.height)), column = [under.items, cells.items, over.items];
      Memory.rank({ under, cells, over }, l, view, rank);
      scene.columns.push(column);
      scene.patches?.push({ box: [l.x(rank) - l.step / 2, l.top - 3, l.step, l.tall + 21], items: column.flat() });
    }
    if (scene.patches?.length > view.run.size / 2) scene.last = scene.patches = null;
    const labels = new Scene(width, l.height);
    for (let rank = 0; rank < view.run.size; rank++) Memory.label(labels, l, view, rank);
    Memory.nodes(labels, l, view);
    scene.items = [].concat(...[0, 1, 2].flatMap(level => scene.columns.map(column => column[level])), labels.items);
    return scene;
  },

  over(scene, view) {
    const eps = 1e-12 * view.run.seconds, moving = view.run.messages.filter(m => m.sent < view.maskedFrom && Memory.isMoving(m, view.time, eps));
    const most = 250; // boxes beyond would hide each other
    view.boxes = [];
    for (const m of moving.length > most ? moving.slice(0, most) : moving) Memory.message(scene, view.memoryLayout, view, m);
  },

  /* What lies at a point: { message } or { rank }. */
  find(view, x, y) {
    const l = view.memoryLayout;
    const box = [...view.boxes].reverse().find(b => Math.abs(b.x - x) <= b.w / 2 && Math.abs(b.y - y) <= b.h / 2);
    if (box) return { message: box.message.number };
    const rank = Math.floor((x - l.margin) / l.step);
    return rank >= 0 && rank < view.run.size && y > l.top - 22 && y < l.height ? { rank } : {};
  },
};

/* Another algorithm on the same clock, beside the first. */
const Beside = {
  key: view => view.other ? Memory.key(view.other) : "",
  base: (width, view, last) => Memory.base(width, view.other, last),
  over: (scene, view) => Memory.over(scene, view.other),

  /* The view of an algorithm: that of the page but for its run. */
  compute(view, name) {
    const algorithm = view.operation.algorithms.find(a => a.name === name && a !== view.algorithm);
    view.other = null;
    if (!algorithm || !view.core.isFree || view.core.frame || view.state.size > 64) return;
    const run = view.core.run(view.problem, algorithm), replay = new Replay(run, view.operation);
    view.other = Object.assign(Object.create(view), { algorithm, run, replay, hot: {}, boxes: [], memoryLayout: null });
    view.other.blockOf = blocksOf(view.other);
  },

  /* Before the views are drawn, as it makes room for two. */
  place({ other, masked }) {
    byId("beside-side").hidden = byId("memory-title").hidden = !other || masked;
  },

  show(view) {
    const { other } = view;
    if (!other) return;
    for (const [id, { algorithm, run }] of [["memory-title", view], ["beside-title", other]]) {
      const done = view.time >= run.seconds * (1 - 1e-12), text = `${timeText(Math.min(view.time, run.seconds), 3)}${done ? ", done" : ` of ${timeText(run.seconds, 3)}`}`;
      if (byId(id).textContent !== algorithm.name + text) byId(id).replaceChildren(algorithm.name, html("span", {}, text));
    }
  },
};
