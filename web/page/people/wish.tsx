/** The game that one wishes for: which, how quick, in which format, rated or not, and with which deck. */
import { useState } from "preact/hooks";
import { formatsOfHouse, type ModeFacts } from "../house";
import { useLoaded } from "../parts/ui";
import { modeTitle, type DeckInfo } from "../screens/lobby";
import { DeckPick } from "../screens/tables";
import { said, t } from "../words";
import { PACES, type PaceName } from "./ladder";

/** What the queue, a challenge and a tournament are told of a game. */
export interface Wish {
  mode: string;
  pace: PaceName;
  rated: boolean;
  /** The format that every deck must keep; null for none, and where the house deals the cards. */
  format: string | null;
}

/** What a format is called. */
export function formatTitle(name: string): string {
  return said("format", name, name);
}

/** A choice of one or none of the house's formats. */
export function FormatPick({ value, onPick }: { value: string | null; onPick: (name: string | null) => void }) {
  const formats = useLoaded(formatsOfHouse, []).value ?? [];
  const picked = formats.find((each) => each.name === value);
  if (!formats.length) return null;
  return (
    <label class="field">
      <span>{t("wish.format")}</span>
      <select value={value ?? ""} onChange={(event) => onPick(event.currentTarget.value || null)}>
        <option value="">{t("wish.format.none")}</option>
        {formats.map((each) => (
          <option key={each.name} value={each.name}>
            {said("format", each.name, each.title)}
          </option>
        ))}
      </select>
      {picked && <span class="quiet small">{said("format.about", picked.name, picked.text)}</span>}
    </label>
  );
}

export function RatedTick({ on, set }: { on: boolean; set: (on: boolean) => void }) {
  return (
    <label class="tick">
      <input type="checkbox" checked={on} onChange={(event) => set(event.currentTarget.checked)} />
      <span>{t("wish.rated")}</span>
    </label>
  );
}

/** A wish that can be sent, and the fields that change it. */
export function useWish(modes: readonly ModeFacts[], first: string, rated: boolean) {
  const [mode, setMode] = useState(first);
  const [pace, setPace] = useState<PaceName>("usual");
  const [counts, setCounts] = useState(rated);
  const [format, setFormat] = useState<string | null>(null);
  const own = modes.find((each) => each.name === mode)?.own_decks ?? false;
  const wish: Wish = { mode, pace, rated: counts, format: own ? format : null };
  const game = (
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
  );
  const terms = (
    <>
      {own && <FormatPick value={format} onPick={setFormat} />}
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
      <RatedTick on={counts} set={setCounts} />
    </>
  );
  return { wish, own, game, terms };
}

/** A wish with the deck that we would play with. `lacks` where one is needed and none is there. */
export function useWishWithDeck(modes: readonly ModeFacts[], decks: readonly DeckInfo[], rated: boolean) {
  const first = modes.find((mode) => mode.own_decks) ?? modes[0];
  const { wish, own, game, terms } = useWish(modes, first?.name ?? "", rated);
  const [deck, setDeck] = useState(decks[0]?.id ?? "");
  const fields = (
    <>
      {game}
      {own && <DeckPick decks={[...decks]} value={deck} onPick={setDeck} />}
      {terms}
    </>
  );
  return { wish: { ...wish, deck: own ? deck : null }, fields, lacks: own && deck === "" };
}
