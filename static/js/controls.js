// The small behaviours of the components: dialogs, copying, menus, and words for screen readers.
"use strict";
{
  const closeMenus = (keep) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) if (menu !== keep) menu.open = false;
  };

  // A link with data-dialog="id" opens that <dialog>; without this script it leads to the page that asks the same.
  const openDialog = (event) => {
    const opener = event.target.closest("[data-dialog]");
    const dialog = opener && document.getElementById(opener.dataset.dialog);
    if (!dialog?.showModal || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    closeMenus(null);
    dialog.showModal();
  };

  const announce = (words) => {
    const region = document.getElementById("announcer");
    if (region) region.textContent = words;
  };

  // navigator.clipboard exists on https and localhost only; a house without https copies the old way.
  const copyText = async (source) => {
    const text = source.value ?? source.textContent;
    if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    if (!document.execCommand("copy")) throw new Error("copying was refused");
  };

  const sayCopied = (button) => {
    const words = button.querySelector("[data-copy-words]") ?? button;
    button.dataset.before ??= words.textContent;
    button.dataset.done = "";
    words.textContent = "Copied";
    announce("Copied");
    clearTimeout(button.timer);
    button.timer = setTimeout(() => {
      words.textContent = button.dataset.before;
      delete button.dataset.done;
    }, 2000);
  };

  // data-copy="#id" copies what that field or text holds; if the browser refuses, the text is left selected.
  const copy = async (event) => {
    const button = event.target.closest("[data-copy]");
    const source = button && document.querySelector(button.dataset.copy);
    if (!source) return;
    try {
      await copyText(source);
      button.focus();
      sayCopied(button);
    } catch {
      source.select?.();
      announce("Copying was refused by the browser. The text is selected: copy it with the keyboard.");
    }
  };

  const leaveMenu = (event) => {
    const menu = event.key === "Escape" && event.target.closest("details.menu[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  };

  // A polled fragment speaks only when its words change: data-announce="words", and data-percent in quarters. What a page
  // comes with is read with the page, but for the messages: a region that is there from the start is silent.
  const said = new Map();
  const speak = (element, aloud) => {
    const quarter = element.dataset.percent ? ` ${Math.floor(Number(element.dataset.percent) / 25) * 25} %` : "";
    const words = element.dataset.announce + quarter;
    if (said.get(element.id) === words) return;
    said.set(element.id, words);
    if (aloud) announce(words);
  };
  const speakMessages = () => {
    const words = [...document.querySelectorAll(".messages [role=status]")].map((message) => message.textContent.trim());
    if (words.length) setTimeout(announce, 500, words.join(" "));
  };

  // data-remove="#id" takes that away again, and gives the focus back to where it was called from.
  let called = null;
  const remove = (event) => {
    const button = event.target.closest("[data-remove]");
    if (!button) return;
    document.querySelector(button.dataset.remove)?.remove();
    called?.focus();
  };

  // A fragment in the address would be sent along with the next form, and its answer would open there and not at its notice.
  const skip = (event) => {
    const place = event.target.matches(".skip-link") && document.querySelector(event.target.hash);
    if (!place) return;
    event.preventDefault();
    place.focus({ preventScroll: true });
    place.scrollIntoView();
  };

  // What a fragment could not get must not pass in silence; the words go when the next answer comes.
  const TROUBLE = {
    "htmx:sendError": "The server does not answer. This page tries again by itself where it follows something; otherwise press once more.",
    "htmx:responseError": "That did not work. Load the page anew to see how things stand.",
  };
  // A refusal comes as a page of its own, with the reason in it.
  const reason = (answer) =>
    answer?.status === 409 && new DOMParser().parseFromString(answer.responseText, "text/html").querySelector(".trouble > p:not(.code-number)")?.textContent;
  const complain = (event) => {
    let notice = document.getElementById("page-trouble");
    if (!notice) {
      notice = document.createElement("div");
      notice.id = "page-trouble";
      notice.className = "notice bad sticky";
      notice.setAttribute("role", "alert");
      document.getElementById("main").prepend(notice);
    }
    notice.textContent = reason(event.detail.xhr) || TROUBLE[event.type];
  };
  const relent = (event) => event.detail.successful && document.getElementById("page-trouble")?.remove();

  // An answer may take away what had the focus: then the nearest place around it that is still there has it.
  let around = [];
  const remember = () => {
    around = [];
    for (let one = document.activeElement; one && one !== document.body; one = one.parentElement) if (one.id) around.push(one.id);
  };
  const keepFocus = () => {
    const place = document.activeElement === document.body && around.map((id) => document.getElementById(id)).find(Boolean);
    if (!place) return;
    const told = place.matches("a, button, input, select, textarea, summary") ? place : place.querySelector("h1, h2, h3") ?? place;
    if (told.tabIndex < 0) told.tabIndex = -1;
    told.focus({ preventScroll: true });
  };

  // What an answer is about gets the focus, and comes into sight where it is not.
  const lead = (event) => {
    const place = event.detail.elt.querySelector("[data-focus]");
    place?.focus({ preventScroll: true });
    place?.scrollIntoView({ block: "nearest" });
  };

  // A button that is replaced between press and release is never clicked: while a pointer is down, what is asked for again and again waits.
  let pressed = false;
  const press = () => { pressed = true; };
  const release = () => setTimeout(() => { pressed = false; });
  const wait = (event) => {
    const asks = event.detail.requestConfig?.elt?.getAttribute("hx-trigger") ?? "";
    if (pressed && asks.startsWith("every")) event.detail.shouldSwap = false;
  };

  // A link to words that are folded away opens them.
  const unfold = () => {
    const place = document.getElementById(location.hash.slice(1));
    if (place instanceof HTMLDetailsElement) place.open = true;
  };
  const follow = (event) => { if (event.target.closest("a[href^='#']")) setTimeout(unfold); };

  // What was typed into a form with data-guarded is not left without a question; sending another form leaves it too.
  const TYPED = "form[data-guarded][data-typed]";
  const typed = (event) => {
    const form = event.target.form;
    if (form?.matches("[data-guarded]")) form.dataset.typed = "";
  };
  const sent = (event) => { if (!event.defaultPrevented) delete event.target.dataset.typed; };
  const leave = (event) => { if (document.querySelector(TYPED)) event.preventDefault(); };

  // On a narrow screen the way and the tabs begin where one is.
  const showPlace = (root) => {
    for (const place of root.querySelectorAll(".stepper .here, .tabs [aria-current]")) {
      const strip = place.closest(".stepper, .tabs");
      const [here, around] = [place.getBoundingClientRect(), strip.getBoundingClientRect()];
      strip.scrollLeft += here.left - around.left - (around.width - here.width) / 2;
    }
  };

  unfold();
  document.addEventListener("click", follow);
  document.addEventListener("click", skip);
  document.addEventListener("click", remove);
  document.addEventListener("htmx:sendError", complain);
  document.addEventListener("htmx:responseError", complain);
  document.addEventListener("htmx:afterRequest", relent);
  document.addEventListener("htmx:beforeRequest", (event) => { if (event.detail.elt.matches("form")) called = document.activeElement; });
  document.addEventListener("input", typed);
  document.addEventListener("submit", sent);
  window.addEventListener("beforeunload", leave);
  document.addEventListener("pointerdown", press);
  for (const end of ["pointerup", "pointercancel", "dragend"]) document.addEventListener(end, release);
  document.addEventListener("htmx:beforeSwap", wait);
  document.addEventListener("htmx:beforeSwap", remember);
  document.addEventListener("htmx:afterSettle", lead);
  document.addEventListener("htmx:afterSettle", keepFocus);
  document.addEventListener("click", openDialog);
  document.addEventListener("click", copy);
  document.addEventListener("click", (event) => closeMenus(event.target.closest("details.menu")));
  document.addEventListener("keydown", leaveMenu);
  document.addEventListener("htmx:load", (event) => {
    const fragment = event.target;
    const later = fragment !== document.body;
    for (const each of [fragment, ...fragment.querySelectorAll("[data-announce]")]) if (each.dataset.announce) speak(each, later);
    if (!later) speakMessages();
    showPlace(fragment.parentElement ?? document);
  });
}
