// What a rule does in words, first what is shown: the same words as riskapp/web/rule_words.py.

import { plain } from "./numbers.js";

const AS_IT_IS = "as it is";
const WITHHELD = "withheld";
const MOST_NAMED = 2;
const METHODS = { exhaustive: "exhaustive search", btda: "BTDA", aruba: "ARUBA", "branch-and-bound": "branch and bound", genetic: "genetic search", approximate: "approximate search", milp: "integer programming", aggregate: "the aggregate search" };

const withheldRows = (rows) => (rows ? `, ${plain(rows)} ${rows === 1 ? "row" : "rows"} withheld` : "");
const listed = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0]);
const plural = (phrase, many) => (many > 1 ? phrase.replace(AS_IT_IS, "as they are").replace("by its", "by their") : phrase);
const numbered = (number) => (number ? `, no. ${Number(number) + 1}` : "");

// Columns are pairs of a name and a phrase.
const grouped = (columns) => {
  const groups = new Map();
  for (const [name, phrase] of columns) groups.set(phrase, [...(groups.get(phrase) ?? []), name]);
  return groups;
};

const byName = (columns) => {
  const rank = (phrase) => (phrase === AS_IT_IS ? 0 : phrase === WITHHELD ? 2 : 1);
  const order = [...grouped(columns)].sort(([a], [b]) => rank(a) - rank(b));
  return order.map(([phrase, names]) => `${listed(names)} ${plural(phrase, names.length)}`).join("; ");
};

const shown = (columns, everything = "everything") => {
  const changed = columns.filter(([, phrase]) => phrase !== AS_IT_IS);
  const same = columns.length - changed.length;
  if (same > 1 && 2 * same > columns.length) return `${everything} as it is${changed.length ? ` but ${byName(changed)}` : ""}`;
  const seen = columns.filter(([, phrase]) => phrase !== WITHHELD);
  const hidden = columns.length - seen.length;
  if (hidden <= MOST_NAMED) return byName(columns);
  if (!seen.length) return everything === "everything" ? `all ${hidden} columns with levels withheld` : "the others withheld";
  return `${byName(seen)}; the other ${hidden} withheld`;
};

const regional = (rest, regions, phrase) => {
  const number = rest.replace(/^auto:/, "").split(":")[1];
  const which = number ? `no. ${Number(number) + 1}` : "the best";
  if (!regions) return `the same levels in every region, ${which}`;
  const [many, by, finest, coarsest] = regions;
  const differing = finest.flatMap((level, j) => (level === coarsest[j] ? [] : [`${phrase(j, level).join(" ")} in some, ${phrase(j, coarsest[j])[1]} in others`]));
  const shared = finest.flatMap((level, j) => (level === coarsest[j] ? [phrase(j, level)] : []));
  const parts = shared.length ? [...differing, shown(shared, "everything else")] : differing;
  return `${many} regions by ${listed(by)}, ${which}: ${parts.join("; ")}`;
};

// `attributes` have a name and a phrase for every level.
export const wordsOf = (rule, attributes) => {
  const phrase = (j, level) => [attributes[j].name, attributes[j].levels[level] ?? `at level ${level}`];
  const [kind] = rule.id.split(":", 1);
  const rest = rule.id.slice(kind.length + 1);
  const [first, second] = rest.split(":");
  const besides = {
    "k-anonymity": () => `everybody among at least ${first} who look alike${withheldRows(rule.withheld)}`,
    "random-k": () => `everybody among at least ${first} who look alike, drawn at random${numbered(second)}${withheldRows(rule.withheld)}`,
    mondrian: () => `cut into ${rule.parts ? `${plain(rule.parts)} ` : ""}parts with at least ${first} people in each, every part with its own levels${withheldRows(rule.withheld)}`,
    regional: () => regional(rest, rule.regions, phrase),
    "per-record": () => `every record has its own levels, chosen by ${METHODS[first] ?? first}${withheldRows(rule.withheld)}`,
    exact: () => `every record has its own levels, the best possible${numbered(first)}`,
  }[kind];
  const parts = [rule.levels && shown(rule.levels.map((level, j) => phrase(j, level))), besides?.()];
  const words = parts.filter(Boolean).join("; ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};
