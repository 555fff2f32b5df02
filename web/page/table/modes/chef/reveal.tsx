/**
 * The reveal: course by course both lids rise, the dishes stand there drawn, yum counts up, the winner's rim turns
 * gold. It takes 2.5 seconds, any key skips it; with less motion it is three steps with words. A dish that the house
 * has an image of is shown by it.
 */
import { useEffect, useState } from "preact/hooks";
import type { AccountEvent, MatchView } from "../../../desk";
import { ask, house } from "../../../kitchen";
import { PlateDrawing } from "../../../parts/plate";
import { sound } from "../../../parts/sound";
import { say } from "../../../parts/ui";
import { still } from "../../../settings";
import { listed, t } from "../../../words";
import { roundOf, toldWords, type Teller } from "../../account_words";
import { asideOf, courseName, coursesOf, type JudgedCourse, type ServedDish } from "./courses";
import { paintedPaths, type GamePicture } from "./dishes";

const EACH_MS = 830;
const COUNT_MS = 420;

interface Props {
  view: MatchView;
  account: AccountEvent;
  teller: Teller;
  /** Called with the number of courses that are open, whenever it grows. */
  onOpen: (courses: number) => void;
  onDone: () => void;
}

/** What a table may show while an account is revealed, so that nothing tells the end before its course is open. */
export function useHeld(view: MatchView, fresh: AccountEvent | null, accounts: readonly AccountEvent[]) {
  const [opened, setOpened] = useState({ seq: -1, courses: 0 });
  const courses = fresh ? coursesOf(fresh.sections) : [];
  const closed = courses.slice(fresh && opened.seq === fresh.seq ? opened.courses : 0);
  const coming = (seat: number) => closed.filter((course) => course.winner === seat).reduce((sum, { points }) => sum + points, 0);
  return {
    /** The account to reveal; null where none judges courses. */
    judged: courses.length ? fresh : null,
    open: (n: number) => fresh && setOpened({ seq: fresh.seq, courses: n }),
    points: (seat: number) => (view.seats[seat]?.points ?? 0) - coming(seat),
    accounts: closed.length ? accounts.filter((each) => each.seq !== fresh?.seq) : [...accounts],
  };
}

/** A round told aloud, once: each course with its winner. */
export function roundWords(courses: readonly JudgedCourse[], teller: Teller): string {
  return courses
    .map((course) => {
      const dishes = course.dishes
        .filter((dish) => dish.recipe)
        .map((dish) => t("reveal.dish", { name: teller.names[dish.seat] ?? "", recipe: teller.card(dish.recipe ?? ""), n: dish.yum ?? 0 }));
      const end =
        course.winner === null
          ? t("told.chef.course.none", { course: courseName(course.course) })
          : t("told.chef.course", { winner: teller.names[course.winner] ?? "", course: courseName(course.course), n: course.points });
      return `${dishes.length ? `${listed(dishes)}. ` : ""}${end}`;
    })
    .join(". ");
}

interface Pictures {
  /** Addresses by "seat/course": drawn here, and made by the house's painter. */
  drawn: ReadonlyMap<string, string>;
  painted: ReadonlyMap<string, string>;
}

/** The pictures of an account's dishes, as far as they have come. */
function usePictures(game: string, seq: number): Pictures {
  const [drawn, setDrawn] = useState<Pictures["drawn"]>(new Map());
  const [painted, setPainted] = useState<Pictures["painted"]>(new Map());
  useEffect(() => {
    const made: string[] = [];
    let here = true;
    const asked = ask("pictures.dishes", { game, seq });
    asked.then(
      ({ dishes }) => {
        if (!here) return;
        const found = dishes.map((dish) => {
          const address = URL.createObjectURL(new Blob([dish.svg], { type: "image/svg+xml" }));
          made.push(address);
          return [`${dish.seat}/${dish.course}`, address] as const;
        });
        setDrawn(new Map(found));
      },
      () => undefined, // without pictures the names are there
    );
    // What is asked here follows from the record alone, so everybody who follows the game asks the same.
    Promise.all([asked, house<{ items: GamePicture[] }>(`/games/${game}/pictures`)]).then(
      ([{ dishes }, { items }]) => {
        const paths = paintedPaths(seq, items);
        const found = dishes.map((dish, i) => [`${dish.seat}/${dish.course}`, paths.get(i + 1)] as const);
        if (here) setPainted(new Map(found.flatMap(([key, path]) => (path ? [[key, path]] : []))));
      },
      () => undefined, // the drawings are there
    );
    return () => {
      here = false;
      made.forEach((address) => URL.revokeObjectURL(address));
    };
  }, [game, seq]);
  return { drawn, painted };
}

/** How many of the courses are open: one more after each pause, all of them after any key. */
function useSteps(count: number): { shown: number; all: boolean; skip: () => void } {
  const [shown, setShown] = useState(0);
  const all = shown >= count;
  const skip = () => setShown(count);
  useEffect(() => {
    if (all) return;
    const timer = setTimeout(() => {
      setShown(shown + 1);
      sound("reveal");
    }, EACH_MS);
    addEventListener("keydown", skip);
    return () => {
      clearTimeout(timer);
      removeEventListener("keydown", skip);
    };
  }, [shown, all]);
  return { shown, all, skip };
}

export function Reveal({ view, account, teller, onOpen, onDone }: Props) {
  const courses = coursesOf(account.sections);
  const { shown, all, skip } = useSteps(courses.length);
  const { drawn, painted } = usePictures(view.game, account.seq);
  useEffect(() => onOpen(shown), [shown]);
  useEffect(() => say(roundWords(courses, teller)), [account.seq]);
  const gained = (seat: number) => courses.filter((c) => c.winner === seat).reduce((sum, c) => sum + c.points, 0);
  const order = view.seat === 0 ? [1, 0] : [0, 1];
  return (
    <section class="reveal" aria-label={t("round", { n: roundOf(account) })} onClick={skip}>
      <h2 class="unseen">{t("round", { n: roundOf(account) })}</h2>
      <div class="reveal-courses">
        {courses.map((course, i) => (
          <article class={`reveal-course${i < shown ? " open" : ""}${course.dishes.some((dish) => dish.recipe) ? "" : " bare"}`} key={course.course}>
            <h3>{courseName(course.course)}</h3>
            {order.map((seat) => (
              <RevealedDish
                key={seat}
                name={teller.names[seat] ?? ""}
                dish={course.dishes.find((dish) => dish.seat === seat)}
                picture={drawn.get(`${seat}/${course.course}`)}
                painted={painted.get(`${seat}/${course.course}`)}
                open={i < shown}
                won={course.winner === seat}
                points={course.points}
                teller={teller}
              />
            ))}
          </article>
        ))}
      </div>
      {asideOf(account.sections).map((line, i) => (
        <p key={i}>{toldWords(line, teller)}</p>
      ))}
      <footer class="row apart reveal-foot">
        <strong class="serif reveal-sum">
          {all ? order.map((seat) => `${teller.names[seat] ?? ""} +${gained(seat)}`).join(" · ") : " "}
        </strong>
        <button class="button main big" onClick={onDone}>
          {t(view.over ? "reveal.end" : "reveal.on")}
        </button>
      </footer>
    </section>
  );
}

/** A number that counts up to its value once it is on, unless things should not move. */
function useCount(to: number, on: boolean): number {
  const [at, setAt] = useState(0);
  useEffect(() => {
    if (!on || still()) return;
    const began = performance.now();
    let frame = requestAnimationFrame(function next(now) {
      const share = Math.min(1, Math.max(0, now - began) / COUNT_MS);
      setAt(Math.round(to * share));
      if (share < 1) frame = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(frame);
  }, [to, on]);
  return on && still() ? to : at;
}

interface DishProps {
  name: string;
  dish: ServedDish | undefined;
  picture: string | undefined;
  painted: string | undefined;
  open: boolean;
  won: boolean;
  points: number;
  teller: Teller;
}

function RevealedDish({ name, dish, picture, painted, open, won, points, teller }: DishProps) {
  const [broken, setBroken] = useState(false);
  const image = painted && !broken ? painted : picture;
  const counted = useCount(dish?.yum ?? 0, open);
  const served = dish?.recipe ? teller.card(dish.recipe) : t("dish.none");
  return (
    <div class={`revealed${open ? " open" : ""}${open && won ? " won" : ""}`}>
      <div class="revealed-dish">
        {image && <img src={image} alt="" width="640" height="720" onError={() => setBroken(true)} />}
        <PlateDrawing lid={open ? "up" : "down"} glazed />
      </div>
      <p class="revealed-words">
        <span class="small quiet">{name}</span>
        {open && (
          <>
            <strong class={dish?.recipe ? "serif" : "quiet"}>{served}</strong>
            {dish?.yum != null && <span class="yum">{t("yum", { n: counted })}</span>}
            {won && <span class="tag points-won">{t("reveal.won", { n: points })}</span>}
            <span class="small quiet reasons-small">{dish?.reasons.map((why) => toldWords(why, teller, "why")).join(" · ")}</span>
          </>
        )}
      </p>
    </div>
  );
}
