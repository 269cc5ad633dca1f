// Numbers and pieces of HTML as people read them: the same digits as riskapp/web/templatetags/rules.py writes.

const DUST = 1e-12, SMALL = 1e-4, EXPONENT = 1e21; // from there on toFixed writes an exponent
// In groups of three; a number that nobody can read by its size: 10^18.
const whole = (value) => {
  const digits = value < EXPONENT ? value.toFixed(0) : String(BigInt(value));
  const size = digits.length - 1;
  if (size >= 15) return `10^${size}`;
  return digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
};
const small = (value) => Number(value.toPrecision(2)).toExponential().replace(/e-(\d)$/, "e-0$1");

export const plain = (value) => {
  const size = Math.abs(value);
  if (size === Infinity) return "infinite";
  if (size < DUST) return "0";
  const sign = value < 0 ? "\u2212" : "";
  if (size >= 1000) return `${sign}${whole(size)}`;
  const rounded = Number(size.toPrecision(size < SMALL ? 2 : 3));
  return `${sign}${rounded < SMALL ? small(rounded) : rounded}`;
};
// What is not quite none or all never looks like it.
export const percent = (share) => {
  const value = 100 * share;
  const figure = value > 0 && value < 0.1 ? "< 0.1" : value > 99.9 && value < 100 ? "> 99.9" : value.toFixed(1).replace(/\.0$/, "");
  return `${figure}\u00a0%`;
};
export const oneIn = (chance) => (chance > 0 ? `1 in ${plain(Number((1 / chance).toFixed(1)))}` : "none");
export const figure = (measure, value) => (measure === "chance" ? oneIn(value) : plain(value));

export const element = (tag, attributes = {}, ...inside) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== false && value !== null) made.setAttribute(name, value === true ? "" : value);
  made.append(...inside.filter((part) => part !== null && part !== undefined));
  return made;
};
