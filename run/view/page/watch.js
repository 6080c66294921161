/* A page that follows the pictures of another one, and changes nothing. */
import { ask } from "./feed.js";
import { plain } from "./text.js";

const pause = 1000;
let number = 0;

function say(state, word, sentence = "") {
  byId("badge").dataset.state = state;
  byId("badge").textContent = word;
  byId("notice").textContent = sentence;
  byId("notice").hidden = !sentence;
}
async function show(answer) {
  const note = JSON.parse(answer.headers.get("Karman-View") || "{}"), address = URL.createObjectURL(await answer.blob());
  const image = byId("picture"), old = image.src;
  number = note.number || number;
  image.src = address;
  image.hidden = false;
  image.dataset.number = number;
  byId("cycle").textContent = plain(note.step);
  byId("time").textContent = plain(note.time);
  if (old) URL.revokeObjectURL(old);
  say("running", "watching");
}
async function follow() {
  try {
    const answer = await ask("api/watch?after=" + number, {signal: AbortSignal.timeout(30000)});
    if (answer.status === 200) await show(answer);
  } catch (error) {
    if (error.code === 410) return say("died", "ended", "The view has ended.");
    if (error.code === 401) return say("died", "no token", "This page has no valid token: ask for the link again.");
    say("silent", "no answer", "karman view does not answer; this page goes on as soon as it does.");
    await new Promise(done => setTimeout(done, pause));
  }
  follow();
}
follow();
