// JSON as Python reads and writes it. The browser's own would lose what digests rest on: 1.0 is not 1, and 1e-05 is
// not 0.00001. Objects are Maps, numbers are the text that Python writes for them.

const DEEPEST = 500;
const LONGEST_WHOLE = 4300;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const TEXT = /"(?:[^"\\]|\\.)*"/sy;
const BLANK = /[ \t\n\r]*/y;
const LONE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

export class Num {
  constructor(text) {
    this.text = text;
  }
}

export class NoJson extends Error {}

/** A number as Python writes a float: the shortest digits, with an exponent below 1e-4 and from 1e16. */
export function float(value) {
  if (!Number.isFinite(value)) throw new NoJson();
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const [digits, power] = Math.abs(value).toExponential().split("e");
  const plain = digits.replace(".", "");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    return `${sign}${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${plain}`;
  const whole = plain.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${plain.slice(exponent + 1) || "0"}`;
}

/** The value in a text; NoJson where Python would refuse it. */
export function parse(text) {
  let place = 0;

  function take(pattern) {
    pattern.lastIndex = place;
    const found = pattern.exec(text);
    if (!found) throw new NoJson();
    place = pattern.lastIndex;
    return found;
  }

  function next() {
    take(BLANK);
    return text[place];
  }

  function word(letters, value) {
    if (!text.startsWith(letters, place)) throw new NoJson();
    place += letters.length;
    return value;
  }

  function string() {
    let found;
    try {
      found = JSON.parse(take(TEXT)[0]);
    } catch {
      throw new NoJson();
    }
    if (LONE.test(found)) throw new NoJson();
    return found;
  }

  function number() {
    const [all, fraction, exponent] = take(NUMBER);
    if (fraction || exponent) return new Num(float(Number(all)));
    if (all.length > LONGEST_WHOLE) throw new NoJson();
    return new Num(BigInt(all).toString());
  }

  // Between an opening and a closing sign, parts with commas between them.
  function several(closing, part) {
    place += 1;
    if (next() === closing) {
      place += 1;
      return;
    }
    for (;;) {
      part();
      const sign = next();
      place += 1;
      if (sign === closing) return;
      if (sign !== ",") throw new NoJson();
    }
  }

  function value(depth) {
    if (depth > DEEPEST) throw new NoJson();
    const sign = next();
    if (sign === "{") {
      const found = new Map();
      several("}", () => {
        next();
        const key = string();
        if (next() !== ":") throw new NoJson();
        place += 1;
        found.set(key, value(depth + 1));
      });
      return found;
    }
    if (sign === "[") {
      const found = [];
      several("]", () => found.push(value(depth + 1)));
      return found;
    }
    if (sign === '"') return string();
    if (sign === "t") return word("true", true);
    if (sign === "f") return word("false", false);
    if (sign === "n") return word("null", null);
    return number();
  }

  const found = value(0);
  next();
  if (place !== text.length) throw new NoJson();
  return found;
}

// Python orders text by its letters, the browser by halves of them.
function before(one, other) {
  const [left, right] = [Array.from(one), Array.from(other)];
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    if (left[i] !== right[i]) return left[i].codePointAt(0) - right[i].codePointAt(0);
  }
  return left.length - right.length;
}

function plain(value) {
  return value instanceof Num ? value.text : JSON.stringify(value);
}

/** Without spaces, keys in the order of their letters: what digests are of. */
export function compact(value) {
  if (value instanceof Map) {
    const keys = [...value.keys()].sort(before);
    return `{${keys.map((key) => `${JSON.stringify(key)}:${compact(value.get(key))}`).join(",")}}`;
  }
  if (Array.isArray(value)) return `[${value.map(compact).join(",")}]`;
  return plain(value);
}

/** As it stands in a manifest's file: one space for each depth. */
export function indented(value, depth = 0) {
  const [outer, inner] = ["\n" + " ".repeat(depth), "\n" + " ".repeat(depth + 1)];
  if (value instanceof Map) {
    if (!value.size) return "{}";
    const parts = [...value].map(([key, part]) => `${inner}${JSON.stringify(key)}: ${indented(part, depth + 1)}`);
    return `{${parts.join(",")}${outer}}`;
  }
  if (Array.isArray(value)) {
    if (!value.length) return "[]";
    return `[${value.map((part) => inner + indented(part, depth + 1)).join(",")}${outer}]`;
  }
  return plain(value);
}
