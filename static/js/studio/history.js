// Earlier and later drafts of the tree. They are kept in this page only.

export class History {
  #past = [];
  #future = [];
  #now = "";

  get canUndo() { return this.#past.length > 0; }
  get canRedo() { return this.#future.length > 0; }

  // A draft that the page shows now; one that differs is a step.
  show(draft) {
    if (draft === this.#now) return;
    if (this.#now) this.#past.push(this.#now);
    this.#future = [];
    this.#now = draft;
  }

  undo() { return this.#go(this.#past, this.#future); }
  redo() { return this.#go(this.#future, this.#past); }

  #go(from, to) {
    if (!from.length) return null;
    to.push(this.#now);
    this.#now = from.pop();
    return this.#now;
  }
}
