// The plot itself: Plotly's axes, lines and marks over the picture of the cloud, in the colours of the page.

import { Cloud } from "./cloud.js";
import { entries, look, symbol } from "./legend.js";
import { undominated } from "./plane.js";
import { figure, percent } from "./numbers.js";

const INKS = ["accent", "family-1", "family-2", "family-3", "family-4", "family-5", "family-6"];

const NAMED = { "k-anonymity": "bottom right", mondrian: "top right" }; // whose points say how many must look alike, where they are few
const MOST_NAMED = 12;
const NEAR_ALL = 0.9; // of the detail: from there on the name of the unchanged table stands above
const MEASURED = { risk: "risk", chance: "largest chance", found: "people found" };
const KEPT = { text: "Detail kept →", standoff: 10, font: { size: 12.5 } };

// Tokens are light-dark() pairs; the browser resolves them for an element.
const resolver = () => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.hidden = true;
  const read = (token) => { probe.style.color = `var(--${token})`; return getComputedStyle(probe).color; };
  const tokens = ["ink", "soft", "line", "paper", "accent", "bad", "bad-soft", "control", "busy", ...INKS];
  const colours = Object.fromEntries(tokens.map((token) => [token, read(token)]));
  probe.remove();
  return { ...colours, kept: colours.accent, broken: colours.control, inks: INKS.map((token) => colours[token]) };
};

export class Plot {
  constructor(node, plane) {
    Object.assign(this, { node, plane, cloud: new Cloud(plane), marks: { best: null, chosen: null, least: 0, most: Infinity } });
    this.still = matchMedia("(pointer: coarse)").matches;
  }

  async show(view, words) {
    Object.assign(this, { view, words, colours: resolver() });
    const config = { displayModeBar: false, responsive: false, doubleClick: false, showTips: false, locale: "en" };
    await Plotly.react(this.node, this.#traces(), this.#layout(), config);
    await this.#cloud();
    for (const heard of ["plotly_relayout", "plotly_doubleclick"]) this.node.removeAllListeners?.(heard);
    this.node.on("plotly_relayout", (change) => this.#zoomed(change));
    this.node.on("plotly_doubleclick", () => this.zoom("whole")); // the browser's own never comes: Plotly covers the plot while a button is down
  }

  // Only the lines and rings: cheap enough for every move of a slider.
  mark(change) {
    Object.assign(this.marks, change);
    const rings = this.#rings();
    const last = this.node.data.length - 1;
    return Plotly.update(this.node, { x: [rings.x], y: [rings.y] }, { shapes: this.#shapes(), annotations: this.#notes() }, [last]);
  }

  async zoom(how) {
    if (how === "whole") Object.assign(this.view, this.view.whole);
    else this.view.zoom(how === "in" ? 0.6 : 1 / 0.6);
    await this.#range();
  }

  pan(right, up) {
    this.view.pan(right, up);
    return this.#range();
  }

  resize() { return this.show(this.view, this.words); }

  // Keys come faster than the plane is drawn: it is drawn once for all that came meanwhile.
  async #range() {
    this.moved = true;
    if (this.moving) return;
    this.moving = true;
    while (this.moved) {
      this.moved = false;
      await Plotly.relayout(this.node, { "xaxis.range": [...this.view.x], "yaxis.range": [...this.view.y] });
      await this.#cloud();
    }
    this.moving = false;
  }

  async #zoomed(change) {
    if (!Object.keys(change).some((key) => /^[xy]axis\.(range\[|autorange)/.test(key))) return;
    const { xaxis, yaxis } = this.node._fullLayout;
    this.view.x = [...xaxis.range];
    this.view.y = [...yaxis.range];
    await this.#cloud();
  }

  #cloud() {
    const { w, h } = this.node._fullLayout._size;
    Object.assign(this.view, { width: w, height: h });
    const source = this.cloud.draw(this.view, this.colours);
    const ticks = Object.fromEntries(Object.entries(this.#ticks()).map(([name, value]) => [`xaxis.${name}`, value]));
    return Plotly.relayout(this.node, { ...ticks, annotations: this.#notes(), images: [{ source, xref: "paper", yref: "paper", x: 0, y: 1, sizex: 1, sizey: 1, sizing: "stretch", layer: "below" }] });
  }

  // The rule under a place of the screen; null when none is near.
  under(event) {
    const { left, top } = this.node.getBoundingClientRect();
    const { l, t } = this.node._fullLayout._size;
    const place = this.cloud.nearest(event.clientX - left - l, event.clientY - top - t, this.view.hidden, this.still ? 24 : 14);
    return place < 0 ? null : this.plane.rule(place);
  }

  spot(rule) {
    const { l, t } = this.node._fullLayout._size;
    return [l + this.view.across(rule[this.view.measure]), t + this.view.up(rule.share)];
  }

  // Between two rules there is none, so what can be kept for a risk is a stair; only rules record by record mix.
  #stairs(rules, name, line, more) {
    return this.#line(rules, name, { ...line, shape: "hv" }, more);
  }

  #line(rules, name, line, more = {}) {
    const { view } = this;
    return { type: "scatter", mode: "lines", name, x: rules.map((rule) => view.point(rule[view.measure])), y: rules.map((rule) => rule.share), line, hoverinfo: "skip", ...more };
  }

  #traces() {
    const { plane, view, colours } = this;
    const shown = plane.listed.filter((rule) => !view.hidden.has(rule.family));
    const tables = undominated(this.#candidates().filter((rule) => !rule.family), view.measure);
    const every = undominated(shown, view.measure);
    const traces = [];
    if (plane.told.exact && view.measure === "risk") {
      const rules = plane.told.exact.risk.map((risk, place) => ({ risk, share: plane.told.exact.share[place] }));
      traces.push(this.#line(rules, "exact", { color: colours.busy, width: 1.5, dash: "dash" }));
    }
    if (every.some((rule) => rule.family)) traces.push(this.#stairs(every, "frontier", { color: colours.soft, width: 1.5, dash: "dot" }));
    if (!view.hidden.has(0)) traces.push(this.#stairs(tables, "tables", { color: colours.accent, width: 2 }, { mode: "lines+markers", marker: { color: colours.accent, size: 8 } }));
    plane.families.forEach(({ family }, place) => { if (place && !view.hidden.has(place)) traces.push(this.#family(family, shown.filter((rule) => rule.family === place))); });
    traces.push({ ...this.#rings(), type: "scatter", mode: "markers", name: "rings", hoverinfo: "skip", cliponaxis: false, marker: { symbol: ["circle-open", "circle-open"], size: [18, 22], color: [colours.accent, colours.ink], line: { width: [3, 2.5] } } });
    return traces;
  }

  // Where every rule is told, the line of the whole-table rules is theirs by any measure.
  #candidates() {
    const { plane, view } = this;
    if (plane.drawn !== "points") return plane.listed;
    const { share, family, number } = plane.columns;
    return Array.from(number, (_, i) => ({ share: share[i], family: family[i], [view.measure]: plane.columns[view.measure][i] }));
  }

  #family(family, rules) {
    const { view, colours } = this;
    const ink = colours.inks[look(family)];
    const marker = { symbol: rules.map((rule) => symbol(family) + (rule.within ? "" : "-open")), size: 9, color: ink, line: { width: 1.5, color: ink } };
    const named = family in NAMED && rules.length <= MOST_NAMED && this.node.clientWidth >= 480; // else words would lie over each other
    const text = named ? { mode: "markers+text", text: this.#alike(rules), textposition: NAMED[family], textfont: { size: 11, color: ink } } : { mode: "markers" };
    return { type: "scatter", ...text, name: family, x: rules.map((rule) => view.point(rule[view.measure])), y: rules.map((rule) => rule.share), marker, hoverinfo: "skip" };
  }

  // How many must look alike, told once where several rules are one point.
  #alike(rules) {
    const place = (rule) => `${rule[this.view.measure]} ${rule.share}`;
    const told = Map.groupBy(rules, place);
    return rules.map((rule) => {
      const here = told.get(place(rule));
      return here[0] === rule ? `\u2002k=${here.map(({ id }) => id.split(":")[1]).join(", ")}` : "";
    });
  }

  #rings() {
    const { best, chosen } = this.marks;
    const rules = [best, chosen];
    return { x: rules.map((rule) => (rule ? this.view.point(rule[this.view.measure]) : null)), y: rules.map((rule) => (rule ? rule.share : null)) };
  }

  // What is forbidden: beyond the limit on the chance; else beyond the last rule that keeps the limits.
  #forbidden() {
    const { plane, view } = this;
    if (!plane.limited) return null;
    if (view.measure === "chance" && plane.told.limits.largest_chance !== undefined) return { from: plane.told.limits.largest_chance, words: "above the limit" };
    const most = plane.mostWithin(view.measure);
    if (most === null) return { from: 0, words: plane.endless ? "every risk is infinite" : "no rule keeps the limits" };
    return most < view.most ? { from: most, words: "past the limits" } : null;
  }

  #shapes() {
    const { view, colours, marks } = this;
    const upright = (x, line, more = {}) => ({ type: "line", xref: "x", yref: "paper", x0: x, x1: x, y0: 0, y1: 1, line, layer: "below", ...more });
    const unit = (value) => view.point(value);
    const forbidden = this.#forbidden();
    const shapes = [];
    const far = view.scale === "log" ? 10 ** Math.min(view.whole.x[1] + 3, 300) : view.whole.x[1] * 4;
    if (forbidden) shapes.push({ type: "rect", xref: "x", yref: "paper", x0: unit(forbidden.from), x1: far, y0: 0, y1: 1, fillcolor: colours["bad-soft"], opacity: 0.75, line: { width: 0 }, layer: "below" });
    for (const edge of [view.breakLow, view.breakHigh]) if (edge !== null) shapes.push(upright(view.scale === "log" ? 10 ** edge : edge, { color: colours.control, width: 1, dash: "dot" }));
    if (view.measure === "chance") for (const limits of Object.values(this.plane.told.classes)) if (limits.largest_chance) shapes.push(upright(unit(limits.largest_chance), { color: colours.bad, width: 1 }));
    if (marks.least > 0) shapes.push({ type: "line", xref: "paper", yref: "y", x0: 0, x1: 1, y0: marks.least, y1: marks.least, line: { color: colours.ink, width: 1.5, dash: "dot" } });
    if (marks.most < view.most) shapes.push(upright(unit(marks.most), { color: colours.ink, width: 1.5, dash: "dot" }, { layer: "above" }));
    return shapes;
  }

  #note(text, x, y, more = {}) {
    return { text, xref: "x", yref: "y", x, y, showarrow: false, font: { size: 11.5, color: this.colours.soft }, ...more };
  }

  #notes() {
    const { view, plane, colours, marks } = this;
    const ends = plane.told.ends.map((number) => plane.byNumber.get(number));
    const low = { yref: "paper", y: 0, yanchor: "bottom" };
    const lastAtRight = ends[1][view.measure] === Infinity; // its name ends there, and what is forbidden is told at the left
    const lastBeside = lastAtRight ? { xanchor: "right", xshift: 8 } : { xanchor: "left", xshift: -4 };
    const forbiddenAt = lastAtRight ? { x: 0, xanchor: "left", xshift: 4 } : { x: 1, xanchor: "right", xshift: -4 };
    const notes = [
      this.#note("unchanged", view.at(ends[0][view.measure]), ends[0].share, { yanchor: "bottom", yshift: 7, xanchor: "right", xshift: 8 }),
      this.#note("nothing released", view.at(ends[1][view.measure]), ends[1].share, { ...lastBeside, yanchor: "top", yshift: -5 }),
    ];
    const forbidden = this.#forbidden();
    if (forbidden && view.at(forbidden.from) < view.x[1]) notes.push(this.#note(forbidden.words, 1, 0, { xref: "paper", yref: "paper", ...forbiddenAt, yanchor: "bottom", yshift: 2, font: { size: 11.5, color: colours.bad } }));
    if (marks.least > 0) notes.push(this.#note(`keep at least ${percent(marks.least)}`, 1, marks.least, { xref: "paper", xanchor: "right", yanchor: marks.least > NEAR_ALL ? "top" : "bottom", xshift: -4, font: { size: 11.5, color: colours.ink } }));
    if (view.endless && view.scale === "linear") notes.push(this.#note("∞", view.ceiling, 0, { yref: "paper", yanchor: "top", yshift: -3, font: { size: 14, color: colours.soft } }));
    if (view.measure === "chance") for (const [name, limits] of Object.entries(plane.told.classes)) if (limits.largest_chance) notes.push(this.#note(name, view.at(limits.largest_chance), 1, { ...low, y: 1, yanchor: "top", xanchor: "right", textangle: -90, font: { size: 11, color: colours.bad } }));
    return notes;
  }

  #layout() {
    const { view, colours, node } = this;
    const axis = { gridcolor: colours.line, zeroline: false, linecolor: colours.line, tickcolor: colours.line, automargin: false, fixedrange: this.still };
    return {
      width: node.clientWidth, height: node.clientHeight, autosize: false,
      margin: { l: node.clientWidth < 480 ? 44 : 60, r: 10, t: 8, b: 46 }, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: getComputedStyle(node).fontFamily, size: 12, color: colours.soft }, showlegend: false, hovermode: false,
      dragmode: this.still ? false : "zoom",
      xaxis: { ...axis, type: view.scale, range: [...view.x], title: { text: `${this.words} →`, standoff: 10, font: { size: node.clientWidth < 480 ? 10.5 : 12.5 } }, ...this.#ticks() },
      yaxis: { ...axis, range: [...view.y], title: node.clientWidth < 480 ? {} : KEPT, tickformat: ".0%", dtick: 0.2 },
      shapes: this.#shapes(), annotations: this.#notes(),
    };
  }

  #ticks() {
    return this.view.scale === "log" ? this.view.ticks() : { tickmode: "auto", tickangle: 0, nticks: this.node.clientWidth < 480 ? 5 : 9, tickformat: "~r" };
  }

  // What is drawn, with what it means.
  legend() {
    const shown = entries(this.plane, this.view).filter(({ place }) => !this.view.hidden.has(place));
    if (this.marks.best) shown.push({ kind: "best", words: "best rule under the limits of the sliders" });
    if (this.marks.chosen) shown.push({ kind: "chosen", words: "the rule that was chosen" });
    return shown;
  }

  // The drawing in another size, as SVG in a data: URL; its cloud is drawn anew, so that points stay round.
  drawing(width, height) {
    const { data, layout } = this.node;
    const margin = { ...layout.margin, l: 60, r: 24 };
    const view = this.view.sized(width - margin.l - margin.r, height - margin.t - margin.b);
    const images = [{ ...layout.images[0], source: new Cloud(this.plane).draw(view, this.colours, 2) }];
    return Plotly.toImage({ data, layout: { ...layout, margin, images, yaxis: { ...layout.yaxis, title: KEPT } } }, { format: "svg", width, height });
  }

  label(rule) {
    return `${MEASURED[this.view.measure]} ${figure(this.view.measure, rule[this.view.measure])} · keeps ${percent(rule.share)}`;
  }
}
