// SHA-256 of a file of any size, block by block: the browser's own digest wants the whole file in memory.

const K = new Uint32Array(64);
const START = new Uint32Array(8);

// The constants are the first 32 bits of the fractional parts of roots of the first primes (FIPS 180-4).
(function constants() {
  const fraction = (number) => Math.floor((number - Math.floor(number)) * 2 ** 32);
  for (let candidate = 2, found = 0; found < 64; candidate += 1) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) if (candidate % divisor === 0) prime = false;
    if (!prime) continue;
    if (found < 8) START[found] = fraction(Math.sqrt(candidate));
    K[found] = fraction(Math.cbrt(candidate));
    found += 1;
  }
})();

const turned = (word, by) => (word >>> by) | (word << (32 - by));

export class Sha256 {
  constructor() {
    this.state = START.slice();
    this.block = new Uint8Array(64);
    this.filled = 0;
    this.length = 0;
    this.words = new Uint32Array(64);
  }

  add(bytes) {
    this.length += bytes.length;
    let place = 0;
    while (place < bytes.length) {
      const part = bytes.subarray(place, place + 64 - this.filled);
      this.block.set(part, this.filled);
      this.filled += part.length;
      place += part.length;
      if (this.filled === 64) {
        this.#mix();
        this.filled = 0;
      }
    }
    return this;
  }

  hex() {
    const bits = this.length * 8;
    const end = new Uint8Array(this.filled < 56 ? 64 - this.filled : 128 - this.filled);
    end[0] = 0x80;
    const view = new DataView(end.buffer);
    view.setUint32(end.length - 8, Math.floor(bits / 2 ** 32));
    view.setUint32(end.length - 4, bits >>> 0);
    this.add(end);
    return Array.from(this.state, (word) => word.toString(16).padStart(8, "0")).join("");
  }

  #mix() {
    const { words, state, block } = this;
    const view = new DataView(block.buffer);
    for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(4 * i);
    for (let i = 16; i < 64; i += 1) {
      const one = words[i - 15];
      const two = words[i - 2];
      const first = turned(one, 7) ^ turned(one, 18) ^ (one >>> 3);
      const second = turned(two, 17) ^ turned(two, 19) ^ (two >>> 10);
      words[i] = (words[i - 16] + first + words[i - 7] + second) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i += 1) {
      const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const chosen = (e & f) ^ (~e & g);
      const one = (h + high + chosen + K[i] + words[i]) | 0;
      const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const most = (a & b) ^ (a & c) ^ (b & c);
      const two = (low + most) | 0;
      h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] += word; });
  }
}

/** told hears how far it is; goOn is asked whether anybody still wants to know. */
export async function sha256(file, told = () => {}, goOn = () => true) {
  const hash = new Sha256();
  const step = 4 << 20;
  for (let place = 0; place < file.size && goOn(); place += step) {
    hash.add(new Uint8Array(await file.slice(place, place + step).arrayBuffer()));
    told(Math.min(place + step, file.size), file.size);
  }
  return hash.hex();
}
