/** A plate with a cloche over it. */

export interface PlateProps {
  /** The lid lies on the plate, hangs above it, or is not there. */
  lid: "down" | "up" | "none";
  /** True if what lies on it is paid for: the plate has its glaze. */
  glazed: boolean;
  won?: boolean;
  over?: boolean;
  /** Addresses of the pictures of the cards on it, the recipe first. */
  bites?: readonly string[];
}

export function PlateDrawing({ lid, glazed, won, over, bites = [] }: PlateProps) {
  return (
    <div class={`plate${glazed ? "" : " unglazed"}${won ? " won" : ""}${over ? " over" : ""}`} aria-hidden="true">
      <svg class="plate-dish" viewBox="0 0 240 120">
        <ellipse class="plate-china" cx="120" cy="88" rx="114" ry="27" />
        <ellipse class="plate-rim" cx="120" cy="86" rx="84" ry="17" />
      </svg>
      {lid !== "down" && bites.length > 0 && (
        <span class="bites">
          {bites.map((src, i) => (
            <span class="bite" key={i}>
              {src && <img src={src} alt="" width="480" height="672" draggable={false} />}
            </span>
          ))}
        </span>
      )}
      {lid !== "none" && (
        <svg class="plate-lid" viewBox="0 0 240 120">
          <Lid up={lid === "up"} />
        </svg>
      )}
    </div>
  );
}

function Lid({ up }: { up: boolean }) {
  return (
    <g class={up ? "lid up" : "lid"}>
      <path
        class="lid-dome"
        d="M120 4a8 8 0 0 1 5 14c46 3 79 32 82 68c-30 14-144 14-174 0c3-36 36-65 82-68a8 8 0 0 1 5-14z"
      />
      <path class="lid-gleam" d="M57 72c4-20 18-34 38-40" />
    </g>
  );
}
