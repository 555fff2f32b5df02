/** One course on the table: the rival's plate above, ours below with what lies on it and what that is worth. */
import { CATEGORIES, type CardFacts, type ChefTriedPlate } from "../../../desk";
import { usePictures } from "../../../parts/card";
import { Icon, Pip } from "../../../parts/icons";
import { PlateDrawing } from "../../../parts/plate";
import { listed, t } from "../../../words";
import { toldWords, type Teller } from "../../account_words";
import { courseName, yumReason } from "./courses";
import type { Laid } from "./draft";

interface Props {
  course: { number: number; points: number };
  laid: Laid;
  tried: ChefTriedPlate | null;
  /** The card at an index of our deck. */
  card: (index: number) => CardFacts | undefined;
  teller: Teller;
  /** "open" while we cook, "down" once sealed. */
  lid: "open" | "down";
  rivalLid: "none" | "down";
  selected: boolean;
  onLay: (() => void) | null;
  onTake: (index: number) => void;
  onDropCard: (index: number) => void;
}

/** What a plate lacks or is worth, in one sentence: for the name of its button. */
export function plateWords(props: Pick<Props, "course" | "laid" | "tried" | "card">): string {
  const { course, laid, tried, card } = props;
  const names = [laid.recipe, ...laid.ingredients].flatMap((i) => (i === null ? [] : [card(i)?.name ?? ""]));
  const head = t("chef.course.label", { course: courseName(course.number), n: course.points });
  if (!names.length) return `${head}. ${t("chef.course.empty")}`;
  const worth = tried?.yum != null ? t("yum", { n: tried.yum }) : lacking(tried).join(", ");
  return `${head}. ${listed(names)}. ${worth}`;
}

function lacking(tried: ChefTriedPlate | null): string[] {
  if (!tried) return [];
  const some = (sign: number) =>
    tried.balance.flatMap((n, i) =>
      n * sign > 0 ? [t("units.some", { n: Math.abs(n), what: t(`category.${CATEGORIES[i]!}`) })] : [],
    );
  const [lacks, spare] = [some(-1), some(1)];
  return [
    ...(lacks.length ? [t("plate.lacking", { list: listed(lacks) })] : []),
    ...(spare.length ? [t("plate.sparing", { list: listed(spare) })] : []),
  ];
}

export function CoursePlate(props: Props) {
  const { course, laid, tried, card, teller, lid, rivalLid, selected, onLay, onTake, onDropCard } = props;
  const indices = [...(laid.recipe === null ? [] : [laid.recipe]), ...laid.ingredients];
  const empty = indices.length === 0;
  const bites = usePictures(indices.map((index) => card(index)?.slug ?? ""));
  const paid = tried?.paid ?? empty;
  return (
    <section
      class={`course${selected && onLay ? " ready" : ""}${lid === "down" ? " sealed" : ""}`}
      data-course={course.number}
      aria-label={plateWords(props)}
      onDragOver={(event) => onLay && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const index = Number(event.dataTransfer?.getData("text/plain"));
        if (Number.isInteger(index)) onDropCard(index);
      }}
    >
      <header class="course-head">
        <h3>{courseName(course.number)}</h3>
        <span class="course-points" aria-label={t("chef.points", { n: course.points })}>
          {course.points}
        </span>
      </header>
      <div class="course-rival">
        <PlateDrawing lid={rivalLid} glazed />
      </div>
      <button
        class="course-plate"
        disabled={!onLay || !selected}
        aria-label={t("chef.lay", { course: courseName(course.number) })}
        onClick={() => onLay?.()}
      >
        <PlateDrawing lid={lid === "down" && !empty ? "down" : "none"} glazed={paid} over={selected && Boolean(onLay)} bites={bites} />
      </button>
      <ul class="laid">
        {indices.map((index) => {
          const shown = card(index);
          return (
            <li key={index}>
              <button
                class={`chip${index === laid.recipe ? " recipe" : ""}`}
                disabled={!onLay}
                draggable={Boolean(onLay)}
                onDragStart={(event) => event.dataTransfer?.setData("text/plain", String(index))}
                aria-label={t("chef.take", { card: shown?.name ?? "" })}
                onClick={() => onTake(index)}
              >
                {shown?.name ?? "…"}
                {onLay && <Icon name="close" />}
              </button>
            </li>
          );
        })}
      </ul>
      {empty ? (
        <p class="quiet small course-say">{t("chef.course.empty")}</p>
      ) : (
        <Worth tried={tried} teller={teller} />
      )}
    </section>
  );
}

/** The units as filled and open signs, then the yum with its reasons. */
function Worth({ tried, teller }: { tried: ChefTriedPlate | null; teller: Teller }) {
  if (!tried) return <p class="quiet small course-say">…</p>;
  return (
    <div class="course-say" aria-live="off">
      {tried.paid && tried.yum !== null ? (
        <>
          <strong class="yum">{t("yum", { n: tried.yum })}</strong>
          <span class="small quiet">{tried.items.map((item) => toldWords(yumReason(item), teller, "why")).join(" · ")}</span>
        </>
      ) : (
        <>
          <span class="pips" aria-hidden="true">
            {CATEGORIES.flatMap((category, i) => [
              ...Array.from({ length: Math.min(tried.needs[i]!, tried.gives[i]!) }, (_, n) => (
                <Pip key={`${category}${n}`} category={category} />
              )),
              ...Array.from({ length: Math.max(0, -tried.balance[i]!) }, (_, n) => (
                <Pip key={`${category}-${n}`} category={category} open />
              )),
            ])}
          </span>
          <span class="small">{lacking(tried).join("; ") || t("plate.no_recipe")}</span>
        </>
      )}
    </div>
  );
}
