/** The game that one wishes for: which, how quick, rated or not, and with which deck. */
import { useState } from "preact/hooks";
import type { ModeFacts } from "../house";
import { modeTitle, type DeckInfo } from "../screens/lobby";
import { DeckPick } from "../screens/tables";
import { t } from "../words";
import { PACES, type PaceName } from "./ladder";
import type { Wish } from "./waiting";

/** A wish that can be sent, and the fields that change it. `deck` is empty where one is needed and none is there. */
export function useWish(modes: readonly ModeFacts[], decks: readonly DeckInfo[], rated: boolean) {
  const first = modes.find((mode) => mode.own_decks) ?? modes[0];
  const [mode, setMode] = useState(first?.name ?? "");
  const [pace, setPace] = useState<PaceName>("usual");
  const [counts, setCounts] = useState(rated);
  const [deck, setDeck] = useState(decks[0]?.id ?? "");
  const own = modes.find((each) => each.name === mode)?.own_decks ?? false;
  const wish: Wish = { mode, pace, rated: counts, deck: own ? deck : null };
  const fields = (
    <>
      <label class="field">
        <span>{t("wish.mode")}</span>
        <select value={mode} onChange={(event) => setMode(event.currentTarget.value)}>
          {modes.map((each) => (
            <option key={each.name} value={each.name}>
              {modeTitle(each.name)}
            </option>
          ))}
        </select>
      </label>
      {own && <DeckPick decks={[...decks]} value={deck} onPick={setDeck} />}
      <label class="field">
        <span>{t("new_table.pace")}</span>
        <select value={pace} onChange={(event) => setPace(event.currentTarget.value as PaceName)}>
          {PACES.map((each) => (
            <option key={each} value={each}>
              {t(`wish.pace.${each}`)}
            </option>
          ))}
        </select>
      </label>
      <label class="tick">
        <input type="checkbox" checked={counts} onChange={(event) => setCounts(event.currentTarget.checked)} />
        <span>{t("wish.rated")}</span>
      </label>
    </>
  );
  return { wish, fields, lacks: wish.deck === "" };
}
