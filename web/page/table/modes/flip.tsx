/** Pancakes (flip): the Griddle, on whose Stacks cards are laid. */
import type { JsonObject } from "../../desk";
import { t, type Values } from "../../words";
import { cardName, PlayingCard } from "../french";
import { packDrawing, type ClothProps } from "../pack";

interface StackCard {
  position: number;
  up: boolean;
}

/** The Griddle: 1, 3, 3 and 1 Stacks. A Stack is a target while a card is picked. */
function Flip({ view, selected, toggle, can, send }: ClothProps) {
  const stacks = (view.state["stacks"] as unknown as StackCard[][] | undefined) ?? [];
  const moves = view.choice?.moves ?? [];
  const onto = (stack: number) =>
    moves.find(({ move }) => {
      const used = move["play"] ?? move["transfer"];
      return typeof used === "number" && selected.has(used) && move["stack"] === stack;
    });
  return (
    <>
      <ol class="griddle" aria-label={t("flip.griddle")}>
        {stacks.map((stack, i) => {
          const top = stack.at(-1);
          const code = top?.up ? (view.faces[top.position] ?? null) : null;
          const target = onto(i + 1);
          const lift = top?.up && can.has(top.position) && toggle !== null;
          const label = t("flip.stack", {
            stack: i + 1,
            top: !top ? t("flip.nothing") : code ? cardName(code) : t("flip.back"),
            n: stack.length,
          });
          return (
            <li key={i} class={`place${i + 1}`}>
              <button
                class={`face stack-face${target ? " target" : ""}`}
                data-key={i + 1}
                aria-label={target ? `${label}. ${t("flip.onto")}` : label}
                aria-pressed={top ? selected.has(top.position) : false}
                aria-disabled={!target && !lift}
                onClick={() => (target ? send(target.move) : lift && toggle(top.position))}
              >
                {top ? <PlayingCard code={code} /> : <span class="no-card" />}
                <span class="stack-number small" data-text={`${i + 1}${stack.length > 1 ? ` · ${stack.length}` : ""}`} />
              </button>
            </li>
          );
        })}
      </ol>
      <p class="small quiet">{t("flip.pile", { n: (view.places["pile"] ?? []).length })}</p>
    </>
  );
}

function values({ servings }: JsonObject): Values {
  return { servings: t("flip.servings", { n: typeof servings === "number" ? servings : 0 }) };
}

export const flip = packDrawing(Flip, { takes: ["play", "transfer"], numbers: ["serve"], keys: ["stacks"], values });
