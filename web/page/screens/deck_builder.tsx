/**
 * The deck builder: the album left, the deck right. Cards go over by drag, click, + and −. Legality, odds and a sample
 * hand come from the kitchen while one builds.
 */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Copies, DeckCheck, JsonObject } from "../desk";
import { cardsOfHouse, type HouseCard } from "../house";
import { ask, house } from "../kitchen";
import { cardWords, CardPicture, Pips, unitsOf } from "../parts/card";
import { Icon } from "../parts/icons";
import { QrCode } from "../parts/qr";
import { Dialog, Doing, Loaded, save, Switch, toast, useLoaded } from "../parts/ui";
import { replace } from "../router";
import { capital, number, said, share, t } from "../words";
import { collection } from "./album";
import { added, asText, grouped, size, type Group } from "./deck_list";
import { tagged, type Deck } from "./decks";

const FULL = 40;

export function DeckBuilder({ id }: { id: string }) {
  const loaded = useLoaded(
    () => Promise.all([cardsOfHouse(), collection(), id === "new" ? Promise.resolve(null) : tagged(id)]),
    [id],
  );
  return (
    <Loaded from={loaded}>
      {([cards, owned, found]) => <Builder cards={cards} owned={owned} found={found} again={loaded.again} />}
    </Loaded>
  );
}

interface BuilderProps {
  cards: ReadonlyMap<string, HouseCard>;
  owned: Copies;
  found: { deck: Deck; etag: string } | null;
  again: () => void;
}

function Builder({ cards, owned, found, again }: BuilderProps) {
  const [deck, setDeck] = useState<Copies>(found?.deck.cards ?? {});
  const [name, setName] = useState(found?.deck.name ?? t("deck.new"));
  const [tab, setTab] = useState<"deck" | "cards" | "charts">("deck");
  const [shown, setShown] = useState<HouseCard | null>(null);
  const [sharing, setSharing] = useState(false);
  const check = useCheck(deck, owned);
  const change = (slug: string, by: number) => setDeck(added(deck, slug, by));
  const keep = async () => {
    const json = { name, cards: deck };
    if (found) await house(`/decks/${found.deck.id}`, { method: "PATCH", json, if_match: found.etag });
    else {
      const made = await house<Deck>("/decks", { method: "POST", json });
      replace("deck", made.id);
    }
    toast(t("deck.saved"));
    again();
  };
  const count = size(deck);
  return (
    <div class="stack">
      <header class="row">
        <label class="field grow">
          <span class="unseen">{t("deck.name")}</span>
          <input type="text" class="deck-name" value={name} maxLength={60} onInput={(e) => setName(e.currentTarget.value)} />
        </label>
        <span class={count === FULL ? "deck-count herb" : "deck-count"} role="status" aria-label={t("deck.count", { n: count, of: FULL })}>
          <strong>{count}</strong> / {FULL}
        </span>
        <button class="button" onClick={() => setSharing(true)}>
          {t("deck.share")}
        </button>
        <Doing class="button main" act={keep} disabled={!name.trim() || count === 0}>
          {t("deck.save")}
        </Doing>
      </header>
      <Verdict check={check} />
      <div class="builder-tabs">
        <Switch
          label={t("deck.tabs")}
          value={tab}
          onPick={setTab}
          choices={[
            ["deck", t("deck.tab.deck")],
            ["cards", t("deck.tab.cards")],
            ["charts", t("deck.tab.charts")],
          ]}
        />
      </div>
      <div class={`builder on-${tab}`}>
        <Shelf cards={cards} owned={owned} deck={deck} change={change} onLook={setShown} />
        <div
          class="builder-deck stack"
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            const slug = event.dataTransfer?.getData("text/plain") ?? "";
            if (cards.has(slug)) change(slug, 1);
          }}
        >
          <DeckBars deck={deck} cards={cards} change={change} onLook={setShown} owned={owned} />
        </div>
        <div class="builder-charts">
          <Charts deck={deck} cards={cards} />
        </div>
      </div>
      {shown && (
        <Dialog title={shown.name} slim onClose={() => setShown(null)}>
          <CardPicture card={shown} />
          <p class="small">{cardWords(shown)}</p>
        </Dialog>
      )}
      {sharing && <Share deck={deck} cards={cards} name={name} onClose={() => setSharing(false)} />}
    </div>
  );
}

function useCheck(deck: Copies, owned: Copies): DeckCheck | null {
  const [check, setCheck] = useState<DeckCheck | null>(null);
  useEffect(() => {
    let here = true;
    ask("decks.check", { cards: deck, owned }).then(
      (found) => here && setCheck(found),
      () => undefined,
    );
    return () => {
      here = false;
    };
  }, [deck, owned]);
  return check;
}

function Verdict({ check }: { check: DeckCheck | null }) {
  if (!check) return null;
  const faults = check.faults.map((fault) => said("deck_fault", fault.code, fault.text, values(fault)));
  return (
    <div class={check.legal ? "note good" : "note bad"} role="status">
      {check.legal ? t("deck.legal") : [...new Set(faults)].slice(0, 4).join(" ")}
      {check.warnings.map((warning) => (
        <p class="small" key={warning.code + warning.pointer}>
          {said("deck_fault", warning.code, warning.text, values(warning))}
        </p>
      ))}
    </div>
  );
}

/** The numbers and texts of a fault, for its words. */
function values(fault: JsonObject | { [more: string]: unknown }): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(fault).filter((pair): pair is [string, string | number] => ["string", "number"].includes(typeof pair[1])),
  );
}

interface ShelfProps {
  cards: ReadonlyMap<string, HouseCard>;
  owned: Copies;
  deck: Copies;
  change: (slug: string, by: number) => void;
  onLook: (card: HouseCard) => void;
}

/** The cards that one can put into the deck: one's own, and the free ones. */
function Shelf({ cards, owned, deck, change, onLook }: ShelfProps) {
  const [find, setFind] = useState("");
  const [group, setGroup] = useState<"all" | "recipe" | "ingredient">("all");
  const [every, setEvery] = useState(false);
  const listed = useMemo(() => {
    const words = find.toLowerCase();
    return [...cards.values()]
      .filter((card) => every || (owned[card.slug] ?? 0) > 0 || card.basic)
      .filter((card) => group === "all" || card.type === group)
      .filter((card) => [card.name, ...card.kinds, ...card.list].some((text) => text.toLowerCase().includes(words)))
      .slice(0, 120);
  }, [cards, owned, find, group, every]);
  return (
    <div class="builder-shelf stack tight">
      <div class="row">
        <label class="field grow">
          <span class="unseen">{t("deck.find")}</span>
          <input type="search" value={find} placeholder={t("deck.find")} onInput={(e) => setFind(e.currentTarget.value)} />
        </label>
        <Switch
          label={t("deck.kind")}
          value={group}
          onPick={setGroup}
          choices={[
            ["all", t("album.only.all")],
            ["recipe", t("chip.recipe")],
            ["ingredient", t("chip.ingredient")],
          ]}
        />
      </div>
      <label class="tick small">
        <input type="checkbox" checked={every} onChange={(event) => setEvery(event.currentTarget.checked)} />
        <span>{t("deck.every")}</span>
      </label>
      <ul class="shelf">
        {listed.map((card) => {
          const have = owned[card.slug] ?? 0;
          const used = deck[card.slug] ?? 0;
          const count = `${used ? `${used} / ` : ""}${card.basic ? "∞" : have}`;
          return (
            <li
              key={card.slug}
              class={have || card.basic ? "" : "lacks"}
              draggable
              onDragStart={(event) => event.dataTransfer?.setData("text/plain", card.slug)}
            >
              <button class="bar" onClick={() => change(card.slug, 1)} aria-label={`${t("deck.add", { card: card.name })} ${count}`}>
                <Pips units={unitsOf(card)} />
                <span class="bar-name serif">{card.name}</span>
                <span class="quiet small" data-text={count} />
                <Icon name="plus" />
              </button>
              <button class="button round" aria-label={t("deck.look", { card: card.name })} onClick={() => onLook(card)}>
                <Icon name="look" />
              </button>
            </li>
          );
        })}
      </ul>
      {!listed.length && <p class="quiet">{t("album.none")}</p>}
    </div>
  );
}

function DeckBars({ deck, cards, change, onLook, owned }: ShelfProps) {
  const groups = grouped(deck, cards);
  if (!groups.length)
    return (
      <div class="empty">
        <p>{t("deck.empty")}</p>
      </div>
    );
  return (
    <>
      {groups.map(([group, list]) => (
        <section key={group} class="stack tight">
          <h3>
            {groupName(group)} <span class="quiet small">{list.reduce((sum, [, count]) => sum + count, 0)}</span>
          </h3>
          <ul class="bars">
            {list.map(([card, count]) => (
              <li key={card.slug} class={!card.basic && (owned[card.slug] ?? 0) < count ? "lacks" : ""}>
                <button class="bar" onClick={() => onLook(card)} aria-label={`${count}× ${card.name}. ${t("deck.look", { card: card.name })}`}>
                  <span class="bar-count" data-text={`${count}×`} />
                  <span class="bar-name serif">{card.name}</span>
                  <Pips units={unitsOf(card)} />
                </button>
                <button class="button round" aria-label={t("deck.remove", { card: card.name })} onClick={() => change(card.slug, -1)}>
                  <Icon name="minus" />
                </button>
                <button class="button round" aria-label={t("deck.add", { card: card.name })} onClick={() => change(card.slug, 1)}>
                  <Icon name="plus" />
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function groupName(group: Group): string {
  return group === "recipe" || group === "special" ? t(`group.${group}`) : capital(t(`category.${group}`));
}

interface Statistics {
  costs: { cost: number; recipes: number }[];
  units: { category: "starch" | "vegetable" | "oil" | "protein" | "seasoning"; provided: number; needed: number }[];
  servable: { any: number[] };
  yum: { drawn: number; mean: number }[];
}

/** Charts that are tables: bars for those who see, numbers for those who listen. */
function Charts({ deck, cards }: { deck: Copies; cards: ReadonlyMap<string, HouseCard> }) {
  const [stats, setStats] = useState<Statistics | null>(null);
  const [hand, setHand] = useState<string[]>([]);
  const count = size(deck);
  useEffect(() => {
    let here = true;
    const timer = setTimeout(() => {
      if (count < 6) return setStats(null);
      ask("decks.statistics", { cards: deck, rounds: 8 }).then(
        (found) => here && setStats(found as unknown as Statistics),
        () => here && setStats(null),
      );
    }, 400);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [deck]);
  const deal = async () => {
    const found = await ask("decks.hands", { cards: deck, count: 1, rounds: 1, seed: String(Date.now() % 100_000) });
    const hands = found["hands"] as unknown as { drawn: string[] }[][];
    setHand(hands[0]?.[0]?.drawn ?? []);
  };
  if (count < 6) return <p class="quiet">{t("deck.charts.few")}</p>;
  return (
    <div class="stack">
      {stats ? (
        <>
          <p class="chance">
            <strong>{share(stats.servable.any[0] ?? 0)}</strong> {t("deck.chance")}
          </p>
          <Bars
            title={t("deck.curve")}
            head={[t("deck.cost"), t("chip.recipe")]}
            rows={stats.costs.map((row) => [String(row.cost), row.recipes])}
          />
          <Bars
            title={t("deck.units")}
            head={[t("deck.category"), t("deck.provided")]}
            rows={stats.units.map((row) => [capital(t(`category.${row.category}`)), row.provided, row.needed])}
            beside={t("deck.needed")}
          />
          <Bars
            title={t("deck.yum")}
            head={[t("deck.round"), t("deck.mean")]}
            rows={stats.yum.map((row, i) => [String(i + 1), Number(row.mean.toFixed(1))])}
          />
        </>
      ) : (
        <p class="waiting">{t("loading")}</p>
      )}
      <section class="stack tight">
        <h3>{t("deck.sample")}</h3>
        {hand.length > 0 && (
          <ul class="sample">
            {hand.map((slug, i) => (
              <li class="chip" key={i}>
                {cards.get(slug)?.name ?? slug}
              </li>
            ))}
          </ul>
        )}
        <div class="row">
          <Doing act={deal}>{t("deck.sample.do")}</Doing>
        </div>
      </section>
    </div>
  );
}

interface BarsProps {
  title: string;
  head: [string, string];
  rows: (readonly [string, number] | readonly [string, number, number])[];
  beside?: string;
}

function Bars({ title, head, rows, beside }: BarsProps) {
  const most = Math.max(1, ...rows.map((row) => Math.max(row[1], row[2] ?? 0)));
  return (
    <table class="chart">
      <caption>{title}</caption>
      <thead>
        <tr>
          <th>{head[0]}</th>
          <th>{head[1]}</th>
          {beside && <th class="number">{beside}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, value, other]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td class="chart-cell">
              <span class="chart-bar" style={{ width: `${(70 * value) / most}%` }} /> {number(value, 1)}
            </td>
            {beside && <td class="number">{number(other ?? 0)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Share({ deck, cards, name, onClose }: { deck: Copies; cards: ReadonlyMap<string, HouseCard>; name: string; onClose: () => void }) {
  const forms = useLoaded(() => house<{ text: string; code: string | null }>("/decks/convert", { method: "POST", json: { cards: deck } }), []);
  return (
    <Dialog title={t("deck.share")} onClose={onClose}>
      <Loaded from={forms}>
        {(found) => (
          <div class="stack">
            {found.code && (
              <div class="stack tight">
                <span>{t("deck.code")}</span>
                <code>{found.code}</code>
                <QrCode text={found.code} label={t("deck.qr")} />
                <div class="row">
                  <button class="button" onClick={() => void navigator.clipboard.writeText(found.code ?? "").then(() => toast(t("copied")))}>
                    {t("deck.copy")}
                  </button>
                </div>
              </div>
            )}
            <div class="row">
              <button class="button" onClick={() => save(`${name}.txt`, found.text || asText(deck, cards), "text/plain")}>
                {t("deck.file")}
              </button>
            </div>
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}
