/** The table of games with a house pack: seats round an oval, the mode's own cloth, the hand, legal moves as buttons. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { DeskError, type JsonObject, type MatchView, type Offered, type PackTable as PackData } from "../desk";
import { ask, told } from "../kitchen";
import { Icon } from "../parts/icons";
import { complain, Doing, say } from "../parts/ui";
import { t, type Values } from "../words";
import { toldWords, whyWords, type Teller } from "./account_words";
import type { Drawing, PlayedProps, SeenProps } from "./drawing";
import { Frame } from "./frame";
import { bySuit, cardName, PlayingCard } from "./french";
import { Keys, packKeys, usePackKeys, type KeyName } from "./keys";
import { choose } from "./match";
import { bareMoves, movesWith, moveWords, numbered, numberWords, topicWords, usable, uses, type Held, type Verbs } from "./moves";
import { SeatStrip } from "./seats";

/** The most reasons that stand in the news of the table. The bill has them all. */
const SHORT = 4;

/** What the cloth of a mode gets to draw what lies on it. */
export interface ClothProps {
  view: MatchView;
  selected: ReadonlySet<number>;
  /** Pick a card of the table; null while nothing is asked. */
  toggle: ((position: number) => void) | null;
  /** Cards that a legal move uses. */
  can: ReadonlySet<number>;
  send: (move: JsonObject) => void;
}

/** What a mode says about its moves and its accounts. */
export interface Own extends Verbs {
  /** The move with these cards of the hand, where the mode has too many moves to list; null if there is none. */
  compose?: (topic: string, cards: readonly Held[]) => JsonObject | null;
  /** Keys of the mode. A digit presses the button of the cloth whose `data-key` it is. */
  keys?: readonly KeyName[];
  /** Values of the mode's own sentences. */
  values?: (values: JsonObject) => Values;
}

/** The drawing of a mode with a house pack: its cloth, on the table that all of them share. */
export function packDrawing(Cloth: ComponentType<ClothProps>, own: Own): Drawing {
  return {
    Played: (props) => <PackTable {...props} Cloth={Cloth} own={own} />,
    Seen: (props) => <SeenPack {...props} Cloth={Cloth} own={own} />,
  };
}

function tellerOf(view: MatchView, own: Own): Teller {
  return { mode: view.mode, names: view.seats.map((seat) => seat.name), card: cardName, values: own.values };
}

interface Drawn {
  Cloth: ComponentType<ClothProps>;
  own: Own;
}

function SeenPack({ view, skew, accounts, Cloth, own }: SeenProps & Drawn) {
  return (
    <Frame view={view} accounts={accounts} teller={tellerOf(view, own)}>
      <Oval view={view} skew={skew} selected={new Set()} toggle={null} can={new Set()} send={() => Promise.resolve()} Cloth={Cloth} />
    </Frame>
  );
}

function PackTable({ match, view, Cloth, own }: PlayedProps & Drawn) {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const teller = tellerOf(view, own);
  const choice = view.choice;
  const moves = choice?.moves ?? [];
  useEffect(() => setSelected(new Set()), [view.step, view.seq]);
  useEffect(() => {
    if (choice) say(`${topicWords(choice.topic)}. ${t("match.your_turn")}`);
  }, [view.step, choice !== null]);
  const toggle = (position: number) => {
    const next = new Set(selected);
    if (next.has(position)) next.delete(position);
    else if (moves.some((offered) => uses(offered.move, own).length > 1) || choice?.more) next.add(position);
    else {
      next.clear();
      next.add(position);
    }
    setSelected(next);
  };
  const send = async (move: JsonObject) => {
    await choose(match, view.game, move);
    setSelected(new Set());
  };
  const can = usable(moves, own);
  const fresh = match.fresh.value;
  const [advice, setAdvice] = useState<JsonObject | null>(null);
  const [listing, setListing] = useState(false);
  useEffect(() => setAdvice(null), [view.step, view.seq]);
  // The cards of the advice are picked at once, so that one press plays it.
  const hint = async () => {
    if (!choice) return;
    try {
      const { move } = await ask("match.hint", { game: view.game });
      setAdvice(move);
      setSelected(new Set(uses(move, own)));
    } catch (error) {
      if (!(error instanceof DeskError && error.code === "not_asked")) throw error; // the game has gone on
    }
  };
  usePackKeys({ clear: () => setSelected(new Set()), hint: () => void hint().catch(complain), keys: () => setListing(true) });
  return (
    <>
      <Frame view={view} accounts={match.accounts.value} teller={teller}>
        <Oval view={view} skew={match.skew.value} selected={selected} toggle={choice ? toggle : null} can={can} send={send} Cloth={Cloth} />
        {fresh && (
          <div class="note row fresh">
            <ul class="grow">
              {fresh.sections.flatMap(({ heading, lines }) => [...(heading ? [heading] : []), ...lines]).map((line, i) => (
                <li key={i}>
                  {toldWords(line, teller)}
                  {line.reasons.length > 0 && line.reasons.length <= SHORT && (
                    <span class="small quiet"> ({whyWords(line, teller)})</span>
                  )}
                </li>
              ))}
            </ul>
            <button class="button" onClick={() => (match.fresh.value = null)}>
              {t("match.read")}
            </button>
          </div>
        )}
        {view.seat !== null && (
          <div class="at-hand">
            <PackHand view={view} selected={selected} toggle={choice ? toggle : null} can={can} more={choice?.more ?? false} />
            <Actions view={view} own={own} selected={selected} send={send} advice={advice} hint={hint} keys={() => setListing(true)} />
          </div>
        )}
        {view.seat !== null && <SeatStrip view={view} seat={view.seat} skew={match.skew.value} />}
      </Frame>
      {listing && <Keys names={packKeys(own.keys ?? [])} onClose={() => setListing(false)} />}
    </>
  );
}

interface OvalProps extends Omit<ClothProps, "send"> {
  skew: number | null;
  send: (move: JsonObject) => Promise<void>;
  Cloth: ComponentType<ClothProps>;
}

/** Seats round an oval, from ours at the bottom clockwise; in the middle the mode's own cloth. */
function Oval({ view, skew, selected, toggle, can, send, Cloth }: OvalProps) {
  const first = view.seat ?? 0;
  const others = view.seats.map((_, i) => (first + 1 + i) % view.seats.length).filter((seat) => seat !== view.seat);
  return (
    <div class="oval">
      <div class={`oval-seats of${Math.min(others.length, 6)}`}>
        {others.map((seat) => (
          <div class="oval-seat" key={seat}>
            <SeatStrip view={view} seat={seat} skew={skew} />
            <Fan count={(view.places[`hand ${seat}`] ?? []).length} />
          </div>
        ))}
      </div>
      <div class="cloth">
        <Cloth view={view} selected={selected} toggle={toggle} can={can} send={(move) => void send(move)} />
      </div>
    </div>
  );
}

function Fan({ count }: { count: number }) {
  if (!count) return null;
  return (
    <span class="backs" role="img" aria-label={t("pack.cards", { n: count })}>
      {Array.from({ length: Math.min(count, 8) }, (_, i) => (
        <PlayingCard key={i} code={null} />
      ))}
      <span class="small quiet" aria-hidden="true">
        {count}
      </span>
    </span>
  );
}

interface PackHandProps {
  view: MatchView;
  selected: ReadonlySet<number>;
  toggle: ((position: number) => void) | null;
  can: ReadonlySet<number>;
  more: boolean;
}

function PackHand({ view, selected, toggle, can, more }: PackHandProps) {
  const table = view.table as unknown as PackData | null;
  const hand = table?.hand ?? [];
  const shown = [...hand].sort((a, b) => bySuit(a.face, b.face));
  if (!shown.length) return <p class="quiet small hand-empty">{view.deals ? t("pack.hand.empty") : t("pack.dealing")}</p>;
  return (
    <ul class="pack-hand" aria-label={t("table.hand")}>
      {shown.map((card) => {
        const off = toggle !== null && !card.playable && !can.has(card.position) && !more;
        return (
          <li key={card.position}>
            <button
              class="face"
              aria-label={cardName(card.face)}
              aria-pressed={selected.has(card.position)}
              aria-disabled={toggle === null || off}
              onClick={() => !off && toggle?.(card.position)}
            >
              <PlayingCard code={card.face} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

interface ActionsProps {
  view: MatchView;
  own: Own;
  selected: ReadonlySet<number>;
  send: (move: JsonObject) => Promise<void>;
  /** The move that a bot would choose, once the player has asked. */
  advice: JsonObject | null;
  hint: () => Promise<void>;
  keys: () => void;
}

function Actions({ view, own, selected, send, advice, hint, keys }: ActionsProps) {
  const choice = view.choice;
  const [wrong, setWrong] = useState("");
  useEffect(() => setWrong(""), [selected, view.step]);
  if (!choice) return <p class="quiet small actions-say">{view.over ? "" : t("match.wait")}</p>;
  const fitting = movesWith(choice.moves, selected, own);
  const bare = bareMoves(choice.moves, own);
  const table = view.table as unknown as PackData | null;
  const cards = (table?.hand ?? []).filter((card) => selected.has(card.position));
  const composed = choice.more && !fitting.length && cards.length ? (own.compose?.(choice.topic, cards) ?? null) : null;
  const attempt = async (move: JsonObject) => {
    const { refusal } = await ask("match.try", { game: view.game, move });
    if (refusal) setWrong(told(new DeskError(refusal)));
    else await send(move);
  };
  return (
    <div class="actions">
      <p class="actions-say" role="status">
        {wrong || (advice ? t("pack.hint", { move: moveWords(advice, view.faces, own) }) : topicWords(choice.topic))}
      </p>
      <div class="row">
        {fitting.map((offered) => (
          <Doing key={offered.key} class="button main" act={() => send(offered.move)}>
            {moveWords(offered.move, view.faces, own)}
          </Doing>
        ))}
        {composed && (
          <Doing class="button main" act={() => attempt(composed)}>
            {moveWords(composed, view.faces, own)}
          </Doing>
        )}
        {[...numbered(choice.moves, own)].map(([verb, offers]) =>
          offers.length > 4 ? (
            <NumberMove key={verb} own={own} verb={verb} offers={offers} send={send} />
          ) : (
            offers.map((offered) => (
              <Doing key={offered.key} act={() => send(offered.move)}>
                {moveWords(offered.move, view.faces, own)}
              </Doing>
            ))
          ),
        )}
        {bare.map((offered) => (
          <Doing key={offered.key} act={() => send(offered.move)}>
            {moveWords(offered.move, view.faces, own)}
          </Doing>
        ))}
        <Doing class="button plain" act={hint}>
          <Icon name="hint" />
          {t("table.hint")}
        </Doing>
        <button class="button plain round keyboard" aria-label={t("keys.title")} onClick={keys}>
          <Icon name="keys" />
        </button>
      </div>
    </div>
  );
}

type NumberProps = Pick<ActionsProps, "own" | "send"> & { verb: string; offers: Offered[] };

function NumberMove({ own, verb, offers, send }: NumberProps) {
  const [at, setAt] = useState(Math.floor(offers.length / 2));
  const offered = offers[Math.min(at, offers.length - 1)]!;
  return (
    <div class="row number-move">
      <label class="row">
        <span>{numberWords(verb)}</span>
        <input
          type="range"
          min={0}
          max={offers.length - 1}
          value={at}
          aria-valuetext={String(Object.values(offered.move)[0])}
          onInput={(event) => setAt(event.currentTarget.valueAsNumber)}
        />
      </label>
      <Doing class="button main" act={() => send(offered.move)}>
        {moveWords(offered.move, {}, own)}
      </Doing>
    </div>
  );
}
