// The order of a column's values: moved by buttons and keys; the page's own form has it.

const KEYS = { ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity };

export class Order {
  constructor(form, say) {
    this.form = form;
    this.say = say;
    form.addEventListener("click", (event) => this.clicked(event));
    form.addEventListener("keydown", (event) => this.pressed(event));
  }

  clicked(event) {
    const button = event.target.closest("[data-shift]");
    if (!button) return;
    event.preventDefault();
    this.move(button, button.dataset.shift === "up" ? -1 : 1);
  }

  pressed(event) {
    const button = event.target.closest("[data-shift]");
    if (!button || !(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.move(button, KEYS[event.key]);
  }

  move(button, by) {
    const item = button.closest("li");
    const list = item.parentElement;
    const others = [...list.children].filter((each) => each !== item);
    const at = [...list.children].indexOf(item);
    const to = Math.min(Math.max(at + by, 0), others.length);
    if (to !== at) {
      list.insertBefore(item, others[to] ?? null);
      this.keep(list);
    }
    button.focus();
    this.say(`${item.dataset.value}: ${to + 1} of ${others.length + 1}`);
  }

  // The preview follows like that of any other parameter.
  keep(list) {
    const field = this.form.querySelector("[data-ordering]");
    field.value = JSON.stringify([...list.children].map((each) => each.dataset.value));
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
