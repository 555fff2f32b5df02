/** The decks of a player. */
import { useState } from "preact/hooks";
import type { Copies } from "../desk";
import { cardsOfHouse, type Listed } from "../house";
import { ask, house } from "../kitchen";
import { CardPicture } from "../parts/card";
import { complain, Dialog, Doing, Loaded, Sure, toast, useLoaded } from "../parts/ui";
import { go, to } from "../router";
import { dayTime, t } from "../words";
import { fanOf } from "./register";

export interface Deck {
  id: string;
  name: string;
  cards: Copies;
  size: number;
  revision: number;
  visibility: string;
  revised_at: string;
}

export function Decks() {
  const decks = useLoaded(() => Promise.all([house<Listed<Deck>>("/decks"), cardsOfHouse()]), []);
  const [reading, setReading] = useState(false);
  const [leaving, setLeaving] = useState<Deck | null>(null);
  const remove = async (deck: Deck) => {
    const { etag } = await tagged(deck.id);
    await house(`/decks/${deck.id}`, { method: "DELETE", if_match: etag });
    decks.again();
  };
  return (
    <div class="stack wide">
      <header class="row apart">
        <h1>{t("tab.decks")}</h1>
        <div class="row">
          <button class="button" onClick={() => setReading(true)}>
            {t("decks.import")}
          </button>
          <a class="button main" href={to("deck", "new")}>
            {t("decks.new")}
          </a>
        </div>
      </header>
      <Loaded from={decks}>
        {([list, cards]) =>
          list.items.length ? (
            <ul class="starters">
              {list.items.map((deck) => (
                <li class="starter" key={deck.id}>
                  <div class="fan" aria-hidden="true">
                    {fanOf(deck.cards, cards).map((card) => (
                      <CardPicture key={card.slug} card={card} />
                    ))}
                  </div>
                  <h2>{deck.name}</h2>
                  <p class="quiet small">
                    {t("deck.cards", { n: deck.size })} · {dayTime(deck.revised_at)}
                  </p>
                  <div class="row">
                    <a class="button" href={to("deck", deck.id)}>
                      {t("decks.edit")}
                    </a>
                    <button class="button plain" onClick={() => setLeaving(deck)}>
                      {t("decks.delete")}
                    </button>
                  </div>
                </li>
              ))}
            </ul>
          ) : (
            <div class="empty">
              <p>{t("decks.none")}</p>
            </div>
          )
        }
      </Loaded>
      {reading && <ImportDeck onClose={() => setReading(false)} />}
      {leaving && (
        <Sure
          title={t("decks.delete")}
          text={t("decks.delete.text", { name: leaving.name })}
          yes={t("decks.delete")}
          onYes={() => void remove(leaving).catch(complain)}
          onNo={() => setLeaving(null)}
        />
      )}
    </div>
  );
}

/** A deck with the tag that a change must name. */
export async function tagged(id: string): Promise<{ deck: Deck; etag: string }> {
  const { data, etag } = await ask("house.request", { path: `/decks/${id}` });
  return { deck: data as unknown as Deck, etag: etag ?? "" };
}

/** A deck list as text or as a code, from anywhere. */
function ImportDeck({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const read = async () => {
    const given = text.trim();
    const form = /\s/.test(given) ? { text: given } : { code: given };
    const made = await house<Deck>("/decks", { method: "POST", json: { name: t("decks.imported"), ...form } });
    toast(t("decks.read", { n: made.size }));
    onClose();
    go("deck", made.id);
  };
  return (
    <Dialog title={t("decks.import")} onClose={onClose}>
      <label class="field">
        <span>{t("decks.import.text")}</span>
        <textarea rows={8} value={text} spellcheck={false} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <div class="row end">
        <Doing class="button main" act={read} disabled={!text.trim()}>
          {t("decks.import.do")}
        </Doing>
      </div>
    </Dialog>
  );
}
