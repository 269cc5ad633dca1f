// Where a rule lies on the axes. A logarithm has no place for no risk and none for infinite risk: both get one, beyond a line.

const GAP = 0.06; // of the axis, on the side of those without a place

export class View {
  constructor(plane, measure, scale) {
    Object.assign(this, { plane, measure, scale, hidden: new Set(), width: 1, height: 1 });
    const { least, most, zero, endless } = plane.range(measure);
    const [low, high] = scale === "log" ? [Math.log10(least), Math.log10(most)] : [0, most];
    const span = Math.max(high - low, scale === "log" ? 0.5 : most || 1);
    Object.assign(this, { least, most, zero, endless });
    this.floor = scale === "log" ? low - 2 * GAP * span : 0;
    this.ceiling = high + 2 * GAP * span;
    this.breakLow = scale === "log" && zero ? low - GAP * span : null;
    this.breakHigh = endless ? high + GAP * span : null;
    const left = scale === "log" && !zero ? low : this.floor;
    this.whole = { x: [left - 0.035 * span, (endless ? this.ceiling : high) + 0.05 * span], y: [-0.07, 1.07] };
    this.x = this.whole.x;
    this.y = this.whole.y;
  }

  // A place on the axis, in the units of its range: powers of ten, or the value itself.
  at(value) {
    if (value === Infinity) return this.ceiling;
    if (this.scale === "linear") return value;
    return value > 0 ? Math.log10(value) : this.floor;
  }

  // The same for Plotly's points, which it takes the logarithm of by itself.
  point(value) { return this.scale === "log" ? 10 ** this.at(value) : this.at(value); }

  across(value) { return ((this.at(value) - this.x[0]) / (this.x[1] - this.x[0])) * this.width; }

  up(share) { return (1 - (share - this.y[0]) / (this.y[1] - this.y[0])) * this.height; }

  // The same part of the plane on another ground.
  sized(width, height) { return Object.assign(Object.create(View.prototype), this, { width, height }); }

  zoom(factor) {
    const around = ([from, to]) => { const middle = (from + to) / 2, half = ((to - from) / 2) * factor; return [middle - half, middle + half]; };
    this.x = around(this.x);
    this.y = around(this.y);
  }

  // By parts of what is shown, to the right and up; what lies in the middle stays in the plane.
  pan(right, up) {
    const moved = ([from, to], [low, high], part) => { const by = (to - from) * part, middle = (from + to) / 2 + by; return middle < low || middle > high ? [from, to] : [from + by, to + by]; };
    this.x = moved(this.x, this.whole.x, right);
    this.y = moved(this.y, this.whole.y, up);
  }

  // The slider's thousand steps, from none to all.
  valueAt(step) {
    if (step >= 1000) return this.endless ? Infinity : this.most;
    if (this.scale === "linear") return (this.most * step) / 1000;
    return step <= 0 ? (this.zero ? 0 : this.least) : 10 ** (Math.log10(this.least) + (Math.log10(this.most / this.least) * step) / 1000);
  }

  stepOf(value) {
    if (value >= this.most) return 1000;
    if (this.scale === "linear") return Math.round((1000 * value) / this.most);
    return value < this.least ? 0 : Math.round((1000 * Math.log10(value / this.least)) / Math.log10(this.most / this.least || 10));
  }

  // Marks on a logarithmic axis: 0 and ∞ at their own places, and of the numbers as many as there is room for.
  ticks() {
    const [from, to] = this.x;
    const starts = to - from > 3 || this.width < 400 ? [1] : to - from > 0.8 ? [1, 2, 5] : [1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9];
    const found = [];
    const stride = this.width < 400 && to - from > 4 ? 2 : 1;
    for (let power = stride * Math.floor(from / stride); power <= Math.ceil(to); power += stride) for (const start of starts) found.push(start * 10 ** power);
    const inside = (value) => Math.log10(value) > (this.breakLow ?? from) && Math.log10(value) < (this.breakHigh ?? to);
    const values = found.filter(inside).map((value) => [value, value < 1e-4 ? value.toExponential() : String(Number(value.toPrecision(3)))]);
    if (this.zero) values.unshift([this.point(0), "0"]);
    if (this.endless) values.push([this.point(Infinity), "∞"]);
    return { tickmode: "array", tickangle: 0, tickvals: values.map(([value]) => value), ticktext: values.map(([, words]) => words) };
  }
}
