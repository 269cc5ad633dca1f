// Checks a released file against its manifest without sending either of them anywhere.

import { sha256 } from "./verify/sha256.js";

const root = document.querySelector("[data-verify]");
const part = (name) => root.querySelector(`[data-part=${name}]`);

function notice(kind, title, words) {
  const box = document.createElement("div");
  box.className = `notice ${kind}`;
  const inner = document.createElement("div");
  const bold = document.createElement("b");
  bold.textContent = `${title} `;
  inner.append(bold, words);
  box.append(inner);
  return box;
}

async function manifestAmong(files) {
  for (const file of files) {
    if (!file.name.toLowerCase().endsWith(".json")) continue;
    try {
      const told = JSON.parse(await file.text());
      if (told?.sha256?.output && told?.digest) return { file, told };
    } catch {
      // not JSON: it cannot be the manifest
    }
  }
  return null;
}

async function check(files) {
  const answer = part("answer");
  const manifest = await manifestAmong(files);
  const released = files.find((file) => file !== manifest?.file);
  if (!manifest) return answer.replaceChildren(notice("warn", "There is no manifest among these files.", "Choose the file that ends in manifest.json too."));
  if (!released) return answer.replaceChildren(notice("warn", "Only the manifest is here.", "Choose the released file too."));
  answer.replaceChildren(notice("info", "Reading …", released.name));
  const found = await sha256(released, (done, all) => { part("progress").value = done / all; });
  const right = found === manifest.told.sha256.output;
  answer.replaceChildren(
    right
      ? notice("good", "This is the approved file.", `Its SHA-256 is ${found}. The manifest's digest is ${manifest.told.digest}: compare it with the report.`)
      : notice("bad", "This is not the approved file.", `Its SHA-256 is ${found}, the manifest says ${manifest.told.sha256.output}. Do not use it; tell whoever sent it.`),
  );
}

root.querySelector("input").addEventListener("change", (event) => check([...event.target.files]));
root.addEventListener("dragover", (event) => event.preventDefault());
root.addEventListener("drop", (event) => {
  event.preventDefault();
  check([...event.dataTransfer.files]);
});
