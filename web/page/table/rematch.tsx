/** Playing again, once a game is over. */
import { useState } from "preact/hooks";
import type { Copies, MatchView } from "../desk";
import { ask, house } from "../kitchen";
import { Dialog, Doing } from "../parts/ui";
import { go } from "../router";
import { decksOfMine, type DeckInfo } from "../screens/lobby";
import { DeckPick } from "../screens/tables";
import { t } from "../words";

/** The deck with which a game was played, if it still is as it was then. */
export function playedDeck(decks: readonly DeckInfo[], played: Copies | null): DeckInfo | null {
  if (!played) return null;
  const key = (cards: Copies) => JSON.stringify(Object.entries(cards).filter(([, n]) => n > 0).sort());
  return decks.find((deck) => key(deck.cards) === key(played)) ?? null;
}

/** Another game with the same players, with the deck that was just played. Where it has changed, one is chosen. */
export function Rematch({ view }: { view: MatchView }) {
  const [choosing, setChoosing] = useState<DeckInfo[] | null>(null);
  const [deck, setDeck] = useState("");
  const again = async (chosen: string | null) => {
    const table = await ask("match.rematch", { game: view.game, deck: chosen });
    if (table.game) go("play", table.game);
    else go("table", table.id);
  };
  const begin = async () => {
    const { deck: played } = await house<{ deck: Copies | null }>(`/games/${view.game}`);
    if (!played) return again(null);
    const decks = await decksOfMine();
    const same = playedDeck(decks, played);
    if (same) return again(same.id);
    setDeck(decks[0]?.id ?? "");
    setChoosing(decks);
  };
  return (
    <>
      <Doing class="button main" act={begin}>
        {t("over.rematch")}
      </Doing>
      {choosing && (
        <Dialog title={t("over.rematch")} onClose={() => setChoosing(null)} slim>
          <p>{t("over.rematch.deck")}</p>
          <DeckPick decks={choosing} value={deck} onPick={setDeck} />
          <div class="row end">
            <Doing class="button main" act={() => again(deck)} disabled={!deck}>
              {t("over.rematch")}
            </Doing>
          </div>
        </Dialog>
      )}
    </>
  );
}
