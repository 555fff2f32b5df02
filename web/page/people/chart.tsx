/** A player's rating after each game: a line, around it the band of its uncertainty, and the same as a table. */
import { dayTime, number, said, t } from "../words";
import { ratingWords, type RatingStep } from "./ladder";

/** Points between two lines of the grid; the smallest that needs few lines is taken. */
const GRID = [50, 100, 200, 500];
/** The drawing is 100 by 100: it is stretched to the place that it has. */
const SIZE = 100;

export interface Plotted {
  line: string;
  band: string;
  /** Where each line of the grid is, in percent from above, and what it stands for. */
  grid: { y: number; points: number }[];
  last: { x: number; y: number };
}

/** The shapes of a chart. The steps come oldest first, and there is one at least. */
export function plot(steps: readonly RatingStep[]): Plotted {
  const low = Math.min(...steps.map((step) => step.points - step.deviation));
  const high = Math.max(...steps.map((step) => step.points + step.deviation));
  const every = GRID.find((each) => (high - low) / each <= 5) ?? 500;
  const bottom = Math.floor(low / every) * every;
  const top = Math.max(bottom + every, Math.ceil(high / every) * every);
  const round = (value: number) => Math.round(value * 10) / 10;
  const x = (i: number) => round(steps.length < 2 ? SIZE / 2 : (i / (steps.length - 1)) * SIZE);
  const y = (points: number) => round(((top - points) / (top - bottom)) * SIZE);
  const upper = steps.map((step, i) => `${x(i)},${y(step.points + step.deviation)}`);
  const lower = steps.map((step, i) => `${x(i)},${y(step.points - step.deviation)}`);
  const grid = [];
  for (let points = bottom; points <= top; points += every) grid.push({ y: y(points), points });
  return {
    line: steps.map((step, i) => `${x(i)},${y(step.points)}`).join(" "),
    band: [...upper, ...lower.reverse()].join(" "),
    grid,
    last: { x: x(steps.length - 1), y: y(steps.at(-1)?.points ?? 0) },
  };
}

export function RatingChart({ steps }: { steps: readonly RatingStep[] }) {
  const { line, band, grid, last } = plot(steps);
  const now = steps.at(-1)!;
  const best = Math.max(...steps.map((step) => step.points));
  return (
    <figure class="stack tight rating">
      <div
        class="rating-chart"
        role="img"
        aria-label={t("rating.chart", { n: steps.length, points: ratingWords(now), best: String(best) })}
      >
        {grid.map(({ y, points }) => (
          <span key={points} class="rating-mark small quiet" style={{ top: `${y}%` }}>
            {points}
          </span>
        ))}
        <div class="rating-plot">
          <svg viewBox={`0 0 ${SIZE} ${SIZE}`} preserveAspectRatio="none">
            {grid.map(({ y, points }) => (
              <path key={points} class="rating-grid" d={`M0 ${y}H${SIZE}`} />
            ))}
            <polygon class="rating-band" points={band} />
            <polyline class="rating-line" points={line} />
          </svg>
          <i class="rating-now" style={{ left: `${last.x}%`, top: `${last.y}%` }} />
        </div>
      </div>
      <details>
        <summary class="button plain">{t("rating.table")}</summary>
        <div class="scroll" tabIndex={0} role="group" aria-label={t("rating.table")}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("rating.when")}</th>
                <th scope="col">{t("rating.result")}</th>
                <th scope="col" class="number">
                  {t("rating")}
                </th>
              </tr>
            </thead>
            <tbody>
              {[...steps].reverse().map((step, i) => (
                <tr key={i}>
                  <td>{dayTime(step.at)}</td>
                  <td>{said("result", step.result, step.result)}</td>
                  <td class="number">{ratingWords(step)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

/** "12 won, 3 drawn, 4 lost" */
export function resultWords(of: { wins: number; draws: number; losses: number }): string {
  return t("rating.results", { wins: number(of.wins), draws: number(of.draws), losses: number(of.losses) });
}
