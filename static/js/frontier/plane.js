// The rules of a run: unpacked from the plane's JSON, with their figures, names and words.

import { wordsOf } from "./words.js";

const FAMILIES = {
  "full-domain": "whole-table rules",
  regional: "rules by region",
  "per-record": "record by record",
  exact: "best possible, record by record",
  "k-anonymity": "k-anonymity",
  "random-k": "random k-anonymity",
  mondrian: "Mondrian",
};

const bytes = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
const number = (value) => (value === "inf" ? Infinity : value === "-inf" ? -Infinity : value);

const unpack = (column, count) => {
  const values = new Float64Array(count);
  if (column.table) {
    const raw = bytes(column.codes);
    const wide = column.table.length > 256;
    const table = column.table.map(number);
    for (let i = 0; i < count; i++) values[i] = table[wide ? raw[2 * i] + 256 * raw[2 * i + 1] : raw[i]];
    return values;
  }
  const raw = bytes(column.floats);
  const whole = new Uint8Array(4 * count);
  const dropped = 4 - column.size;
  for (let i = 0; i < count; i++) for (let b = dropped; b < 4; b++) whole[4 * i + b] = raw[column.size * i + b - dropped];
  const view = new DataView(whole.buffer);
  for (let i = 0; i < count; i++) values[i] = view.getFloat32(4 * i, true);
  return values;
};

const bit = (raw, i) => (raw[i >> 3] >> (i & 7)) & 1;

// A rule that two searches found, or a search twice, once: that of the simpler kind, which comes first. The same levels with
// nothing withheld are the same rule, even if two searches added its figures up in another order.
const onceEach = (rules) => {
  const does = ({ id, levels, regions, withheld, risk, utility, chance, found, singled, group }) => JSON.stringify(levels && !withheld ? [levels] : [levels ?? regions ?? id, withheld, risk, utility, chance, found, singled, group]);
  return [...new Map(rules.map((rule) => [does(rule), rule]).reverse()).values()].reverse();
};

export class Plane {
  constructor(told) {
    this.told = told;
    this.families = told.families.map((family) => ({ family, words: FAMILIES[family] ?? family }));
    const { heights, first } = told.nodes;
    this.first = first;
    this.sizes = heights.map((height) => height + 1);
    this.listed = told.listed.map((row) => this.#listed(row));
    this.byNumber = new Map(this.listed.map((rule) => [rule.number, rule]));
    this.columns = this.#columns();
    this.drawn = told.columns ? "points" : "density";
    const frontier = this.listed.filter((rule) => rule.frontier).sort((a, b) => a.risk - b.risk || a.share - b.share || a.family - b.family);
    this.onFrontier = onceEach(frontier);
    this.frontierCount = told.on_frontier - frontier.length + this.onFrontier.length;
    this.limited = Object.keys(told.limits).length > 0;
  }

  static async fetch(url) {
    const answer = await fetch(url, { headers: { Accept: "application/json" }, credentials: "same-origin" });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    return new Plane(await answer.json());
  }

  #listed([place, id, family, levels, risk, utility, share, chance, found, singled, group, within, frontier, regions, withheld = 0, parts]) {
    const figures = { risk: number(risk), utility: number(utility), share, chance, found, singled, group };
    return { number: place, id: id ?? `full-domain:${levels.join(".")}`, family, levels, ...figures, within: !!within, frontier: !!frontier, regions, withheld, parts };
  }

  // Every rule in columns, whole-table rules first; only those told in full when the plane says how many lie where.
  #columns() {
    const { columns, nodes } = this.told;
    const many = columns && nodes.whole ? this.sizes.reduce((product, size) => product * size, 1) : 0;
    const others = this.listed.filter((rule) => rule.family || !many);
    const found = { number: new Uint32Array(many + others.length), family: new Uint8Array(many + others.length), within: new Uint8Array(many + others.length) };
    for (const name of ["risk", "share", "chance", "found", "group"]) {
      found[name] = new Float64Array(many + others.length);
      if (many) found[name].set(unpack(columns[name], many));
    }
    const kept = many ? bytes(columns.within) : [];
    for (let i = 0; i < many; i++) { found.number[i] = this.first + i; found.within[i] = bit(kept, i); }
    others.forEach((rule, place) => { for (const name of Object.keys(found)) found[name][many + place] = rule[name]; });
    this.#exactly(found, many);
    return found;
  }

  // Listed rules have all their digits.
  #exactly(found, many) {
    for (const rule of this.listed) {
      const place = rule.number - this.first;
      if (rule.family || place >= many) continue;
      for (const name of ["risk", "share", "chance", "found", "group"]) found[name][place] = rule[name];
    }
  }

  get count() { return this.told.rules; }

  rule(place) {
    const at = this.columns.number[place];
    if (this.byNumber.has(at)) return this.byNumber.get(at);
    const levels = this.levels(at - this.first);
    const figures = Object.fromEntries(["risk", "share", "chance", "found", "group"].map((name) => [name, this.columns[name][place]]));
    return { number: at, id: `full-domain:${levels.join(".")}`, family: 0, levels, ...figures, within: !!this.columns.within[place], frontier: false };
  }

  levels(node) {
    const levels = [];
    for (let j = this.sizes.length - 1, left = node; j >= 0; j--) { levels[j] = left % this.sizes[j]; left = Math.floor(left / this.sizes[j]); }
    return levels;
  }

  words(rule) { return wordsOf(rule, this.told.attributes); }

  // How a rule stands to the limits, in the words of the rule's own page.
  standing(rule) { return rule.within ? (this.limited ? "kept" : "none set") : "broken"; }

  // The risk with that of the unchanged table as 100; null where that is nothing or infinite.
  harm(rule) {
    const before = this.byNumber.get(this.told.ends[0]).risk;
    return before > 0 && before < Infinity ? (100 * rule.risk) / before : null;
  }

  range(measure) {
    let least = Infinity, most = 0, zero = false, endless = false;
    for (const value of this.columns[measure]) {
      if (value <= 0) zero = true;
      else if (value === Infinity) endless = true;
      else { if (value < least) least = value; if (value > most) most = value; }
    }
    const cells = this.told.density?.[measure];
    if (cells) { least = Math.min(least, cells.from); most = Math.max(most, cells.to); }
    if (!most) { least = 0.1; most = 1; }
    return { least, most, zero, endless };
  }

  // Whether every rule that keeps the limits shows what must never be learnt.
  get endless() {
    const { within, risk } = this.columns;
    return within.some(Boolean) && !risk.some((value, i) => within[i] && value < Infinity);
  }

  // The largest value of a rule that keeps the limits; null where there are no limits, or nothing keeps them. Infinite risk
  // keeps none: it shows what must never be learnt.
  mostWithin(measure) {
    if (!this.limited) return null;
    let most = -1;
    this.columns[measure].forEach((value, i) => { if (this.columns.within[i] && this.columns.risk[i] < Infinity && value > most) most = value; });
    return most < 0 ? null : most;
  }

  density(measure) {
    const cells = this.told.density[measure];
    const count = (cells.across + 2) * cells.up;
    const kept = bytes(cells.within);
    return { ...cells, many: unpack(cells.many, count), kept: (place) => bit(kept, place) };
  }
}

// The rules that no other of these beats, from the least risk up.
export const undominated = (rules, measure) => {
  const sorted = [...rules].sort((a, b) => a[measure] - b[measure] || b.share - a.share);
  let best = -1;
  return sorted.filter((rule) => rule.share > best && ((best = rule.share), true));
};

// The best rule among those told in full: the least risk that keeps enough, or the most detail when nothing must be kept. Of
// equals, whatever their last digits, the simpler kind: whole-table rules come first. A rule of infinite risk is none.
export const bestUnder = (plane, measure, least, most, safest = least > 0) => {
  const near = 1e-9;
  const fit = plane.listed.filter((rule) => rule.within && rule.risk < Infinity && rule.share >= least - near && rule[measure] <= most * (1 + near));
  const nearest = (rules, value) => {
    const best = rules.reduce((found, rule) => Math.min(found, value(rule)), Infinity);
    return rules.filter((rule) => value(rule) <= best + near * Math.abs(best));
  };
  const risk = (rule) => rule[measure], lost = (rule) => -rule.share;
  const [first, second] = safest ? [risk, lost] : [lost, risk];
  return nearest(nearest(fit, first), second).sort((a, b) => a.family - b.family)[0] ?? null;
};
