/**
 * A round while it is cooked. Three ways to lay a card: drag it; tap it, then a course; or arrows in the hand and
 * 1, 2, 3. The kitchen judges every plate as it is laid, and proves the meal that is sealed.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { DeskError, type CardFacts, type ChefMeal, type ChefTable, type ChefTried, type JsonObject, type MatchView } from "../../../desk";
import { ask, told } from "../../../kitchen";
import { cardWords, KitchenCard } from "../../../parts/card";
import { Icon } from "../../../parts/icons";
import { complain, Dialog, Doing, say, Sure, toast } from "../../../parts/ui";
import { firstTime, set, settings } from "../../../settings";
import { t } from "../../../words";
import type { Teller } from "../../account_words";
import { clocked } from "../../clock";
import type { PlayedProps } from "../../drawing";
import { Keys } from "../../keys";
import { choose } from "../../match";
import { courseName, tableOf } from "./courses";
import { CourseTabs } from "./course_tabs";
import { courseOf, draftOf, kept, lay, mealOf, plate, takeBack, type Draft } from "./draft";
import { Hand, sorted, useKeys } from "./hand";
import { CoursePlate } from "./plate";

/** The keys of this table, for the list that `?` opens. */
const KEYS = ["arrows", "digits", "backspace", "h", "s", "question"] as const;

type CardOf = (index: number) => CardFacts | undefined;
type Question = "envelope" | "empty" | "keys";

interface Tried {
  tried: ChefTried | null;
  refusal: string | null;
}

const NOT_TRIED: Tried = { tried: null, refusal: null };

/** Judge the plates as they stand. The newest answer counts. */
function useTried(view: MatchView, draft: Draft): Tried {
  const [found, setFound] = useState<Tried>(NOT_TRIED);
  const turn = useRef(0);
  useEffect(() => {
    const mine = ++turn.current;
    if (!Object.keys(draft).length) {
      setFound(NOT_TRIED);
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

/** Bring a course into sight, where the courses are swiped. */
function showCourse(number: number): void {
  const course = document.querySelector<HTMLElement>(`[data-course="${number}"]`);
  course?.scrollIntoView({ inline: "center", block: "nearest" });
}

/** The meal as it is put together, and what can be done with it. */
function useMeal(view: MatchView, table: ChefTable, card: CardOf) {
  const cooking = view.choice?.kind === "seal";
  const [made, setDraft] = useState<Draft>({});
  const [selected, setSelected] = useState<number | null>(null);
  const draft = useMemo(() => (table.sealed ? draftOf(table.sealed) : kept(made, table)), [made, table.sealed, table.hand]);
  const closeAdvice = useRef(() => {});
  // A hint is about one hand: a note that stays would be wrong of the next.
  useEffect(() => () => closeAdvice.current(), [view.step]);
  const back = (index: number) => {
    if (cooking) setDraft(takeBack(draft, index));
  };
  return {
    cooking,
    draft,
    selected,
    select: setSelected,
    clear: () => setDraft({}),
    back,
    put: (course: number, index: number) => {
      if (!cooking) return;
      setDraft(lay(draft, course, index, card(index)?.type === "recipe"));
      setSelected(null);
      say(t("chef.laid", { card: card(index)?.name ?? "", course: courseName(course) }));
    },
    undo: () => {
      const last = Object.keys(draft).map(Number).sort().at(-1);
      if (last === undefined) return;
      const laid = plate(draft, last);
      back(laid.ingredients.at(-1) ?? laid.recipe ?? -1);
    },
    /** Lay the best meal that a bot finds. */
    hint: async () => {
      const { move } = await ask("match.hint", { game: view.game });
      const meal = move as unknown as ChefMeal;
      const [first] = meal.dishes ?? [];
      if (!first) {
        closeAdvice.current = toast(t("chef.hint.none"));
        return;
      }
      setDraft(draftOf(meal));
      setTimeout(() => showCourse(first.course), 60);
    },
  };
}

type Meal = ReturnType<typeof useMeal>;

interface Props extends PlayedProps {
  cards: ReadonlyMap<string, CardFacts>;
  teller: Teller;
  /** Our own seat, which stands between the courses and the hand. */
  strip: ComponentChildren;
}

export function Cooking({ match, view, cards, teller, strip }: Props) {
  const table = tableOf(view);
  const slugs = new Map(table.hand.map((card) => [card.index, card.slug]));
  const card: CardOf = (index) => cards.get(slugs.get(index) ?? "");
  const meal = useMeal(view, table, card);
  const { cooking, draft, selected, put } = meal;
  const [shown, setShown] = useState<number | null>(null);
  const [asking, setAsking] = useState<Question | null>(null);
  const { tried, refusal } = useTried(view, draft);
  const hand = sorted(table.hand, cards).filter(({ index }) => courseOf(draft, index) === null);
  const blocked = refusal !== null || (tried?.plates.some((each) => !each.paid) ?? false);

  const seal = async () => {
    const sent = await choose(match, view.game, mealOf(draft) as unknown as JsonObject, settings.value.envelope && view.envelopes);
    if (sent === "nothing") toast(t("chef.kept"));
    else say(t("chef.sealed"));
  };
  const start = async () => {
    if (view.envelopes && clocked(view) && firstTime("envelope")) return setAsking("envelope");
    if (!Object.keys(draft).length) return setAsking("empty");
    return seal();
  };
  useKeys({
    ...meal,
    hand: hand.map((each) => each.index),
    courses: table.courses.map((course) => course.number),
    on: cooking && asking === null && shown === null,
    hint: () => void meal.hint().catch(complain),
    seal: () => !blocked && void start().catch(complain),
    keys: () => setAsking("keys"),
  });
  return (
    <>
      <Courses view={view} meal={meal} tried={tried} card={card} teller={teller} />
      {strip}
      {table.sealed ? (
        <Sealed view={view} />
      ) : (
        <div class="chef-dock">
          <Hand
            hand={hand}
            cards={cards}
            cooking={cooking}
            selected={selected}
            select={(index) => meal.select(selected === index ? null : index)}
            onLook={setShown}
          />
          {cooking && (
            <Bar
              meal={meal}
              told={selected !== null && card(selected) ? cardWords(card(selected)!) : refusal}
              yum={tried && !blocked ? tried.yum : null}
              blocked={blocked}
              start={start}
              look={setShown}
              keys={() => setAsking("keys")}
            />
          )}
        </div>
      )}
      {shown !== null && card(shown) && (
        <Looked card={card(shown)!} table={table} onClose={() => setShown(null)} onLay={(course) => put(course, shown)} />
      )}
      {asking && <Asked question={asking} done={() => setAsking(null)} seal={seal} start={start} />}
    </>
  );
}

interface CoursesProps {
  view: MatchView;
  meal: Meal;
  tried: ChefTried | null;
  card: CardOf;
  teller: Teller;
}

function Courses({ view, meal, tried, card, teller }: CoursesProps) {
  const { courses, sealed } = tableOf(view);
  const { cooking, draft, selected, put, back } = meal;
  const rival = view.seats[1 - (view.seat ?? 0)];
  const triedOn = (course: number) => tried?.plates.find((each) => each.course === course) ?? null;
  const row = useRef<HTMLDivElement>(null);
  return (
    <>
      {courses.length > 1 && (
        <CourseTabs
          row={row}
          courses={courses.map(({ number, points }) => ({ number, points, laid: plate(draft, number), tried: triedOn(number) }))}
          onPick={(course) => {
            if (cooking && selected !== null) put(course, selected);
            showCourse(course);
          }}
        />
      )}
      {/* On a phone the courses are swiped; with keys one comes there by Tab. */}
      <div ref={row} class={`courses of${courses.length}`} role="group" aria-label={t("chef.courses")} tabIndex={0}>
        {courses.map((course) => (
          <CoursePlate
            key={course.number}
            course={course}
            laid={plate(draft, course.number)}
            tried={triedOn(course.number)}
            card={card}
            teller={teller}
            lid={sealed ? "down" : "open"}
            rivalLid={rival?.seal || view.asking?.kind === "reveal" ? "down" : "none"}
            selected={selected !== null}
            onLay={cooking ? () => selected !== null && put(course.number, selected) : null}
            onTake={back}
            onDropCard={(index) => put(course.number, index)}
          />
        ))}
      </div>
    </>
  );
}

interface BarProps {
  meal: Meal;
  /** What is to be said of the picked card or the meal; null leaves room for help. */
  told: string | null;
  /** The yum of the meal; null while it can't be sealed. */
  yum: number | null;
  blocked: boolean;
  start: () => Promise<void>;
  look: (index: number) => void;
  keys: () => void;
}

function Bar({ meal, told: text, yum, blocked, start, look, keys }: BarProps) {
  const { selected } = meal;
  return (
    <div class="chef-bar">
      <p class={text === null && Object.keys(meal.draft).length ? "chef-told small known" : "chef-told small"} role="status">
        {text ?? t("chef.help")}
      </p>
      <div class="row chef-do">
        {selected !== null && (
          <button class="button round" aria-label={t("chef.look")} onClick={() => look(selected)}>
            <Icon name="look" />
          </button>
        )}
        <button class="button round keyboard" aria-label={t("keys.title")} onClick={keys}>
          <Icon name="keys" />
        </button>
        <Doing act={meal.hint} class="button">
          <Icon name="hint" />
          {t("table.hint")}
        </Doing>
        <button class="button" disabled={!Object.keys(meal.draft).length} onClick={meal.clear}>
          {t("chef.clear")}
        </button>
        <Doing class="button main grow" act={start} disabled={blocked}>
          {yum === null ? t("chef.seal") : t("chef.seal.yum", { n: yum })}
        </Doing>
      </div>
    </div>
  );
}

/** A card of the hand, large, with the courses on which it can be laid. */
function Looked(props: { card: CardFacts; table: ChefTable; onClose: () => void; onLay: (course: number) => void }) {
  const { card, table, onClose, onLay } = props;
  return (
    <Dialog title={card.name} slim onClose={onClose}>
      <KitchenCard card={card} />
      <div class="row">
        {table.courses.map((course) => (
          <button
            class="button"
            key={course.number}
            onClick={() => {
              onClose();
              onLay(course.number);
            }}
          >
            {courseName(course.number)}
          </button>
        ))}
      </div>
    </Dialog>
  );
}

interface AskedProps {
  question: Question;
  done: () => void;
  seal: () => Promise<void>;
  start: () => Promise<void>;
}

/** What is asked before a seal, or the list of keys. */
function Asked({ question, done, seal, start }: AskedProps) {
  switch (question) {
    case "keys":
      return <Keys names={KEYS} onClose={done} />;
    case "empty":
      return (
        <Sure
          title={t("chef.empty.title")}
          text={t("chef.empty.text")}
          yes={t("chef.seal")}
          onYes={() => void seal().catch(complain)}
          onNo={done}
        />
      );
    case "envelope":
      return (
        <Envelope
          onPick={(on) => {
            set("envelope", on);
            done();
            void start().catch(complain);
          }}
        />
      );
  }
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
