/** Playing again, once a game is over. */
import { useState } from "preact/hooks";
import type { MatchView } from "../desk";
import { ask, house } from "../kitchen";
import { Dialog, Doing } from "../parts/ui";
import { go } from "../router";
import { decksOfMine, type DeckInfo } from "../screens/lobby";
import { DeckPick } from "../screens/tables";
import { t } from "../words";

/** Another game with the same players, with the deck that was just played. Where it is gone, one is chosen. */
export function Rematch({ view }: { view: MatchView }) {
  const [choosing, setChoosing] = useState<DeckInfo[] | null>(null);
  const [deck, setDeck] = useState("");
  const again = async (chosen: string | null) => {
    const table = await ask("match.rematch", { game: view.game, deck: chosen });
    if (table.game) go("play", table.game);
    else go("table", table.id);
  };
  const begin = async () => {
    const { deck_id: played } = await house<{ deck_id: string | null }>(`/games/${view.game}`);
    if (!played) return again(null);
    const decks = await decksOfMine();
    if (decks.some((each) => each.id === played)) return again(played);
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
