// Light, dark or as the system says. Not deferred: the choice must stand before the first paint, or the page flashes.
"use strict";
{
  const KEY = "theme";
  const CHOICES = ["auto", "light", "dark"];
  const root = document.documentElement;

  const chosen = () => {
    try {
      const kept = localStorage.getItem(KEY);
      return CHOICES.includes(kept) ? kept : "auto";
    } catch {
      return root.dataset.theme ?? "auto"; // storage is switched off: the choice lasts as long as the page
    }
  };

  const keep = (choice) => {
    try {
      localStorage.setItem(KEY, choice);
    } catch {
      // nothing to do: the page still changes
    }
  };

  const show = (choice) => {
    if (choice === "auto") delete root.dataset.theme;
    else root.dataset.theme = choice;
  };

  const after = (choice) => CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length];

  const label = (choice) => {
    for (const button of document.querySelectorAll("[data-theme-toggle]")) {
      button.hidden = false;
      button.setAttribute("aria-label", `Colours: ${button.dataset[choice]}`);
      button.title = `Colours: ${button.dataset[choice]}. Change to ${button.dataset[after(choice)]}.`;
    }
  };

  show(chosen());
  document.addEventListener("DOMContentLoaded", () => label(chosen()));
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-theme-toggle]")) return;
    const next = after(chosen());
    keep(next);
    show(next);
    label(chosen());
  });
}
