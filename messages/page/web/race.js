/* Algorithms on one clock, and their times over the number of elements. */

const Race = {
  key() { return ""; },

  layout(width, view) {
    const tall = 50, left = 6, right = 84, wide = width - left - right;
    return { left, wide, end: width - right + 8, h: tall - 24, y: lane => tall * lane + 18, x: time => left + wide * time / view.duration };
  },

  /* The points of a curve, at most one for half a pixel. */
  thin(points, x) {
    const kept = [];
    for (const [time, share] of points) {
      if (kept.length && x(time) - x(kept.at(-1)[0]) < .5) kept.at(-1)[1] = share;
      else kept.push([time, share]);
    }
    return kept;
  },

  /* The outline of the area under a curve, up to a time. */
  area({ x, y, h }, lane, points, until) {
    const low = y(lane) + h, outline = [x(0), low];
    let share = 0;
    for (const [time, next] of points) {
      if (time > until) break;
      const after = Math.max(0, next); // data that only pass through can leave less than there was
      outline.push(x(time), low - h * share, x(time), low - h * after);
      share = after;
    }
    outline.push(x(until), low - h * share, x(until), low);
    return outline;
  },

  base(width, view) {
    const lanes = view.racers, l = Race.layout(width, view), scene = new Scene(width, l.y(Math.max(1, lanes.length)) + (lanes.length === 1 ? 8 : -10));
    lanes.forEach((lane, i) => {
      const y = l.y(i), tone = Chart.tone(view, lane.algorithm), end = lane.run.seconds;
      lane.points = Race.thin(lane.curve, l.x);
      scene.rect(l.left, y, l.wide, l.h, theme.panel, { round: 3 });
      if (!view.masked) scene.path(Race.area(l, i, lane.points, end), { fill: tone, alpha: .2 });
      scene.text(l.left, y - 5, lane.algorithm.name, theme.ink, { size: 12, bold: lane.algorithm === view.algorithm });
      if (!view.masked) scene.line(l.x(end), y - 3, l.x(end), y + l.h, tone, { line: 2 });
    });
    if (lanes.length === 1 && view.core.isFree) scene.text(l.left, scene.height - 4, "Choose others above: they race on the same clock.", theme.soft, { size: 12 });
    return scene;
  },

  over(scene, view) {
    const { racers, time } = view, l = Race.layout(scene.width, view), ends = racers.map(lane => lane.run.seconds).sort((a, b) => a - b), now = l.x(time);
    racers.forEach((lane, i) => {
      const y = l.y(i), end = lane.run.seconds;
      scene.path(Race.area(l, i, lane.points, Math.min(time, end)), { fill: Chart.tone(view, lane.algorithm), alpha: .85 });
      if (time < end * (1 - 1e-12)) return;
      const place = ends.findIndex(other => Math.abs(other - end) <= 1e-9 * end) + 1;
      scene.text(l.end, y + l.h / 2 - 1, timeText(end), theme.ink, { size: 12, bold: place === 1 });
      scene.text(l.end, y + l.h / 2 + 13, ["", "first", "second", "third", "fourth"][place], place === 1 ? theme.good : theme.soft, { size: 11 });
    });
    scene.line(now, 10, now, l.y(racers.length - 1) + l.h, theme.accent, { line: 1.5 });
  },
};

const Chart = {
  counts() { return Array.from({ length: 49 }, (_, i) => Math.round(2 ** (i / 2))); },

  /* Seconds of all algorithms of the operation, some at a time: draws again by `tell`. */
  compute(core, problem, operation, tell) {
    const chart = { operation, points: new Map(operation.algorithms.map(a => [a, []])), ranges: [], done: false };
    if (operation.isBarrier || !core.isFree) return chart;
    const jobs = Chart.counts().filter((n, i, all) => i === 0 || n > all[i - 1]).sort((a, b) => Chart.order(a) - Chart.order(b));
    const work = () => {
      if (chart.stopped) return;
      const until = performance.now() + 12;
      while (jobs.length && performance.now() < until) {
        const count = jobs.shift();
        for (const algorithm of operation.algorithms) {
          if (algorithm.hasSegments && problem.segment > 0 && count > 128 * problem.segment) continue;
          chart.points.get(algorithm).push([count, core.seconds({ ...problem, count, late: {} }, algorithm)]);
        }
      }
      if (jobs.length) {
        chart.timer = setTimeout(work, 30);
      } else {
        chart.ranges = core.rangesOf ? core.rangesOf(chart.points) : core.ranges(problem, operation);
        chart.done = true;
        for (const list of chart.points.values()) list.sort((a, b) => a[0] - b[0]);
        tell();
      }
    };
    chart.timer = setTimeout(work, 60);
    return chart;
  },
  order(n) { return Math.log2(n) % 4 === 0 ? 0 : 1; },

  key(view) { return view.chart?.done; },
  over() {},

  base(width, view) {
    const chart = view.chart, height = 250, left = 58, right = 12, top = 10, bottom = 46, scene = new Scene(width, height);
    if (!chart || !chart.done || view.masked) {
      const words = view.masked ? "hidden while a question is open" : view.operation.isBarrier ? "a barrier has no elements" : view.core.isFree ? "computing …" : "this page holds one schedule alone";
      scene.text(width / 2, height / 2, words, theme.soft, { align: "middle" });
      return scene;
    }
    const series = [...chart.points].filter(([, list]) => list.length);
    const seconds = series.flatMap(([, list]) => list.map(p => p[1])).filter(s => s > 0);
    if (!seconds.length) return scene;
    const low = Math.floor(Math.log10(Math.min(...seconds))), high = Math.ceil(Math.log10(Math.max(...seconds)) + 1e-9), last = 24;
    const x = n => left + (width - left - right) * Math.log2(Math.max(1, n)) / last;
    const y = s => top + (height - top - bottom) * (1 - (Math.log10(s) - low) / (high - low));
    view.chartLayout = { left, right, width, last };
    for (let power = low; power <= high; power++) {
      scene.line(left, y(10 ** power), width - right, y(10 ** power), theme.line);
      scene.text(left - 6, y(10 ** power) + 4, timeText(10 ** power, 2), theme.soft, { align: "end", size: 11 });
    }
    for (let power = 0; power <= last; power += width < 480 ? 8 : 4) {
      scene.text(x(2 ** power), height - bottom + 30, power < 10 ? 2 ** power : power < 20 ? `${2 ** (power - 10)}k` : `${2 ** (power - 20)}M`, theme.soft, { align: "middle", size: 11 });
    }
    scene.text(width - right, height - 3, `${view.unit}s n`, theme.soft, { align: "end", size: 11 });
    chart.ranges.forEach((range, i) => {
      const from = x(range.count), to = i + 1 < chart.ranges.length ? x(chart.ranges[i + 1].count) : width - right;
      scene.rect(from, height - bottom + 4, Math.max(1, to - from - 1), 8, Chart.tone(view, range.algorithm), { round: 2 });
      if (i) scene.line(from, top, from, height - bottom + 4, theme.soft, { dash: [3, 3] });
    });
    for (const [algorithm, list] of series) {
      const mine = algorithm === view.algorithm;
      scene.path(list.filter(p => p[1] > 0).flatMap(([n, s]) => [x(n), y(s)]), { stroke: Chart.tone(view, algorithm), line: mine ? 3.2 : 1.8 });
    }
    const now = x(view.problem.count);
    scene.line(now, top, now, height - bottom + 12, theme.accent, { line: 1.5 });
    if (view.run.seconds > 0) scene.rect(now - 4, y(view.run.seconds) - 4, 8, 8, theme.card, { round: 4, stroke: theme.accent, line: 2.5 });
    return scene;
  },

  tone(view, algorithm) { return theme["c" + view.operation.algorithms.indexOf(algorithm) % 8]; },

  countAt(view, px) {
    const { left, right, width, last } = view.chartLayout;
    return Math.round(2 ** (clamp((px - left) / (width - left - right), 0, 1) * last));
  },
};
