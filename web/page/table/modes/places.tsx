/** The cloth of any mode: places by name, with what lies open there. */
import { said, t } from "../../words";
import { Row } from "../open";
import type { ClothProps } from "../pack";

export function Places({ view }: ClothProps) {
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
