/* Requests to the server, and their replies. */

/* The printed address contains the token. It is removed from the address, so that it does not stay in
 * the browser's history, and kept while this tab is open. The storage belongs to this address, port
 * included; a cookie would be shown to other ports, too. */
function takeToken() {
  const query = new URLSearchParams(location.search), given = query.get("token");
  if (given) {
    sessionStorage.setItem("karman-token", given);
    history.replaceState(null, "", location.pathname + location.hash);
  }
  return sessionStorage.getItem("karman-token") || "";
}
const token = takeToken();

export class Refused extends Error {
  constructor(code, sentence) { super(sentence); this.code = code; }
}

export async function ask(path, options = {}) {
  const headers = {...options.headers, "X-Karman-Token": token};
  const answer = await fetch(path, {...options, headers, cache: "no-store",
    signal: options.signal || AbortSignal.timeout(20000)});
  if (answer.ok) return answer;
  const why = await answer.json().catch(() => ({}));
  throw new Refused(answer.status, why.error || "the server answered " + answer.status);
}

export const picture = async at => (await ask("api/picture?at=" + at)).blob();

/* A page of data has its own way for orders: a function of the same arguments and answer. */
let way = null;
export const orderBy = own => { way = own; };

/* Sends orders, arrays of words. Returns the answer to the last one, or null if none has come yet. */
export async function order(...orders) {
  if (way) return way(...orders);
  const answer = await ask("api/orders", {method: "POST", body: JSON.stringify({orders}),
    headers: {"Content-Type": "application/json"}});
  return (await answer.json()).answer;
}

/* ---- Lines that are added to a file ---------------------------------------------------- */

class Lines {
  constructor(name, take, reset) {
    Object.assign(this, {name, take, reset, id: null, next: 0, seen: -1});
  }
  forget(id) {
    this.id = id;
    this.next = 0;
    this.seen = -1;
    this.reset();
  }
  /* Reads the new lines. An incomplete last line is read when the file has grown. */
  async read(file) {
    if (file.id !== this.id || file.size < this.next) this.forget(file.id);
    if (file.size === this.seen) return;
    while (this.next < file.size) {
      const answer = await ask("api/lines?of=" + this.name + "&since=" + this.next);
      const from = this.next, body = new Uint8Array(await answer.arrayBuffer());
      this.next = +answer.headers.get("Karman-Next");
      if (this.next === from) break;
      this.split(body, from);
    }
    this.seen = file.size;
  }
  /* Passes each line on as JSON, with the byte at which it begins. */
  split(body, from) {
    const decoder = new TextDecoder(), rows = [];
    for (let begin = 0; begin < body.length;) {
      const end = body.indexOf(10, begin);
      if (end < 0) break;
      try {
        const row = JSON.parse(decoder.decode(body.subarray(begin, end)));
        if (row && typeof row === "object") rows.push([row, from + begin]);
      } catch { /* A broken line is left out. */ }
      begin = end + 1;
    }
    if (rows.length) this.take(rows);
  }
}

/* ---- Polling --------------------------------------------------------------------------- */

export class Feed {
  /* take: {state(s), parameters(list), lost(error), frames(rows), monitors(rows), ...}; reset() is
   * called when another run begins. */
  constructor(take, reset) {
    this.take = take;
    this.reset = reset;
    this.run = undefined;
    this.parameters = null;
    this.lines = ["frames", "monitors", "timings", "log"].map(name =>
      new Lines(name, take[name], () => reset(name)));
  }
  async turn() {
    const state = await (await ask("api/state")).json();
    const run = JSON.stringify(state.run);
    if (this.run !== undefined && run !== this.run) this.lines.forEach(l => l.forget(l.id));
    this.run = run;
    this.take.state(state);
    if (state.parameters !== this.parameters) {
      const list = (await (await ask("api/parameters")).json()).parameters;
      this.parameters = state.parameters;
      this.take.parameters(Array.isArray(list) ? list : []);
    }
    for (const l of this.lines) await l.read(state.files[l.name]);
  }
  /* Sends one request at a time; rarely if the page is hidden or the server has gone. */
  async start() {
    for (let lost = 0;;) {
      try {
        await this.turn();
        lost = 0;
        this.take.found();
      } catch (error) {
        this.take.lost(error);
        lost++;
      }
      const pause = document.hidden ? 3000 : lost ? Math.min(500 * 2 ** lost, 8000) : 300;
      await new Promise(done => setTimeout(done, pause));
    }
  }
}
