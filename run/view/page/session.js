/* The state of the page, one object: the config and the step. Earlier ones are kept for undo. Orders to the
 * server, and the address bar, which holds the view. */
import { ask } from "./feed.js";

export const client = Math.random().toString(36).slice(2, 12), mostKept = 200;

/* Sends an order; returns the answer as a Response. */
export async function send(order, signal = AbortSignal.timeout(600000)) {
  const config = order.config ? {config: JSON.stringify(order.config)} : {};
  return ask("api/view", {method: "POST", body: JSON.stringify({client, ...order, ...config}),
    headers: {"Content-Type": "application/json"}, signal});
}
export const json = async (order, signal) => (await send(order, signal)).json();

/* ---- Values in a config ---- */

export function valueAt(config, path) {
  return path.split(".").reduce((at, key) => at?.[key], config);
}
/* A copy of the config with another value at a dotted path. */
export function withValue(config, path, value) {
  const copy = structuredClone(config), keys = path.split("."), last = keys.pop();
  const at = keys.reduce((inside, key) => inside[key] ??= {}, copy);
  at[last] = value;
  return copy;
}

/* What changed from `base` to `mine`, in `theirs`: key by key, and item by item in lists of one length. */
export function merge(base, mine, theirs) {
  const isBox = v => v !== null && typeof v === "object", size = v => Array.isArray(v) ? v.length : -1;
  if (JSON.stringify(base) === JSON.stringify(mine)) return theirs;
  if (![base, mine, theirs].every(isBox) || size(base) !== size(mine) || size(base) !== size(theirs)) return mine;
  if (Array.isArray(base)) return base.map((v, n) => merge(v, mine[n], theirs[n]));
  const names = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
  return Object.fromEntries([...names].map(k => [k, merge(base[k], mine[k], theirs[k])]).filter(([, v]) => v !== undefined));
}

/* ---- The address bar ---- */

async function pass(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
async function pack(state) {
  const text = new TextEncoder().encode(JSON.stringify(state));
  const small = await pass(text, new CompressionStream("deflate-raw"));
  return btoa(String.fromCharCode(...small)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
async function unpack(word) {
  const small = Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await pass(small, new DecompressionStream("deflate-raw"))));
}
/* The state of the address; null if there is none, or it makes no sense. */
export async function fromAddress() {
  try {
    const state = await unpack(location.hash.slice(1));
    return state && typeof state.config === "object" && Number.isSafeInteger(state.step) ? state : null;
  } catch { return null; }
}

/* ---- The state ---- */

const settleMilliseconds = 350;

export class Session {
  /* onChange(how): the state is another one: "moves" for the time being, "rests" for good.
   * complete(config, changes, step): the config with all values found, from the server; with changes, a picture follows. */
  constructor(onChange, complete) {
    Object.assign(this, {onChange, complete, past: [], future: [], state: null, rested: null, waiting: 0, last: Promise.resolve()});
  }
  get config() { return this.state.config; }
  get step() { return this.state.step; }
  /* Whether the state is one for good, and no change waits for the server. */
  get isSettled() { return this.state !== null && this.state === this.rested && !this.waiting; }
  /* Values belong to the state, whatever other pages have drawn. */
  ask(order, signal) { return json({...order, config: this.config, step: this.step}, signal); }
  begin(state) {
    this.first = this.state = this.rested = state;
    this.onChange("rests");
  }
  /* A state for the time being, while something is dragged. With `settles`, it is one for good after a while: keys
   * and the wheel have no end. */
  move(config, step = this.step, settles = false) {
    if (this.settling && !settles) this.keep();
    this.state = {config, step};
    clearTimeout(this.settling);
    this.settling = settles && setTimeout(() => this.rest(), settleMilliseconds);
    this.onChange("moves");
  }
  /* Keeps the state for undo, if it is another one than the last. */
  keep() {
    clearTimeout(this.settling);
    this.settling = 0;
    if (JSON.stringify(this.state) !== JSON.stringify(this.rested)) {
      this.past.push(this.rested);
      this.past.splice(0, this.past.length - mostKept);
      this.future.length = 0;
    }
    this.rested = this.state;
  }
  /* A state for good. One of keys that has not settled yet is kept as its own. */
  rest(config = this.config, step = this.step) {
    if (this.settling && (config !== this.config || step !== this.step)) this.keep();
    this.state = {config, step};
    this.keep();
    this.onChange("rests");
    this.note();
  }

  /* ---- Changes wait for the server; each begins from the state that the last one left ---- */

  queue(act) {
    this.waiting++;
    const done = this.last.then(act).finally(() => { this.waiting--; });
    this.last = done.catch(() => {});
    return done;
  }
  /* edit(config): another config; changes: in the words of karman steer. Whatever moves meanwhile stays so. A change
   * that is refused is taken back, and throws. */
  change(edit, changes = []) {
    return this.queue(async () => {
      if (this.settling) this.keep();
      const {config: base, step} = this.state;
      try {
        const config = await this.complete(edit(base), changes, step);
        this.rest(merge(base, this.config, config));
      } catch (error) {
        const {rested} = this, state = {config: merge(base, this.config, rested.config), step: this.step};
        this.state = JSON.stringify(state) === JSON.stringify(rested) ? rested : state;
        this.onChange("rests");
        throw error;
      }
    });
  }
  undo() { return this.queue(() => this.travel(this.past, this.future)); }
  redo() { return this.queue(() => this.travel(this.future, this.past)); }
  async travel(from, to) {
    this.keep();
    const state = from.pop();
    if (!state) return;
    to.push(this.rested);
    this.state = this.rested = state;
    this.onChange("travels");
    this.note();
    await this.complete(this.config, null, this.step); /* the controls show the state */
  }
  /* The size of a picture is that of the page, in all states, and no change. */
  resize(sized) {
    const fit = state => ({...state, config: sized(state.config)}), isRested = this.state === this.rested;
    for (const list of [this.past, this.future]) list.splice(0, list.length, ...list.map(fit));
    this.rested = fit(this.rested);
    this.state = isRested ? this.rested : fit(this.state);
    this.onChange("rests");
  }
  note() {
    clearTimeout(this.noting);
    this.noting = setTimeout(async () => {
      const word = await pack(this.rested);
      history.replaceState(null, "", location.pathname + "#" + word);
    }, 300);
  }
}
