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

export class Session {
  /* onChange(how): the state is another one: "moves" for the time being, "rests" for good. */
  constructor(onChange) { Object.assign(this, {onChange, past: [], future: [], state: null, rested: null}); }
  get config() { return this.state.config; }
  get step() { return this.state.step; }
  /* Values belong to the state, whatever other pages have drawn. */
  ask(order, signal) { return json({...order, config: this.config, step: this.step}, signal); }
  begin(state) {
    this.first = this.state = this.rested = state;
    this.onChange("rests");
  }
  /* A state for the time being, while something is dragged. */
  move(config, step = this.step) {
    this.state = {config, step};
    this.onChange("moves");
  }
  /* A state for good. */
  rest(config = this.config, step = this.step) {
    this.state = {config, step};
    if (JSON.stringify(this.state) !== JSON.stringify(this.rested)) {
      this.past.push(this.rested);
      this.past.splice(0, this.past.length - mostKept);
      this.future = [];
    }
    this.rested = this.state;
    this.onChange("rests");
    this.note();
  }
  undo() { this.travel(this.past, this.future); }
  redo() { this.travel(this.future, this.past); }
  travel(from, to) {
    const state = from.pop();
    if (!state) return;
    to.push(this.rested);
    this.state = this.rested = state;
    this.onChange("travels");
    this.note();
  }
  note() {
    clearTimeout(this.noting);
    this.noting = setTimeout(async () => {
      const word = await pack(this.rested);
      history.replaceState(null, "", location.pathname + "#" + word);
    }, 300);
  }
}
