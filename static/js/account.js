// Offers the browser's time zone where none was chosen.
(() => {
  const select = document.getElementById("id_time_zone");
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!select || select.value || ![...select.options].some((option) => option.value === here)) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button quiet small";
  button.textContent = `Use ${here}, as your browser does`;
  button.addEventListener("click", () => {
    select.value = here;
    button.remove();
    select.focus();
  });
  select.after(button);
})();
