/** The streams that are open: one for each game on the screen, and one for the news about the player. */
import { listen, type End, type Sent } from "./stream";
import type { PythonDesk } from "./python";

const FIRST_MS = 300;
const LONGEST_MS = 5000;

interface Followed {
  after: number | null;
  path: string;
  /** True if nothing more will come. */
  over: boolean;
}

export class Following {
  private readonly open = new Map<string, AbortController>();

  constructor(private readonly desk: () => PythonDesk) {}

  /** Follow a game, or with "" the news about the player. A second call changes nothing. */
  begin(game: string): void {
    if (this.open.has(game)) return;
    const stop = new AbortController();
    this.open.set(game, stop);
    void this.run(game, stop.signal).finally(() => {
      if (this.open.get(game) === stop) this.open.delete(game);
    });
  }

  /** Stop following a game that has left the screen. */
  settle(game: string): void {
    if (this.told(game).over) this.end(game);
  }

  endAll(): void {
    for (const game of [...this.open.keys()]) this.end(game);
  }

  private end(game: string): void {
    this.open.get(game)?.abort();
    this.open.delete(game);
  }

  private told(game: string): Followed {
    return JSON.parse(this.desk().following(game)) as Followed;
  }

  private async run(game: string, stop: AbortSignal): Promise<void> {
    let pause = FIRST_MS;
    let away = false;
    while (!stop.aborted) {
      const desk = this.desk();
      const { after, path, over } = this.told(game);
      if (over) return;
      const back = () => {
        pause = FIRST_MS;
        if (away) desk.line(game, (away = false));
        // What came while nobody listened: the games that are not on the screen have no stream of their own.
        if (!game) desk.look_around();
      };
      const take = (sent: Sent) => {
        if (!stop.aborted) desk.fed(game, JSON.stringify(sent));
      };
      const token = desk.token() ?? null;
      // Nobody says where the news begin: the house does not answer.
      const end: End = after === null ? { end: "lost" } : await listen(path, token, after, stop, back, take);
      if (stop.aborted || end.end === "over" || this.told(game).over) return;
      if (end.end === "refused") {
        if (end.status === 401 && desk.renew() !== undefined) continue;
        if (end.status < 500 && end.status !== 429) {
          desk.refused(game, end.status);
          return;
        }
        // No free stream: look at what is new, and try again.
        if (game) desk.turn(game);
        else desk.look_around();
      } else if (!away) {
        desk.line(game, (away = true));
      }
      await new Promise((resolve) => setTimeout(resolve, pause * (0.7 + 0.3 * Math.random())));
      pause = Math.min(2 * pause, LONGEST_MS);
    }
  }
}
