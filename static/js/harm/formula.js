// Φ of an example record: the same arithmetic as riskapp/engine/harm/formula.py, which is the reference.

const number = (told) => (told === "inf" ? Infinity : Number(told));

function weightOf(given, cell) {
  if (cell.shown === null) return [0, "missing"];
  if (cell.personal !== null) return [number(cell.personal), "personal"];
  if (cell.value !== null && Object.hasOwn(given.weights, cell.value)) return [number(given.weights[cell.value]), "value"];
  return [number(given.weight), "attribute"];
}

function brought(plainSum, personTotal) {
  if (!personTotal || plainSum === 0 || plainSum === Infinity) return plainSum;
  const most = number(personTotal[1]);
  return personTotal[0] === "cap" && plainSum <= most ? plainSum : most;
}

// harm: attributes {name: {weight, weights}}, pairs [[one, other, weight]], family, person_total [how, c] or null.
export function phi(harm, example) {
  const weighed = Object.entries(harm.attributes).map(([name, given]) => [name, ...weightOf(given, example[name])]);
  const pairs = harm.pairs.map(([one, other, weight]) =>
    example[one].shown !== null && example[other].shown !== null ? number(weight) : 0,
  );
  let plainSum = 0;
  for (const [, weight] of weighed) plainSum += weight;
  for (const weight of pairs) plainSum += weight;
  const total = brought(plainSum, harm.person_total);
  const part = (weight) => (total === plainSum ? weight : (weight / plainSum) * total);
  return {
    attributes: Object.fromEntries(weighed.map(([name, weight]) => [name, part(weight)])),
    reasons: Object.fromEntries(weighed.map(([name, , reason]) => [name, reason])),
    pairs: pairs.map(part),
    sum: total,
    plain_sum: plainSum,
    phi: harm.family === "linear" ? total : Math.exp(total),
  };
}
