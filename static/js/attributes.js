// The table of columns: saves what is changed, finds and orders columns, ticks those shown, and moves by the arrow keys.
"use strict";
{
  const box = document.querySelector("[data-columns]");
  const rows = () => [...box.querySelectorAll("tr[data-column]")];
  const shown = () => rows().filter((row) => !row.hidden);

  // A control belongs to its row's form by its form attribute; the form posts by htmx.
  const save = (event) => {
    if (event.target.matches("[data-save]")) event.target.form.requestSubmit();
  };

  // Finding: by name, and by what the controls say now.
  const released = (row) => ["generalised", "kept"].includes(row.querySelector("[name=role]").value);
  const KINDS = {
    waiting: (row) => row.querySelector("[data-waiting]") !== null,
    released,
    dropped: (row) => !released(row),
    knowable: (row) => row.querySelector("[name=knowable]").checked,
    hurts: (row) => row.querySelector("[name=hurts]").checked,
  };
  const find = () => {
    const name = box.querySelector("#find").value.trim().toLowerCase();
    const kind = KINDS[box.querySelector("#show").value] ?? (() => true);
    for (const row of rows()) row.hidden = !(row.dataset.column.includes(name) && kind(row));
    const [some, all] = [shown().length, rows().length];
    box.querySelector("[data-found]").textContent = some < all ? `${some} of ${all} shown` : "";
    count();
  };

  // Ordering: by what the controls say when an order is chosen; a row does not move away from whoever changes it.
  const ORDERS = {
    file: () => 0,
    name: (row) => row.dataset.column,
    waiting: (row) => (row.querySelector("[data-waiting]") ? 0 : 1),
    role: (row) => row.querySelector("[name=role]").selectedIndex,
    distinct: (row) => -row.dataset.distinct,
  };
  const order = () => {
    const key = ORDERS[box.querySelector("#sort").value];
    const keyed = rows().map((row) => [key(row), Number(row.dataset.position), row]);
    keyed.sort(([one, at], [other, there]) => (one < other ? -1 : one > other ? 1 : at - there));
    box.querySelector("tbody").append(...keyed.map(([, , row]) => row));
  };

  // Ticking
  const count = () => {
    const ticked = box.querySelectorAll("[name=ticked]:checked").length;
    const words = box.querySelector("[data-ticked]");
    if (words) words.textContent = ticked ? `With the ${ticked} ticked column${ticked === 1 ? "" : "s"}:` : "With the ticked columns:";
  };
  // A reason is needed only where something is released that may point at people.
  const askReason = () => {
    const reason = box.querySelector("[data-reason]");
    if (reason) reason.hidden = !["role:kept", "role:generalised"].includes(box.querySelector("#bulk-do").value);
  };
  const tickAll = (on) => {
    for (const row of shown()) row.querySelector("[name=ticked]").checked = on;
    count();
  };

  // Arrows: up and down to the same place in the next row, left and right along the row. A list of roles is opened with
  // space or alt and down; closed, its arrows move too, or every step through it would be saved.
  const WAYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const PLACES = ["tick", "name", "role", "knowable", "hurts"];
  const arrow = (event) => {
    const way = WAYS[event.key];
    const place = event.target.dataset?.at;
    if (!way || !place || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const all = shown();
    const row = all[all.indexOf(event.target.closest("tr")) + way[0]];
    const next = PLACES[PLACES.indexOf(place) + way[1]];
    row?.querySelector(`[data-at="${next}"]`)?.focus();
  };
  const slash = (event) => {
    if (event.key !== "/" || event.target.matches("input:not([type=checkbox]), textarea")) return;
    event.preventDefault();
    box.querySelector("#find").focus();
  };

  if (box) {
    box.classList.add("is-live");
    box.addEventListener("change", save);
    box.addEventListener("change", (event) => {
      if (event.target.matches("[data-tick-all]")) tickAll(event.target.checked);
      else if (event.target.matches("[name=ticked]")) count();
      else if (event.target.matches("#bulk-do")) askReason();
    });
    box.querySelector("#find").addEventListener("input", find);
    box.querySelector("#show").addEventListener("change", find);
    box.querySelector("#sort").addEventListener("change", order);
    box.querySelector(".columns-find").addEventListener("submit", (event) => event.preventDefault());
    box.addEventListener("keydown", arrow);
    document.addEventListener("keydown", slash);
    askReason();
    if (box.querySelector("#find").value || box.querySelector("#show").value) find();
  }
}
