// What is wrong with a screen as it stands: accessibility, text that is cut off or lies on other text, sideways scroll.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(new URL("../../../web/package.json", import.meta.url)).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** Rules whose verdict may depend on the theme. The others are tried in one. */
const OF_COLOURS = ["color-contrast"];
/** Rules whose verdict may depend on the language. The others are tried in one. */
const OF_WORDS = [
  "aria-command-name", "aria-dialog-name", "aria-input-field-name", "aria-toggle-field-name", "button-name", "document-title", "html-has-lang",
  "html-lang-valid", "image-alt", "label", "label-content-name-mismatch", "link-name", "select-name", "svg-img-alt", "target-size", "valid-lang",
];
/** What axe is asked for by the way a screen is looked at. */
const ASKED = { all: { type: "tag", values: TAGS }, colours: { type: "rule", values: OF_COLOURS }, words: { type: "rule", values: OF_WORDS } };

/**
 * Violations of WCAG 2.2 AA as texts: by all rules, or by those of the colours or of the words.
 * The page's policy stays in force: nothing is added to the page.
 * The letters in a drawn card are part of the drawing, which the name of its button describes.
 */
export async function violations(page, rules) {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE);
  return page.evaluate(
    async (only) => {
      const { violations: found } = await globalThis.axe.run(document, { runOnly: only, resultTypes: ["violations"] });
      const drawn = ({ target }) => {
        const button = document.querySelector(target.at(-1));
        const copy = button.cloneNode(true);
        copy.querySelectorAll("svg").forEach((drawing) => drawing.remove());
        return (button.ariaLabel ?? "").includes(copy.textContent.trim());
      };
      // Beside an open menu nothing can be hit: a tap there closes the menu.
      const away = ({ target }) => document.querySelector(".menu-away") && !document.querySelector(target.at(-1)).closest(".menu");
      const spared = { "label-content-name-mismatch": drawn, "target-size": away };
      const faults = (id, nodes) => nodes.filter((node) => !spared[id]?.(node));
      return found.flatMap(({ id, nodes }) => faults(id, nodes).map((node) => `${id}: ${node.target.join(" ")}: ${node.any[0]?.message ?? node.html}`));
    },
    ASKED[rules],
  );
}

/** Faults of the layout as texts: what scrolls sideways, is cut off, or lies on other text. */
export function layoutFaults(page) {
  return page.evaluate(() => {
    const faults = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) faults.push(`the page scrolls sideways: ${root.scrollWidth} > ${root.clientWidth}`);

    const name = (element) => `${element.tagName.toLowerCase()}.${[...element.classList].join(".")}`;
    const scroller = (element) => {
      for (let at = element; at && at !== document.body; at = at.parentElement)
        if (/auto|scroll/.test(getComputedStyle(at).overflowX + getComputedStyle(at).overflowY)) return at;
      return null;
    };
    // An open dialog makes all else unreachable, and what stays in place lies over the rest by intent.
    const within = document.querySelector("dialog[open]") ?? document.body;
    const floats = (element) => {
      for (let at = element; at && at !== within; at = at.parentElement)
        if (at.matches(".menu-list") || /fixed|sticky/.test(getComputedStyle(at).position)) return true;
      return false;
    };
    const lines = [];
    const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.data.trim() || !element?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (element.closest(".unseen, .skip, option, svg")) continue;
      const text = node.data.trim().slice(0, 40);
      for (let at = element; at && at !== within; at = at.parentElement) {
        const style = getComputedStyle(at);
        if (!/hidden|clip/.test(style.overflowX + style.overflowY)) continue;
        if (at.scrollWidth > at.clientWidth + 1 || at.scrollHeight > at.clientHeight + 2) {
          const range = document.createRange();
          range.selectNodeContents(node);
          const [part, whole] = [range.getBoundingClientRect(), at.getBoundingClientRect()];
          if (part.right > whole.right + 1 || part.bottom > whole.bottom + 2 || part.left < whole.left - 1)
            faults.push(`cut off: "${text}" in ${name(at)}`);
        }
      }
      const range = document.createRange();
      range.selectNodeContents(node);
      const button = element.closest("button, .button")?.getBoundingClientRect();
      const [told] = range.getClientRects();
      if (button && told?.width > 1 && (told.left < button.left - 1 || told.right > button.right + 1))
        faults.push(`wider than its button: "${text}" in ${name(element)}`);
      if (floats(element)) continue;
      const view = scroller(element)?.getBoundingClientRect();
      for (const box of range.getClientRects()) {
        if (box.width < 2 || box.height < 2) continue;
        const rolled = view && (box.bottom <= view.top + 4 || box.top >= view.bottom - 4 || box.right <= view.left + 4 || box.left >= view.right - 4);
        if (!rolled) lines.push({ element, text, box });
        if (!view && (box.right > root.clientWidth + 1 || box.left < -1))
          faults.push(`beyond the edge: "${text}" in ${name(element)}`);
      }
    }
    lines.forEach((one, i) => {
      for (const other of lines.slice(i + 1)) {
        if (one.element === other.element) continue;
        const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        if (wide > 3 && high > 0.4 * Math.min(one.box.height, other.box.height))
          faults.push(`"${one.text}" (${name(one.element)}) lies on "${other.text}" (${name(other.element)})`);
      }
    });
    return [...new Set(faults)];
  });
}

/**
 * Where the focus goes by Tab, and which of its stops are not to be seen. At most `most` stops are visited.
 * `fled` counts the stops for which the notes have gone to the other end of the window.
 */
export async function focusFaults(page, most = 40) {
  await page.evaluate(() => {
    // The next Tab begins at the top, wherever somebody clicked before.
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");
    scrollTo(0, 0);
  });
  const faults = [];
  const seen = new Set();
  let fled = 0;
  for (let i = 0; i < most; i++) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(async () => {
      // The window rolls to what has the focus, and notes give way, before the next frame is drawn.
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      const focused = document.activeElement;
      if (!focused || focused === document.body) return null;
      // A field that is drawn by its label has its ring there.
      const at = focused.matches(".unseen") ? (focused.closest("label") ?? focused) : focused;
      const style = getComputedStyle(at);
      const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
      const name = (element) => `${element.tagName.toLowerCase()}.${element.className} "${(element.ariaLabel ?? element.textContent ?? "").slice(0, 40)}"`;
      const place = (box) => `${Math.round(box.left)},${Math.round(box.top)} to ${Math.round(box.right)},${Math.round(box.bottom)}`;
      const box = at.getBoundingClientRect();
      const x = Math.min(Math.max(box.left + box.width / 2, 0), innerWidth - 1);
      const y = Math.min(Math.max(box.top + box.height / 2, 0), innerHeight - 1);
      const top = document.elementFromPoint(x, y);
      const open = top !== null && (at.contains(top) || top.contains(at));
      const covers = open ? [] : [top];
      // Of what has the focus a note hides not even a part.
      for (const note of document.querySelectorAll(".toast")) {
        const over = note.getBoundingClientRect();
        const meets = over.left < box.right && box.left < over.right && over.top < box.bottom && box.top < over.bottom;
        if (meets && !note.contains(at)) covers.push(note);
      }
      const cover = covers.map((each) => (each ? `${name(each)} at ${place(each.getBoundingClientRect())}` : "the edge of the window"));
      const id = (focused.dataset.stop ??= String(Math.random()));
      return { id, who: `${name(at)} at ${place(box)}`, ring, cover, first: focused.tabIndex > 0, fled: document.querySelector(".toasts.away") !== null };
    });
    if (stop === null || seen.has(stop.id)) break;
    seen.add(stop.id);
    if (!stop.ring) faults.push(`no ring: ${stop.who}`);
    for (const cover of stop.cover) faults.push(`hidden while it has the focus: ${stop.who}, under ${cover}`);
    if (stop.first) faults.push(`out of order: ${stop.who}`);
    if (stop.fled) fled++;
  }
  return { stops: seen.size, faults, fled };
}
