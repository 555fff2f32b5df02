/** Big C: the hand that is to be beaten, and the order of play. */
import type { Json, JsonObject } from "../../desk";
import { listed, t } from "../../words";
import type { Held } from "../moves";
import { nameOf, numbers, Open, Row } from "../open";
import { packDrawing, type ClothProps } from "../pack";

function BigC({ view }: ClothProps) {
  const table = view.places["table"] ?? [];
  const last = typeof view.state["last"] === "number" ? view.state["last"] : null;
  const mover = typeof view.state["mover"] === "number" ? view.state["mover"] : null;
  const presented = (view.state["presented"] as Json[] | undefined) ?? [];
  const order = ((view.state["groups"] as Json[] | undefined) ?? []).flatMap(numbers);
  return (
    <>
      {view.state["phase"] === "present" ? (
        <div class="open-row">
          {presented.flatMap((cards, seat) =>
            numbers(cards).map((position) => <Open key={position} view={view} position={position} label={nameOf(view, seat)} />),
          )}
        </div>
      ) : table.length ? (
        <>
          <p class="small quiet">{last !== null && t("bigc.on_table", { name: nameOf(view, last) })}</p>
          <Row view={view} positions={table} />
        </>
      ) : (
        <p class="quiet">{mover !== null && view.deals > 0 && t("bigc.empty", { name: nameOf(view, mover) })}</p>
      )}
      <p class="small quiet">
        {order.length > 1 && `${t("bigc.order", { order: listed(order.map((seat) => nameOf(view, seat))) })} · `}
        {t("bigc.stock", { n: (view.places["stock"] ?? []).length })}
      </p>
    </>
  );
}

/** A hand of several cards, which are too many to list. */
function compose(topic: string, cards: readonly Held[]): JsonObject | null {
  if (topic !== "lead" && topic !== "follow") return null;
  const ordered = [...cards].sort((a, b) => a.position - b.position);
  return { play: ordered.map((card) => card.position), cards: ordered.map((card) => card.face) };
}

export const bigC = packDrawing(BigC, { takes: ["play", "present"], numbers: [], compose });
