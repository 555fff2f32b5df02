/** Hearts: the trick in the middle, exposed cards and the last trick beside it. */
import { t } from "../../words";
import { nameOf, Open, Row } from "../open";
import { packDrawing, type ClothProps } from "../pack";

function Hearts({ view }: ClothProps) {
  const trick = view.places["trick"] ?? [];
  const phase = view.state["phase"];
  const leader = Number(view.state["leader"] ?? 0);
  const fronts = view.seats.map((_, seat) => view.places[`front ${seat}`] ?? []);
  // Whoever took the last trick leads this one.
  const last = (view.places[`collected ${leader}`] ?? []).slice(-view.seats.length);
  return (
    <>
      <div class="open-row" aria-label={t("hearts.trick")} role="group">
        {trick.map((position, i) => (
          <Open key={position} view={view} position={position} label={nameOf(view, (leader + i) % view.seats.length)} />
        ))}
        {phase === "expose" && <p class="quiet">{t("hearts.exposing")}</p>}
        {phase === "play" && !trick.length && <p class="quiet">{t("hearts.leads", { name: nameOf(view, leader) })}</p>}
      </div>
      <div class="asides">
        {fronts.map((cards, seat) =>
          cards.length ? (
            <div class="exposed" key={seat}>
              <span class="small quiet">{t("hearts.exposed", { name: nameOf(view, seat) })}</span>
              <Row view={view} positions={cards} />
            </div>
          ) : null,
        )}
        {last.length > 0 && (
          <div class="exposed last">
            <span class="small quiet">{t("hearts.last", { name: nameOf(view, leader) })}</span>
            <Row view={view} positions={last} />
          </div>
        )}
      </div>
    </>
  );
}

export const hearts = packDrawing(Hearts, { takes: ["play", "expose"], numbers: [] });
