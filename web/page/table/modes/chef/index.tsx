/** The drawing of Pancake (mode "chef"). */
import type { MatchView } from "../../../desk";
import { PlateDrawing } from "../../../parts/plate";
import { t } from "../../../words";
import type { Drawing, SeenProps } from "../../drawing";
import { Frame } from "../../frame";
import { SeatStrip } from "../../seats";
import "./chef.css";
import { COURSES, courseName, coursesOf, FINAL, GOAL } from "./courses";
import { Reveal, useHeld } from "./reveal";
import { ChefTable, useTeller } from "./table";

function SeenChef({ view, skew, accounts, fresh, onRead }: SeenProps) {
  const teller = useTeller(view);
  const held = useHeld(view, fresh, accounts);
  return (
    <Frame view={view} accounts={held.accounts} teller={teller}>
      <SeatStrip view={view} seat={1} skew={skew} goal={GOAL} points={held.points(1)} />
      {held.judged ? (
        <Reveal key={held.judged.seq} view={view} account={held.judged} teller={teller} onOpen={held.open} onDone={onRead} />
      ) : (
        <Courses view={view} />
      )}
      <SeatStrip view={view} seat={0} skew={skew} goal={GOAL} points={held.points(0)} />
    </Frame>
  );
}

/** The courses from outside: plates, and lids once a meal is sealed. */
function Courses({ view }: { view: MatchView }) {
  const final = Number(view.state["final"] ?? 0) > 0;
  const courses = COURSES.filter(({ number }) => !final || number === FINAL);
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

export const chef: Drawing = {
  Played: ChefTable,
  Seen: SeenChef,
  plays: (account) => coursesOf(account.sections).length > 0,
  taught: "learn",
};
