/** How somebody has done: against whom, with which deck, and which dishes they serve most often. */
import type { ComponentChildren } from "preact";
import { fetched } from "../house";
import { account, house, signedIn } from "../kitchen";
import { Trouble, useLoaded, type Loading } from "../parts/ui";
import { to } from "../router";
import { listed, number, t } from "../words";
import { resultWords } from "./chart";

/** The player whom results are about. */
export interface Whom {
  handle: string;
  key: string;
}

interface Count {
  games: number;
  wins: number;
  draws: number;
  losses: number;
}

interface Met extends Count {
  handle: string;
}

interface DeckResult extends Count {
  deck: string;
  name: string;
  visibility: "private" | "unlisted" | "public";
  deleted: boolean;
}

interface Served {
  dish: string;
  recipe: { slug: string; name: string };
  ingredients: { slug: string; name: string }[];
  times: number;
}

/** Dishes that are shown: more is no favourite. */
const FAVOURITES = 8;
/** The shortest bar, as a share of the longest: one game is still seen. */
const SHORTEST = 0.12;

function itself(whom: Whom): boolean {
  return signedIn.value && whom.key === account.value?.key;
}

/** What everybody may ask, and what the player themselves sees more of. */
function seen<T>(path: string): Promise<T> {
  return signedIn.value ? house<T>(path) : fetched<T>(path);
}

/** Results in rated games of a mode, by opponent and by deck. Nothing where there is nothing to tell. */
export function Results({ of, mode }: { of: Whom; mode: string }) {
  return (
    <div class="stack">
      {signedIn.value && <ByOpponent of={of} mode={mode} />}
      <ByDeck of={of} mode={mode} />
    </div>
  );
}

/** Our own results: against this player; or against all, if it is us. */
function ByOpponent({ of, mode }: { of: Whom; mode: string }) {
  const met = useLoaded(() => house<{ items: Met[] }>(`/me/opponents/${mode}`), [mode, of.handle]);
  const self = itself(of);
  const rows = met.value?.items.filter((each) => self || each.handle === of.handle) ?? [];
  return (
    <Counted title={t(self ? "rating.met.all" : "rating.met")} from={met} rows={rows}>
      {(each) => (self ? <a href={to("player", each.handle, mode)}>{each.handle}</a> : t("rating.met.you"))}
    </Counted>
  );
}

function ByDeck({ of, mode }: { of: Whom; mode: string }) {
  const path = `/players/${encodeURIComponent(of.handle)}/ratings/${mode}/decks`;
  const found = useLoaded(() => seen<{ items: DeckResult[]; others: Count }>(path), [path]);
  const { items = [], others } = found.value ?? {};
  // Without a deck to name there is no more to tell than the record above.
  const rest = items.length && others?.games ? [{ ...others, deck: "", name: "", deleted: false }] : [];
  const self = itself(of);
  return (
    <Counted title={t("results.decks")} from={found} rows={[...items, ...rest]}>
      {(each) =>
        !each.deck ? (
          <span class="quiet">{t("results.decks.others")}</span>
        ) : self && !each.deleted ? (
          <a href={to("deck", each.deck)}>{each.name}</a>
        ) : (
          <>
            {each.name}
            {each.deleted && <span class="quiet small"> {t("results.decks.deleted")}</span>}
          </>
        )
      }
    </Counted>
  );
}

interface CountedProps<T extends Count> {
  title: string;
  from: Loading<unknown>;
  rows: readonly T[];
  /** What a row is about. */
  children: (row: T) => ComponentChildren;
}

/** Rows of results, each with a bar: as long as its games are many, parted into won, drawn and lost. */
function Counted<T extends Count>({ title, from, rows, children }: CountedProps<T>) {
  const most = Math.max(...rows.map((row) => row.games));
  if (from.error !== null) return <Trouble error={from.error} again={from.again} />;
  if (!rows.length) return null;
  return (
    <section class="stack tight">
      <h3>{title}</h3>
      <ul class="results">
        {rows.map((row, i) => (
          <li key={i}>
            <span class="results-name">{children(row)}</span>
            <span class="results-bar" style={{ width: `${100 * Math.max(SHORTEST, row.games / most)}%` }} aria-hidden="true">
              <i class="won" style={{ flexGrow: row.wins }} />
              <i class="drawn" style={{ flexGrow: row.draws }} />
              <i class="lost" style={{ flexGrow: row.losses }} />
            </span>
            <span class="quiet small">
              {t("results.games", { n: row.games })}: {resultWords(row)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The dishes that a player has served most often, in all games that are over. */
export function Favourites({ of }: { of: Whom }) {
  const path = `/players/${encodeURIComponent(of.handle)}/dishes`;
  const served = useLoaded(() => fetched<{ items: Served[] }>(path), [path]);
  if (served.error !== null) return <Trouble error={served.error} again={served.again} />;
  if (!served.value) return <p class="waiting">{t("loading")}</p>;
  return (
    <section class="panel stack">
      <h2>{t("results.dishes")}</h2>
      {served.value.items.length ? (
        <ul class="favourites">
          {served.value.items.slice(0, FAVOURITES).map((each) => (
            <li key={each.dish}>
              <img src={`/api/v1/dishes/${each.dish}/picture`} width="480" height="672" loading="lazy" alt="" />
              <strong class="serif">{each.recipe.name}</strong>
              <span class="quiet small">
                {each.ingredients.length > 0 && t("results.dish.with", { names: withWords(each.ingredients) })}
                {each.ingredients.length > 0 && " · "}
                {t("results.dish.times", { n: each.times })}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p class="quiet">{t("results.dishes.none")}</p>
      )}
    </section>
  );
}

/** Ingredients in words: "Butter and 2 × Flour". */
export function withWords(ingredients: readonly { name: string }[]): string {
  const counts = new Map<string, number>();
  for (const { name } of ingredients) counts.set(name, (counts.get(name) ?? 0) + 1);
  return listed([...counts].map(([name, n]) => (n > 1 ? `${number(n)} × ${name}` : name)));
}
