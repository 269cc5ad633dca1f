// Asks for a name in a dialog, and perhaps for the group that it shall be under.

const dialog = document.getElementById("ask");

const part = (name) => dialog.querySelector(name);

function field(id, words, value, list) {
  const box = document.createElement("div");
  box.className = "field";
  const label = document.createElement("label");
  label.htmlFor = id;
  label.textContent = words;
  const input = Object.assign(document.createElement("input"), { id, value, className: "input", autocomplete: "off", maxLength: 300 });
  if (list) input.setAttribute("list", list);
  box.append(label, input);
  return box;
}

// Answers {name, under} or null. fields: [{key, words, value, list}]
export function ask(title, button, fields) {
  part("#ask-title").textContent = title;
  part("[data-ask-do]").textContent = button;
  part("[data-ask-fields]").replaceChildren(...fields.map((each) => field(`ask-${each.key}`, each.words, each.value ?? "", each.list)));
  dialog.returnValue = "";
  dialog.showModal();
  part("input").focus();
  part("input").select();
  return new Promise((answer) => {
    dialog.addEventListener("close", () => {
      const given = Object.fromEntries(fields.map((each) => [each.key, part(`#ask-${each.key}`).value]));
      answer(dialog.returnValue === "do" ? given : null);
    }, { once: true });
  });
}
