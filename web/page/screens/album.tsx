/** The album: pages of nine pockets. What is missing is a pencil outline with the shortest way to it. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { CATEGORIES, type Copies } from "../desk";
import { news } from "../flow/news";
import { cardsOfHouse, fetched, type HouseCard, type Listed } from "../house";
import { ask, house, houseList, ready, signedIn, told } from "../kitchen";
import { cardWords, CardPicture } from "../parts/card";
import { Icon, Pip } from "../parts/icons";
import { complain, Dialog, Doing, Loaded, toast, useLoaded } from "../parts/ui";
import { to } from "../router";
import { capital, said, t } from "../words";
import { CopyLines, type CopyInfo } from "./copies";

export const POCKETS = 9;

/** Copies by slug, as the house's collection lists them. */
export async function collection(): Promise<Copies> {
  const rows = await houseList<{ card: string; owned: number }>("/collection");
  return Object.fromEntries(rows.map((row) => [row.card, row.owned]));
}

/** Words that a chip adds to the search; added again, they are taken out. */
export function toggled(query: string, words: string): string {
  const parts = query.split(/\s+/).filter(Boolean);
  return (parts.includes(words) ? parts.filter((part) => part !== words) : [...parts, words]).join(" ");
}

const CHIPS = ["is:recipe", "is:ingredient", ...CATEGORIES.map((name) => `gives:${name}`), "is:basic", "rarity:rare", "rarity:legendary"];

export function Album() {
  const [query, setQuery] = useState("");
  const [page, setPage] = useState(0);
  const [only, setOnly] = useState<"all" | "mine" | "missing">("all");
  const [shown, setShown] = useState<HouseCard | null>(null);
  const tick = news.value;
  const mine = useLoaded(() => (signedIn.value ? collection() : Promise.resolve<Copies>({})), [signedIn.value, tick]);
  const { cards, trouble } = useSearch(query);
  const every = useLoaded(() => cardsOfHouse().then((all) => all.size), []);
  const owned = mine.value ?? {};
  const listed = useMemo(
    () => (cards ?? []).filter((card) => only === "all" || (only === "mine") === Boolean(owned[card.slug])),
    [cards, only, mine.value],
  );
  const pages = Math.max(1, Math.ceil(listed.length / POCKETS));
  const at = Math.min(page, pages - 1);
  const have = Object.keys(owned).length;
  const pick = (words: string) => {
    setQuery(toggled(query, words));
    setPage(0);
  };
  return (
    <div class="stack">
      <header class="row apart">
        <div class="stack tight">
          <h1>{t("tab.album")}</h1>
          <p class="quiet">{signedIn.value && every.value !== null ? t("album.have", { n: have, of: every.value }) : t("album.stranger")}</p>
        </div>
        {signedIn.value && (
          <a class="button main" href={to("boosters")}>
            {t("title.boosters")}
          </a>
        )}
      </header>
      {signedIn.value && mine.value && have === 0 && <p class="note">{t("album.empty")}</p>}
      <label class="field">
        <span>{t("album.search")}</span>
        <input
          type="search"
          value={query}
          placeholder={t("album.search.example")}
          spellcheck={false}
          autocapitalize="none"
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            setPage(0);
          }}
        />
      </label>
      <div class="row chips" role="group" aria-label={t("album.chips")}>
        {CHIPS.map((words) => (
          <button key={words} class="button" aria-pressed={query.split(/\s+/).includes(words)} onClick={() => pick(words)}>
            <Chip words={words} />
          </button>
        ))}
      </div>
      {signedIn.value && (
        <div class="switch" role="group" aria-label={t("album.only")}>
          {(["all", "mine", "missing"] as const).map((each) => (
            <button key={each} aria-pressed={only === each} onClick={() => setOnly(each)}>
              {t(`album.only.${each}`)}
            </button>
          ))}
        </div>
      )}
      {trouble && <p class="note bad">{trouble}</p>}
      {!cards && !trouble && <p class="waiting">{t("loading")}</p>}
      {cards && !listed.length && (
        <div class="empty">
          <p>{t("album.none")}</p>
        </div>
      )}
      <ul class="pockets">
        {listed.slice(at * POCKETS, (at + 1) * POCKETS).map((card) => (
          <Pocket key={card.slug} card={card} owned={owned[card.slug] ?? 0} known={signedIn.value} onOpen={() => setShown(card)} />
        ))}
      </ul>
      {pages > 1 && (
        <nav class="row pager" aria-label={t("album.pages")}>
          <button class="button round" disabled={at === 0} aria-label={t("album.back")} onClick={() => setPage(at - 1)}>
            <Icon name="back" />
          </button>
          <span>{t("album.page", { n: at + 1, of: pages })}</span>
          <button class="button round" disabled={at === pages - 1} aria-label={t("album.next")} onClick={() => setPage(at + 1)}>
            <Icon name="next" />
          </button>
        </nav>
      )}
      {shown && <CardFocus card={shown} owned={owned[shown.slug] ?? 0} onClose={() => setShown(null)} onChange={mine.again} />}
    </div>
  );
}

function Chip({ words }: { words: string }) {
  const [field = "", value = ""] = words.split(":");
  if (field === "gives") {
    const category = value as (typeof CATEGORIES)[number];
    return (
      <>
        <Pip category={category} /> {capital(t(`category.${category}`))}
      </>
    );
  }
  return <>{said("chip", value, value)}</>;
}

/** The cards that a search finds, in the house's words; without one, all. */
function useSearch(query: string): { cards: HouseCard[] | null; trouble: string } {
  const [cards, setCards] = useState<HouseCard[] | null>(null);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    let here = true;
    const find = async () => {
      const known = await cardsOfHouse();
      if (!query.trim()) return [...known.values()];
      if (ready.value) {
        // The kitchen can search too, and then the house does not learn what is looked for.
        const { slugs, warnings } = await ask("cards.search", { query });
        if (here) setTrouble(warnings.map((warning) => warning.detail).join(" "));
        return slugs.map((slug) => known.get(slug)).filter((card): card is HouseCard => card !== undefined);
      }
      const found: HouseCard[] = [];
      let next: string | null = null;
      do {
        const at: string = next ? `&cursor=${encodeURIComponent(next)}` : "";
        const page: Listed<HouseCard> = await fetched(`/cards?limit=200&q=${encodeURIComponent(query)}${at}`);
        found.push(...page.items);
        next = page.next;
      } while (next);
      return found;
    };
    const timer = setTimeout(
      () =>
        find().then(
          (found) => {
            if (!here) return;
            setCards(found);
            if (!ready.value) setTrouble("");
          },
          (error: unknown) => here && setTrouble(told(error)),
        ),
      query ? 250 : 0,
    );
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [query]);
  return { cards, trouble };
}

interface PocketProps {
  card: HouseCard;
  owned: number;
  known: boolean;
  onOpen: () => void;
}

function rarityOf(card: HouseCard): string {
  return said("rarity", card.rarity, card.rarity);
}

/** The name of a pocket's button: first what is written on it. */
function pocketWords(card: HouseCard, owned: number, known: boolean): string {
  if (!known) return cardWords(card);
  const written = owned ? "" : `${card.name} ${rarityOf(card)} ${wayTo(card)}. `;
  return `${written}${cardWords(card)}. ${t("album.copies", { n: owned })}`;
}

function Pocket({ card, owned, known, onOpen }: PocketProps) {
  const lacks = known && owned === 0;
  return (
    <li class={lacks ? "pocket lacks" : "pocket"}>
      <button onClick={onOpen} aria-label={pocketWords(card, owned, known)}>
        {lacks ? (
          <span class="outline">
            <strong class="serif">{card.name}</strong>
            <span class="small">{rarityOf(card)}</span>
            <span class="small">{wayTo(card)}</span>
          </span>
        ) : (
          <CardPicture card={card} />
        )}
        {owned > 1 && <span class="copies" data-text={`×${owned}`} />}
      </button>
    </li>
  );
}

/** The shortest way to a card that is missing. */
export function wayTo(card: HouseCard): string {
  return t(card.basic ? "album.way.free" : "album.way.booster");
}

/** A card in full, with the copies that one owns and where each came from. */
function CardFocus({ card, owned, onClose, onChange }: { card: HouseCard; owned: number; onClose: () => void; onChange: () => void }) {
  // All copies are asked for, and not those of this card: the house does not learn which card is looked at.
  const copies = useLoaded(
    () => (signedIn.value ? houseList<CopyInfo>("/collection/copies").then((list) => list.filter((copy) => copy.card === card.slug)) : Promise.resolve([])),
    [card.slug, owned],
  );
  const free = async () => {
    await house("/collection/basics", { method: "POST", json: { cards: { [card.slug]: 1 } } });
    toast(t("album.made", { card: card.name }));
    onChange();
  };
  return (
    <Dialog title={card.name} onClose={onClose}>
      <div class="focus">
        <CardPicture card={card} />
        <div class="stack">
          <p>{cardWords(card)}.</p>
          <p class="quiet">
            <em>{card.flavour}</em>
          </p>
          {signedIn.value && (
            <>
              <p>
                <strong>{t("album.copies", { n: owned })}</strong>
              </p>
              <Loaded from={copies}>
                {(list) => <CopyLines copies={list} />}
              </Loaded>
              <div class="row">
                {card.basic && <Doing act={() => free().catch(complain)}>{t("album.free")}</Doing>}
                <a class="button" href={to("market")}>
                  {t("tab.market")}
                </a>
              </div>
            </>
          )}
        </div>
      </div>
    </Dialog>
  );
}
