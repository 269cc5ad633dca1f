// Numbers and pieces of HTML as people read them.

const three = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const spaced = (text) => text.replaceAll(",", "\u202f");

export const plain = (value) => {
  if (value === Infinity) return "infinite";
  if (value !== 0 && Math.abs(value) < 1e-6) return value.toExponential(1);
  return spaced(value >= 1000 ? whole.format(value) : three.format(value));
};
export const percent = (share) => `${plain(Math.round(share * 1000) / 10)}\u202f%`;
export const oneIn = (chance) => (chance > 0 ? `1 in ${plain(Math.round(10 / chance) / 10)}` : "none");
export const figure = (measure, value) => (measure === "chance" ? oneIn(value) : plain(value));

export const element = (tag, attributes = {}, ...inside) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== false && value !== null) made.setAttribute(name, value === true ? "" : value);
  made.append(...inside.filter((part) => part !== null && part !== undefined));
  return made;
};
