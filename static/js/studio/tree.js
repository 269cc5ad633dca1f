// The tree of a hierarchy: going through it, choosing, and moving by mouse and by keyboard. A line is known by its level and label.

const same = (one, other) => one && other && one.level === other.level && one.label === other.label;
const place = (item) => ({ level: Number(item.dataset.level), label: item.dataset.label });

export class Tree {
  // memory: what outlives a redrawing {chosen, focus, carried, scroll}; act: what is asked of the page {run, open, close, ask, say, …}
  constructor(root, memory, act) {
    Object.assign(this, { root, memory, act, list: root.querySelector("[role=tree]") });
    this.height = root.querySelectorAll(".levels > li").length - 1;
    this.#restore();
    this.list.addEventListener("click", (event) => this.#clicked(event));
    this.list.addEventListener("keydown", (event) => this.#pressed(event));
    this.list.addEventListener("focusin", (event) => this.#focused(event.target));
    this.#draggable();
  }

  get items() { return [...this.list.querySelectorAll("[role=treeitem]")]; }

  #find(wanted) { return this.items.find((item) => same(place(item), wanted)); }

  #restore() {
    this.memory.chosen = this.memory.chosen.filter((each) => this.#find(each));
    this.list.scrollTop = this.memory.scroll;
    const here = this.#find(this.memory.focus) ?? this.items[0];
    if (here) here.tabIndex = 0;
    if (this.memory.hadFocus) here?.focus({ preventScroll: true });
    this.paint();
  }

  paint() {
    for (const item of this.items) {
      item.setAttribute("aria-selected", String(this.memory.chosen.some((each) => same(each, place(item)))));
      item.classList.toggle("carried", this.memory.carried.some((each) => same(each, place(item))));
    }
    this.act.chosenChanged(this.targets());
  }

  // What an action is about: the chosen, or the line one is at.
  targets() {
    if (this.memory.chosen.length) return this.memory.chosen;
    return this.memory.focus && this.#find(this.memory.focus) ? [this.memory.focus] : [];
  }

  // The group of a level that a line is in, or is.
  ancestor(item, level) {
    for (let each = item; each; each = each.previousElementSibling) if (Number(each.dataset.level) === level) return each;
    return null;
  }

  itemOf(wanted) { return this.#find(wanted); }

  #focused(item) {
    if (!item.matches("[role=treeitem]")) return;
    for (const other of this.list.querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
    item.tabIndex = 0;
    this.memory.focus = place(item);
    this.act.chosenChanged(this.targets());
  }

  // Choosing

  #toggle(item) {
    const it = place(item);
    const others = this.memory.chosen.filter((each) => each.level === it.level && !same(each, it));
    const was = this.memory.chosen.some((each) => same(each, it));
    this.memory.chosen = was ? others : [...others, it];
    this.memory.from = it;
    this.paint();
  }

  #choose(items) {
    this.memory.chosen = items.map(place);
    this.paint();
  }

  #range(item) {
    const items = this.items;
    const start = items.findIndex((each) => same(place(each), this.memory.from ?? place(item)));
    const [low, high] = [start, items.indexOf(item)].sort((one, other) => one - other);
    const level = place(item).level;
    this.#choose(items.slice(Math.max(low, 0), high + 1).filter((each) => place(each).level === level));
  }

  #clicked(event) {
    const item = event.target.closest("[role=treeitem]");
    if (event.target.closest("[data-more]")) return this.act.more();
    if (!item) return;
    item.focus({ preventScroll: true });
    if (event.target.closest(".twisty") && item.ariaExpanded) this.#open(item, item.ariaExpanded !== "true");
    else if (event.shiftKey) this.#range(item);
    else this.#toggle(item);
  }

  // Opening and closing

  #open(item, open) {
    if (open) return this.act.open(place(item));
    if (!this.act.close(place(item))) return;
    item.setAttribute("aria-expanded", "false");
    const depth = Number(item.getAttribute("aria-level"));
    while (item.nextElementSibling && depthOf(item.nextElementSibling) > depth) item.nextElementSibling.remove();
  }

  // Keys

  #pressed(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item) return;
    this.memory.focus = place(item);
    const key = `${event.ctrlKey || event.metaKey ? "Ctrl " : ""}${event.shiftKey ? "Shift " : ""}${event.key.length === 1 ? event.key.toLowerCase() : event.key}`;
    const does = this.#keys(item)[key];
    if (!does) return;
    event.preventDefault();
    does();
  }

  #keys(item) {
    const step = (by) => this.items[this.items.indexOf(item) + by];
    const go = (to) => to?.focus();
    const extend = (by) => { const to = step(by); if (to) { this.memory.from ??= place(item); go(to); this.#range(to); } };
    return {
      ArrowDown: () => go(step(1)),
      ArrowUp: () => go(step(-1)),
      Home: () => go(this.items[0]),
      End: () => go(this.items.at(-1)),
      "Shift ArrowDown": () => extend(1),
      "Shift ArrowUp": () => extend(-1),
      ArrowRight: () => (item.ariaExpanded === "false" ? this.#open(item, true) : item.ariaExpanded && go(step(1))),
      ArrowLeft: () => (item.ariaExpanded === "true" ? this.#open(item, false) : go(this.ancestor(item, place(item).level + 1))),
      Enter: () => item.ariaExpanded && this.#open(item, item.ariaExpanded !== "true"),
      " ": () => this.#toggle(item),
      "Ctrl a": () => this.#choose(this.items.filter((each) => place(each).level === place(item).level && each.dataset.parent === item.dataset.parent)),
      "Ctrl x": () => this.#pickUp(),
      "Ctrl v": () => this.#putDown(item),
      Escape: () => this.#letGo(),
      g: () => this.act.ask("group"),
      m: () => this.act.ask("move"),
      F2: () => this.act.ask("rename"),
      Delete: () => this.act.ask("split"),
      "Ctrl z": () => this.act.undo(),
      "Ctrl y": () => this.act.redo(),
      "Ctrl Shift z": () => this.act.redo(),
    };
  }

  #pickUp() {
    this.memory.carried = this.targets();
    this.paint();
    this.act.say(`Picked up ${this.memory.carried.length}. Go to a group and press Control V; Escape lets go.`);
  }

  #letGo() {
    const carried = this.memory.carried.length;
    this.memory.carried = [];
    if (!carried) this.memory.chosen = [];
    this.paint();
    this.act.say(carried ? "Let go." : "Nothing chosen.");
  }

  #putDown(item) {
    const carried = this.memory.carried;
    const to = carried.length ? this.#home(item, carried[0].level) : null;
    if (!carried.length) this.act.say("Nothing is picked up. Choose something and press Control X.");
    else if (!to) this.act.say(`Put it into a group of level ${carried[0].level + 1}.`);
    else this.#move(carried, to);
  }

  // The group into which something of a level falls when it is put on a line.
  #home(item, level) {
    return level + 1 < this.height && place(item).level <= level + 1 ? this.ancestor(item, level + 1) : null;
  }

  #move(carried, to) {
    this.act.run({ do: "move", level: carried[0].level, labels: carried.map((each) => each.label), to: to.dataset.label });
  }

  // The mouse

  #draggable() {
    let over = null;
    const mark = (item) => {
      over?.classList.remove("over");
      over = item;
      over?.classList.add("over");
    };
    this.list.addEventListener("dragstart", (event) => {
      const item = event.target.closest("[role=treeitem]");
      if (!item) return;
      if (item.getAttribute("aria-selected") !== "true") this.#choose([item]);
      this.memory.carried = this.memory.chosen;
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", ""); // no value leaves the page with the mouse
      this.paint();
    });
    this.list.addEventListener("dragover", (event) => {
      const item = event.target.closest("[role=treeitem]");
      const to = item && this.memory.carried.length ? this.#home(item, this.memory.carried[0].level) : null;
      if (to) event.preventDefault();
      mark(to);
    });
    this.list.addEventListener("drop", (event) => {
      event.preventDefault();
      const [to, carried] = [over, this.memory.carried];
      mark(null);
      this.memory.carried = []; // let go of, also where the step is refused
      if (to) this.#move(carried, to);
    });
    this.list.addEventListener("dragend", () => {
      mark(null);
      this.memory.carried = [];
      this.paint();
    });
  }
}

const depthOf = (line) => Number(/depth-(\d+)/.exec(line.className)?.[1] ?? 0);
