// The rules as words: a list of the frontier to walk through by keyboard, and a table of all to sort.

import { element, oneIn, percent, plain } from "./numbers.js";

// Rows on one page of the table; on a narrow screen each is as high as several.
const PAGE = matchMedia("(max-width: 48rem)").matches ? 10 : 25;

// A listbox: arrow keys move the mark, Enter and clicks open. `moved` and `opened` are told the rule.
export class FrontierList {
  constructor(node, plane, { moved, opened }) {
    Object.assign(this, { node, plane, rules: plane.onFrontier, at: -1, moved, opened });
    const options = this.rules.map((rule, place) => this.#option(rule, place));
    node.replaceChildren(...options);
    node.addEventListener("keydown", (event) => this.#key(event));
    node.addEventListener("focus", () => { if (this.at < 0) this.#go(0); });
    node.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) { this.#go(Number(option.dataset.place)); this.opened(this.rules[this.at]); }
    });
  }

  #option(rule, place) {
    const warning = this.plane.standing(rule) === "broken" ? element("span", { class: "badge warm" }, "breaks a limit") : null;
    const figures = element("span", { class: "frontier-figures" }, warning, element("span", {}, `risk ${plain(rule.risk)}`), element("span", {}, `keeps ${percent(rule.share)}`));
    return element("li", { role: "option", id: `frontier-${place}`, "data-place": place, "aria-selected": "false" }, element("span", { class: "frontier-words" }, this.plane.words(rule)), figures);
  }

  #key(event) {
    const last = this.rules.length - 1;
    const to = { ArrowDown: this.at + 1, ArrowUp: this.at - 1, Home: 0, End: last, PageDown: this.at + 10, PageUp: this.at - 10 }[event.key];
    if (to !== undefined) this.#go(Math.min(Math.max(to, 0), last));
    else if ((event.key === "Enter" || event.key === " ") && this.at >= 0) this.opened(this.rules[this.at]);
    else return;
    event.preventDefault();
  }

  #go(place) { this.mark(this.rules[place]); this.moved(this.rules[place]); }

  // In step with the plot: the mark goes to the rule if it is on the frontier, and away if it is not.
  mark(rule) {
    this.node.children[this.at]?.setAttribute("aria-selected", "false");
    this.at = rule ? this.rules.indexOf(rule) : -1;
    const option = this.node.children[this.at];
    if (!option) return this.node.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    this.node.setAttribute("aria-activedescendant", option.id);
    const { offsetTop: top, offsetHeight: height } = option;
    if (top < this.node.scrollTop) this.node.scrollTop = top;
    else if (top + height > this.node.scrollTop + this.node.clientHeight) this.node.scrollTop = top + height - this.node.clientHeight;
  }
}

const HEADS = [
  ["words", "rule", false],
  ["family", "kind", false],
  ["risk", "risk", true],
  ["share", "kept", true],
  ["chance", "worst chance", true],
  ["found", "people found", true],
  ["group", "smallest group", true],
  ["within", "limits", false],
];

export class RuleTable {
  constructor(root, plane, { opened, ticked }) {
    const part = (name) => root.querySelector(`[data-part=${name}]`);
    Object.assign(this, { plane, opened, ticked, heads: part("heads"), rows: part("rows"), words: part("page-words"), only: part("only-frontier"), page: 0, by: "share", down: true, chosen: new Set() });
    this.steps = [...root.querySelectorAll("[data-page]")];
    const title = ([name, words, num]) => element("th", { role: "columnheader", scope: "col", class: num && "num", "data-by": name }, element("button", { type: "button", class: "sort" }, words));
    this.heads.replaceChildren(element("th", { role: "columnheader", scope: "col" }, element("span", { class: "visually-hidden" }, "compare")), ...HEADS.map(title));
    this.heads.addEventListener("click", (event) => this.#sort(event.target.closest("th")?.dataset.by));
    this.only.addEventListener("change", () => { this.page = 0; this.show(); });
    for (const step of this.steps) step.addEventListener("click", () => { this.page += Number(step.dataset.page); this.show(); });
    this.rows.addEventListener("click", (event) => { const row = event.target.closest("button.rule"); if (row) this.opened(this.shown.get(row.dataset.rule)); });
    this.rows.addEventListener("change", (event) => this.tick(event.target.value, event.target.checked));
    this.show();
  }

  #sort(by) {
    if (!by) return;
    this.down = this.by === by ? !this.down : ["share", "group", "within"].includes(by);
    Object.assign(this, { by, page: 0 });
    this.show();
  }

  // The places in the columns, in order. Words are those of the levels, so rules sort as their numbers do.
  #order() {
    const { columns, byNumber } = this.plane;
    const key = this.by === "words" ? columns.number : columns[this.by];
    const places = [];
    for (let i = 0; i < columns.number.length; i++) if (!this.only.checked || byNumber.get(columns.number[i])?.frontier) places.push(i);
    const sign = this.down ? -1 : 1;
    return places.sort((a, b) => sign * (key[a] === key[b] ? 0 : key[a] < key[b] ? -1 : 1) || a - b);
  }

  tick(id, wanted) {
    if (wanted && this.chosen.size < 4) this.chosen.add(id);
    else this.chosen.delete(id);
    for (const box of this.rows.querySelectorAll("input")) { box.checked = this.chosen.has(box.value); box.disabled = this.chosen.size >= 4 && !box.checked; }
    this.ticked(this.chosen);
  }

  show() {
    const places = this.#order();
    const pages = Math.max(1, Math.ceil(places.length / PAGE));
    this.page = Math.min(Math.max(this.page, 0), pages - 1);
    const rules = places.slice(this.page * PAGE, (this.page + 1) * PAGE).map((place) => this.plane.rule(place));
    this.shown = new Map(rules.map((rule) => [rule.id, rule]));
    this.rows.replaceChildren(...rules.map((rule) => this.#row(rule)));
    for (const head of this.heads.querySelectorAll("[data-by]")) head.toggleAttribute("data-down", this.down);
    for (const head of this.heads.querySelectorAll("[data-by]")) if (head.dataset.by === this.by) head.setAttribute("aria-sort", this.down ? "descending" : "ascending"); else head.removeAttribute("aria-sort");
    const told = this.plane.drawn === "points" || this.only.checked ? "" : ` The other ${plain(this.plane.count - places.length)} are in the CSV file.`;
    this.words.textContent = `Page ${this.page + 1} of ${plain(pages)}; ${plain(places.length)} rules.${told}`;
    this.steps[0].disabled = this.page === 0;
    this.steps[1].disabled = this.page >= pages - 1;
    this.mark(this.marked);
  }

  mark(rule) {
    this.marked = rule;
    for (const row of this.rows.children) row.classList.toggle("on", row.dataset.rule === rule?.id);
  }

  #row(rule) {
    const words = this.plane.words(rule);
    const box = element("input", { type: "checkbox", value: rule.id, "aria-label": `Compare: ${words}`, disabled: this.chosen.size >= 4 && !this.chosen.has(rule.id) });
    box.checked = this.chosen.has(rule.id);
    const cell = (name, text) => { const [, label, num] = HEADS.find(([by]) => by === name); return element("td", { role: "cell", class: num && "num", "data-label": label }, text); };
    return element(
      "tr", { role: "row", "data-rule": rule.id },
      element("td", { role: "cell", class: "tick" }, box),
      element("th", { role: "rowheader", scope: "row", class: "wide" }, element("button", { type: "button", class: "rule", title: words, "data-rule": rule.id }, words)),
      cell("family", this.plane.families[rule.family].words), cell("risk", plain(rule.risk)), cell("share", percent(rule.share)), cell("chance", oneIn(rule.chance)),
      cell("found", plain(rule.found)), cell("group", rule.group ? plain(rule.group) : "–"), cell("within", this.plane.standing(rule)),
    );
  }
}
