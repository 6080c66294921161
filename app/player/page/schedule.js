/* A compositing schedule that stands in the page: its problem is fixed, the machine is free if the page can compute. */
class ScheduleCore {
  constructor(data, inner) {
    const schedule = data.schedule, operation = { name: "compositing", summary: "the images of all ranks are blended into one picture",
      isComposite: true, hasRoot: false, reduces: true, isBarrier: false, hasVectors: false };
    const algorithm = { number: 0, name: schedule.name, operation, formula: "", source: schedule.source, order: null, hasSegments: false,
      summary: schedule.summary + (schedule.parameters ? `; ${schedule.parameters}` : "") };
    operation.algorithms = [algorithm];
    this.operations = [operation];
    this.algorithms = [algorithm];
    this.schedule = schedule;
    this.inner = inner;
    this.pixels = data.state.count;
  }
  get isFree() { return false; }
  get canTime() { return this.inner.canTime; }
  run(problem) {
    const run = this.inner.canTime ? this.inner.runOps(problem, this.schedule.ops, this.schedule.begin) : this.inner.run();
    for (const op of run.ops) op.kind = "blend";
    run.borders = [0, this.pixels];
    return run;
  }
  seconds() { return -1; }
  ranges() { return []; }
}

/* The images of the positions, and blends of them: front over back, as bytes. */
class Picture {
  static async create(data) {
    const picture = new Picture();
    Object.assign(picture, data);
    picture.parts = await Promise.all(data.images.map(source => new Promise((done, fail) => {
      const image = new Image();
      image.onload = () => done(image);
      image.onerror = () => fail(new Error("a picture cannot be read"));
      image.src = source;
    })));
    picture.blends = new Map();
    return picture;
  }

  /* The blend of a set of positions, as a canvas. */
  blend(lo, hi) {
    const key = `${lo},${hi}`;
    if (!this.blends.has(key)) {
      if (this.blends.size > 400) this.blends.clear();
      const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
      canvas.width = this.width;
      canvas.height = this.height;
      for (let position = this.parts.length - 1; position >= 0; position--) {
        if (position < 32 ? lo >>> position & 1 : hi >>> (position - 32) & 1) context.drawImage(this.parts[position], 0, 0);
      }
      this.blends.set(key, canvas);
    }
    return this.blends.get(key);
  }

  /* Part of the blend of a set, from one share of the rows to another, into a box for the whole picture. */
  band(scene, x, y, w, h, from, to, lo, hi) {
    const top = Math.round(y + h * from), bottom = Math.round(y + h * to); // whole pixels leave no seams
    scene.rect(x, top, w, bottom - top, this.background);
    scene.image(x, top, w, bottom - top, this.blend(lo, hi), [0, this.height * from, this.width, this.height * (to - from)]);
  }
}

/* The memory of one rank, and the most complete pieces, enlarged. */
const Pieces = {
  key(view) {
    view.replay.seek(view.time);
    return `${view.replay.next},${view.state.rank}`;
  },
  over() {},

  base(width, view) {
    const { picture, replay, run } = view, wide = width >= 640, w = wide ? (width - 16) / 2 : width, h = w * picture.height / picture.width;
    const scene = new Scene(width, wide ? h + 22 : 2 * h + 52), total = replay.borders[replay.rows];
    const place = (n, title) => {
      const x = wide ? n * (w + 16) : 0, y = wide ? 22 : n * (h + 30) + 22;
      scene.text(x, y - 7, title, theme.soft, { size: 12 });
      scene.rect(x, y, w, h, theme.panel);
      return [x, y];
    };
    const band = ([x, y], first, end, at) => picture.band(scene, x, y, w, h, replay.borders[first] / total, replay.borders[end] / total, replay.lo[at], replay.hi[at]);
    const own = place(0, `the image of rank ${nameOf(view.state.rank)}`), best = place(1, "the pieces with most images so far, of all ranks");
    for (const [, first, end] of Memory.pieces(view, view.state.rank)) band(own, first, end, replay.at(view.state.rank, 0, first));
    for (let row = 0; row < replay.rows; row++) {
      const count = rank => countBits(replay.lo[replay.at(rank, 0, row)]) + countBits(replay.hi[replay.at(rank, 0, row)]);
      let most = 0;
      for (let rank = 1; rank < run.size; rank++) if (count(rank) > count(most)) most = rank;
      band(best, row, row + 1, replay.at(most, 0, row));
    }
    return scene;
  },
};
