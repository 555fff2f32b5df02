/**
 * The table of Pancake. Three ways to lay a card: drag it; tap it, then a course; or arrows in the hand and 1, 2, 3.
 * The kitchen judges every plate as it is laid, and proves the meal that is sealed.
 */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { DeskError, type CardFacts, type ChefMeal, type ChefTable as TableData, type ChefTried, type JsonObject, type MatchView } from "../desk";
import { ask, told } from "../kitchen";
import { cardWords, KitchenCard, TileFace, usePicture } from "../parts/card";
import { Icon } from "../parts/icons";
import { complain, Dialog, Doing, say, Sure, toast } from "../parts/ui";
import { firstTime, set, settings } from "../settings";
import { t } from "../words";
import { courseName, coursesOf, type Teller } from "./account_words";
import { nameIn, useCards } from "./cards";
import { courseOf, draftOf, kept, lay, mealOf, plate, takeBack, type Draft } from "./chef_draft";
import { CoursePlate } from "./chef_plate";
import { Drawer } from "./drawer";
import { Keys } from "./keys";
import { choose, type Match } from "./match";
import { Reveal } from "./reveal";
import { SeatStrip } from "./seats";

export const GOAL = 30;

/** The keys of this table, for the list that `?` opens. */
export const KEYS = ["arrows", "digits", "backspace", "h", "s", "question"] as const;

export function tableOf(view: MatchView): TableData {
  return view.table as unknown as TableData;
}

/** The hand in the order it is shown: recipes first, then ingredients by category and name. */
export function sorted(hand: TableData["hand"], cards: ReadonlyMap<string, CardFacts>): TableData["hand"] {
  const rank = (slug: string) => {
    const card = cards.get(slug);
    if (!card) return "9";
    if (card.type === "recipe") return `0${String(9 - Object.values(card.costs).reduce((a: number, n) => a + (n ?? 0), 0))}`;
    const first = Object.keys(card.provides)[0] ?? Object.keys(card.costs)[0] ?? "";
    return `1${["starch", "vegetable", "oil", "protein", "seasoning"].indexOf(first)}`;
  };
  return [...hand].sort(
    (a, b) => rank(a.slug).localeCompare(rank(b.slug)) || a.slug.localeCompare(b.slug) || a.index - b.index,
  );
}

interface Props {
  match: Match;
  view: MatchView;
}

export function ChefTable({ match, view }: Props) {
  const cards = useCards();
  const mine = view.seat ?? 0;
  const rival = 1 - mine;
  const fresh = match.fresh.value;
  const teller: Teller = { mode: view.mode, names: view.seats.map((seat) => seat.name), card: nameIn(cards) };
  const judged = fresh !== null && coursesOf(fresh.sections).length > 0;
  const redraw = view.choice?.topic === "redraw";
  return (
    <div class={view.over && !fresh ? "chef ended" : "chef"}>
      <div class="chef-main">
        <SeatStrip view={view} seat={rival} skew={match.skew.value} goal={GOAL} />
        {fresh && judged ? (
          <Reveal key={fresh.seq} view={view} account={fresh} teller={teller} onDone={() => (match.fresh.value = null)} />
        ) : view.over ? null : redraw ? (
          <Opening match={match} view={view} cards={cards} />
        ) : (
          <Cooking key={`${view.round}`} match={match} view={view} cards={cards} teller={teller} />
        )}
        <SeatStrip view={view} seat={mine} skew={match.skew.value} goal={GOAL} />
      </div>
      <Drawer view={view} accounts={match.accounts.value} teller={teller} />
    </div>
  );
}

/** The opening hand: keep or redraw. */
function Opening({ match, view, cards }: Props & { cards: ReadonlyMap<string, CardFacts> }) {
  const hand = sorted(tableOf(view).hand, cards);
  const pick = (word: string) => choose(match, view.game, { choice: word });
  const moves = view.choice?.moves ?? [];
  const may = (word: string) => moves.length === 0 || moves.some((offered) => offered.move["choice"] === word);
  return (
    <section class="opening stack">
      <header class="stack tight">
        <h2>{t("chef.opening")}</h2>
        <p class="quiet">{t("chef.opening.text")}</p>
      </header>
      <ul class="opening-hand">
        {hand.map(({ index, slug }) => {
          const card = cards.get(slug);
          return <li key={index}>{card && <KitchenCard card={card} />}</li>;
        })}
      </ul>
      <div class="row">
        <Doing class="button main big" act={() => pick("keep")} disabled={!may("keep")}>
          {t("chef.keep")}
        </Doing>
        <Doing act={() => pick("redraw")} disabled={!may("redraw")}>
          {t("chef.redraw")}
        </Doing>
      </div>
    </section>
  );
}

/** Judge the plates as they stand. The newest answer counts. */
function useTried(view: MatchView, draft: Draft): { tried: ChefTried | null; refusal: string | null } {
  const [found, setFound] = useState<{ tried: ChefTried | null; refusal: string | null }>({ tried: null, refusal: null });
  const turn = useRef(0);
  useEffect(() => {
    const mine = ++turn.current;
    if (!Object.keys(draft).length) {
      setFound({ tried: null, refusal: null });
      return;
    }
    ask("match.try", { game: view.game, move: mealOf(draft) as unknown as JsonObject }).then(
      ({ refusal, detail }) => {
        if (mine === turn.current)
          setFound({ tried: detail as unknown as ChefTried | null, refusal: refusal ? told(new DeskError(refusal)) : null });
      },
      () => undefined, // the step has gone on
    );
  }, [draft, view.step]);
  return found;
}

function Cooking({ match, view, cards, teller }: Props & { cards: ReadonlyMap<string, CardFacts>; teller: Teller }) {
  const table = tableOf(view);
  const sealed = table.sealed;
  const cooking = view.choice?.kind === "seal";
  const [made, setDraft] = useState<Draft>({});
  const [selected, setSelected] = useState<number | null>(null);
  const [shown, setShown] = useState<number | null>(null);
  const [asking, setAsking] = useState<"envelope" | "empty" | "keys" | null>(null);
  const draft = useMemo(() => (sealed ? draftOf(sealed) : kept(made, table)), [made, sealed, table.hand]);
  const { tried, refusal } = useTried(view, draft);
  const slugs = new Map(table.hand.map((card) => [card.index, card.slug]));
  const card = (index: number) => cards.get(slugs.get(index) ?? "");
  const hand = sorted(table.hand, cards).filter(({ index }) => courseOf(draft, index) === null);
  const rival = view.seats[1 - (view.seat ?? 0)];
  const lids = rival?.seal || view.asking?.kind === "reveal" ? "down" : "none";

  const put = (course: number, index: number) => {
    if (!cooking) return;
    setDraft(lay(draft, course, index, card(index)?.type === "recipe"));
    setSelected(null);
    say(t("chef.laid", { card: card(index)?.name ?? "", course: courseName(course) }));
  };
  const back = (index: number) => cooking && setDraft(takeBack(draft, index));
  const undo = () => {
    const last = Object.keys(draft).map(Number).sort().at(-1);
    if (last === undefined) return;
    const laid = plate(draft, last);
    back(laid.ingredients.at(-1) ?? laid.recipe ?? -1);
  };
  const hint = async () => {
    const { move } = await ask("match.hint", { game: view.game });
    const meal = move as unknown as ChefMeal;
    if (meal.dishes?.length) {
      setDraft(draftOf(meal));
      setTimeout(() => document.querySelector(".laid:not(:empty)")?.closest(".course")?.scrollIntoView({ inline: "center", block: "nearest" }), 60);
    } else toast(t("chef.hint.none"));
  };
  const seal = async () => {
    const sent = await choose(match, view.game, mealOf(draft) as unknown as JsonObject, settings.value.envelope && view.envelopes);
    if (sent === "nothing") toast(t("chef.kept"));
    else say(t("chef.sealed"));
  };
  const start = async () => {
    if (view.envelopes && firstTime("envelope")) return setAsking("envelope");
    if (!Object.keys(draft).length) return setAsking("empty");
    return seal();
  };
  const blocked = refusal !== null || (tried?.plates.some((each) => !each.paid) ?? false);
  useKeys({
    hand: hand.map((each) => each.index),
    courses: table.courses.map((course) => course.number),
    on: cooking && asking === null && shown === null,
    selected,
    select: setSelected,
    put,
    undo,
    hint: () => void hint().catch(complain),
    seal: () => !blocked && void start().catch(complain),
    keys: () => setAsking("keys"),
  });

  const looked = selected ?? null;
  return (
    <>
      {/* On a phone the courses are swiped; with keys one comes there by Tab. */}
      <div class={`courses of${table.courses.length}`} role="group" aria-label={t("chef.courses")} tabIndex={0}>
        {table.courses.map((course) => (
          <CoursePlate
            key={course.number}
            course={course}
            laid={plate(draft, course.number)}
            tried={tried?.plates.find((each) => each.course === course.number) ?? null}
            card={card}
            teller={teller}
            lid={sealed ? "down" : "open"}
            rivalLid={lids}
            selected={selected !== null}
            onLay={cooking ? () => selected !== null && put(course.number, selected) : null}
            onTake={back}
            onDropCard={(index) => put(course.number, index)}
          />
        ))}
      </div>
      {sealed ? (
        <Sealed view={view} />
      ) : (
        <Hand
          hand={hand}
          cards={cards}
          cooking={cooking}
          selected={selected}
          select={(index) => setSelected(selected === index ? null : index)}
          onLook={setShown}
        />
      )}
      {cooking && (
        <div class="chef-bar">
          <p class="chef-told small" role="status">
            {looked !== null && card(looked) ? cardWords(card(looked)!) : (refusal ?? t("chef.help"))}
          </p>
          <div class="row chef-do">
            {looked !== null && (
              <button class="button round" aria-label={t("chef.look")} onClick={() => setShown(looked)}>
                <Icon name="look" />
              </button>
            )}
            <button class="button round" aria-label={t("keys.title")} onClick={() => setAsking("keys")}>
              <Icon name="keys" />
            </button>
            <Doing act={hint} class="button">
              <Icon name="hint" />
              {t("chef.hint")}
            </Doing>
            <button class="button" disabled={!Object.keys(draft).length} onClick={() => setDraft({})}>
              {t("chef.clear")}
            </button>
            <Doing class="button main grow" act={start} disabled={blocked}>
              {tried && !blocked ? t("chef.seal.yum", { n: tried.yum }) : t("chef.seal")}
            </Doing>
          </div>
        </div>
      )}
      {shown !== null && card(shown) && (
        <Dialog title={card(shown)!.name} slim onClose={() => setShown(null)}>
          <KitchenCard card={card(shown)!} />
          <div class="row">
            {table.courses.map((course) => (
              <button
                class="button"
                key={course.number}
                onClick={() => {
                  setShown(null);
                  put(course.number, shown);
                }}
              >
                {courseName(course.number)}
              </button>
            ))}
          </div>
        </Dialog>
      )}
      {asking === "keys" && <Keys names={KEYS} onClose={() => setAsking(null)} />}
      {asking === "empty" && (
        <Sure
          title={t("chef.empty.title")}
          text={t("chef.empty.text")}
          yes={t("chef.seal")}
          onYes={() => void seal().catch(complain)}
          onNo={() => setAsking(null)}
        />
      )}
      {asking === "envelope" && (
        <Envelope
          onPick={(on) => {
            set("envelope", on);
            setAsking(null);
            void start().catch(complain);
          }}
        />
      )}
    </>
  );
}

interface HandProps {
  hand: TableData["hand"];
  cards: ReadonlyMap<string, CardFacts>;
  cooking: boolean;
  selected: number | null;
  select: (index: number) => void;
  onLook: (index: number) => void;
}

function Hand({ hand, cards, cooking, selected, select, onLook }: HandProps) {
  return (
    <ul class="hand" aria-label={t("chef.hand")}>
      {hand.map(({ index, slug }) => (
        <HandCard
          key={index}
          index={index}
          slug={slug}
          card={cards.get(slug)}
          cooking={cooking}
          selected={selected === index}
          select={select}
          onLook={onLook}
        />
      ))}
      {!hand.length && <li class="quiet small">{t("chef.hand.empty")}</li>}
    </ul>
  );
}

interface HandCardProps {
  index: number;
  slug: string;
  card: CardFacts | undefined;
  cooking: boolean;
  selected: boolean;
  select: (index: number) => void;
  onLook: (index: number) => void;
}

function HandCard({ index, slug, card, cooking, selected, select, onLook }: HandCardProps) {
  const src = usePicture(slug);
  return (
    <li>
      <button
        class={`tile ${card?.type ?? ""}`}
        data-index={index}
        aria-pressed={selected}
        aria-label={card ? cardWords(card) : slug}
        draggable={cooking}
        onDragStart={(event) => event.dataTransfer?.setData("text/plain", String(index))}
        onClick={() => select(index)}
        onDblClick={() => onLook(index)}
      >
        {card && <TileFace src={src} card={card} />}
      </button>
    </li>
  );
}

function Sealed({ view }: { view: MatchView }) {
  const rival = view.seats[1 - (view.seat ?? 0)];
  return (
    <div class="note good stack tight" role="status">
      <p>
        <strong>{t("chef.sealed.title")}</strong> {rival?.seal ? t("chef.sealed.both") : t("chef.sealed.waits", { name: rival?.name ?? "" })}
      </p>
      <p class="small quiet">{t("chef.sealed.stay")}</p>
    </div>
  );
}

function Envelope({ onPick }: { onPick: (on: boolean) => void }) {
  return (
    <Dialog title={t("envelope.title")} onClose={() => onPick(false)} slim>
      <p>{t("envelope.text")}</p>
      <p class="quiet">{t("envelope.peek")}</p>
      <div class="row end">
        <button class="button" onClick={() => onPick(false)}>
          {t("envelope.no")}
        </button>
        <button class="button main" onClick={() => onPick(true)}>
          {t("envelope.yes")}
        </button>
      </div>
    </Dialog>
  );
}

interface KeyWork {
  hand: number[];
  courses: number[];
  on: boolean;
  selected: number | null;
  select: (index: number | null) => void;
  put: (course: number, index: number) => void;
  undo: () => void;
  hint: () => void;
  seal: () => void;
  keys: () => void;
}

/** The keys of the table. The card under the focus is the one that a digit lays. */
function useKeys(work: KeyWork): void {
  const now = useRef(work);
  now.current = work;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { hand, courses, on, selected, select, put, undo, hint, seal, keys } = now.current;
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select, dialog")) return;
      if (!on) return;
      const held = Number(target.closest<HTMLElement>("[data-index]")?.dataset["index"] ?? selected ?? Number.NaN);
      if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
        const at = hand.indexOf(held);
        const next = hand[(at + (event.key === "ArrowRight" ? 1 : -1) + hand.length) % hand.length] ?? hand[0];
        if (next === undefined) return;
        document.querySelector<HTMLElement>(`.hand [data-index="${next}"]`)?.focus();
        select(next);
      } else if (/^[1-3]$/.test(event.key) && courses.includes(Number(event.key)) && hand.includes(held)) {
        const after = hand[hand.indexOf(held) + 1] ?? hand[hand.indexOf(held) - 1];
        put(Number(event.key), held);
        setTimeout(() => document.querySelector<HTMLElement>(`.hand [data-index="${after}"]`)?.focus(), 30);
      } else if (event.key === "Backspace") undo();
      else if (event.key === "h") hint();
      else if (event.key === "s") seal();
      else if (event.key === "?") keys();
      else if (event.key === "Escape") select(null);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
