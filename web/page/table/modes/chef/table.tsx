/** The table of Pancake for a chef: the opening hand, the round that is cooked, the reveal. */
import type { CardFacts, MatchView } from "../../../desk";
import { KitchenCard } from "../../../parts/card";
import { Doing } from "../../../parts/ui";
import { t } from "../../../words";
import type { Teller } from "../../account_words";
import { nameIn, useCards } from "../../cards";
import type { PlayedProps } from "../../drawing";
import { Frame } from "../../frame";
import { choose } from "../../match";
import { SeatStrip } from "../../seats";
import { Cooking } from "./cooking";
import { courseValues, GOAL, tableOf } from "./courses";
import { sorted } from "./hand";
import { Reveal, useHeld } from "./reveal";

export function useTeller(view: MatchView): Teller {
  const cards = useCards();
  return { mode: view.mode, names: view.seats.map((seat) => seat.name), card: nameIn(cards), values: courseValues };
}

export function ChefTable({ match, view }: PlayedProps) {
  const cards = useCards();
  const teller = useTeller(view);
  const mine = view.seat ?? 0;
  const held = useHeld(view, match.fresh.value, match.accounts.value);
  const { judged } = held;
  const redraw = view.choice?.topic === "redraw";
  const strip = (seat: number) => <SeatStrip view={view} seat={seat} skew={match.skew.value} goal={GOAL} points={held.points(seat)} />;
  const room = judged ? "both" : view.over ? "bill" : redraw ? "table" : "both";
  return (
    <Frame view={view} accounts={held.accounts} teller={teller} room={room}>
      {strip(1 - mine)}
      {judged ? (
        <>
          <Reveal key={judged.seq} view={view} account={judged} teller={teller} onOpen={held.open} onDone={() => (match.fresh.value = null)} />
          {strip(mine)}
        </>
      ) : view.over ? (
        strip(mine)
      ) : redraw ? (
        <>
          <Opening match={match} view={view} cards={cards} />
          {strip(mine)}
        </>
      ) : (
        <Cooking key={`${view.round}`} match={match} view={view} cards={cards} teller={teller} strip={strip(mine)} />
      )}
    </Frame>
  );
}

/** The opening hand: keep or redraw. */
function Opening({ match, view, cards }: PlayedProps & { cards: ReadonlyMap<string, CardFacts> }) {
  const hand = sorted(tableOf(view).hand, cards);
  const pick = (word: string) => choose(match, view.game, { choice: word });
  const moves = view.choice?.moves ?? [];
  const may = (word: string) => moves.length === 0 || moves.some((offered) => offered.move["choice"] === word);
  return (
    <section class="opening stack">
      <header class="stack tight">
        <h2>{t("chef.opening")}</h2>
        <p class="quiet">{t("chef.opening.text")}</p>
      </header>
      <ul class="opening-hand">
        {hand.map(({ index, slug }) => {
          const card = cards.get(slug);
          return <li key={index}>{card && <KitchenCard card={card} />}</li>;
        })}
      </ul>
      <div class="row">
        <Doing class="button main big" act={() => pick("keep")} disabled={!may("keep")}>
          {t("chef.keep")}
        </Doing>
        <Doing act={() => pick("redraw")} disabled={!may("redraw")}>
          {t("chef.redraw")}
        </Doing>
      </div>
    </section>
  );
}
