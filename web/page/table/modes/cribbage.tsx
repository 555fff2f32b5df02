/** Cribbage: the pegs, the starter and the crib, and the count of the cards played. */
import type { JsonObject, MatchView } from "../../desk";
import { t } from "../../words";
import { PlayingCard } from "../french";
import type { Held } from "../moves";
import { nameOf, numbers, Open, Row } from "../open";
import { packDrawing, type ClothProps } from "../pack";

function Cribbage({ view }: ClothProps) {
  const hand = (view.state["hand"] ?? {}) as JsonObject;
  const setup = (view.state["setup"] ?? {}) as JsonObject;
  const pile = numbers(hand["pile"]);
  const starter = view.places["starter"] ?? [];
  const crib = view.places["crib"] ?? [];
  const dealer = typeof view.state["dealer"] === "number" ? view.state["dealer"] : null;
  const scores = numbers(view.state["scores"]);
  const cuts = view.places["cuts"] ?? [];
  const last = view.seats.map((_, seat) => view.places[`played ${seat}`] ?? []);
  return (
    <>
      <Pegs scores={scores} target={Number(setup["target"] ?? 121)} view={view} />
      {cuts.length > 0 && <Row view={view} positions={cuts} />}
      {starter.length + crib.length > 0 && (
        <div class="open-row">
          {starter.map((position) => (
            <Open key={position} view={view} position={position} label={t("cribbage.starter")} />
          ))}
          {crib.length > 0 && <Crib count={crib.length} owner={dealer === null ? "" : nameOf(view, dealer)} />}
        </div>
      )}
      {view.state["phase"] === "play" && (
        <>
          <p class="count serif">{t("cribbage.count", { n: Number(hand["reached"] ?? 0) })}</p>
          <Row view={view} positions={pile} empty={t("cribbage.pile.none")} />
        </>
      )}
      {view.state["phase"] !== "play" &&
        last.map((cards, seat) =>
          cards.length ? (
            <div class="exposed" key={seat}>
              <span class="small quiet">{nameOf(view, seat)}</span>
              <Row view={view} positions={cards} />
            </div>
          ) : null,
        )}
    </>
  );
}

function Crib({ count, owner }: { count: number; owner: string }) {
  return (
    <figure class="open-card">
      <PlayingCard code={null} />
      <figcaption class="small">{t("cribbage.crib", { name: owner, n: count })}</figcaption>
    </figure>
  );
}

/** The pegs: a track for each side. */
function Pegs({ scores, target, view }: { scores: number[]; target: number; view: MatchView }) {
  return (
    <div class="pegs">
      {scores.map((score, side) => (
        <div class="peg-row" key={side}>
          <span class="small">{scores.length === view.seats.length ? nameOf(view, side) : t("cribbage.side", { n: side + 1 })}</span>
          <svg viewBox="-7 0 498 16" role="img" aria-label={t("cribbage.pegs", { n: score, of: target })}>
            {Array.from({ length: target + 1 }, (_, hole) => (
              <circle key={hole} class={hole === score ? "peg" : hole % 5 === 0 ? "hole five" : "hole"} cx={2 + (hole * 480) / target} cy="8" r={hole === score ? 6 : 1.4} />
            ))}
          </svg>
          <strong>{score}</strong>
        </div>
      ))}
    </div>
  );
}

/** Cards laid away for the crib. */
function compose(topic: string, cards: readonly Held[]): JsonObject | null {
  return topic === "lay" ? { lay: cards.map((card) => card.position).sort((a, b) => a - b) } : null;
}

export const cribbage = packDrawing(Cribbage, { takes: ["play", "lay"], numbers: ["cut", "claim", "object"], compose });
