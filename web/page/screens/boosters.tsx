/** Boosters: torn open by drag, click or Enter; cards turn one by one; nobody chose them, and that was checked. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { JsonObject } from "../desk";
import { cardsOfHouse, fetched, setNames, type HouseCard, type Listed } from "../house";
import { ask, house, houseList } from "../kitchen";
import { cardWords, CardPicture } from "../parts/card";
import { Icon } from "../parts/icons";
import { Doing, Loaded, say, toast, useLoaded } from "../parts/ui";
import { to } from "../router";
import { still } from "../settings";
import { capital, number, said, t } from "../words";

interface Booster {
  id: string;
  set: string;
  source?: string;
}
interface Wallet {
  coins: number;
  wins: number;
  booster_in: number;
}
interface Odds {
  set: string;
  price: number;
  rules: { slots: { count: number; weights: Record<string, number> }[]; pity: { rarity: string; within: number } | null };
}

export function Boosters() {
  const closed = useLoaded(() => houseList<Booster>("/boosters"), []);
  const wallet = useLoaded(() => house<Wallet>("/wallet"), []);
  const odds = useLoaded(() => fetched<Listed<Odds>>("/boosters/odds"), []);
  const names = useLoaded(setNames, []);
  const nameOf = (set: string) => names.value?.get(set) ?? set;
  const [opened, setOpened] = useState<{ cards: HouseCard[]; checked: number; opening: JsonObject } | null>(null);
  const tear = async (booster: Booster) => {
    const [{ cards, checked, opening }, known] = await Promise.all([ask("boosters.open", { booster: booster.id }), cardsOfHouse()]);
    setOpened({
      cards: cards.map((slug) => known.get(slug)).filter((card): card is HouseCard => card !== undefined),
      checked: checked.openings,
      opening,
    });
    closed.again();
  };
  const buy = async (set: string) => {
    await house("/boosters", { method: "POST", json: { set } });
    toast(t("boosters.bought"));
    closed.again();
    wallet.again();
  };
  return (
    <div class="stack wide">
      <header class="row apart">
        <h1>{t("title.boosters")}</h1>
        {wallet.value && <span class="tag gold">{t("coins", { n: wallet.value.coins })}</span>}
      </header>
      {opened && (
        <Opened
          key={String(opened.opening["k"] ?? "") + opened.cards.map((card) => card.slug).join()}
          cards={opened.cards}
          checked={opened.checked}
          opening={opened.opening}
          onClose={() => setOpened(null)}
        />
      )}
      <Loaded from={closed}>
        {(list) =>
          list.length ? (
            <ul class="packs">
              {list.map((booster) => (
                <li key={booster.id}>
                  <Pack set={nameOf(booster.set)} onTear={() => tear(booster)} />
                </li>
              ))}
            </ul>
          ) : (
            <div class="empty stack">
              <p>{wallet.value ? t("boosters.none", { n: wallet.value.booster_in }) : t("loading")}</p>
              <p>
                <a class="button" href={to("lobby")}>
                  {t("landing.tables")}
                </a>
              </p>
            </div>
          )
        }
      </Loaded>
      <Loaded from={odds}>
        {(list) => (
          <section class="columns odds">
            {list.items.map((each) => (
              <div class="panel stack" key={each.set}>
                <h2>{t("boosters.buy", { set: nameOf(each.set) })}</h2>
                <OddsTable odds={each} />
                <div class="row">
                  <Doing act={() => buy(each.set)} disabled={(wallet.value?.coins ?? 0) < each.price}>
                    {t("boosters.buy.do", { n: each.price })}
                  </Doing>
                  {(wallet.value?.coins ?? 0) < each.price && (
                    <span class="small quiet">{t("boosters.poor", { n: each.price - (wallet.value?.coins ?? 0) })}</span>
                  )}
                </div>
              </div>
            ))}
          </section>
        )}
      </Loaded>
    </div>
  );
}

function OddsTable({ odds }: { odds: Odds }) {
  return (
    <>
      <table>
        <thead>
          <tr>
            <th class="number">{t("boosters.count")}</th>
            <th>{t("boosters.rarity")}</th>
          </tr>
        </thead>
        <tbody>
          {odds.rules.slots.map((slot, i) => {
            const sum = Object.values(slot.weights).reduce((a, b) => a + b, 0);
            return (
              <tr key={i}>
                <td class="number">{slot.count}</td>
                <td>
                  {Object.entries(slot.weights)
                    .map(([rarity, weight]) => `${said("rarity", rarity, rarity)}${sum > weight ? ` ${number((100 * weight) / sum, 1)} %` : ""}`)
                    .join(", ")}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {odds.rules.pity && (
        <p class="small quiet">
          {t("boosters.pity", { rarity: said("rarity", odds.rules.pity.rarity, odds.rules.pity.rarity), n: odds.rules.pity.within })}
        </p>
      )}
    </>
  );
}

/** A closed booster. Dragging along its edge tears it, and so does a click or Enter. */
function Pack({ set, onTear }: { set: string; onTear: () => Promise<void> }) {
  const [from, setFrom] = useState<number | null>(null);
  const [torn, setTorn] = useState(0);
  return (
    <Doing
      class="booster-pack"
      act={onTear}
      aria-label={`${t("boosters.tear")}. ${t("boosters.open", { set })}`}
      onPointerDown={(event) => setFrom(event.clientX)}
      onPointerMove={(event) => {
        if (from !== null) setTorn(Math.min(1, Math.max(0, (event.clientX - from) / 140)));
      }}
      onPointerUp={() => {
        setFrom(null);
        setTorn(0);
      }}
    >
      <svg viewBox="0 0 150 210" aria-hidden="true">
        <path class="pack-foil" d="M6 18l6-6 6 6 6-6 6 6 6-6 6 6 6-6 6 6 6-6 6 6 6-6 6 6 6-6 6 6 6-6 6 6 6-6 6 6 6-6 6 6 6-6 6 6 6-6v186H6z" />
        <path class="pack-band" d="M6 52h138v100H6z" />
        <g transform="translate(43 66)">
          <path class="mark-lid" d="M32 10a5 5 0 0 1 3 9c13 2 21 12 22 25H7c1-13 9-23 22-25a5 5 0 0 1 3-9z" stroke-width="3" />
          <path class="mark-tray" d="M4 48h56l-6 7H10z" stroke-width="3" />
        </g>
        <path class="pack-tear" d={`M6 34h${138 * torn}`} />
        <PackWord name={set} />
      </svg>
      <span>{t("boosters.tear")}</span>
    </Doing>
  );
}

/** Units that a name may be wide on a booster, and the width of a letter as a share of its height. */
const [BAND, LETTER, LARGEST] = [126, 0.62, 20];

/** A set's name below the band of its booster: in two lines where it has several words, and no larger than fits. */
function PackWord({ name }: { name: string }) {
  const words = name.split(" ");
  const half = Math.ceil(words.length / 2);
  const lines = [words.slice(0, half).join(" "), words.slice(half).join(" ")].filter((line) => line !== "");
  const size = Math.min(LARGEST, BAND / (LETTER * Math.max(...lines.map((line) => line.length))));
  return (
    <text text-anchor="middle" class="pack-word" font-size={size}>
      {lines.map((line, i) => (
        <tspan key={i} x="75" y={185 + (size + 2) * (i - (lines.length - 1) / 2)}>
          {line}
        </tspan>
      ))}
    </text>
  );
}

interface OpenedProps {
  cards: HouseCard[];
  checked: number;
  opening: JsonObject;
  onClose: () => void;
}

function Opened({ cards, checked, opening, onClose }: OpenedProps) {
  const [turned, setTurned] = useState(0);
  const shown = useRef<HTMLElement>(null);
  useEffect(() => {
    shown.current?.focus({ preventScroll: true });
    shown.current?.scrollIntoView({ block: "center" });
  }, []);
  useEffect(() => {
    if (turned >= cards.length) return;
    const timer = setTimeout(() => {
      const card = cards[turned];
      if (card) say(cardWords(card));
      setTurned(turned + 1);
    }, still() ? 0 : 420);
    return () => clearTimeout(timer);
  }, [turned]);
  return (
    <section ref={shown} tabIndex={-1} class="panel stack opening-cards" aria-label={t("boosters.opened")}>
      <ul class="opened" onClick={() => setTurned(cards.length)}>
        {cards.map((card, i) => (
          <li key={card.slug} class={i < turned ? `turned ${card.rarity}` : ""}>
            {i < turned ? <CardPicture card={card} /> : <div class="card-back pack-back" />}
            <span class="small">{i < turned ? capital(said("rarity", card.rarity, card.rarity)) : " "}</span>
          </li>
        ))}
      </ul>
      <div class="row apart">
        <details class="grow">
          <summary class="button plain">{t("boosters.nobody")}</summary>
          <div class="stack tight small">
            <p>{t("boosters.checked", { n: checked })}</p>
            <p>{t("boosters.how")}</p>
            <dl class="bill-lines">
              {["chain", "k", "link", "nonce", "signature"].map((name) =>
                opening[name] === undefined ? null : (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>
                      <code>{String(opening[name])}</code>
                    </dd>
                  </div>
                ),
              )}
            </dl>
          </div>
        </details>
        <button class="button main" onClick={onClose}>
          <Icon name="check" />
          {t("boosters.keep")}
        </button>
      </div>
    </section>
  );
}
