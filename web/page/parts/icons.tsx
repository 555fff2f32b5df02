/** The page's signs, drawn in the hand of the cards: one line, round ends. */
import type { Category } from "../desk";

const PATHS = {
  play: "M4 17h16M6 17a6 6 0 0 1 12 0M12 8V6m-6 14h12",
  album: "M5 4h14v16H5zM9.5 4v16M5 9.3h14M5 14.6h14M14.5 4v16",
  decks: "M8 7h11v14H8zM5 18V4h11",
  market: "M4 9h16l-1.5 11h-13zM8 9a4 4 0 0 1 8 0",
  verify: "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM8.5 12l2.5 2.5 4.5-5",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21c1-5 4-7 8-7s7 2 8 7",
  close: "M6 6l12 12M18 6L6 18",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.8.8 1 1.500 1 2.500h6c0-1 .2-1.700 1-2.500A6 6 0 0 0 12 3",
  keys: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8",
  back: "M14 6l-6 6 6 6",
  next: "M10 6l6 6-6 6",
  first: "M17 6l-6 6 6 6M8 6v12",
  last: "M7 6l6 6-6 6M16 6v12",
  bill: "M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  look: "M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6",
  check: "M5 13l4 4L19 7",
  lock: "M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  flag: "M6 21V4h11l-2 4 2 4H6",
  say: "M4 5h16v11h-9l-5 4v-4H4zM8 9h8M8 12h5",
  mute: "M4 5h16v11h-9l-5 4v-4H4zM4 3l16 17",
  star: "M12 3l2.700 6 6.300.600-4.800 4.300 1.400 6.300L12 17l-5.600 3.200 1.400-6.300L3 9.600 9.300 9z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, label }: { name: IconName; label?: string }) {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" role={label ? "img" : undefined} aria-label={label} aria-hidden={!label}>
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="2"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

/** The house's mark: a cloche on its tray. */
export function Mark() {
  return (
    <svg viewBox="0 0 64 64" aria-hidden="true">
      <path
        class="mark-lid"
        d="M32 10a5 5 0 0 1 3 9c13 2 21 12 22 25H7c1-13 9-23 22-25a5 5 0 0 1 3-9z"
        stroke-width="3"
        stroke-linejoin="round"
      />
      <path class="mark-gleam" d="M16 38c1-7 5-12 11-14" fill="none" stroke-width="4" stroke-linecap="round" />
      <path class="mark-tray" d="M4 48h56l-6 7H10z" stroke-width="3" stroke-linejoin="round" />
    </svg>
  );
}

const SIGNS: Record<Category, string> = {
  starch: "M0 8L0-8M0 4C-5 4-6 0-6-2C-2-2 0 1 0 4C0 1 2-2 6-2C6 0 5 4 0 4M0-2C-5-2-6-6-6-8C-2-8 0-5 0-2C0-5 2-8 6-8C6-6 5-2 0-2",
  vegetable: "M-6 8C-9-2-2-9 9-8C10 3 3 10-6 8ZM-7 9L3-2",
  oil: "M0-10C6-2 8 1 8 4C8 12-8 12-8 4C-8 1-6-2 0-10Z",
  protein: "M-8 1C-4-6 4-6 7 0L11-5L11 6L7 1C4 7-4 7-8 1ZM-4-1L-4-1",
  seasoning: "M-4 9L-5-3L5-3L4 9ZM-5-3C-5-10 5-10 5-3M-1-7L-1-7M2-6L2-6",
};

/** A category's sign on its colour; open (an outline) where the unit is lacking. */
export function Pip({ category, open }: { category: Category; open?: boolean }) {
  return (
    <svg class={`pip ${category}${open ? " open" : ""}`} viewBox="-16 -16 32 32" width="20" height="20" aria-hidden="true">
      <circle r="14" />
      <path d={SIGNS[category]} transform="scale(0.95)" />
    </svg>
  );
}
