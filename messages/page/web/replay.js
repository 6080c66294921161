/* What the memories hold at any time. The contents of an element are a set of ranks: those whose inputs are
 * combined in it. */
class Replay {
  /* operation: its flags say how the memories look. */
  constructor(run, operation) {
    this.run = run;
    this.operation = operation;
    this.vectors = run.ops.reduce((most, op) => Math.max(most, op.from + 1, op.into + 1), operation.hasVectors ? run.size : 1);
    this.borders = operation.isBarrier ? [0, 1] : [...new Set([...run.borders, ...run.ops.flatMap(op => [op.first, op.first + op.count])])]
      .sort((a, b) => a - b);
    this.rows = this.borders.length - 1;
    this.rowOf = new Map(this.borders.map((border, row) => [border, row]));
    const cells = run.size * this.vectors * this.rows;
    this.lo = new Uint32Array(cells);
    this.hi = new Uint32Array(cells);
    this.fill(run.given, this.lo, this.hi);
    if (operation.isComposite) this.fillOwn();
    this.startLo = this.lo.slice();
    this.startHi = this.hi.slice();
    this.wantLo = new Uint32Array(cells);
    this.wantHi = new Uint32Array(cells);
    this.fill(run.promised, this.wantLo, this.wantHi);
    this.events = [];
    this.play();
    if (operation.isComposite) this.keepWhole();
    this.events.sort((a, b) => a.time - b.time || a.order - b.order);
    this.order = new Int32Array(cells);
    this.versions = new Uint32Array(run.size); // counts the changes of each rank's memory
    this.rewind();
  }

  at(rank, vector, row) { return (rank * this.vectors + vector) * this.rows + row; }

  /* Elements of a row; a barrier has one place. */
  weight(row) { return this.borders[row + 1] - this.borders[row]; }

  fill(cells, lo, hi) {
    for (const [rank, vector, block, low, high] of cells) {
      const [first, end] = this.operation.isBarrier ? [0, 1] : [this.rowOf.get(this.run.borders[block]), this.rowOf.get(this.run.borders[block + 1])];
      for (let row = first; row < end; row++) {
        lo[this.at(rank, vector, row)] = low;
        hi[this.at(rank, vector, row)] = high;
      }
    }
  }

  /* Each rank has its own image. */
  fillOwn() {
    for (let rank = 0; rank < this.run.size; rank++) {
      for (let row = 0; row < this.rows; row++) (rank < 32 ? this.lo : this.hi)[this.at(rank, 0, row)] = 2 ** (rank % 32);
    }
  }

  /* Pixels with all images in the end are the result. */
  keepWhole() {
    for (let at = 0; at < this.lo.length; at++) {
      if (countBits(this.lo[at]) + countBits(this.hi[at]) === this.run.size) [this.wantLo[at], this.wantHi[at]] = [this.lo[at], this.hi[at]];
    }
  }

  rowsOf(op) {
    return op.kind === "notify" ? [0, this.rows] : [this.rowOf.get(op.first), this.rowOf.get(op.first + op.count)];
  }

  /* All rounds: first payloads are taken, then moved data are given up, then payloads merge. */
  play() {
    const { run } = this, next = run.begin.slice(0, run.size), rounds = new Set(run.ops.map(op => op.round));
    let order = 0;
    for (const round of [...rounds].sort((a, b) => a - b)) {
      const streams = next.map((from, rank) => {
        let end = from;
        while (end < run.begin[rank + 1] && run.ops[end].round === round) end++;
        next[rank] = end;
        return run.ops.slice(from, end);
      });
      const payloads = new Map();
      streams.forEach((stream, rank) => stream.filter(op => op.src === rank).forEach(op => this.take(op, payloads)));
      streams.forEach((stream, rank) => stream.filter(op => op.src === rank && (op.kind === "move" || op.kind === "blend")).forEach(op => this.giveUp(op, ++order)));
      streams.forEach((stream, rank) => stream.filter(op => op.dst === rank).forEach(op => this.merge(op, payloads, ++order)));
    }
  }

  key(op) { return `${op.src},${op.dst},${op.kind},${op.from},${op.into},${op.first},${op.count}`; }

  take(op, payloads) {
    const [first, end] = this.rowsOf(op), cells = [];
    for (let row = first; row < end; row++) {
      const at = this.at(op.src, op.from, row);
      cells.push([op.from, row, this.lo[at], this.hi[at]]);
    }
    op.payload = cells;
    payloads.set(this.key(op), cells);
  }

  note(time, order, at) { this.events.push({ time, order, at, lo: this.lo[at], hi: this.hi[at] }); }

  giveUp(op, order) {
    const [first, end] = this.rowsOf(op);
    for (let row = first; row < end; row++) {
      const at = this.at(op.src, op.from, row);
      this.lo[at] = this.hi[at] = 0;
      this.note(op.message.sent, order, at);
    }
  }

  merge(op, payloads, order) {
    const cells = payloads.get(this.key(op)) ?? [];
    const unites = op.kind === "reduce" || op.kind === "notify" || op.kind === "blend";
    op.payload = cells;
    for (const [, row, low, high] of cells) {
      const at = this.at(op.dst, op.into, row);
      if (!low && !high) continue; // a changed schedule may send nothing
      this.lo[at] = (unites ? this.lo[at] | low : low) >>> 0;
      this.hi[at] = (unites ? this.hi[at] | high : high) >>> 0;
      this.note(op.message.done, order, at);
    }
  }

  rewind() {
    this.lo.set(this.startLo);
    this.hi.set(this.startHi);
    this.order.fill(0);
    this.versions.forEach((version, rank) => { this.versions[rank] = version + 1; });
    this.next = 0;
    this.time = -1;
  }

  /* Sets lo and hi to the contents at a time, which depend on the time alone. */
  seek(time) {
    if (time < this.time) this.rewind();
    const limit = time + 1e-12 * this.run.seconds;
    for (; this.next < this.events.length && this.events[this.next].time <= limit; this.next++) {
      const event = this.events[this.next];
      if (event.order >= this.order[event.at]) {
        this.lo[event.at] = event.lo;
        this.hi[event.at] = event.hi;
        this.order[event.at] = event.order;
        this.versions[Math.floor(event.at / (this.vectors * this.rows))]++;
      }
    }
    this.time = time;
  }

  /* Whether a cell holds what MPI promises; null: that does not matter. */
  isRight(at) {
    if (!this.wantLo[at] && !this.wantHi[at]) return null;
    return this.lo[at] === this.wantLo[at] && this.hi[at] === this.wantHi[at];
  }

  /* Whether a rank is to end with anything. */
  wants(rank) {
    for (let at = this.at(rank, 0, 0); at < this.at(rank + 1, 0, 0); at++) if (this.isRight(at) !== null) return true;
    return false;
  }

  /* Whether a rank has its result. */
  isDone(rank) {
    for (let at = this.at(rank, 0, 0); at < this.at(rank + 1, 0, 0); at++) if (this.isRight(at) === false) return false;
    return true;
  }

  /* The share of the promised contents that is in place, as points (time, share). */
  curve() {
    if (this.points) return this.points;
    this.rewind();
    let all = 0, right = 0;
    const weight = at => this.operation.isBarrier ? 1 : this.weight(at % this.rows);
    // A set of several ranks counts by how many of them are combined.
    const size = (lo, hi) => countBits(lo) + countBits(hi);
    const share = at => size(this.lo[at] & this.wantLo[at], this.hi[at] & this.wantHi[at]);
    for (let at = 0; at < this.lo.length; at++) {
      all += weight(at) * size(this.wantLo[at], this.wantHi[at]);
      right += weight(at) * share(at);
    }
    const begin = right, points = [[0, 0]];
    this.events.forEach((event, i) => {
      if (event.order >= this.order[event.at]) {
        right -= weight(event.at) * share(event.at);
        this.lo[event.at] = event.lo;
        this.hi[event.at] = event.hi;
        this.order[event.at] = event.order;
        right += weight(event.at) * share(event.at);
      }
      if (i + 1 === this.events.length || this.events[i + 1].time > event.time) {
        points.push([event.time, all > begin ? (right - begin) / (all - begin) : 1]);
      }
    });
    this.rewind();
    return this.points = points;
  }
}

function countBits(word) {
  let count = 0;
  for (word >>>= 0; word; word = (word & (word - 1)) >>> 0) count++;
  return count;
}

/* The runs [first, end) of neighbours in a set of ranks. */
function runsOf(lo, hi, size) {
  const runs = [];
  let first = -1;
  for (let rank = 0; rank <= size; rank++) {
    const is = rank < size && (rank < 32 ? lo >>> rank & 1 : hi >>> (rank - 32) & 1);
    if (is && first < 0) first = rank;
    if (!is && first >= 0) {
      runs.push([first, rank]);
      first = -1;
    }
  }
  return runs;
}
