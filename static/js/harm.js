// The Harm page: sliders in step with their numbers, and Φ of the example records while they move.

import { phi } from "./harm/formula.js";

const form = document.querySelector("[data-harm]");
const NEVER = ["never", "inf", "∞"];
const LAST = 66, TOP = 61; // positions: 0 is no weight, 1 to 61 run from 0.1 to 100, the last is never

const WORDS = [[0, "does not hurt"], [1, "a trifle"], [10, "embarrassing"], [100, "job or insurance"], [Infinity, "danger"]];

const read = (text) => {
  const plain = text.trim().toLowerCase().replace(",", ".");
  if (NEVER.includes(plain)) return Infinity;
  return plain !== "" && Number(plain) >= 0 && Number.isFinite(Number(plain)) ? Number(plain) : null;
};
const write = (weight) => (weight === Infinity ? "never" : String(weight));
const told = (weight) => (weight === Infinity ? "inf" : weight);
const shown = (weight) => (weight === Infinity ? "never" : String(Number(weight.toPrecision(4))));

const words = (weight) => {
  if (weight === null) return "";
  if (weight === Infinity) return "never to be learnt";
  if (weight === 0) return WORDS[0][1];
  return WORDS.find(([below]) => weight < below)[1];
};

const atPosition = (position) => {
  if (position === 0) return 0;
  if (position === LAST) return Infinity;
  return Number((10 ** ((Math.min(position, TOP) - 1) / 20 - 1)).toPrecision(2));
};
const positionOf = (weight) => {
  if (weight === 0) return 0;
  if (weight === Infinity) return LAST;
  return Math.min(TOP, Math.max(1, Math.round(20 * (Math.log10(weight) + 1)) + 1));
};

// Values and weights, one on each line, as the server reads them; a line that is not finished counts nothing yet.
function valuesIn(text) {
  const found = {};
  const lines = text.split(/\r?\n/);
  const sign = [";", "\t", ","].find((one) => lines[0].includes(one)) ?? ";";
  for (const line of lines) {
    const at = line.lastIndexOf(sign);
    const weight = at < 0 ? null : read(line.slice(at + 1));
    if (weight !== null) found[line.slice(0, at).replace(/^"(.*)"$/s, (_, inner) => inner.replaceAll('""', '"'))] = told(weight);
  }
  return found;
}

class Row {
  constructor(box) {
    this.column = box.dataset.column;
    this.slider = box.querySelector("[data-slider]");
    this.number = box.querySelector(".weighed-number input");
    this.words = box.querySelector("[data-words]");
    this.values = box.querySelector("textarea");
    this.personal = box.querySelector("select[name$=personal]");
    this.file = box.querySelector("input[type=file]");
    this.table = box.querySelector("[data-table-of-weights]");
    this.slider.hidden = false;
    this.slider.addEventListener("input", () => {
      this.number.value = write(atPosition(Number(this.slider.value)));
      this.#say(read(this.number.value));
    });
    this.number.addEventListener("input", () => this.follow());
    this.personal.addEventListener("change", () => this.#showTable());
    this.#showTable();
    this.follow();
  }

  follow() {
    const weight = read(this.number.value);
    if (weight !== null) this.slider.value = positionOf(weight);
    this.#say(weight);
  }

  get weight() {
    return read(this.number.value) ?? 0;
  }

  // The example records hold people's own weights by what is saved: without them the page can do, others it does not know.
  get impersonal() { return !this.personal.value; }

  get notCounted() {
    if (this.file.files.length) return "the file of weights";
    if (this.impersonal) return "";
    const { savedPersonal, savedKey, savedColumn } = this.table.dataset;
    const [key, column] = [...this.table.querySelectorAll("input")].map((field) => field.value.trim());
    const same = this.personal.value === savedPersonal && (this.table.hidden || (key === savedKey && column === savedColumn));
    return same ? "" : "people's own weights";
  }

  #say(weight) {
    this.words.textContent = weight === null ? "a number, or never" : words(weight);
    this.slider.setAttribute("aria-valuetext", weight === null ? "" : `${write(weight)}, ${words(weight)}`);
    this.words.classList.toggle("never", weight === Infinity);
  }

  #showTable() {
    this.table.hidden = !this.personal.value.startsWith("upload:");
  }
}

class Page {
  constructor() {
    this.rows = [...form.querySelectorAll("[data-column]")].map((box) => new Row(box));
    this.pairs = form.querySelector("[data-pairs]");
    form.addEventListener("input", () => this.#changed());
    form.addEventListener("change", () => this.#changed());
    this.#pairButtons();
    document.addEventListener("click", (event) => this.#addValue(event));
    document.addEventListener("htmx:afterSettle", () => this.draw());
    this.draw();
  }

  settings() {
    const listed = [...this.pairs.querySelectorAll("[data-pair]")].map((box) => [
      ...[...box.querySelectorAll("select")].map((select) => select.value),
      read(box.querySelector("input").value),
    ]);
    const names = new Set(this.rows.map((row) => row.column));
    const total = read(form.elements.total.value);
    return {
      attributes: Object.fromEntries(
        this.rows.map((row) => [row.column, { weight: told(row.weight), weights: valuesIn(row.values.value) }]),
      ),
      pairs: listed
        .filter(([one, other, weight]) => names.has(one) && names.has(other) && one !== other && weight !== null)
        .map(([one, other, weight]) => [one, other, told(weight)]),
      family: form.elements.family.value,
      person_total: form.elements.total_how.value && total !== null ? [form.elements.total_how.value, told(total)] : null,
    };
  }

  draw() {
    const holder = document.getElementById("harm-records");
    const harm = this.settings();
    this.#warn(harm);
    if (!holder) return;
    const records = JSON.parse(holder.textContent).map((record) => this.#counted(record));
    this.#sayNotCounted();
    for (const box of document.querySelectorAll("[data-example]")) this.#drawOne(box, phi(harm, records[box.dataset.example]));
  }

  #counted(record) {
    const without = this.rows.filter((row) => row.impersonal && record[row.column]);
    return { ...record, ...Object.fromEntries(without.map((row) => [row.column, { ...record[row.column], personal: null }])) };
  }

  #sayNotCounted() {
    const left = this.rows.filter((row) => row.notCounted).map((row) => `${row.notCounted} of ${row.column}`);
    const line = document.querySelector("[data-not-counted]");
    const told = left.length ? `Not counted here before you save: ${left.join(", ")}. Until then these figures go by what is saved of them.` : "";
    if (line.textContent !== told) line.textContent = told;
  }

  #drawOne(box, found) {
    box.querySelector("[data-phi]").textContent = shown(found.phi);
    const most = Math.max(...Object.values(found.attributes));
    for (const cell of box.querySelectorAll("[data-cell]")) {
      const adds = found.attributes[cell.dataset.cell];
      cell.querySelector("[data-adds]").textContent = shown(adds);
      cell.classList.toggle("most", adds > 0 && adds === most);
      cell.classList.toggle("none", adds === 0);
    }
    const together = found.pairs.reduce((sum, weight) => sum + weight, 0);
    let line = box.querySelector("[data-together]");
    if (!line && together > 0) {
      line = document.createElement("li");
      line.dataset.together = "";
      line.append("pairs ", document.createElement("span"));
      box.querySelector("ul").append(line);
    }
    if (line) {
      line.hidden = together === 0;
      line.lastChild.textContent = shown(together);
    }
  }

  #warn(harm) {
    const weights = Object.values(harm.attributes).flatMap((one) => [one.weight, ...Object.values(one.weights)]);
    const own = this.rows.some((row) => row.personal.value);
    const others = [...harm.pairs.map((pair) => pair[2]), read(form.elements.unidentified.value) ?? 0];
    const added = harm.family === "linear"; // multiplied, no weights at all are 1
    document.querySelector("[data-all-zero]").hidden = own || !added || [...weights, ...others].some((weight) => weight !== 0);
  }

  #changed() {
    form.querySelector("[data-unsaved]")?.removeAttribute("hidden");
    this.draw();
  }

  #pairButtons() {
    const add = form.querySelector("[data-pair-add]");
    if (!add) return;
    add.hidden = false;
    add.addEventListener("click", () => {
      const total = form.elements["pairs-TOTAL_FORMS"];
      const holder = document.createElement("div");
      holder.innerHTML = form.querySelector("[data-pair-template]").innerHTML.replaceAll("__prefix__", total.value);
      const pair = holder.firstElementChild;
      total.value = Number(total.value) + 1;
      this.pairs.append(pair);
      this.#showRemove();
      pair.querySelector("select").focus();
    });
    this.pairs.addEventListener("click", (event) => {
      const pair = event.target.closest("[data-pair-empty]")?.closest("[data-pair]");
      if (!pair) return;
      for (const field of pair.querySelectorAll("select, input")) field.value = "";
      pair.hidden = true;
      add.focus();
      this.#changed();
    });
    this.#showRemove();
  }

  #showRemove() {
    for (const button of this.pairs.querySelectorAll("[data-pair-empty]")) button.hidden = false;
  }

  #addValue(event) {
    const button = event.target.closest("[data-add-value]");
    const area = button && document.getElementById(button.dataset.addTo);
    if (!area) return;
    const row = this.rows.find((one) => one.values === area);
    const value = button.dataset.addValue;
    const quoted = /[;"\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
    const line = `${quoted};${write(row.weight)}`;
    area.value = area.value.trim() ? `${area.value.replace(/\s+$/, "")}\n${line}\n` : `${line}\n`;
    area.focus();
    this.#changed();
  }
}

if (form) new Page();
