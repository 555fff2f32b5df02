/** The cards of the classic games, drawn here: index, suit and a figure, in the cards' hand. */
import { language, t, type Key } from "../words";

const SUITS: Record<string, string> = {
  S: "M0-12C6-4 12 0 12 6C12 11 5 12 1.5 7L4 13H-4L-1.500 7C-5 12-12 11-12 6C-12 0-6-4 0-12Z",
  H: "M0 12C-6 5-12 0-12-6C-12-12-3-13 0-6C3-13 12-12 12-6C12 0 6 5 0 12Z",
  D: "M0-13L10 0L0 13L-10 0Z",
  C: "M0-12A5.500 5.500 0 0 1 4.500-3.500A5.500 5.500 0 1 1 2 5L4 12H-4L-2 5A5.500 5.500 0 1 1-4.500-3.500A5.500 5.500 0 0 1 0-12Z",
};

export function suitOf(code: string): string {
  return code.slice(-1);
}

export function rankOf(code: string): string {
  return code.slice(0, -1);
}

const SUIT_KEYS: Record<string, Key> = { S: "suit.S", H: "suit.H", D: "suit.D", C: "suit.C" };
const RANK_KEYS: Record<string, Key> = { A: "rank.A", J: "rank.J", Q: "rank.Q", K: "rank.K" };

/** "queen of spades"; the code itself where it is no card of ours. */
export function cardName(code: string): string {
  if (code === "Joker") return t("joker");
  const suit = SUIT_KEYS[suitOf(code)];
  if (!suit) return code;
  const rank = RANK_KEYS[rankOf(code)];
  return t("card.french", { rank: rank ? t(rank) : rankOf(code), suit: t(suit) });
}

const ORDER = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

/** Order for showing: by suit, then by rank, Jokers last. It is no rule of any game. */
export function bySuit(a: string, b: string): number {
  return "CDSH".indexOf(suitOf(a)) - "CDSH".indexOf(suitOf(b)) || ORDER.indexOf(rankOf(b)) - ORDER.indexOf(rankOf(a));
}

/** The places of a number card's signs, on a grid of 3 by 7 (columns −1 to 1, rows −3 to 3). */
const PLACES: Record<string, readonly (readonly [number, number])[]> = {
  A: [[0, 0]],
  "2": [[0, -3], [0, 3]],
  "3": [[0, -3], [0, 0], [0, 3]],
  "4": [[-1, -3], [1, -3], [-1, 3], [1, 3]],
  "5": [[-1, -3], [1, -3], [0, 0], [-1, 3], [1, 3]],
  "6": [[-1, -3], [1, -3], [-1, 0], [1, 0], [-1, 3], [1, 3]],
  "7": [[-1, -3], [1, -3], [0, -1.5], [-1, 0], [1, 0], [-1, 3], [1, 3]],
  "8": [[-1, -3], [1, -3], [0, -1.5], [-1, 0], [1, 0], [0, 1.5], [-1, 3], [1, 3]],
  "9": [[-1, -3], [1, -3], [-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1], [-1, 3], [1, 3]],
  "10": [[-1, -3], [1, -3], [0, -2], [-1, -1], [1, -1], [-1, 1], [1, 1], [0, 2], [-1, 3], [1, 3]],
};

const FIGURES: Record<string, string> = {
  // A toque, a crown, a whisk: the court works in a kitchen.
  J: "M-16 22L-10-2L10-2L16 22ZM-13-2C-24-18-8-28 0-22C8-28 24-18 13-2",
  Q: "M-18 14L-22-14L-9-4L0-20L9-4L22-14L18 14ZM-18 20H18",
  K: "M-20 14L-20-12L-10-2L0-22L10-2L20-12L20 14ZM-20 20H20M0-22V-30M-4-27H4",
};

function letter(rank: string): string {
  const letters = language.value === "de" ? { A: "A", J: "B", Q: "D", K: "K" } : { A: "A", J: "J", Q: "Q", K: "K" };
  return (letters as Record<string, string>)[rank] ?? rank;
}

/** A card's face, or its back where `code` is null. Decoration: names are said by what holds it. */
export function PlayingCard({ code }: { code: string | null }) {
  if (code === null) return <Back />;
  if (code === "Joker") return <JokerFace />;
  const suit = suitOf(code);
  const rank = rankOf(code);
  const red = suit === "H" || suit === "D";
  return (
    <svg class={red ? "french red" : "french"} viewBox="0 0 100 140" aria-hidden="true">
      <rect class="french-paper" x="1.5" y="1.5" width="97" height="137" rx="9" />
      <g class="french-ink">
        <Corner rank={letter(rank)} suit={suit} />
        <g transform="rotate(180 50 70)">
          <Corner rank={letter(rank)} suit={suit} />
        </g>
        {FIGURES[rank] ? (
          <g transform="translate(50 70)">
            <rect class="french-frame" x="-25" y="-48" width="50" height="96" rx="5" />
            <path class="french-figure" d={FIGURES[rank]} />
            <path d={SUITS[suit]} transform="translate(0 36) scale(0.72)" />
            <path d={SUITS[suit]} transform="translate(0 -37) scale(0.6)" />
          </g>
        ) : (
          (PLACES[rank] ?? []).map(([x, y], i) => (
            <path
              key={i}
              d={SUITS[suit]}
              transform={`translate(${50 + x * 18} ${70 + y * 15}) scale(${rank === "A" ? 1.9 : y > 0 ? -0.72 : 0.72})`}
            />
          ))
        )}
      </g>
    </svg>
  );
}

function Corner({ rank, suit }: { rank: string; suit: string }) {
  return (
    <>
      <text x={rank.length > 1 ? 15 : 13} y="25" text-anchor="middle" class={rank.length > 1 ? "french-rank long" : "french-rank"}>
        {rank}
      </text>
      <path d={SUITS[suit]} transform="translate(13 38) scale(0.62)" />
    </>
  );
}

function JokerFace() {
  return (
    <svg class="french" viewBox="0 0 100 140" aria-hidden="true">
      <rect class="french-paper" x="1.5" y="1.5" width="97" height="137" rx="9" />
      <g class="french-joker">
        <path d="M20 96C22 62 36 50 50 50S78 62 80 96ZM50 50a6 6 0 1 0-.1 0M14 100H86L80 109H20Z" />
        <text x="50" y="34" text-anchor="middle" class="french-rank">
          ★
        </text>
        <text x="50" y="128" text-anchor="middle" class="french-word">
          JOKER
        </text>
      </g>
    </svg>
  );
}

function Back() {
  return (
    <svg class="french back" viewBox="0 0 100 140" aria-hidden="true">
      <rect class="french-paper" x="1.5" y="1.5" width="97" height="137" rx="9" />
      <rect class="french-back" x="9" y="9" width="82" height="122" rx="5" />
      <path class="french-lid" d="M28 84C30 60 40 52 50 52S70 60 72 84ZM50 52a5 5 0 1 0-.1 0M22 88H78L73 95H27Z" />
    </svg>
  );
}
