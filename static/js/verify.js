// Checks a released file against its manifest without sending either of them anywhere.

import { NoManifest, approved, checks, decoded, read } from "./verify/seals.js";
import { sha256 } from "./verify/sha256.js";

const LARGEST_MANIFEST = 64 << 20;
const CODEBOOK = /codebook\.(json|html)$/i;
const WORDS = {
  file: "what is said of the file",
  manifest: "the manifest’s own text",
  binding: "the binding of the approval",
  digest: "the digest of the whole manifest",
  "told digest": "the digest that you were told",
  approvals: "who approved it, when and why",
  release: "purpose, recipient and expiry",
  figures: "the figures",
  groups: "k, l and t",
  losses: "the losses",
  limits: "the limits and those that were broken",
  tags: "what the figures hold against, and under which conditions",
  sources: "where the dictionaries come from",
  warnings: "the warnings and their answers",
  advice: "the advice",
  attack: "the attacks",
  analyses: "the analyses",
  parameters: "the assessment",
  sha256: "the hashes of all files",
  software: "the versions of the software",
  "codebook.json": "the bytes of the codebook (JSON)",
  "codebook.html": "the bytes of the codebook (page)",
};

const root = document.querySelector("[data-verify]");
const part = (name) => root.querySelector(`[data-part=${name}]`);
const area = part("area");
const held = { manifest: null, text: "", file: null, hash: "", beside: new Map() };
let turn = 0;

function element(name, text = "", className = "") {
  const found = document.createElement(name);
  found.textContent = text;
  if (className) found.className = className;
  return found;
}

function notice(kind, title, words) {
  const box = element("div", "", `notice ${kind}`);
  const inner = element("div");
  inner.append(element("b", `${title} `), words);
  box.append(inner);
  return box;
}

// A part of the manifest and the check of the bytes have one name; the bytes come last.
function told(one, found) {
  const bytes = held.file && one === found.findLast((other) => other.part === "file");
  if (bytes) return "the bytes of the released file";
  if (one.part.startsWith("bound.")) return `what the approval is bound to: ${one.part.slice(6)}`;
  return WORDS[one.part] ?? one.part;
}

function table(some, found) {
  const rows = element("tbody");
  for (const one of some) {
    const row = element("tr");
    const head = element("th", told(one, found));
    head.scope = "row";
    const cell = element("td");
    cell.append(element("span", one.why || "as it was", `pill ${one.why ? "bad" : "ok"}`));
    row.dataset.check = one.part;
    row.append(head, cell);
    rows.append(row);
  }
  const heads = element("thead");
  const line = element("tr");
  for (const words of ["part", "verdict"]) line.append(Object.assign(element("th", words), { scope: "col" }));
  heads.append(line);
  const whole = element("table", "", "table");
  whole.append(heads, rows);
  const scroll = element("div", "", "table-scroll");
  Object.assign(scroll, { tabIndex: 0 });
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", "Every part that was checked");
  scroll.append(whole);
  return scroll;
}

// What is wrong stands open; what is as it was can be opened.
function parts(found) {
  const [wrong, right] = [found.filter((one) => one.why), found.filter((one) => !one.why)];
  const rest = element("details", "", "more");
  rest.append(element("summary", right.length === 1 ? "1 part is as it was" : `${right.length} parts are as they were`), table(right, found));
  return [...(wrong.length ? [table(wrong, found)] : []), ...(right.length ? [rest] : [])];
}

function verdict(wrong) {
  if (wrong.includes("file")) return "This is not the approved file.";
  return wrong.every((one) => CODEBOOK.test(one)) ? "The codebook was changed." : "The manifest was changed.";
}

function judge() {
  const found = checks(held.text, { output: held.file ? held.hash : null, expected: part("digest").value, beside: held.beside });
  const wrong = found.filter((one) => one.why);
  const manifest = read(held.text);
  if (wrong.length) {
    const many = wrong.length === 1 ? "One part is" : `${wrong.length} parts are`;
    const title = verdict(wrong.map((one) => one.part));
    const which = held.file ? ` Checked: ${held.file.name} by ${held.manifest.name}.` : "";
    return [notice("bad", title, `${many} not as sealed. Do not use it; tell whoever sent it.${which}`), ...parts(found)];
  }
  const digest = manifest.get("digest");
  const compare = part("digest").value.trim() ? "" : ` Whoever changes a manifest can seal it anew: compare its digest, ${digest}, with the one that the register tells.`;
  if (!approved(manifest)) {
    return [notice("bad", "Nobody approved this.", `The manifest tells of no approval. Do not take it for a release; ask whoever sent it.${compare}`), ...parts(found)];
  }
  if (!held.file) return [notice("warn", "The manifest is whole, the file is missing.", `Choose the released file too.${compare}`), ...parts(found)];
  return [notice("good", "This is the approved file.", `Its SHA-256 is ${held.hash}. The manifest is whole.${compare}`), ...parts(found)];
}

function show() {
  const answer = part("answer");
  if (held.manifest) answer.replaceChildren(...judge());
  else if (held.file || held.beside.size) answer.replaceChildren(notice("warn", "There is no manifest among these files.", "Choose the file that ends in manifest.json too."));
}

function progress(done, all, name) {
  part("progress").hidden = done >= all;
  part("bar").value = all ? done / all : 1;
  part("percent").textContent = `${name}: ${Math.floor((100 * done) / Math.max(1, all))} %`;
}

async function takeManifest(file) {
  if (file.size > LARGEST_MANIFEST) throw new NoManifest();
  const text = decoded(await file.arrayBuffer());
  read(text);
  return text;
}

const isManifest = (file) => file.name.toLowerCase().endsWith(".json") && !CODEBOOK.test(file.name);

function hashed(file, mine) {
  return sha256(file, (done, all) => { if (mine === turn) progress(done, all, file.name); }, () => mine === turn);
}

async function take(files) {
  const mine = (turn += 1);
  if (files.some(isManifest)) held.beside.clear();
  try {
    for (const file of files) {
      if (CODEBOOK.test(file.name)) {
        const hash = await hashed(file, mine);
        if (mine !== turn) return;
        held.beside.set(CODEBOOK.exec(file.name)[0].toLowerCase(), hash); // another one takes its place
      } else if (isManifest(file)) {
        const text = await takeManifest(file);
        if (mine !== turn) return;
        Object.assign(held, { manifest: file, text });
      } else {
        Object.assign(held, { file: null, hash: "" });
        const hash = await hashed(file, mine);
        if (mine !== turn) return;
        Object.assign(held, { file, hash });
      }
    }
    show();
  } catch (trouble) {
    if (mine !== turn) return;
    if (trouble instanceof NoManifest) {
      Object.assign(held, { manifest: null, text: "" });
      part("answer").replaceChildren(notice("bad", "This is no manifest of a release.", "Choose the file that ends in manifest.json."));
    } else {
      part("answer").replaceChildren(notice("bad", "The file cannot be read.", "It may have been moved or changed while it was read. Choose it again."));
    }
  } finally {
    if (mine === turn) part("progress").hidden = true;
  }
}

root.classList.add("is-live");
part("files").addEventListener("change", (event) => {
  take([...event.target.files]);
  event.target.value = "";
});
part("digest").addEventListener("input", show);
for (const name of ["dragenter", "dragover"]) {
  root.addEventListener(name, (event) => {
    event.preventDefault();
    area.classList.add("over");
  });
}
for (const name of ["dragleave", "drop"]) root.addEventListener(name, () => area.classList.remove("over"));
root.addEventListener("drop", (event) => {
  event.preventDefault();
  take([...event.dataTransfer.files]);
});
