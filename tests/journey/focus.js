// For people without a mouse: what is wrong with the place of the focus, and by which key one comes nearer to another.
({
  // Words, or "" where all is well. The last stop is kept in the document to compare the next one with.
  wrong(key) {
    const here = document.activeElement;
    const before = window.lastStop;
    if (here === document.body) return before ? "the focus is lost" : "";
    window.lastStop = here;
    const outlined = (element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
    };
    let ringed = here;
    while (ringed && !outlined(ringed)) ringed = ringed.parentElement;
    if (!ringed) return "no ring around the focus";
    const box = ringed.getBoundingClientRect();
    const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
    const [right, bottom] = [Math.min(box.right, innerWidth), Math.min(box.bottom, innerHeight)];
    if (right - left < 8 || bottom - top < 8) return "the focus is out of sight";
    const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const itself = ringed.contains(seen) || seen?.contains(ringed) || seen?.closest("label")?.contains(here);
    if (!itself) return `the focus is covered by ${seen?.outerHTML.slice(0, 200)}`;
    const [first, then] = key === "Shift+Tab" ? [here, before] : [before, here];
    if (!key.endsWith("Tab") || !before?.isConnected || before === here) return "";
    const [one, other] = [first.getBoundingClientRect(), then.getBoundingClientRect()];
    const onwards = first.compareDocumentPosition(then) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (onwards && other.bottom <= one.top && other.left < one.right) return `the focus jumps up from ${first.outerHTML.slice(0, 200)}`;
    return "";
  },

  // The key, or "" where one is there: at the element, or in its group of radio buttons. From the top of a page one
  // takes the last link for skipping that does not skip the wanted.
  way(wanted) {
    const here = document.activeElement;
    const grouped = here.type === "radio" && here.name === wanted.name && here.form === wanted.form;
    if (here === wanted || grouped) return "";
    const skips = [...document.querySelectorAll(".skip-link")].filter((link) => document.querySelector(link.hash).contains(wanted));
    if (here === skips.at(-1)) return "Enter";
    const back = here.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_PRECEDING;
    return back && here !== document.body && !here.contains(wanted) ? "Shift+Tab" : "Tab";
  },
})
