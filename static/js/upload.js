// Uploads with a bar. Every <form data-upload> works without this file; with it, files can be dropped, are sent one
// after another, and a broken connection leaves a button to try again with the same file.
"use strict";
{
  const JOBS = new WeakMap(); // form → its uploads, oldest first

  // ---- words

  const bytes = (count) => {
    const units = ["bytes", "kB", "MB", "GB", "TB"];
    const step = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), units.length - 1);
    const shown = count / 1000 ** step;
    return `${step && shown < 100 ? shown.toFixed(1) : Math.floor(shown)} ${units[step]}`;
  };

  const duration = (seconds) => {
    if (seconds < 5) return "a few seconds left";
    if (seconds < 60) return `about ${Math.ceil(seconds / 5) * 5} seconds left`;
    const minutes = Math.round(seconds / 60);
    if (minutes < 60) return `about ${minutes} ${minutes === 1 ? "minute" : "minutes"} left`;
    return `about ${(minutes / 60).toFixed(1)} hours left`;
  };

  const BROKEN = {
    error: "The connection broke before the whole file arrived.",
    advice:
      "Nothing was kept of it. Your file is still chosen here: try again when the connection is back. " +
      "If you changed the file meanwhile, choose it anew.",
    again: true,
  };
  const SIGNED_OUT = {
    error: "You are no longer signed in.",
    advice: "Sign in again in another tab, then try again here. Your file is still chosen.",
    again: true,
  };
  const SILENT = {
    error: "The server has all of the file and does not answer.",
    advice: "Load the page anew to see whether the file is there; if it is not, try again.",
    again: true,
  };
  const TOO_LARGE = {
    error: "The server refuses a file of this size.",
    advice: "Pack it (.gz or .zip), or ask the administrator about the limit.",
  };
  const TROUBLE = {
    error: "The server could not take the file.",
    advice: "Nothing was kept of it. Try again; if it fails again, tell the administrator.",
    again: true,
  };

  // ---- the row that shows one upload

  const part = (job, name) => job.row.querySelector(`[data-part="${name}"]`);
  const put = (job, name, words) => { part(job, name).textContent = words; };

  const drawRow = (form, job) => {
    job.row = form.querySelector("[data-upload-row]").content.firstElementChild.cloneNode(true);
    job.row.job = job;
    put(job, "name", job.file.name);
    part(job, "bar").setAttribute("aria-label", `Upload of ${job.file.name}`);
    for (const name of ["cancel", "again", "remove"]) part(job, name).setAttribute("aria-describedby", labelId(job));
    form.querySelector("[data-upload-list]").append(job.row);
  };

  let labels = 0;
  const labelId = (job) => (part(job, "name").id ||= `sending-${++labels}`);

  // Which buttons a state has; the focus follows when the button under it goes away.
  const BUTTONS = {
    waiting: ["cancel"],
    sending: ["cancel"],
    storing: [],
    done: [],
    refused: ["remove"],
    broken: ["again", "remove"],
  };
  const enter = (job, state) => {
    const hadFocus = job.row.contains(document.activeElement);
    job.state = state;
    for (const name of ["cancel", "again", "remove"]) part(job, name).hidden = !BUTTONS[state].includes(name);
    part(job, "bar").hidden = !["sending", "storing"].includes(state);
    part(job, "trouble").hidden = !["refused", "broken"].includes(state);
    if (hadFocus && BUTTONS[state].length) part(job, BUTTONS[state][0]).focus();
  };

  const say = (job, words) => {
    job.form.querySelector("[data-upload-live]").textContent = `${job.file.name}: ${words}`;
  };

  const fail = (job, trouble) => {
    enter(job, trouble.again ? "broken" : "refused");
    put(job, "words", bytes(job.file.size));
    put(job, "error", trouble.error);
    put(job, "advice", trouble.advice ?? "");
  };

  // ---- one upload from start to end

  const checked = (job) => {
    const most = Number(job.form.dataset.maxBytes) || Infinity;
    if (job.file.size <= most) return true;
    fail(job, {
      error: `The file has ${bytes(job.file.size)}; at most ${bytes(most)} may be uploaded.`,
      advice: "Pack it (.gz or .zip), leave out columns that are not needed, or ask the administrator about the limit.",
    });
    return false;
  };

  const progressed = (job, sent, total) => {
    const percent = Math.floor((100 * sent) / total);
    const seconds = (performance.now() - job.began) / 1000;
    const left = seconds > 1 && sent > 0 ? ` · ${duration((seconds * (total - sent)) / sent)}` : "";
    part(job, "bar").value = percent;
    put(job, "words", `${bytes(sent)} of ${bytes(total)} · ${percent} %${left}`);
    if (Math.floor(percent / 25) > job.quarter) say(job, `${(job.quarter = Math.floor(percent / 25)) * 25} % sent`);
  };

  const PATIENCE = 5 * 60_000; // to store what has arrived takes seconds, even of many GB
  const storing = (job) => {
    enter(job, "storing");
    job.silence = setTimeout(() => { fail(job, SILENT); job.request.abort(); }, PATIENCE);
    part(job, "bar").removeAttribute("value");
    put(job, "words", `All ${bytes(job.file.size)} sent. The server is storing the file.`);
    say(job, "sent, the server is storing it");
  };

  const answer = (request) => {
    try {
      return JSON.parse(request.responseText) ?? {};
    } catch {
      return {};
    }
  };

  const ours = (address) => {
    const url = new URL(address, location.href);
    return url.origin === location.origin ? url.href : null;
  };

  const troubleOf = (request, said) => {
    if (said.error) return { ...said, again: request.status >= 500 };
    if (request.status === 401 || request.status === 403 || request.status < 300) return SIGNED_OUT;
    return request.status === 413 ? TOO_LARGE : TROUBLE;
  };

  const answered = (job) => {
    const said = answer(job.request);
    const place = job.request.status < 300 && said.location && ours(said.location);
    if (!place) return fail(job, troubleOf(job.request, said));
    job.place = place;
    part(job, "open").href = place;
    part(job, "open").hidden = false;
    enter(job, "done");
    put(job, "words", `${bytes(job.file.size)} stored`);
    say(job, "stored");
    list(job);
  };

  const body = (job) => {
    const fields = new FormData(job.form);
    fields.set(job.form.querySelector('input[type="file"]').name, job.file);
    return fields;
  };

  // The newest token: signing in again in another tab makes a new one, and pages keep the one they came with.
  const token = (form) =>
    document.cookie.match(/(?:^|; )(?:__Host-csrf|csrftoken)=([^;]+)/)?.[1] ?? form.querySelector('[name="csrfmiddlewaretoken"]')?.value ?? "";

  // A browser hears no answer while it is sending: so what can be refused by name and size is asked before.
  const ask = async (job) => {
    const question = new FormData();
    question.set("name", job.file.name);
    question.set("size", job.file.size);
    const headers = { Accept: "application/json", "X-CSRFToken": token(job.form) };
    const reply = await fetch(job.form.dataset.check, { method: "POST", body: question, headers, redirect: "manual" });
    if (reply.ok) return null;
    if (reply.type === "opaqueredirect" || reply.status === 401 || reply.status === 403) return SIGNED_OUT;
    return { ...TROUBLE, ...(await reply.json().catch(() => ({}))), again: reply.status >= 500 };
  };

  const begin = async (job) => {
    enter(job, "sending");
    const trouble = job.form.dataset.check ? await ask(job).catch(() => BROKEN) : null;
    if (job.state !== "sending") return;
    if (!trouble) return send(job);
    fail(job, trouble);
    next(job.form);
  };

  // A stored file joins the page's list, for when others after it fail and the page stays.
  const list = async (job) => {
    const items = document.getElementById("uploads");
    const reply = items && (await fetch(`${job.place}row/`).catch(() => null));
    if (!reply?.ok) return;
    items.insertAdjacentHTML("afterbegin", await reply.text());
    window.htmx?.process(items.firstElementChild);
  };

  const send = (job) => {
    const request = (job.request = new XMLHttpRequest());
    Object.assign(job, { began: performance.now(), quarter: 0 });
    enter(job, "sending");
    progressed(job, 0, job.file.size || 1);
    request.upload.addEventListener("progress", (event) => progressed(job, event.loaded, event.total));
    request.upload.addEventListener("load", () => storing(job));
    request.addEventListener("load", () => answered(job));
    request.addEventListener("error", () => fail(job, BROKEN));
    request.addEventListener("loadend", () => { clearTimeout(job.silence); next(job.form); });
    request.open("POST", job.form.getAttribute("action") || location.href);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("X-CSRFToken", token(job.form));
    request.send(body(job));
  };

  // ---- several uploads, one after another

  const jobs = (form) => JOBS.get(form) ?? JOBS.set(form, []).get(form);
  const active = (job) => ["waiting", "sending", "storing"].includes(job.state);

  const next = (form) => {
    const all = jobs(form);
    if (all.some((job) => ["sending", "storing"].includes(job.state))) return;
    const waiting = all.find((job) => job.state === "waiting");
    if (waiting) begin(waiting);
    else if (all.length && all.every((job) => job.state === "done")) location.assign(destination(form, all));
  };

  const destination = (form, all) =>
    (all.length > 1 && form.dataset.after && ours(form.dataset.after)) || all.at(-1).place;

  const wait = (job) => {
    put(job, "words", `${bytes(job.file.size)} · waiting for its turn`);
    enter(job, "waiting");
  };

  const add = (form, files) => {
    const chosen = form.querySelector('input[type="file"]').multiple ? [...files] : [...files].slice(0, 1);
    for (const file of chosen) {
      const job = { form, file };
      drawRow(form, job);
      jobs(form).push(job);
      if (checked(job)) wait(job);
    }
    next(form);
  };

  const remove = (job) => {
    const all = jobs(job.form);
    const input = job.form.querySelector('input[type="file"]');
    all.splice(all.indexOf(job), 1);
    job.row.remove();
    input.focus();
    next(job.form);
  };

  const cancel = (job) => {
    say(job, "upload cancelled");
    job.state = "cancelled";
    job.request?.abort();
    remove(job);
  };

  const again = (job) => {
    wait(job);
    next(job.form);
  };

  // ---- events, for the whole page

  const PRESSED = { cancel, again, remove };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-upload] [data-part]");
    const job = button?.closest("[data-upload-job]")?.job;
    if (job) PRESSED[button.dataset.part]?.(job);
  });

  const take = (form, input) => {
    add(form, input.files);
    input.value = ""; // so that the same file may be chosen once more
  };

  document.addEventListener("change", (event) => {
    const form = event.target.type === "file" && event.target.closest("[data-upload].is-live");
    if (form) take(form, event.target);
  });

  const hover = (area) => {
    document.querySelectorAll(".dropzone-area.over").forEach((other) => other.classList.remove("over"));
    area?.classList.add("over");
  };

  const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
  const areaAt = (event) => event.target.closest?.("[data-upload].is-live .dropzone-area");

  // A file dropped beside the zone must not replace the page by the file.
  document.addEventListener("dragover", (event) => {
    if (!carriesFiles(event) || !document.querySelector("[data-upload].is-live")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = areaAt(event) ? "copy" : "none";
    hover(areaAt(event));
  });

  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) hover(null);
  });

  const isFolder = (item) => item.webkitGetAsEntry?.()?.isDirectory;
  document.addEventListener("drop", (event) => {
    const area = carriesFiles(event) && areaAt(event);
    hover(null);
    if (!area) return;
    event.preventDefault();
    const items = [...event.dataTransfer.items].filter((item) => item.kind === "file" && !isFolder(item));
    add(area.closest("form"), items.map((item) => item.getAsFile()));
  });

  window.addEventListener("beforeunload", (event) => {
    const busy = [...document.querySelectorAll("[data-upload]")].some((form) => jobs(form).some(active));
    if (busy) event.preventDefault();
  });

  const enliven = (within) => {
    for (const form of within.querySelectorAll("[data-upload]:not(.is-live)")) {
      form.classList.add("is-live");
      // A file may have been chosen before this script was there.
      for (const input of form.querySelectorAll("input[type=file]")) if (input.files.length) take(form, input);
    }
  };
  enliven(document);
  document.addEventListener("htmx:load", (event) => enliven(event.target.parentElement ?? document));
}
