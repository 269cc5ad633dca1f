// The cloud of all rules as a picture behind the plot. Not by WebGL: Plotly's needs code made at run time, which the
// content security policy forbids; and tens of thousands of points are few for a plain canvas.

const RING = 8000; // up to so many points, those that break a limit are drawn as rings

export class Cloud {
  constructor(plane) { this.plane = plane; this.canvas = document.createElement("canvas"); }

  // Places in pixels of every point; kept for finding the nearest.
  place(view) {
    const { columns } = this.plane;
    const values = columns[view.measure];
    this.x = new Float32Array(values.length);
    this.y = new Float32Array(values.length);
    for (let i = 0; i < values.length; i++) { this.x[i] = view.across(values[i]); this.y[i] = view.up(columns.share[i]); }
  }

  draw(view, colours, ratio = Math.min(window.devicePixelRatio || 1, 2)) {
    this.canvas.width = Math.max(1, Math.round(view.width * ratio));
    this.canvas.height = Math.max(1, Math.round(view.height * ratio));
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    this.place(view);
    if (this.plane.drawn === "points") this.#points(pen, view, colours);
    else this.#cells(pen, view, colours);
    return this.canvas.toDataURL("image/png");
  }

  #points(pen, view, colours) {
    const { within, family, share } = this.plane.columns;
    const many = share.length;
    const radius = many > 20000 ? 1.2 : many > 3000 ? 1.7 : 2.6;
    for (const kept of [0, 1]) {
      pen.fillStyle = pen.strokeStyle = kept ? colours.kept : colours.broken;
      pen.globalAlpha = many > 20000 ? 0.35 : many > 3000 ? 0.45 : 0.6;
      for (let i = 0; i < many; i++) {
        if (within[i] !== kept || family[i] || view.hidden.has(0)) continue;
        if (this.x[i] < -4 || this.x[i] > view.width + 4 || this.y[i] < -4 || this.y[i] > view.height + 4) continue;
        if (many > RING) pen.fillRect(this.x[i] - radius, this.y[i] - radius, 2 * radius, 2 * radius);
        else { pen.beginPath(); pen.arc(this.x[i], this.y[i], radius, 0, 7); if (kept) pen.fill(); else pen.stroke(); }
      }
    }
  }

  #cells(pen, view, colours) {
    if (view.hidden.has(0)) return;
    const cells = this.plane.density(view.measure);
    const step = (cells.to / cells.from) ** (1 / cells.across);
    const most = Math.log1p(Math.max(...cells.many));
    for (let place = 0; place < cells.many.length; place++) {
      if (!cells.many[place]) continue;
      const column = Math.floor(place / cells.up), row = place % cells.up;
      const inside = column > 0 && column <= cells.across;
      const middle = view.across(column === 0 ? 0 : Infinity);
      const left = inside ? view.across(cells.from * step ** (column - 1)) : middle - 3;
      const right = inside ? view.across(cells.from * step ** column) : middle + 3;
      const top = view.up((row + 1) / cells.up), bottom = view.up(row / cells.up);
      pen.fillStyle = cells.kept(place) ? colours.kept : colours.broken;
      pen.globalAlpha = 0.15 + (0.75 * Math.log1p(cells.many[place])) / most;
      pen.fillRect(left, top, Math.max(1, right - left), Math.max(1, bottom - top));
    }
  }

  // The place of the nearest rule within reach, in the columns; -1 when there is none. Families that stand out win ties.
  nearest(x, y, hidden, reach = 14) {
    if (!this.x) return -1;
    const { family, number } = this.plane.columns;
    let best = -1, least = reach * reach;
    for (let i = 0; i < this.x.length; i++) {
      const dx = this.x[i] - x, dy = this.y[i] - y;
      let far = dx * dx + dy * dy;
      if (far > least || hidden.has(family[i])) continue;
      if (family[i] || this.plane.byNumber.has(number[i])) far *= 0.4;
      if (far < least) { least = far; best = i; }
    }
    return best;
  }
}
