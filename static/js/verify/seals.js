// What manage.py verify_release checks of a manifest (riskapp/engine/releasing/sealing.py), in the browser.

import { Num, NoJson, compact, indented, parse } from "./json.js";
import { Sha256 } from "./sha256.js";

const FORMATS = ["2", "3"];
const SEALS = ["bound", "binding", "digests", "digest"];
const NEEDED = ["format", "rule", "sha256", "seed", "software", ...SEALS];

export class NoManifest extends Error {}

/** The text of a file; NoManifest where it is not UTF-8. */
export function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NoManifest();
  }
}

/** The manifest in a text. */
export function read(text) {
  let found;
  try {
    found = parse(text);
  } catch (trouble) {
    if (trouble instanceof NoJson) throw new NoManifest();
    throw trouble;
  }
  const whole = found instanceof Map && NEEDED.every((name) => found.has(name));
  const maps = whole && typeof found.get("rule") === "string" && found.get("digests") instanceof Map && found.get("sha256") instanceof Map;
  const format = maps && found.get("format");
  if (!(format instanceof Num) || !FORMATS.includes(format.text.replace(/\.0$/, ""))) throw new NoManifest();
  return found;
}

/** Whether a manifest tells who approved the release; what was written without a decision tells nobody. */
export function approved(manifest) {
  const told = manifest.get("approvals");
  const named = (one) => typeof one.get("by") === "string" && one.get("by") !== "";
  const agreed = (one) => !one.has("decision") || one.get("decision") === "approved";
  const isApproval = (one) => one instanceof Map && named(one) && agreed(one);
  return Array.isArray(told) && told.length > 0 && told.every(isApproval);
}

export function digest(value) {
  return new Sha256().add(new TextEncoder().encode(compact(value))).hex();
}

// What the approval is bound to, by the parts; nothing where a hash is not there.
function boundTo(parts) {
  const hashes = parts.get("sha256");
  const names = ["dataset", "dictionaries", "others", "assessment", "output"];
  if (!names.every((name) => hashes.has(name))) return new Map();
  return new Map([
    ...names.map((name) => [name, hashes.get(name)]),
    ["rule", parts.get("rule") ?? null],
    ["seed", parts.get("seed")],
    ["code", parts.get("software")],
    ["approvals", digest(parts.has("approvals") ? parts.get("approvals") : [])],
  ]);
}

const same = (one, other) => compact(one ?? null) === compact(other ?? null);

/**
 * Every check with what is wrong; `why` is empty where all is well.
 * output: the SHA-256 of the released file, where it is there. expected: the digest that somebody else told.
 * beside: the names of files that came with it, each with its SHA-256.
 */
export function checks(text, { output = null, expected = "", beside = [] } = {}) {
  const manifest = read(text);
  const digests = manifest.get("digests");
  const parts = new Map([...manifest].filter(([name]) => !SEALS.includes(name)));
  const found = [];
  const tell = (part, wrong, why) => found.push({ part, why: wrong ? why : "" });

  for (const [part, value] of parts) {
    if (digests.has(part)) tell(part, digest(value) !== digests.get(part), "it was changed");
    else tell(part, true, "it was added");
  }
  for (const part of digests.keys()) if (!parts.has(part)) tell(part, true, "it is missing");

  const own = boundTo(parts);
  const bound = manifest.get("bound") instanceof Map ? manifest.get("bound") : new Map();
  for (const name of new Set([...own.keys(), ...bound.keys()])) {
    tell(`bound.${name}`, !same(own.get(name), bound.get(name)), "the approval was bound to another one");
  }
  const sealed = new Map([["bound", manifest.get("bound")], ["digests", digests]]);
  const bindingWrong = digest(manifest.get("bound")) !== manifest.get("binding");
  tell("binding", bindingWrong, "it is not the digest of what the approval is bound to");
  tell("digest", digest(sealed) !== manifest.get("digest"), "it is not the digest of the parts");
  const written = found.some((one) => one.why) || `${indented(manifest)}\n` === text;
  tell("manifest", !written, "its text is not written as it was");
  if (output !== null) {
    tell("file", output !== manifest.get("sha256").get("output"), "its bytes are not those that were released");
  }
  const hashes = manifest.get("sha256").get("beside");
  for (const [name, hash] of beside) {
    const known = hashes instanceof Map ? [...hashes.keys()].find((one) => name.toLowerCase().endsWith(one)) : undefined;
    if (known === undefined) tell(name, true, "the manifest does not tell of it");
    else tell(known, hash !== hashes.get(known), "its bytes are not those that were released");
  }
  if (expected.trim()) {
    tell("told digest", expected.trim().toLowerCase() !== manifest.get("digest"), "it is not the one that was told");
  }
  return found;
}
