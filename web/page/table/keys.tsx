/** The keys of a table: the list that `?` opens, and those of the games with a house pack. */
import { useEffect, useRef } from "preact/hooks";
import { Dialog } from "../parts/ui";
import { t } from "../words";

export type KeyName = "arrows" | "pick" | "digits" | "stacks" | "backspace" | "h" | "m" | "s" | "do" | "escape" | "question";

export function Keys({ names, onClose }: { names: readonly KeyName[]; onClose: () => void }) {
  return (
    <Dialog title={t("keys.title")} onClose={onClose} slim>
      <dl class="keys">
        {[...names.filter((name) => name !== "question"), "m" as const, "question" as const].map((name) => (
          <div key={name}>
            <dt>
              <kbd>{t(`keys.${name}.key`)}</kbd>
            </dt>
            <dd>{t(`keys.${name}`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** The keys of a table whose mode has keys of its own besides. */
export function packKeys(own: readonly KeyName[]): KeyName[] {
  return ["arrows", "pick", ...own, "do", "h", "escape", "question"];
}

interface PackWork {
  clear: () => void;
  hint: () => void;
  keys: () => void;
}

/** The buttons that a key of the table presses or walks through, in the order that they are shown. */
function buttons(where: string): HTMLButtonElement[] {
  return [...document.querySelectorAll<HTMLButtonElement>(where)].filter((button) => !button.disabled);
}

/** Move the focus through the hand: from its first card if it is elsewhere. */
function walk(by: 1 | -1): void {
  const hand = buttons(".pack-hand .face");
  const at = hand.indexOf(document.activeElement as HTMLButtonElement);
  const next = at < 0 ? (by > 0 ? 0 : hand.length - 1) : (at + by + hand.length) % hand.length;
  hand[next]?.focus();
}

/** Press the main button of the table; where there is none, the only one. */
function go(): void {
  const [main] = buttons(".actions .main");
  const others = buttons(".actions .row > .button:not(.plain)");
  (main ?? (others.length === 1 ? others[0] : undefined))?.click();
}

/** The keys of a game with a house pack. Enter and space pick the card under the focus; a digit presses what a drawing has marked with it. */
export function usePackKeys(work: PackWork): void {
  const now = useRef(work);
  now.current = work;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select, dialog")) return;
      if (event.key === "ArrowRight") walk(1);
      else if (event.key === "ArrowLeft") walk(-1);
      else if (/^[1-9]$/.test(event.key)) buttons(`.cloth [data-key="${event.key}"]`)[0]?.click();
      else if (event.key === "s") go();
      else if (event.key === "h") now.current.hint();
      else if (event.key === "Escape") now.current.clear();
      else if (event.key === "?") now.current.keys();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
