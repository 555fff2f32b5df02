/** The rooms behind "Play": tables, opponents, leaderboards, tournaments. */
import { path, to } from "../router";
import { standing } from "./standing";
import { t, type Key } from "../words";

const ROOMS: readonly (readonly [string, Key])[] = [
  ["lobby", "rooms.lobby"],
  ["opponents", "title.opponents"],
  ["leaders", "rooms.leaders"],
  ["tournaments", "title.tournaments"],
];

/** The room of those who keep order. */
const ORDER = [["order", "title.order"]] as const;

export function PlayNav() {
  const [current] = path.value;
  const rooms = standing.value.role === null ? ROOMS : [...ROOMS, ...ORDER];
  return (
    <nav class="rooms" aria-label={t("rooms")}>
      {rooms.map(([name, key]) => (
        <a key={name} href={to(name)} aria-current={current === name ? "page" : undefined}>
          {t(key)}
        </a>
      ))}
    </nav>
  );
}
