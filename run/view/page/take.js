/* What one takes away: the config, a picture of any size, a figure, the commands. */
import { ask } from "./feed.js";
import { download } from "./probe.js";
import { send } from "./session.js";

export class Take {
  constructor(session) {
    Object.assign(this, {session, name: "view", ranks: 1});
    byId("take").addEventListener("click", () => this.open());
    const on = (id, act) => byId(id).addEventListener("click", () => this.attempt(act));
    on("take-yaml", async () => download(this.name + ".yaml", "application/yaml", await this.yaml()));
    on("take-json", async () => download(this.name + ".json", "application/json", await this.jsonText()));
    on("take-png", () => this.picture("png", "image/png"));
    on("take-pdf", () => this.picture("pdf", "application/pdf"));
  }
  open() {
    const {width = 1024, height = 768} = this.session.config.image || {};
    const run = this.launch() + "karman render " + this.name + ".yaml";
    byId("take-width").value = width;
    byId("take-height").value = height;
    byId("take-command").textContent = run;
    byId("take-film").textContent = run + " --set data.steps=all --output " + this.name + "_%04d.png";
    byId("take-wrong").hidden = true;
    byId("taking").showModal();
    ask("api/guest").then(a => a.json()).then(({token}) => { byId("watch-link").textContent = new URL("watch.html?token=" + token, location.href); }).catch(() => {});
  }
  async attempt(act) {
    byId("take-wrong").hidden = true;
    try { await act(); } catch (error) {
      byId("take-wrong").textContent = error.message;
      byId("take-wrong").hidden = false;
    }
  }
  launch() { return this.ranks > 1 ? "mpiexec -n " + this.ranks + " " : ""; }
  sized() {
    const {config} = this.session;
    return {...config, image: {...config.image, width: +byId("take-width").value, height: +byId("take-height").value}};
  }
  async yaml() { return (await send({do: "take", config: this.sized(), step: this.session.step})).text(); }
  async jsonText() {
    return (await send({do: "take", form: "json", config: this.sized(), step: this.session.step})).text();
  }
  async picture(form, type) {
    if (!byId("take-width").reportValidity() || !byId("take-height").reportValidity()) return;
    const order = form === "pdf" ? {do: "figure"} : {do: "draw", form};
    const answer = await send({...order, config: this.sized(), step: this.session.step, client: "take"});
    download(this.name + "." + form, type, await answer.blob());
  }
}
