// The hierarchy studio: unsaved changes, the tree's steps with undo, and what it asks.

import { ask } from "./studio/ask.js";
import { History } from "./studio/history.js";
import { Order } from "./studio/order.js";
import { Tree } from "./studio/tree.js";
import { Turns } from "./studio/turns.js";

const form = document.querySelector("[data-studio]");
const history = new History();
const turns = new Turns();
const memory = { chosen: [], carried: [], focus: null, from: null, scroll: 0, hadFocus: false };
let tree = null;
let pending = null;
let refused = null;

const part = (name) => form.querySelector(name);
const say = (words) => { document.getElementById("announcer").textContent = words; };

// Unsaved changes

let unsaved = false;
let leaving = false;

function mark(changed) {
  unsaved = changed;
  part("[data-unsaved]").hidden = !changed;
}

function submitted(event) {
  const button = event.submitter;
  if (!turns.idle && button) { // what is under way belongs to what is sent
    event.preventDefault();
    turns.take(() => { if (button.isConnected) setTimeout(() => form.requestSubmit(button)); });
    return;
  }
  leaving = true;
  if (event.submitter?.matches("[data-stays]")) setTimeout(() => { leaving = false; }, 1000);
}

window.addEventListener("beforeunload", (event) => { if (unsaved && !leaving) event.preventDefault(); });

// Steps of the tree

function show() { run({ do: "show" }); }

const run = (step) => turns.take(() => send(step));

// The form itself is not the source: htmx would send what is asked by the form to where its last button led.
function send(step, focused = step.do !== "show") {
  if (!tree) return null;
  memory.hadFocus = focused || tree.list.contains(document.activeElement);
  memory.scroll = tree.list.scrollTop;
  if (step.do !== "show") {
    const { chosen, carried, from, focus } = memory;
    pending = { step, draft: part("[data-draft]").value, before: { chosen, carried, from, focus } };
    forget(step);
  }
  return htmx.ajax("POST", tree.root.dataset.edit, { source: part(".studio-grid"), target: "#builder", swap: "outerHTML", values: { step: JSON.stringify(step) } });
}

// A step that was refused has changed nothing: what was chosen for it is chosen again, and what was typed is there when
// one tries again.
function settle() {
  if (!pending) return;
  const done = part("[data-draft]").value !== pending.draft;
  refused = done ? null : pending.step;
  if (!done) Object.assign(memory, pending.before);
  pending = null;
}

function typedBefore(step, key, otherwise = "") {
  const again = refused?.do === step.do && JSON.stringify(refused.labels) === JSON.stringify(step.labels);
  return again && typeof refused[key] === "string" ? refused[key] : otherwise;
}

// After a step one is at what it made, and nothing is chosen any more.
function forget(step) {
  memory.chosen = [];
  memory.carried = [];
  memory.from = null;
  if (step.do === "group") memory.focus = { level: step.level + 1, label: step.name.trim() };
  if (step.do === "rename") memory.focus = { level: step.level, label: step.name.trim() };
}

// The draft that the page holds may be newer than what was last drawn.
function noted() {
  const draft = part("[data-draft]").value;
  if (draft) history.show(draft);
  return history;
}

const undo = () => turns.take(() => back(noted().undo()));
const redo = () => turns.take(() => back(noted().redo()));

function back(draft) {
  if (draft === null) return say("There is nothing more to undo or redo.");
  part("[data-draft]").value = draft;
  return send({ do: "show" }, true);
}

const opened = () => JSON.parse(part("[data-opened]").value);
const without = (place) => opened().filter(([level, label]) => !(level === place.level && label === place.label));
const setOpened = (places) => { part("[data-opened]").value = JSON.stringify(places); };

const open = (place) => turns.take(() => {
  setOpened([...without(place), [place.level, place.label]]);
  return send({ do: "show" });
});

// Whether the lines can be taken away at once; where an answer with them is under way, the server is asked without them.
function close(place) {
  const idle = turns.idle;
  if (idle) setOpened(without(place));
  else turns.take(() => { setOpened(without(place)); return send({ do: "show" }); });
  return idle;
}

const more = () => turns.take(() => {
  const most = part("[data-most]");
  most.value = String(Number(most.value) * 4);
  return send({ do: "show" });
});

// What a step needs to be told

const some = (count) => (count === 1 ? "1 chosen" : `${count} chosen`);

async function asking(what, button) {
  const level = button?.dataset.level ? Number(button.dataset.level) : null;
  const targets = level === null ? tree.targets() : [];
  const step = { do: what, level: level ?? targets[0]?.level, labels: targets.map((each) => each.label) };
  if (level === null && !possible(what, targets)) return say("Not possible for what is chosen.");
  const fields = questions(what, step, button);
  const given = fields ? await ask(...fields) : {};
  if (given) run({ ...step, ...given });
  else document.activeElement.focus();
}

function questions(what, step, button) {
  if (what === "group") return [`A new group of ${some(step.labels.length).replace(" chosen", "")}`, "Group", [{ key: "name", words: "Name of the group", value: typedBefore(step, "name") }, ...under(step)]];
  if (what === "move") return [`Move ${some(step.labels.length).replace(" chosen", "")} to a group`, "Move", [{ key: "to", words: `Group of level ${step.level + 1}`, list: `groups-${step.level + 1}`, value: typedBefore(step, "to") }]];
  if (what === "rename") return ["Rename the group", "Rename", [{ key: "name", words: "Name", value: typedBefore(step, "name", step.labels[0]) }]];
  if (what === "name_level") return [`Name of level ${step.level}`, "Name it", [{ key: "name", words: "Name; empty for none", value: button.dataset.name }]];
  if (what === "add_level") return [`A new level ${step.level}`, "Add it", [{ key: "name", words: "Name; may be empty" }]];
  return null;
}

// Where the chosen are in different groups of the level after next, one must say under which the new one shall be.
function under(step) {
  if (step.level + 2 >= tree.height) return [];
  const above = new Set(step.labels.map((label) => tree.ancestor(tree.itemOf({ level: step.level, label }), step.level + 2)?.dataset.label));
  return above.size > 1 ? [{ key: "under", words: `Under which group of level ${step.level + 2}?`, list: `groups-${step.level + 2}`, value: [...above][0] }] : [];
}

function possible(what, targets) {
  if (!targets.length || !tree) return false;
  const { level } = targets[0];
  return { group: true, move: level + 1 < tree.height, rename: level > 0 && targets.length === 1, split: level > 0 }[what];
}

function chosenChanged(targets) {
  for (const button of form.querySelectorAll(".tree-tools [data-do]")) button.disabled = !possible(button.dataset.do, targets);
  const told = part("[data-chosen]");
  if (told) told.textContent = memory.chosen.length ? `${some(memory.chosen.length)}, level ${memory.chosen[0].level}.` : "Nothing chosen: an action is about the line you are at.";
}

// Whatever of the page is drawn anew

function drawn() {
  mark(part("#preview").dataset.changed === "yes" || part("#builder").dataset.changed === "yes");
  noted();
  const root = part("[data-tree]");
  if (root && root === tree?.root) return;
  tree = null;
  if (!root) return;
  settle();
  tree = new Tree(root, memory, { run, more, open, close, say, chosenChanged, ask: asking, undo, redo });
  chosenChanged(tree.targets());
  part("[data-undo]").disabled = !history.canUndo;
  part("[data-redo]").disabled = !history.canRedo;
}

let typing = null;
let typed = null;

function typedInto(event) {
  if (!event.target.matches("[data-sought]")) return;
  typed = event.target.value;
  clearTimeout(typing);
  typing = setTimeout(show, 250);
}

// Whether what had the focus is gone, be it a line of the tree or the button that opened it; who has gone on is let be.
function focusLost() {
  const here = document.activeElement;
  return here === part("#tree") || here === part("#builder-title") || (here === document.body && memory.hadFocus);
}

// What was typed while an answer was under way must not be lost with the old field.
function keepTyped() {
  const field = part("[data-sought]");
  if (!field || typed === null || field.value === typed) return;
  field.value = typed;
  show();
}

function clicked(event) {
  const button = event.target.closest("[data-do], [data-undo], [data-redo]");
  if (!button) return;
  button.closest("details.menu")?.removeAttribute("open");
  if (button.matches("[data-undo]")) undo();
  else if (button.matches("[data-redo]")) redo();
  else asking(button.dataset.do, button);
}

// Undo and redo also while the tree is drawn anew and the focus is nowhere; fields keep their own.
function steppedBack(event) {
  if (event.defaultPrevented || !tree || !(event.ctrlKey || event.metaKey) || event.target.matches("input, textarea, select")) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) redo();
  else undo();
}

if (form) {
  drawn();
  new Order(form, say);
  document.addEventListener("keydown", steppedBack);
  form.addEventListener("submit", submitted);
  form.addEventListener("click", clicked);
  form.addEventListener("input", (event) => { if (event.target.closest("#parameters")) mark(true); });
  form.addEventListener("input", typedInto);
  form.addEventListener("keydown", (event) => { if (event.key === "Enter" && event.target.matches("[data-sought]")) event.preventDefault(); });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target?.id === "builder" || event.detail.elt?.id === "builder") {
      memory.hadFocus = focusLost();
      drawn();
      keepTyped();
    } else if (form.contains(event.detail.elt)) mark(part("#preview").dataset.changed === "yes");
  });
  document.querySelector("[data-focus-first]")?.focus();
}
