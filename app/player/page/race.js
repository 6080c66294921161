/* Algorithms on one clock, and their times over the number of elements. */

const Race = {
  key(view) { return view.time; },
  over() {},

  base(width, view) {
    const lanes = view.racers, tall = 50, left = 6, right = 84, scene = new Scene(width, Math.max(1, lanes.length) * tall + (lanes.length === 1 ? 26 : 8));
    const x = time => left + (width - left - right) * time / view.duration;
    const end = view.time, ranked = [...lanes].sort((a, b) => a.run.seconds - b.run.seconds);
    lanes.forEach((lane, i) => {
      const y = tall * i + 18, h = tall - 24, tone = Chart.tone(view, lane.algorithm), done = end >= lane.run.seconds * (1 - 1e-12), points = lane.curve;
      const area = until => {
        const outline = [x(0), y + h];
        let share = 0;
        for (const [time, next] of points) {
          if (time > until) break;
          outline.push(x(time), y + h * (1 - share), x(time), y + h * (1 - next));
          share = next;
        }
        outline.push(x(until), y + h * (1 - share), x(until), y + h);
        return outline;
      };
      scene.rect(left, y, width - left - right, h, theme.panel, { round: 3 });
      if (!view.masked) scene.path(area(lane.run.seconds), { fill: tone, alpha: .2 });
      scene.path(area(Math.min(end, lane.run.seconds)), { fill: tone, alpha: .85 });
      scene.text(left, y - 5, lane.algorithm.name, theme.ink, { size: 12, bold: lane.algorithm === view.algorithm });
      if (!view.masked) scene.line(x(lane.run.seconds), y - 3, x(lane.run.seconds), y + h, tone, { line: 2 });
      if (done) {
        const place = ranked.findIndex(o => Math.abs(o.run.seconds - lane.run.seconds) <= 1e-9 * lane.run.seconds) + 1;
        scene.text(width - right + 8, y + h / 2 - 1, timeText(lane.run.seconds), theme.ink, { size: 12, bold: place === 1 });
        scene.text(width - right + 8, y + h / 2 + 13, ["", "first", "second", "third", "fourth"][place], place === 1 ? theme.good : theme.soft, { size: 11 });
      }
    });
    const now = x(end);
    scene.line(now, 10, now, scene.height, theme.accent, { line: 1.5 });
    if (lanes.length === 1 && view.core.isFree) scene.text(left, scene.height - 4, "Choose others above: they race on the same clock.", theme.soft, { size: 12 });
    return scene;
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
