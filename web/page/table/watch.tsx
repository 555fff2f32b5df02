/** A running game, watched: the same table without a hand. */
import type { AccountEvent, MatchView } from "../desk";
import { Trouble } from "../parts/ui";
import { PlateDrawing } from "../parts/plate";
import { t } from "../words";
import { modeTitle } from "../screens/lobby";
import { courseName, coursesOf, type Teller } from "./account_words";
import { nameIn, useCards } from "./cards";
import { GOAL, tableOf } from "./chef";
import { Drawer } from "./drawer";
import { cardName } from "./french";
import { begin, roundIn, useMatch } from "./match";
import { Table } from "./pack";
import { outcomeWords } from "./play";
import { Reveal } from "./reveal";
import { SeatStrip } from "./seats";

export function Watch({ game }: { game: string }) {
  const match = useMatch(game, false);
  const view = match.view.value;
  if (match.error.value !== null) return <Trouble error={match.error.value} again={() => begin(match, game, false)} />;
  if (!view) return <p class="waiting">{t("watch.coming")}</p>;
  return (
    <div class="match">
      <div class="match-head">
        <h1 class="match-title">{modeTitle(view.mode)}</h1>
        {roundIn(view) > 0 && <span class="tag">{t("round", { n: roundIn(view) })}</span>}
        <span class="tag">{t("watch.watching")}</span>
      </div>
      {view.over && <p class="note good">{outcomeWords(view)}</p>}
      <SeenTable
        view={view}
        skew={match.skew.value}
        accounts={match.accounts.value}
        fresh={match.fresh.value}
        onRead={() => (match.fresh.value = null)}
      />
    </div>
  );
}

interface SeenProps {
  view: MatchView;
  skew: number | null;
  accounts: AccountEvent[];
  fresh: AccountEvent | null;
  onRead: () => void;
}

/** A table as somebody sees it who does not sit there, of any mode. */
export function SeenTable({ view, skew, accounts, fresh, onRead }: SeenProps) {
  const cards = useCards();
  const chef = view.mode === "chef";
  const teller: Teller = { mode: view.mode, names: view.seats.map((seat) => seat.name), card: chef ? nameIn(cards) : cardName };
  const judged = fresh !== null && coursesOf(fresh.sections).length > 0;
  return (
    <div class={chef ? "chef" : "chef pack"}>
      <div class="chef-main">
        {chef ? (
          <>
            <SeatStrip view={view} seat={1} skew={skew} goal={GOAL} />
            {fresh && judged ? (
              <Reveal key={fresh.seq} view={view} account={fresh} teller={teller} onDone={onRead} />
            ) : (
              <Courses view={view} />
            )}
            <SeatStrip view={view} seat={0} skew={skew} goal={GOAL} />
          </>
        ) : (
          <Table view={view} skew={skew} selected={new Set()} toggle={null} can={new Set()} send={() => Promise.resolve()} />
        )}
      </div>
      <Drawer view={view} accounts={accounts} teller={teller} />
    </div>
  );
}

/** The courses of Pancake from outside: plates, and lids once a meal is sealed. */
function Courses({ view }: { view: MatchView }) {
  const table = view.table === null ? null : tableOf(view);
  const courses = table?.courses ?? [
    { number: 1, points: 2 },
    { number: 2, points: 3 },
    { number: 3, points: 1 },
  ];
  const lid = (seat: number) => (view.seats[seat]?.seal || view.asking?.kind === "reveal" ? "down" : "none");
  return (
    <div class={`courses of${courses.length}`} role="group" aria-label={t("chef.courses")} tabIndex={0}>
      {courses.map((course) => (
        <section class="course" key={course.number}>
          <header class="course-head">
            <h3>{courseName(course.number)}</h3>
            <span class="course-points">{course.points}</span>
          </header>
          <PlateDrawing lid={lid(1)} glazed />
          <PlateDrawing lid={lid(0)} glazed />
        </section>
      ))}
    </div>
  );
}
