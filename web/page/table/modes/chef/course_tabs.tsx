/** On a phone one course is in sight at a time: these tabs show all of them in short, and lead to each. */
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ChefTriedPlate } from "../../../desk";
import { t } from "../../../words";
import { courseName } from "./courses";
import type { Laid } from "./draft";

interface TabCourse {
  number: number;
  points: number;
  laid: Laid;
  tried: ChefTriedPlate | null;
}

interface Props {
  courses: readonly TabCourse[];
  /** The row that is swiped. */
  row: RefObject<HTMLElement | null>;
  /** A tap: the picked card is laid there, and the course comes into sight. */
  onPick: (course: number) => void;
}

/** The index of the course in the middle of the row. */
function useMiddle(row: RefObject<HTMLElement | null>): number {
  const [at, setAt] = useState(0);
  useEffect(() => {
    const element = row.current;
    if (!element) return;
    const look = () => {
      const middle = element.scrollLeft + element.clientWidth / 2;
      const far = [...element.children].map((child) => {
        const { offsetLeft, offsetWidth } = child as HTMLElement;
        return Math.abs(offsetLeft - element.offsetLeft + offsetWidth / 2 - middle);
      });
      setAt(far.indexOf(Math.min(...far)));
    };
    look();
    element.addEventListener("scroll", look, { passive: true });
    const sizes = new ResizeObserver(look); // a phone is turned
    sizes.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      sizes.disconnect();
    };
  }, []);
  return at;
}

function state({ laid, tried }: TabCourse): string {
  if (laid.recipe === null && !laid.ingredients.length) return "–";
  return tried?.paid && tried.yum !== null ? t("yum", { n: tried.yum }) : "…";
}

export function CourseTabs({ courses, row, onPick }: Props) {
  const middle = useMiddle(row);
  return (
    <div class="course-tabs">
      {courses.map((course, i) => (
        <button key={course.number} aria-current={i === middle ? "true" : undefined} onClick={() => onPick(course.number)}>
          <span>{courseName(course.number)}</span>
          <span class="small quiet">{state(course)}</span>
        </button>
      ))}
    </div>
  );
}
