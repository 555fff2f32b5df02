/** A chef's hand: cards that are picked by tap, dragged, or walked through by keys. */
import { useEffect, useRef } from "preact/hooks";
import { CATEGORIES, type CardFacts, type ChefTable as TableData } from "../../../desk";
import { cardWords, TileFace, usePicture } from "../../../parts/card";
import { t } from "../../../words";

/** The hand in the order it is shown: recipes first, then ingredients by category and name. */
export function sorted(hand: TableData["hand"], cards: ReadonlyMap<string, CardFacts>): TableData["hand"] {
  const rank = (slug: string) => {
    const card = cards.get(slug);
    if (!card) return "9";
    if (card.type === "recipe") return `0${String(9 - Object.values(card.costs).reduce((a: number, n) => a + (n ?? 0), 0))}`;
    const first = Object.keys(card.provides)[0] ?? Object.keys(card.costs)[0] ?? "";
    return `1${CATEGORIES.findIndex((each) => each === first)}`;
  };
  return [...hand].sort(
    (a, b) => rank(a.slug).localeCompare(rank(b.slug)) || a.slug.localeCompare(b.slug) || a.index - b.index,
  );
}

interface HandProps {
  hand: TableData["hand"];
  cards: ReadonlyMap<string, CardFacts>;
  cooking: boolean;
  selected: number | null;
  select: (index: number) => void;
  onLook: (index: number) => void;
}

export function Hand({ hand, cards, cooking, selected, select, onLook }: HandProps) {
  return (
    <ul class="hand" aria-label={t("table.hand")}>
      {hand.map(({ index, slug }) => (
        <HandCard
          key={index}
          index={index}
          slug={slug}
          card={cards.get(slug)}
          cooking={cooking}
          selected={selected === index}
          select={select}
          onLook={onLook}
        />
      ))}
      {!hand.length && <li class="quiet small">{t("chef.hand.empty")}</li>}
    </ul>
  );
}

interface HandCardProps extends Pick<HandProps, "cooking" | "select" | "onLook"> {
  index: number;
  slug: string;
  card: CardFacts | undefined;
  selected: boolean;
}

function HandCard({ index, slug, card, cooking, selected, select, onLook }: HandCardProps) {
  const src = usePicture(slug);
  return (
    <li>
      <button
        class={`tile ${card?.type ?? ""}`}
        data-index={index}
        aria-pressed={selected}
        aria-label={card ? cardWords(card) : slug}
        draggable={cooking}
        onDragStart={(event) => event.dataTransfer?.setData("text/plain", String(index))}
        onClick={() => select(index)}
        onDblClick={() => onLook(index)}
      >
        {card && <TileFace src={src} card={card} />}
      </button>
    </li>
  );
}

interface KeyWork {
  hand: number[];
  courses: number[];
  on: boolean;
  selected: number | null;
  select: (index: number | null) => void;
  put: (course: number, index: number) => void;
  undo: () => void;
  hint: () => void;
  seal: () => void;
  keys: () => void;
}

function focusCard(index: number | undefined): void {
  document.querySelector<HTMLElement>(`.hand [data-index="${index}"]`)?.focus();
}

/** The card under the focus, or else the one that is picked. */
function heldBy(target: HTMLElement, selected: number | null): number {
  return Number(target.closest<HTMLElement>("[data-index]")?.dataset["index"] ?? selected ?? Number.NaN);
}

/** Answer a key. False if it is none of this table's. */
function pressed(key: string, held: number, work: KeyWork): boolean {
  const { hand, courses, select, put, undo, hint, seal, keys } = work;
  if (key === "ArrowRight" || key === "ArrowLeft") {
    const at = hand.indexOf(held);
    const next = hand[(at + (key === "ArrowRight" ? 1 : -1) + hand.length) % hand.length] ?? hand[0];
    if (next === undefined) return false;
    focusCard(next);
    select(next);
  } else if (/^[1-3]$/.test(key) && courses.includes(Number(key)) && hand.includes(held)) {
    const after = hand[hand.indexOf(held) + 1] ?? hand[hand.indexOf(held) - 1];
    put(Number(key), held);
    setTimeout(() => focusCard(after), 30);
  } else if (key === "Backspace") undo();
  else if (key === "h") hint();
  else if (key === "s") seal();
  else if (key === "?") keys();
  else if (key === "Escape") select(null);
  else return false;
  return true;
}

/** The keys of the table. The card under the focus is the one that a digit lays. */
export function useKeys(work: KeyWork): void {
  const now = useRef(work);
  now.current = work;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select, dialog")) return;
      if (!now.current.on) return;
      if (pressed(event.key, heldBy(target, now.current.selected), now.current)) event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
