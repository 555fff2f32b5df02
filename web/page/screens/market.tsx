/** The market: what one gives and what one gets lie in two trays; what is set aside lies in a box until it moves. */
import { useMemo, useState } from "preact/hooks";
import type { Copies, JsonObject } from "../desk";
import { news, reloadLists } from "../flow/news";
import { cardsOfHouse, type HouseCard } from "../house";
import { account, house, houseList } from "../kitchen";
import { CardPicture } from "../parts/card";
import { Icon } from "../parts/icons";
import { Doing, Loaded, Switch, toast, useLoaded } from "../parts/ui";
import { dayTime, listed, said, t } from "../words";
import { collection } from "./album";
import { added } from "./deck_list";

interface Offer {
  id: string;
  maker: string;
  to: string | null;
  gives: { copies: { card: string; serial: number }[]; coins: number };
  wants: { cards: Copies; coins: number };
  state: string;
  expires_at?: string;
  taker: string | null;
}
interface Price {
  card: string;
  copies: number;
  coins: number;
  at?: string;
}

type Cards = ReadonlyMap<string, HouseCard>;

export function Market() {
  const tick = news.value;
  const [tab, setTab] = useState<"open" | "mine" | "make" | "prices">("open");
  const wallet = useLoaded(() => house<{ coins: number }>("/wallet"), [tick]);
  const cards = useLoaded(cardsOfHouse, []);
  return (
    <div class="stack wide">
      <header class="row apart">
        <h1>{t("tab.market")}</h1>
        {wallet.value && <span class="tag gold">{t("coins", { n: wallet.value.coins })}</span>}
      </header>
      <Switch
        label={t("tab.market")}
        value={tab}
        onPick={setTab}
        choices={(["open", "mine", "make", "prices"] as const).map((each) => [each, t(`market.${each}`)] as const)}
      />
      <Loaded from={cards}>
        {(known) => (
          <>
            {tab === "open" && <Offers query={{ sort: "cheapest" }} cards={known} none={t("market.open.none")} />}
            {tab === "mine" && <Offers query={{ mine: true }} cards={known} none={t("market.mine.none")} />}
            {tab === "make" && <Make cards={known} coins={wallet.value?.coins ?? 0} onMade={() => setTab("mine")} />}
            {tab === "prices" && <Prices cards={known} />}
          </>
        )}
      </Loaded>
    </div>
  );
}

/** One side of an offer in words. */
function sideWords(copies: Copies, coins: number, cards: Cards): string {
  const parts = Object.entries(copies).map(([slug, n]) => `${n > 1 ? `${n} × ` : ""}${cards.get(slug)?.name ?? slug}`);
  if (coins) parts.push(t("coins", { n: coins }));
  return parts.length ? listed(parts) : t("market.nothing");
}

/** One side of an offer in pictures; the words stand below them. */
function Goods({ copies, coins, cards }: { copies: Copies; coins: number; cards: Cards }) {
  const shown = Object.keys(copies)
    .map((slug) => cards.get(slug))
    .filter((card): card is HouseCard => card !== undefined);
  return (
    <span class="goods" aria-hidden="true">
      {shown.map((card) => (
        <CardPicture key={card.slug} card={card} />
      ))}
      {coins > 0 && <span class="coin">{coins}</span>}
    </span>
  );
}

export function counted(copies: readonly { card: string }[]): Copies {
  return copies.reduce<Copies>((sum, copy) => ({ ...sum, [copy.card]: (sum[copy.card] ?? 0) + 1 }), {});
}

function Offers({ query, cards, none }: { query: JsonObject; cards: Cards; none: string }) {
  const offers = useLoaded(() => houseList<Offer>("/offers", query), [JSON.stringify(query), news.value]);
  const [find, setFind] = useState("");
  return (
    <Loaded from={offers}>
      {(list) => {
        const words = find.toLowerCase();
        const found = list.filter((offer) =>
          [...Object.keys(counted(offer.gives.copies)), ...Object.keys(offer.wants.cards)].some((slug) =>
            (cards.get(slug)?.name ?? slug).toLowerCase().includes(words),
          ),
        );
        if (!list.length)
          return (
            <div class="empty">
              <p>{none}</p>
            </div>
          );
        return (
          <div class="stack">
            <label class="field">
              <span>{t("market.find")}</span>
              <input type="search" value={find} onInput={(event) => setFind(event.currentTarget.value)} />
            </label>
            <ul class="stack">
              {found.map((offer) => (
                <OfferRow key={offer.id} offer={offer} cards={cards} />
              ))}
            </ul>
          </div>
        );
      }}
    </Loaded>
  );
}

function OfferRow({ offer, cards }: { offer: Offer; cards: Cards }) {
  const mine = offer.maker === account.value?.handle;
  const act = async (what: "accept" | "decline" | "withdraw") => {
    await house(`/offers/${offer.id}/${what}`, { method: "POST", ...(what === "accept" ? { json: {} } : {}) });
    toast(t(`market.${what}.done`));
    reloadLists();
  };
  const open = offer.state === "open";
  return (
    <li class="panel flat offer">
      <div class="tray">
        <span class="small quiet">{mine ? t("market.give") : t("market.gives", { name: offer.maker })}</span>
        <Goods copies={counted(offer.gives.copies)} coins={offer.gives.coins} cards={cards} />
        <strong>{sideWords(counted(offer.gives.copies), offer.gives.coins, cards)}</strong>
        {open && (
          <span class="tag">
            <Icon name="lock" />
            {t("market.escrow")}
          </span>
        )}
      </div>
      <div class="tray">
        <span class="small quiet">{t(mine ? "market.get" : "market.wants")}</span>
        <Goods copies={offer.wants.cards} coins={offer.wants.coins} cards={cards} />
        <strong>{sideWords(offer.wants.cards, offer.wants.coins, cards)}</strong>
        {offer.to && <span class="tag">{t("market.for", { name: offer.to })}</span>}
      </div>
      <div class="row end">
        {!open && <span class="tag">{said("offer", offer.state, offer.state)}</span>}
        {open && mine && <Doing act={() => act("withdraw")}>{t("market.withdraw")}</Doing>}
        {open && !mine && offer.to && <Doing act={() => act("decline")}>{t("market.decline")}</Doing>}
        {open && !mine && (
          <Doing class="button main" act={() => act("accept")}>
            {t("market.accept")}
          </Doing>
        )}
      </div>
    </li>
  );
}

function Make({ cards, coins, onMade }: { cards: Cards; coins: number; onMade: () => void }) {
  const owned = useLoaded(collection, []);
  const [gives, setGives] = useState<Copies>({});
  const [wants, setWants] = useState<Copies>({});
  const [givesCoins, setGivesCoins] = useState(0);
  const [wantsCoins, setWantsCoins] = useState(0);
  const [to, setTo] = useState("");
  const make = async () => {
    await house("/offers", {
      method: "POST",
      json: { gives: { cards: gives, coins: givesCoins }, wants: { cards: wants, coins: wantsCoins }, ...(to ? { to } : {}) },
    });
    toast(t("market.made"));
    onMade();
  };
  const nothing = !Object.keys(gives).length && !givesCoins;
  const free = !Object.keys(wants).length && !wantsCoins;
  return (
    <Loaded from={owned}>
      {(have) => (
        <div class="stack">
          <div class="columns">
            <Tray
              title={t("market.give")}
              cards={[...cards.values()].filter((card) => (have[card.slug] ?? 0) > 0)}
              tray={gives}
              most={(slug) => have[slug] ?? 0}
              change={(slug, by) => setGives(added(gives, slug, by))}
              coins={givesCoins}
              setCoins={setGivesCoins}
              mostCoins={wantsCoins ? 0 : coins}
            />
            <Tray
              title={t("market.get")}
              cards={[...cards.values()]}
              tray={wants}
              most={() => 40}
              change={(slug, by) => setWants(added(wants, slug, by))}
              coins={wantsCoins}
              setCoins={setWantsCoins}
              mostCoins={givesCoins ? 0 : 1_000_000}
            />
          </div>
          <label class="field">
            <span>{t("market.to")}</span>
            <input type="text" value={to} autocapitalize="none" onInput={(event) => setTo(event.currentTarget.value)} />
          </label>
          <p class="small quiet">{t("market.note")}</p>
          <div class="row">
            <Doing class="button main" act={make} disabled={nothing || free}>
              {t("market.make.do")}
            </Doing>
          </div>
        </div>
      )}
    </Loaded>
  );
}

interface TrayProps {
  title: string;
  cards: HouseCard[];
  tray: Copies;
  most: (slug: string) => number;
  change: (slug: string, by: number) => void;
  coins: number;
  setCoins: (coins: number) => void;
  mostCoins: number;
}

function Tray({ title, cards, tray, most, change, coins, setCoins, mostCoins }: TrayProps) {
  const [find, setFind] = useState("");
  const found = useMemo(
    () => (find ? cards.filter((card) => card.name.toLowerCase().includes(find.toLowerCase())).slice(0, 8) : []),
    [cards, find],
  );
  const name = (slug: string) => cards.find((card) => card.slug === slug)?.name ?? slug;
  return (
    <section class="panel stack">
      <h2>{title}</h2>
      <ul class="bars">
        {Object.entries(tray).map(([slug, n]) => (
          <li key={slug}>
            <span class="bar">
              <span class="bar-count">{n}×</span>
              <span class="bar-name serif">{name(slug)}</span>
            </span>
            <button class="button round" aria-label={t("deck.remove", { card: name(slug) })} onClick={() => change(slug, -1)}>
              <Icon name="minus" />
            </button>
          </li>
        ))}
        {!Object.keys(tray).length && !coins && <li class="quiet">{t("market.tray.empty")}</li>}
      </ul>
      <label class="field">
        <span>{t("market.card")}</span>
        <input type="search" value={find} onInput={(event) => setFind(event.currentTarget.value)} />
      </label>
      <ul class="row">
        {found.map((card) => (
          <li key={card.slug}>
            <button class="button" disabled={(tray[card.slug] ?? 0) >= most(card.slug)} onClick={() => change(card.slug, 1)}>
              <Icon name="plus" />
              {card.name}
            </button>
          </li>
        ))}
      </ul>
      <label class="field">
        <span>{t("market.coins")}</span>
        <input
          type="number"
          min={0}
          max={mostCoins}
          value={coins}
          disabled={mostCoins === 0}
          onInput={(event) => setCoins(Math.max(0, Math.min(mostCoins, event.currentTarget.valueAsNumber || 0)))}
        />
      </label>
    </section>
  );
}

function Prices({ cards }: { cards: Cards }) {
  const prices = useLoaded(() => houseList<Price>("/prices"), []);
  const [card, setCard] = useState<string | null>(null);
  return (
    <Loaded from={prices}>
      {(list) =>
        list.length ? (
          <div class="stack">
            <ul class="list panel">
              {list.map((price) => (
                <li key={price.card}>
                  <Goods copies={{ [price.card]: 1 }} coins={0} cards={cards} />
                  <strong class="grow serif">{cards.get(price.card)?.name ?? price.card}</strong>
                  <span class="gold">{t("coins", { n: Math.round(price.coins / price.copies) })}</span>
                  {price.at && <span class="quiet small">{dayTime(price.at)}</span>}
                  <button class="button" aria-expanded={card === price.card} onClick={() => setCard(card === price.card ? null : price.card)}>
                    {t("market.chart")}
                  </button>
                </li>
              ))}
            </ul>
            {card && <PriceLine card={card} name={cards.get(card)?.name ?? card} />}
          </div>
        ) : (
          <div class="empty">
            <p>{t("market.prices.none")}</p>
          </div>
        )
      }
    </Loaded>
  );
}

/** The sales of a card as a step line: a price holds until the next sale. */
export function steps(prices: readonly number[], width: number, height: number): string {
  const most = Math.max(1, ...prices);
  const x = (i: number) => Math.round((i * width) / Math.max(1, prices.length));
  const y = (price: number) => Math.round(height - (price / most) * height);
  return prices.map((price, i) => `${i ? "V" : "M0 "}${y(price)}H${x(i + 1)}`).join("");
}

function PriceLine({ card, name }: { card: string; name: string }) {
  const sales = useLoaded(() => houseList<Price>(`/prices/${card}`), [card]);
  return (
    <Loaded from={sales}>
      {(list) => {
        const each = [...list].reverse().map((sale) => sale.coins / sale.copies);
        return (
          <figure class="panel stack tight price">
            <figcaption class="serif">{name}</figcaption>
            <svg class="price-line" viewBox="-4 -6 488 132" role="img" aria-label={t("market.line", { n: list.length })}>
              <path d={steps(each, 480, 120)} />
            </svg>
            <p class="small quiet">
              {t("market.line", { n: list.length })} {t("coins", { n: Math.round(each.at(-1) ?? 0) })}
            </p>
          </figure>
        );
      }}
    </Loaded>
  );
}
