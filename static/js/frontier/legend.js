// What the marks of the plane look like and mean: for the page, and for a saved picture.

const SYMBOLS = ["circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "pentagon"];
const SHAPES = { circle: "M8 3a5 5 0 1 0 .01 0z", square: "M3.5 3.5h9v9h-9z", diamond: "M8 2l6 6-6 6-6-6z", "triangle-up": "M8 2.5l6 11H2z", "triangle-down": "M8 13.5l6-11H2z", cross: "M6 2h4v4h4v4h-4v4H6v-4H2V6h4z", pentagon: "M8 2l6 4.6-2.3 7H4.3L2 6.6z" };
const ORDER = ["full-domain", "regional", "per-record", "k-anonymity", "random-k", "mondrian", "exact"];

// A family looks the same in every run.
export const look = (family) => Math.max(0, ORDER.indexOf(family));
export const symbol = (family) => SYMBOLS[look(family)];

export const shape = (name, attributes = {}, ...inside) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...inside);
  return node;
};

// In a box of 16 × 16.
export const outline = (family) => SHAPES[symbol(family)];

export const entries = (plane, view) => {
  const found = plane.families.map(({ family, words }, place) => ({ kind: "family", family, words, place }));
  if (plane.told.exact && view.measure === "risk") found.push({ kind: "dashed", words: `best possible, record by record, as defined${plane.told.limits.largest_chance === undefined ? "" : ", within the largest chance"}` });
  if (plane.listed.some((rule) => rule.family && rule.frontier)) found.push({ kind: "dotted", words: "frontier of all kinds" });
  if (plane.limited) found.push({ kind: "ring", words: "hollow or grey: breaks a limit" });
  return found;
};
