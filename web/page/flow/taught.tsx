/**
 * The taught round: three cards, one cloche. It needs no account and no kitchen. What the rules say about every plate
 * is prepared in `taught.json`, which a test compares with the rules themselves.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Category, Units } from "../desk";
import { warm } from "../kitchen";
import { cardWords, picturePath, TileFace, type Shown } from "../parts/card";
import { Icon, Pip } from "../parts/icons";
import { PlateDrawing } from "../parts/plate";
import { say } from "../parts/ui";
import { to } from "../router";
import { still } from "../settings";
import { t } from "../words";
import taught from "./taught.json";

type TaughtCard = Shown & { set: string; number_in_set: number };
interface Item {
  kind: string;
  points: number;
  card?: string;
  what?: string;
}
interface Plate {
  balance: Units;
  yum: number | null;
  items: Item[];
}

const HAND = taught.hand as TaughtCard[];
const RIVAL = taught.rival as Plate & { cards: TaughtCard[] };
const PLATES = taught.plates as unknown as Record<string, Plate>;

/** The plate that the round teaches: the one that is worth most. */
const BEST = Object.entries(PLATES).reduce((best, each) => ((each[1].yum ?? 0) > (best[1].yum ?? 0) ? each : best))[0].split("+");

/** What the rules say about a plate with these cards. */
export function plateOf(laid: readonly string[]): Plate {
  return PLATES[[...laid].sort().join("+")] ?? { balance: {}, yum: null, items: [] };
}

export type Step = "lay" | "lid" | "sealed" | "reveal" | "end";

/** The step after the player has done what this one asks for. */
export function after(step: Step): Step {
  const order: Step[] = ["lay", "lid", "sealed", "reveal", "end"];
  return order[Math.min(order.indexOf(step) + 1, order.length - 1)]!;
}

export function TaughtRound({ alone }: { alone?: boolean }) {
  // Where nothing should move, the landing page shows how the round ends.
  const ended = Boolean(alone) && still();
  const [laid, setLaid] = useState<string[]>(ended ? BEST : []);
  const [step, setStep] = useState<Step>(ended ? "end" : "lay");
  const told = useRef<HTMLHeadingElement>(null);
  const plate = plateOf(laid);
  const text = t(`learn.${step}`, { yum: plate.yum ?? 0, rival: RIVAL.yum ?? 0, points: taught.points });

  // Whoever takes the round may soon play: the kitchen is fetched meanwhile.
  useEffect(() => {
    if (!alone) warm();
  }, []);
  useEffect(() => {
    if (!alone) say(text);
  }, [step]);

  const lay = (slug: string) => {
    if (step !== "lay" && step !== "lid") return;
    const now = laid.includes(slug) ? laid.filter((other) => other !== slug) : [...laid, slug];
    setLaid(now);
    setStep(plateOf(now).yum === null ? "lay" : "lid");
  };
  const go = () => {
    const next = after(step);
    setStep(next);
    if (next === "reveal") setTimeout(() => setStep("end"), still() ? 600 : 1800);
    told.current?.focus();
  };
  useItself(Boolean(alone), step, laid, lay, go, () => {
    setLaid([]);
    setStep("lay");
  });

  return (
    <section class={alone ? "taught panel alone" : "taught"} aria-label={t("title.learn")} inert={alone}>
      {!alone && (
        <header class="stack tight">
          <p class="quiet small">{t("learn.head")}</p>
          <h1 ref={told} tabIndex={-1} class="taught-text">
            {text}
          </h1>
        </header>
      )}
      <div class="taught-table">
        <Side
          name={t("learn.rival")}
          cards={step === "reveal" || step === "end" ? RIVAL.cards : []}
          lid={step === "lay" || step === "lid" ? "none" : step === "sealed" ? "down" : "up"}
        >
          {step === "end" && <Served cards={RIVAL.cards} yum={RIVAL.yum} />}
          {(step === "lay" || step === "lid") && <p class="quiet small">{t("learn.cooking")}</p>}
          {step === "sealed" && <Closed />}
        </Side>
        <Side
          name={t("learn.you")}
          mine
          glazed={plate.yum !== null || laid.length === 0}
          won={step === "end"}
          lid={step === "sealed" ? "down" : step === "reveal" || step === "end" ? "up" : "none"}
          onDrop={lay}
          cards={HAND.filter((card) => laid.includes(card.slug))}
        >
          {step === "sealed" && <Closed />}
          {step !== "sealed" && step !== "reveal" && (
            <Served cards={HAND.filter((card) => laid.includes(card.slug))} yum={plate.yum} />
          )}
        </Side>
      </div>
      {step !== "sealed" && step !== "reveal" && <Reasons plate={plate} laid={laid} />}
      {(step === "lay" || step === "lid") && (
        <ul class="taught-hand" aria-label={t("table.hand")}>
          {HAND.map((card) => (
            <li key={card.slug}>
              <button
                class={`tile ${card.type}`}
                aria-pressed={laid.includes(card.slug)}
                aria-label={cardWords(card)}
                draggable
                onDragStart={(event) => event.dataTransfer?.setData("text/plain", card.slug)}
                onClick={() => lay(card.slug)}
              >
                <TileFace src={picturePath(card)} card={card} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {!alone && <Onward step={step} go={go} />}
    </section>
  );
}

function Onward({ step, go }: { step: Step; go: () => void }) {
  if (step === "lay") return null;
  if (step === "end")
    return (
      <div class="row taught-end">
        <a class="button main big" href={to("register")}>
          {t("learn.register")}
        </a>
        <a class="button" href={to("lobby")}>
          {t("learn.look")}
        </a>
      </div>
    );
  return (
    <div class="row taught-end">
      <button class="button main big" disabled={step === "reveal"} onClick={go}>
        {t(step === "lid" ? "learn.do.lid" : "learn.do.reveal")}
      </button>
    </div>
  );
}

function Side(props: {
  name: string;
  lid: "down" | "up" | "none";
  mine?: boolean;
  glazed?: boolean;
  won?: boolean;
  onDrop?: (slug: string) => void;
  cards: TaughtCard[];
  children: preact.ComponentChildren;
}) {
  const { name, lid, mine, glazed = true, won = false, onDrop, cards, children } = props;
  return (
    <figure
      class={mine ? "taught-side mine" : "taught-side"}
      onDragOver={(event) => onDrop && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        onDrop?.(event.dataTransfer?.getData("text/plain") ?? "");
      }}
    >
      <figcaption>{name}</figcaption>
      <PlateDrawing lid={lid} glazed={glazed} won={won} bites={cards.map(picturePath)} />
      <div class="taught-on">{children}</div>
    </figure>
  );
}

function Served({ cards, yum }: { cards: TaughtCard[]; yum: number | null }) {
  if (!cards.length) return null;
  return (
    <div class="served">
      <div class="served-row">
        {cards.map((card) => (
          <span class="chip" key={card.slug}>
            {card.name}
          </span>
        ))}
      </div>
      {yum !== null && <strong class="yum">{t("yum", { n: yum })}</strong>}
    </div>
  );
}

function Closed() {
  return (
    <p class="closed steel">
      <Icon name="lock" />
      {t("learn.closed")}
    </p>
  );
}

/** What the plate lacks, or why it is worth what it is. */
function Reasons({ plate, laid }: { plate: Plate; laid: string[] }) {
  if (!laid.length) return <p class="reasons quiet">{t("learn.tap")}</p>;
  if (plate.yum === null) {
    const units = Object.entries(plate.balance) as [Category, number][];
    return (
      <p class="reasons">
        {units.map(([category, n]) => (
          <span class="reason" key={category}>
            <Pip category={category} open={n < 0} />
            {t(n < 0 ? "plate.lacks" : "plate.spare", { n: Math.abs(n), what: t(`category.${category}`) })}
          </span>
        ))}
      </p>
    );
  }
  const name = (slug: string | undefined) => HAND.find((card) => card.slug === slug)?.name ?? "";
  return (
    <p class="reasons">
      {plate.items.map((item, i) => (
        <span class="reason" key={i}>
          {item.kind === "units"
            ? t("why.chef.units", { n: item.points })
            : t("why.chef.match", { card: name(item.card), what: item.what ?? "", n: item.points })}
        </span>
      ))}
    </p>
  );
}

/** On the landing page the round plays itself, unless things should not move. */
function useItself(
  on: boolean,
  step: Step,
  laid: string[],
  lay: (slug: string) => void,
  go: () => void,
  again: () => void,
) {
  useEffect(() => {
    if (!on || still()) return;
    const next = HAND.find((card) => !laid.includes(card.slug));
    const act = step === "lay" && next ? () => lay(next.slug) : step === "end" ? again : go;
    const wait = step === "end" ? 5000 : step === "lay" ? 1100 : 1900;
    if (step === "reveal") return;
    const timer = setTimeout(act, wait);
    return () => clearTimeout(timer);
  }, [on, step, laid.length]);
}
