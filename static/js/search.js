// Shows of the plan of a run only what goes with the chosen rules and question.
(() => {
  const form = document.querySelector("[data-search]");
  if (!form) return;

  const fits = (box, name, chosen) => box.dataset[name].split(" ").some((word) => chosen.includes(word));

  function show() {
    const rules = [...form.querySelectorAll("[name=rules]:checked")].map((box) => box.value);
    const question = [form.elements.question.value];
    for (const box of form.querySelectorAll("[data-rules]")) box.hidden = !fits(box, "rules", rules);
    for (const box of form.querySelectorAll("[data-question]")) box.hidden = !fits(box, "question", question);
  }

  form.addEventListener("change", show);
  show();
})();
