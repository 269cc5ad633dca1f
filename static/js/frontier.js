// The frontier's page: the plot, its sliders, the list and the table, each in step with the others.

import { Plane, bestUnder } from "./frontier/plane.js";
import { View } from "./frontier/view.js";
import { Plot } from "./frontier/plot.js";
import { entries, look, outline, shape } from "./frontier/legend.js";
import { FrontierList, RuleTable } from "./frontier/list.js";
import { element, figure, oneIn, percent, plain } from "./frontier/numbers.js";
import { savePicture } from "./frontier/picture.js";

// What a key does to the plane: zooming, or moving to the right and up, and what is said of it.
const ZOOMS = { "+": ["in", "Zoomed in"], "=": ["in", "Zoomed in"], "-": ["out", "Zoomed out"], "_": ["out", "Zoomed out"], "0": ["whole", "The whole plane"] };
const STEP = 0.1;
const MOVES = { ArrowRight: [STEP, 0, "right"], ArrowLeft: [-STEP, 0, "left"], ArrowUp: [0, STEP, "up"], ArrowDown: [0, -STEP, "down"] };

class Page {
  constructor(root, plane) {
    Object.assign(this, { root, plane, chosen: null, best: null, most: {} });
    this.part = (name) => root.querySelector(`[data-part=${name}]`);
    this.least = root.querySelector("#least-share");
    this.limit = root.querySelector("#most");
    this.list = new FrontierList(root.querySelector("#frontier-list"), plane, { moved: (rule) => this.choose(rule), opened: (rule) => this.open(rule) });
    this.table = new RuleTable(root, plane, { opened: (rule) => this.open(rule), ticked: (ids) => this.#compared(ids) });
    this.plot = window.Plotly ? new Plot(root.querySelector("#plane"), plane) : null;
    const left = plane.told.left_out ?? 0;
    const told = (plane.drawn === "points" ? "" : ", drawn by how many lie where") + (left ? `; ${plain(left)} are not listed here, only in the CSV file` : "");
    this.part("count").textContent = `${plain(plane.count)} rules, ${plain(plane.frontierCount)}${plane.frontierCount < plane.told.on_frontier ? " different ones" : ""} on the frontier${told}`;
  }

  async start() {
    this.view = new View(this.plane, "risk", "log");
    this.#opened();
    this.#listen();
    await this.#draw();
    this.#slide();
  }

  // The sliders stand where the server says: at the limits of the release class.
  #opened() {
    const given = (name) => (this.root.dataset[name] === "" ? null : Number(this.root.dataset[name]));
    this.least.value = Math.round(100 * (given("leastShare") ?? 0));
    const edge = (measure) => given(`most${measure.charAt(0).toUpperCase()}${measure.slice(1)}`) ?? this.plane.mostWithin(measure);
    this.most = { risk: edge("risk"), chance: edge("chance"), found: edge("found") };
    this.least.disabled = this.limit.disabled = false;
    this.#place();
  }

  #place() {
    const wanted = this.most[this.view.measure];
    this.limit.value = wanted === null ? 1000 : this.view.stepOf(wanted);
  }

  async #draw() {
    const measure = this.root.querySelector(`[name=measure][value=${this.view.measure}]`);
    this.part("most-name").textContent = measure.dataset.name;
    this.#legend();
    if (!this.plot) return this.#trouble();
    await this.plot.show(this.view, measure.dataset.words);
  }

  #trouble() {
    this.root.querySelector("#plane-keys").hidden = true;
    this.part("trouble").replaceChildren(element("p", { class: "notice warn" }, "The picture could not be drawn here. The list and the table say the same."));
  }

  #bounds() {
    const wanted = this.most[this.view.measure];
    return { least: Number(this.least.value) / 100, most: wanted ?? (this.view.endless ? Infinity : this.view.most) };
  }

  #slide() {
    const { least, most } = this.#bounds();
    const { measure } = this.view;
    const words = most >= this.view.most && this.most[measure] === null ? "any" : figure(measure, most);
    this.part("least-words").textContent = percent(least);
    this.part("most-words").textContent = words;
    this.least.setAttribute("aria-valuetext", percent(least));
    this.limit.setAttribute("aria-valuetext", words);
    this.best = bestUnder(this.plane, measure, least, most);
    this.#tellBest(measure, least, most);
    this.#tagBest();
    this.plot?.mark({ best: this.best, least, most });
  }

  #tellBest(measure, least, most) {
    const node = this.part("best");
    if (!this.best) return node.replaceChildren(...this.#nothing(measure, least, most));
    const why = least > 0 ? `The least risk that keeps ${percent(least)}.` : "The most detail at this risk.";
    const among = this.plane.told.left_out ? " Of the rules that are listed here." : "";
    node.replaceChildren(...this.#described(this.best), element("p", { class: "soft" }, why + among), element("div", { class: "buttons" }, this.#proposing(this.best), this.#opening(this.best, "Open this rule")));
  }

  // How far to trust its figures: the two tags, from the rule's own panel, once the sliders rest.
  #tagBest() {
    const { ruleUrl } = this.root.dataset, name = this.best?.id;
    if (name === this.tagged) return;
    this.tagged = name;
    this.part("best-tags").replaceChildren();
    clearTimeout(this.resting);
    if (name && ruleUrl) this.resting = setTimeout(() => this.#fetchTags(name, ruleUrl.replace("__rule__", encodeURIComponent(name))), 200);
  }

  async #fetchTags(name, url) {
    const answer = await fetch(url, { headers: { "HX-Request": "true" }, credentials: "same-origin" });
    const panel = new DOMParser().parseFromString(answer.ok ? await answer.text() : "", "text/html");
    if (name === this.tagged) this.part("best-tags").replaceChildren(...panel.querySelectorAll(".tags"));
  }

  #opening(rule, words) {
    const open = element("button", { type: "button", class: "button quiet" }, words);
    open.addEventListener("click", () => this.open(rule));
    return open;
  }

  // Where one may propose.
  #proposing(rule) {
    const { proposeUrl } = this.root.dataset;
    return proposeUrl ? element("a", { class: "button", href: `${proposeUrl}?${new URLSearchParams({ rule: rule.id })}` }, "Propose this rule") : null;
  }

  #nothing(measure, least, most) {
    if (this.plane.endless) return [element("p", {}, "Every rule here that keeps the limits shows what weighs “never”: its risk is infinite.")];
    const limits = this.plane.limited ? " and within the limits" : "";
    const kept = bestUnder(this.plane, measure, 0, most);
    return [
      element("p", {}, `None of these rules ${least > 0 ? `keeps ${percent(least)} with` : "has"} so little risk${limits}.`),
      element("p", {}, this.#instead(measure, least, kept).join(" ") || "No rule keeps the limits at all: see what each breaks in the table."),
      kept && element("div", { class: "buttons" }, this.#opening(kept, `Open the one that keeps ${percent(kept.share)}`)),
    ].filter(Boolean);
  }

  // What can be had: as much as this risk allows, and the risk that so much needs; where there is no such rule, the end of those there are.
  #instead(measure, least, kept) {
    const safest = bestUnder(this.plane, measure, 0, Infinity, true);
    if (!safest) return [];
    const limits = this.plane.limited ? " within the limits" : "";
    const needed = bestUnder(this.plane, measure, least, Infinity), most = bestUnder(this.plane, measure, 0, Infinity);
    const words = [kept ? `The most that one keeps under this limit is ${percent(kept.share)}.` : `The least there is${limits} is ${figure(measure, safest[measure])}.`];
    if (least > 0) words.push(needed ? `Keeping ${percent(least)} needs ${figure(measure, needed[measure])}.` : `The most that one keeps${limits} is ${percent(most.share)}.`);
    return words;
  }

  // A rule in words and its few figures.
  #described(rule) {
    const tile = (label, value, kind) => element("div", kind ? { class: kind } : {}, element("dt", {}, label), element("dd", {}, value));
    const fact = (term, value) => element("div", {}, element("dt", {}, term), element("dd", {}, value));
    const certain = rule.singled === undefined ? "" : `; ${plain(rule.singled)} with certainty`;
    return [
      element("p", { class: "rule-words" }, this.plane.words(rule)),
      element("p", {}, `Of ${plain(this.plane.told.people)} people, an attacker would be expected to find ${plain(rule.found)}${certain}.`),
      element("dl", { class: "figures" }, this.plane.harm(rule) === null ? tile("risk", plain(rule.risk), "bad") : tile("harm index (unchanged = 100)", plain(this.plane.harm(rule)), "bad"), tile("detail kept", percent(rule.share))),
      element("dl", { class: "facts" }, fact("risk", plain(rule.risk)), fact("largest chance for one person", oneIn(rule.chance)), fact("smallest group", rule.group ? `${plain(rule.group)} ${rule.group === 1 ? "person" : "people"}` : "none"), fact("kind", this.plane.families[rule.family].words), fact("limits", this.plane.standing(rule))),
    ];
  }

  choose(rule) {
    this.chosen = rule;
    this.list.mark(this.plane.byNumber.get(rule.number));
    this.table.mark(rule);
    this.part("chosen-card").hidden = false;
    const tick = element("button", { type: "button", class: "button quiet" }, this.table.chosen.has(rule.id) ? "No longer compare" : "Compare");
    tick.addEventListener("click", () => { this.table.tick(rule.id, !this.table.chosen.has(rule.id)); this.choose(rule); });
    const open = this.root.dataset.ruleUrl ? element("button", { type: "button", class: "button" }, "Open") : null;
    open?.addEventListener("click", () => this.open(rule));
    this.part("chosen").replaceChildren(...this.#described(rule), element("div", { class: "buttons" }, open, this.root.dataset.compareUrl ? tick : null));
    this.plot?.mark({ chosen: rule });
  }

  open(rule) {
    this.choose(rule);
    const pattern = this.root.dataset.ruleUrl;
    if (!pattern || !window.htmx) return;
    this.part("chosen-card").hidden = true;
    window.htmx.ajax("GET", pattern.replace("__rule__", encodeURIComponent(rule.id)), { target: "#rule-panel", swap: "innerHTML" });
  }

  #compared(ids) {
    const link = this.part("compare");
    link.hidden = ids.size < 1 || !this.root.dataset.compareUrl;
    link.textContent = ids.size < 2 ? "Tick another to compare" : `Compare ${ids.size} rules`;
    const query = new URLSearchParams([...ids].map((id) => ["rule", id]));
    if (ids.size > 1) link.href = `${this.root.dataset.compareUrl}?${query}`;
    else link.removeAttribute("href");
  }

  #legend() {
    const told = ({ kind, family, words, place }) => (kind === "family" ? this.#entry(family, words, place) : element("li", {}, element("i", { class: kind }), words));
    this.part("legend").replaceChildren(...entries(this.plane, this.view).map(told));
  }

  #entry(family, words, place) {
    const svg = shape("svg", { viewBox: "0 0 16 16", class: `family family-${look(family)}`, "aria-hidden": "true" }, shape("path", { d: outline(family) }));
    const button = element("button", { type: "button", "aria-pressed": String(!this.view.hidden.has(place)), title: "Show or hide" }, svg, words);
    button.addEventListener("click", () => this.#toggle(place));
    return element("li", { "data-family": place }, button);
  }

  async #toggle(place) {
    if (!this.view.hidden.delete(place)) this.view.hidden.add(place);
    await this.#draw();
    this.root.querySelector(`[data-family="${place}"] button`).focus();
  }

  async #change(measure, scale) {
    const { hidden } = this.view;
    this.view = new View(this.plane, measure, scale);
    this.view.hidden = hidden;
    this.#place();
    await this.#draw();
    this.#slide();
  }

  #listen() {
    const { root } = this;
    this.least.addEventListener("input", () => this.#slide());
    this.limit.addEventListener("input", () => { this.most[this.view.measure] = Number(this.limit.value) >= 1000 ? null : this.view.valueAt(Number(this.limit.value)); this.#slide(); });
    root.addEventListener("change", (event) => {
      if (event.target.name === "measure") this.#change(event.target.value, this.view.scale);
      if (event.target.name === "scale") this.#change(this.view.measure, event.target.value);
    });
    if (!this.plot) return;
    root.addEventListener("click", (event) => {
      const { zoom, save } = event.target.closest("[data-zoom], [data-save]")?.dataset ?? {};
      if (zoom) this.plot.zoom(zoom);
      if (save) savePicture(this.plot, save, { title: root.querySelector("#plane-title").textContent, name: root.dataset.project, count: this.part("count").textContent });
    });
    root.querySelector("#plane-help").hidden = false;
    root.querySelector("#plane-keys").addEventListener("keydown", (event) => this.#pressed(event));
    this.#pointing();
    this.#following();
  }

  // Only while the plane itself is in focus; keys of the browser stay its own.
  #pressed(event) {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || !(key in ZOOMS || key in MOVES)) return;
    event.preventDefault();
    this.part("tip").hidden = true;
    if (key in ZOOMS) this.plot.zoom(ZOOMS[key][0]);
    else this.plot.pan(...MOVES[key]);
    document.getElementById("announcer").textContent = key in ZOOMS ? ZOOMS[key][1] : `Moved ${MOVES[key][2]}`;
  }

  // Plotly covers the plot while a button is down, so clicks are told from drags by where it goes up.
  #pointing() {
    const { node } = this.plot;
    let from = null, asked = 0;
    node.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; }, true);
    window.addEventListener("pointerup", (event) => {
      const moved = from && Math.hypot(event.clientX - from[0], event.clientY - from[1]);
      const rule = from && moved < 5 ? this.plot.under(event) : null;
      from = null;
      if (rule) this.open(rule);
    }, true);
    node.addEventListener("pointermove", (event) => { cancelAnimationFrame(asked); asked = requestAnimationFrame(() => this.#tip(event)); });
    node.addEventListener("pointerleave", () => { cancelAnimationFrame(asked); this.part("tip").hidden = true; });
  }

  #tip(event) {
    const rule = this.plot.under(event);
    const tip = this.part("tip");
    tip.hidden = !rule;
    if (!rule) return;
    tip.replaceChildren(element("b", {}, this.plane.words(rule)), element("span", {}, `${this.plot.label(rule)} · ${this.plane.families[rule.family].words}`));
    const [x, y] = this.plot.spot(rule);
    const { clientWidth, clientHeight } = this.plot.node;
    tip.style.left = `${Math.min(Math.max(x - tip.offsetWidth / 2, 0), clientWidth - tip.offsetWidth)}px`;
    tip.style.top = `${y > clientHeight / 2 ? y - tip.offsetHeight - 14 : y + 14}px`;
  }

  // Other colours and other widths draw the plot anew.
  #following() {
    const again = () => this.plot.resize();
    new MutationObserver(again).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
    let width = this.plot.node.clientWidth;
    new ResizeObserver(() => { if (this.plot.node.clientWidth !== width) { width = this.plot.node.clientWidth; again(); } }).observe(this.plot.node);
  }
}

const root = document.getElementById("frontier");
try {
  await new Page(root, await Plane.fetch(root.dataset.planeUrl)).start();
  root.dataset.ready = "";
} catch (trouble) {
  root.querySelector("[data-part=count]").textContent = "";
  root.querySelector("[data-part=trouble]").replaceChildren(element("p", { class: "notice bad", role: "alert" }, "The rules could not be loaded. Load the page anew; if that does not help, take the CSV file."));
  throw trouble;
}
