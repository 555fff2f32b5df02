/** The leaderboards: the best of a game in a season, a quarter of a year. */
import { useState } from "preact/hooks";
import { byTable, fetched, modesOfHouse, type Listed, type ModeFacts } from "../house";
import { account } from "../kitchen";
import { Loaded, Switch, useLoaded } from "../parts/ui";
import type { Placed } from "../people/ladder";
import { PlayNav } from "../people/nav";
import { replace, to } from "../router";
import { number, t } from "../words";
import { modeTitle } from "./lobby";

interface Seasons {
  now: string;
  items: string[];
}

export function Leaders({ mode }: { mode?: string | undefined }) {
  const loaded = useLoaded(() => Promise.all([modesOfHouse(), fetched<Seasons>("/seasons")]), []);
  return (
    <div class="stack">
      <PlayNav />
      <h1>{t("title.leaders")}</h1>
      <Loaded from={loaded}>{([modes, seasons]) => <Board modes={byTable(modes)} seasons={seasons} mode={mode} />}</Loaded>
    </div>
  );
}

/** "2026-Q4" as people say it. */
export function seasonWords(season: string): string {
  const found = /^(\d{4})-Q([1-4])$/.exec(season);
  return found ? t("leaders.season", { year: found[1]!, quarter: found[2]! }) : season;
}

function Board({ modes, seasons, mode: wanted }: { modes: ModeFacts[]; seasons: Seasons; mode?: string | undefined }) {
  const [season, setSeason] = useState(seasons.now);
  const mode = modes.find((each) => each.name === wanted) ?? modes[0];
  const known = [...new Set([seasons.now, ...seasons.items])];
  const name = mode?.name ?? "";
  const board = useLoaded(
    () => fetched<Listed<Placed>>(`/leaderboards/${name}?season=${encodeURIComponent(season)}&limit=100`),
    [name, season],
  );
  return (
    <>
      <div class="row">
        <Switch
          label={t("wish.mode")}
          value={name}
          choices={modes.map((each) => [each.name, modeTitle(each.name)] as const)}
          onPick={(picked) => replace("leaders", picked)}
        />
        {known.length > 1 && (
          <label class="field">
            <span class="unseen">{t("leaders.which")}</span>
            <select value={season} onChange={(event) => setSeason(event.currentTarget.value)}>
              {known.map((each) => (
                <option key={each} value={each}>
                  {seasonWords(each)}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <Loaded from={board}>
        {({ items }) =>
          items.length ? (
            <Table items={items} caption={`${modeTitle(name)} · ${seasonWords(season)}`} />
          ) : (
            <div class="empty">
              <p>{t("leaders.none", { season: seasonWords(season) })}</p>
            </div>
          )
        }
      </Loaded>
      <p class="small quiet">{t("leaders.text")}</p>
    </>
  );
}

function Table({ items, caption }: { items: Placed[]; caption: string }) {
  const me = account.value?.handle;
  return (
    <div class="panel scroll" tabIndex={0} role="group" aria-label={caption}>
      <table class="board">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              {t("leaders.rank")}
            </th>
            <th scope="col">{t("leaders.player")}</th>
            <th scope="col" class="number">
              {t("rating")}
            </th>
            <th scope="col" class="number">
              {t("leaders.sure")}
            </th>
            <th scope="col" class="number">
              {t("leaders.games")}
            </th>
            <th scope="col" class="number">
              {t("leaders.wins")}
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((each) => (
            <tr key={each.handle} class={each.handle === me ? "mine" : ""}>
              <td class="number">{each.rank}</td>
              <th scope="row">
                <a href={to("player", each.handle)}>{each.handle}</a>
              </th>
              <td class="number">{each.points}</td>
              <td class="number">{each.sure}</td>
              <td class="number">{number(each.games)}</td>
              <td class="number">{number(each.wins)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
