// The plane as a file, with title, legend and the ground of the page. Plotly's own way to a PNG goes through a blob:
// picture, which the content security policy forbids; the drawing as a data: URL is allowed, and a canvas makes the PNG.

import { look, outline, shape } from "./legend.js";

const WIDTH = 1200, HEIGHT = 800, EDGE = 24, HEAD = 72, LINE = 26, GAP = 26, SIZE = 13;

const save = (href, name) => {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
};

const blobOf = (canvas) => new Promise((done) => canvas.toBlob(done, "image/png"));

const painted = async (drawing) => {
  const picture = new Image();
  picture.src = `data:image/svg+xml,${encodeURIComponent(drawing)}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * WIDTH;
  canvas.height = 2 * HEIGHT;
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return blobOf(canvas);
};

const line = (stroke, dashes) => shape("path", { d: "M-3 8h22", stroke, "stroke-width": 2, "stroke-dasharray": dashes });
const ring = (r, stroke, width) => shape("circle", { cx: 8, cy: 8, r, fill: "none", stroke, "stroke-width": width });
const MARKS = {
  family: ({ family }, { inks }) => shape("path", { d: outline(family), fill: inks[look(family)] }),
  dashed: (_, { busy }) => line(busy, "6 4"),
  dotted: (_, { soft }) => line(soft, "2 3"),
  ring: (_, { control }) => ring(5, control, 1.5),
  best: (_, { accent }) => ring(6.5, accent, 3),
  chosen: (_, { ink }) => ring(7, ink, 2.5),
};

// Where each entry stands: one after the other, in as many lines as they need.
const placed = (entries, font) => {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${SIZE}px ${font}`;
  let x = EDGE, row = 0;
  return entries.map((entry) => {
    const width = 24 + pen.measureText(entry.words).width + GAP;
    if (x > EDGE && x + width - GAP > WIDTH - EDGE) { x = EDGE; row += 1; }
    const here = { entry, x, row };
    x += width;
    return here;
  });
};

// As text: were it read into a document, the policy would take its inline styles away.
const inside = (drawn, y) => decodeURIComponent(drawn.slice(drawn.indexOf(",") + 1)).replace("<svg ", `<svg y="${y}" `);

const composed = async (plot, { title, name, count }) => {
  const { colours } = plot;
  const font = getComputedStyle(plot.node).fontFamily;
  const legend = placed(plot.legend(), font);
  const top = HEIGHT - EDGE / 2 - LINE * (1 + Math.max(...legend.map(({ row }) => row)));
  const words = (x, y, text, more = {}) => shape("text", { x, y, fill: colours.soft, "font-size": SIZE, ...more }, text);
  const marks = legend.map(({ entry, x, row }) => shape("g", { class: "legend", transform: `translate(${x} ${top + LINE * row})` }, MARKS[entry.kind](entry, colours), words(24, 12.5, entry.words)));
  const whole = shape(
    "svg", { width: WIDTH, height: HEIGHT, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "font-family": font },
    shape("title", {}, `${title}: ${name}`),
    shape("rect", { class: "ground", width: WIDTH, height: HEIGHT, fill: colours.paper }),
    words(EDGE, 34, title, { fill: colours.ink, "font-size": 20, "font-weight": 600 }),
    words(WIDTH - EDGE, 34, count, { "text-anchor": "end" }),
    words(EDGE, 56, name),
    document.createComment("plane"),
    ...marks,
  );
  const plane = inside(await plot.drawing(WIDTH, top - HEAD - EDGE / 2), HEAD);
  return new XMLSerializer().serializeToString(whole).replace("<!--plane-->", () => plane);
};

export const savePicture = async (plot, kind, told) => {
  const drawing = await composed(plot, told);
  const blob = kind === "png" ? await painted(drawing) : new Blob([drawing], { type: "image/svg+xml" });
  const address = URL.createObjectURL(blob);
  save(address, `frontier.${kind}`);
  setTimeout(() => URL.revokeObjectURL(address), 10000);
};
