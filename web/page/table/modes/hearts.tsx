/**
 * A drawing for each classic game: what lies on the cloth. A mode without one shows its places by name, and is still
 * playable. docs/web.md says how to add one.
 */
import type { ComponentType } from "preact";
import type { Json, JsonObject, MatchView } from "../desk";
import { listed, said, t } from "../words";
import { cardName, PlayingCard } from "./french";

export interface DrawingProps {
  view: MatchView;
  selected: ReadonlySet<number>;
  /** Pick a card of the table; null while nothing is asked. */
  toggle: ((position: number) => void) | null;
  /** Cards that a legal move uses. */
  can: ReadonlySet<number>;
  send: (move: JsonObject) => void;
}

const DRAWINGS: Record<string, ComponentType<DrawingProps>> = {
  hearts: Hearts,
  cribbage: Cribbage,
  "big-c": BigC,
  flip: Flip,
};

export function drawingOf(mode: string): ComponentType<DrawingProps> {
  return DRAWINGS[mode] ?? Places;
}

function numbers(value: Json | undefined): number[] {
  return Array.isArray(value) ? value.filter((each): each is number => typeof each === "number") : [];
}

function name(view: MatchView, seat: number): string {
  return view.seats[seat]?.name ?? "";
}

/** A card that lies open, with what is said about it. */
function Open({ view, position, label }: { view: MatchView; position: number; label?: string }) {
  const code = view.faces[position] ?? null;
  return (
    <figure class="open-card" role="img" aria-label={`${label ? `${label}: ` : ""}${code ? cardName(code) : t("pack.hidden")}`}>
      <PlayingCard code={code} />
      {label && <figcaption class="small">{label}</figcaption>}
    </figure>
  );
}

function Row({ view, positions, empty }: { view: MatchView; positions: readonly number[]; empty?: string }) {
  if (!positions.length) return empty ? <p class="quiet small">{empty}</p> : null;
  return (
    <div class="open-row">
      {positions.map((position) => (
        <Open key={position} view={view} position={position} />
      ))}
    </div>
  );
}

function Hearts({ view }: DrawingProps) {
  const trick = view.places["trick"] ?? [];
  const leader = Number(view.state["leader"] ?? 0);
  const fronts = view.seats.map((_, seat) => view.places[`front ${seat}`] ?? []);
  // Whoever took the last trick leads this one.
  const last = (view.places[`collected ${leader}`] ?? []).slice(-view.seats.length);
  return (
    <>
      <div class="open-row" aria-label={t("hearts.trick")} role="group">
        {trick.map((position, i) => (
          <Open key={position} view={view} position={position} label={name(view, (leader + i) % view.seats.length)} />
        ))}
        {!trick.length && view.deals > 0 && <p class="quiet">{t("hearts.leads", { name: name(view, leader) })}</p>}
      </div>
      <div class="asides">
        {fronts.map((cards, seat) =>
          cards.length ? (
            <div class="exposed" key={seat}>
              <span class="small quiet">{t("hearts.exposed", { name: name(view, seat) })}</span>
              <Row view={view} positions={cards} />
            </div>
          ) : null,
        )}
        {last.length > 0 && (
          <div class="exposed last">
            <span class="small quiet">{t("hearts.last", { name: name(view, leader) })}</span>
            <Row view={view} positions={last} />
          </div>
        )}
      </div>
    </>
  );
}

function Cribbage({ view }: DrawingProps) {
  const hand = (view.state["hand"] ?? {}) as JsonObject;
  const setup = (view.state["setup"] ?? {}) as JsonObject;
  const pile = numbers(hand["pile"]);
  const starter = view.places["starter"] ?? [];
  const crib = view.places["crib"] ?? [];
  const dealer = typeof view.state["dealer"] === "number" ? view.state["dealer"] : null;
  const scores = numbers(view.state["scores"]);
  const cuts = view.places["cuts"] ?? [];
  const last = view.seats.map((_, seat) => view.places[`played ${seat}`] ?? []);
  return (
    <>
      <Pegs scores={scores} target={Number(setup["target"] ?? 121)} view={view} />
      {cuts.length > 0 && <Row view={view} positions={cuts} />}
      {starter.length + crib.length > 0 && (
        <div class="open-row">
          {starter.map((position) => (
            <Open key={position} view={view} position={position} label={t("cribbage.starter")} />
          ))}
          {crib.length > 0 && (
            <figure class="open-card">
              <PlayingCard code={null} />
              <figcaption class="small">
                {t("cribbage.crib", { name: dealer === null ? "" : name(view, dealer), n: crib.length })}
              </figcaption>
            </figure>
          )}
        </div>
      )}
      {view.state["phase"] === "play" && (
        <>
          <p class="count serif">{t("cribbage.count", { n: Number(hand["reached"] ?? 0) })}</p>
          <Row view={view} positions={pile} empty={t("cribbage.pile.none")} />
        </>
      )}
      {view.state["phase"] !== "play" &&
        last.map((cards, seat) =>
          cards.length ? (
            <div class="exposed" key={seat}>
              <span class="small quiet">{name(view, seat)}</span>
              <Row view={view} positions={cards} />
            </div>
          ) : null,
        )}
    </>
  );
}

/** The pegs: a track for each side. */
function Pegs({ scores, target, view }: { scores: number[]; target: number; view: MatchView }) {
  return (
    <div class="pegs">
      {scores.map((score, side) => (
        <div class="peg-row" key={side}>
          <span class="small">{scores.length === view.seats.length ? name(view, side) : t("cribbage.side", { n: side + 1 })}</span>
          <svg viewBox="-7 0 498 16" role="img" aria-label={t("cribbage.pegs", { n: score, of: target })}>
            {Array.from({ length: target + 1 }, (_, hole) => (
              <circle key={hole} class={hole === score ? "peg" : hole % 5 === 0 ? "hole five" : "hole"} cx={2 + (hole * 480) / target} cy="8" r={hole === score ? 6 : 1.4} />
            ))}
          </svg>
          <strong>{score}</strong>
        </div>
      ))}
    </div>
  );
}

function BigC({ view }: DrawingProps) {
  const table = view.places["table"] ?? [];
  const last = typeof view.state["last"] === "number" ? view.state["last"] : null;
  const mover = typeof view.state["mover"] === "number" ? view.state["mover"] : null;
  const presented = (view.state["presented"] as Json[] | undefined) ?? [];
  const order = ((view.state["groups"] as Json[] | undefined) ?? []).flatMap(numbers);
  return (
    <>
      {view.state["phase"] === "present" ? (
        <div class="open-row">
          {presented.flatMap((cards, seat) =>
            numbers(cards).map((position) => <Open key={position} view={view} position={position} label={name(view, seat)} />),
          )}
        </div>
      ) : table.length ? (
        <>
          <p class="small quiet">{last !== null && t("bigc.on_table", { name: name(view, last) })}</p>
          <Row view={view} positions={table} />
        </>
      ) : (
        <p class="quiet">{mover !== null && view.deals > 0 && t("bigc.empty", { name: name(view, mover) })}</p>
      )}
      <p class="small quiet">
        {order.length > 1 && `${t("bigc.order", { order: listed(order.map((seat) => name(view, seat))) })} · `}
        {t("bigc.stock", { n: (view.places["stock"] ?? []).length })}
      </p>
    </>
  );
}

interface StackCard {
  position: number;
  up: boolean;
}

/** The Griddle: 1, 3, 3 and 1 Stacks. A Stack is a target while a card is picked. */
function Flip({ view, selected, toggle, can, send }: DrawingProps) {
  const stacks = (view.state["stacks"] as unknown as StackCard[][] | undefined) ?? [];
  const moves = view.choice?.moves ?? [];
  const onto = (stack: number) =>
    moves.find(({ move }) => {
      const used = move["play"] ?? move["transfer"];
      return typeof used === "number" && selected.has(used) && move["stack"] === stack;
    });
  return (
    <>
      <ol class="griddle" aria-label={t("flip.griddle")}>
        {stacks.map((stack, i) => {
          const top = stack.at(-1);
          const code = top?.up ? (view.faces[top.position] ?? null) : null;
          const target = onto(i + 1);
          const lift = top?.up && can.has(top.position) && toggle !== null;
          const label = t("flip.stack", {
            stack: i + 1,
            top: !top ? t("flip.nothing") : code ? cardName(code) : t("flip.back"),
            n: stack.length,
          });
          return (
            <li key={i} class={`place${i + 1}`}>
              <button
                class={`face stack-face${target ? " target" : ""}`}
                aria-label={target ? `${label}. ${t("flip.onto")}` : label}
                aria-pressed={top ? selected.has(top.position) : false}
                aria-disabled={!target && !lift}
                onClick={() => (target ? send(target.move) : lift && toggle(top.position))}
              >
                {top ? <PlayingCard code={code} /> : <span class="no-card" />}
                <span class="stack-number small" data-text={`${i + 1}${stack.length > 1 ? ` · ${stack.length}` : ""}`} />
              </button>
            </li>
          );
        })}
      </ol>
      <p class="small quiet">{t("flip.pile", { n: (view.places["pile"] ?? []).length })}</p>
    </>
  );
}

/** Any mode: places by name, with what lies open there. */
function Places({ view }: DrawingProps) {
  const shown = Object.entries(view.places).filter(([place]) => place !== `hand ${view.seat}`);
  return (
    <dl class="places">
      {shown.map(([place, positions]) => {
        const open = positions.filter((position) => view.faces[position]);
        return (
          <div key={place}>
            <dt>{said("place", place, place)}</dt>
            <dd>
              {open.length > 0 && <Row view={view} positions={open} />}
              {positions.length > open.length && <span class="quiet small">{t("pack.hidden.n", { n: positions.length - open.length })}</span>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
