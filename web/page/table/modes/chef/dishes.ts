/** The images of dishes that the house's painter has made. A dish is asked for once the record shows it to everybody. */

/** A picture of a game, as `GET /games/ID/pictures` lists it. */
export interface GamePicture {
  /** The account's seq, and the number of the picture there: "12-1". */
  name: string;
  dish: string | null;
  painted: boolean;
}

/** The addresses of the images of an account's dishes, by the number of the picture. */
export function paintedPaths(seq: number, items: readonly GamePicture[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const { name, dish, painted } of items) {
    const [at, number] = name.split("-").map(Number);
    if (painted && dish !== null && at === seq && number !== undefined) found.set(number, `/api/v1/dishes/${dish}/picture`);
  }
  return found;
}
