/** Where play begins: at once against the house, at somebody's table, or at a table of one's own. */
import { useEffect, useState } from "preact/hooks";
import type { Copies, TableInfo } from "../desk";
import { awaiting, news } from "../flow/news";
import { byTable, fetched, modesOfHouse, type Listed, type LiveGame, type ModeFacts } from "../house";
import { account, ask, house, houseList, signedIn } from "../kitchen";
import { Icon } from "../parts/icons";
import { PlateDrawing } from "../parts/plate";
import { ChallengeRow, challengesOfMine } from "../people/challenge";
import { PlayNav } from "../people/nav";
import { waiting } from "../people/waiting";
import { formatTitle } from "../people/wish";
import { Doing, Loaded, useLoaded, useNow } from "../parts/ui";
import { go, to } from "../router";
import { dayTime, said, t } from "../words";

export function modeTitle(mode: string): string {
  return said("mode", mode, mode);
}

/** A row of a list: a game that is played now, and the way to watch it. */
export function LiveRow({ game }: { game: LiveGame }) {
  return (
    <li>
      <span class="grow">
        <strong>{game.names.join(" · ")}</strong>
        <br />
        <span class="quiet small">{modeTitle(game.mode)}</span>
      </span>
      <a class="button" href={to("watch", game.id)}>
        <Icon name="look" />
        {t("watch")}
      </a>
    </li>
  );
}

/** How quick or slow a table is, from its clocks. */
export function pace(options: Record<string, unknown>): string {
  const clocks = ["seal", "card", "turn"].map((name) => Number(options[name] ?? 0)).filter((n) => n > 0);
  const seconds = Math.max(...clocks, 0);
  if (seconds >= 43_200) return t("pace.days", { n: Math.round(seconds / 86_400) || 1 });
  return seconds >= 120 ? t("pace.minutes", { n: Math.round(seconds / 60) }) : t("pace.seconds", { n: seconds });
}

export interface DeckInfo {
  id: string;
  name: string;
  size: number;
  cards: Copies;
}

export function decksOfMine(): Promise<DeckInfo[]> {
  return house<Listed<DeckInfo>>("/decks").then((list) => list.items);
}

interface GameInfo {
  id: string;
  mode: string;
  names: string[];
  created_at: string;
  /** Null while it runs. */
  ended_at: string | null;
}

/** Open a table against the house's bot and go there. */
export async function playBot(mode: ModeFacts, bot?: string): Promise<void> {
  const deck = mode.own_decks ? ((await decksOfMine())[0]?.id ?? null) : null;
  const name = bot ?? firstBot(mode);
  const count = Math.max(1, mode.seats.min - 1);
  const table = await ask("match.open", { mode: mode.name, deck, bots: Array<string>(count).fill(name) });
  if (table.game) go("play", table.game);
}

/** The bot for somebody who has not chosen one: an easy one, if there is. */
export function firstBot(mode: ModeFacts): string {
  return mode.bots.find((bot) => bot === "easy") ?? mode.bots[Math.max(0, mode.bots.length - 2)] ?? "random";
}

/** Games that are over, in the lobby. */
const PLAYED = 5;
/** The house shows open tables to players only. */
const NOBODY: Listed<TableInfo> = { items: [], next: null };

export function Lobby() {
  useNow(15_000);
  const modes = useLoaded(modesOfHouse, []);
  const tick = news.value;
  const tables = useLoaded(
    () => (signedIn.value ? house<Listed<TableInfo>>("/tables", { query: { limit: 50 } }) : Promise.resolve(NOBODY)),
    [tick, signedIn.value],
  );
  const live = useLoaded(() => fetched<Listed<LiveGame>>("/live?limit=12"), [tick]);
  useEffect(() => {
    const timer = setInterval(() => {
      tables.again();
      live.again();
    }, 10_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div class="stack wide">
      <header class="stack tight">
        <PlayNav />
        <h1>{t("lobby.title")}</h1>
        {!signedIn.value && (
          <p class="note">
            {t("lobby.stranger")} <a href={to("learn")}>{t("landing.play")}</a>
          </p>
        )}
      </header>
      {signedIn.value && <Asked />}
      {signedIn.value && <Mine />}
      <section class="stack">
        <div class="row apart">
          <h2>{t("lobby.now")}</h2>
          {signedIn.value && !waiting.value && (
            <a class="button main" href={to("opponents")}>
              <Icon name="person" />
              {t("queue.title")}
            </a>
          )}
        </div>
        <Loaded from={modes}>
          {(list) => (
            <ul class="modes">
              {byTable(list).map((mode) => (
                <ModeCard key={mode.name} mode={mode} />
              ))}
            </ul>
          )}
        </Loaded>
      </section>
      <div class="columns">
        <section class="stack">
          <h2>{t("lobby.open")}</h2>
          <Loaded from={tables}>
            {(list) =>
              list.items.length ? (
                <ul class="list">
                  {list.items.map((table) => (
                    <OpenTable key={table.id} table={table} />
                  ))}
                </ul>
              ) : (
                <div class="empty">
                  <p>{t(signedIn.value ? "lobby.open.none" : "lobby.open.stranger")}</p>
                </div>
              )
            }
          </Loaded>
        </section>
        <section class="stack">
          <h2>{t("landing.live")}</h2>
          <Loaded from={live}>
            {(list) =>
              list.items.length ? (
                <ul class="list">
                  {list.items.map((game) => (
                    <LiveRow key={game.id} game={game} />
                  ))}
                </ul>
              ) : (
                <div class="empty">
                  <p>{t("lobby.live.none")}</p>
                </div>
              )
            }
          </Loaded>
        </section>
      </div>
      {signedIn.value && <Invitation />}
      {signedIn.value && <Played />}
    </div>
  );
}

function seatWords({ seats }: ModeFacts): string {
  return seats.min === seats.max ? t("lobby.seats.exactly", { n: seats.min }) : t("lobby.seats", { low: seats.min, high: seats.max });
}

function ModeCard({ mode }: { mode: ModeFacts }) {
  return (
    <li class={`mode panel ${mode.own_decks ? "first" : ""}`}>
      {mode.own_decks && (
        <div class="mode-plates">
          <PlateDrawing lid="down" glazed />
          <PlateDrawing lid="down" glazed />
          <PlateDrawing lid="down" glazed />
        </div>
      )}
      <div class="stack tight">
        <h3>{modeTitle(mode.name)}</h3>
        <p class="quiet">{said("mode.about", mode.name, mode.summary)}</p>
        <p class="small quiet">{seatWords(mode)}</p>
      </div>
      <div class="row">
        <Doing class={mode.own_decks ? "button main" : "button"} disabled={!signedIn.value} act={() => playBot(mode)}>
          {t("lobby.bot")}
        </Doing>
        <a class="button" href={to("new-table", mode.name)}>
          {t("lobby.new")}
        </a>
        <a class="button plain" href={to("rules", mode.name)}>
          {t("title.rules")}
        </a>
      </div>
    </li>
  );
}

function OpenTable({ table, mine }: { table: TableInfo; mine?: boolean }) {
  const free = table.seats.filter((seat) => seat === null).length;
  return (
    <li>
      <span class="grow">
        <strong>{modeTitle(table.mode)}</strong> · <a href={to("player", table.opened_by)}>{table.opened_by}</a>
        <br />
        <span class="quiet small">
          {pace(table.options)} · {t("lobby.free", { n: free })}
          {table.rated && ` · ${t("rating.rated")}`}
          {table.format ? ` · ${formatTitle(table.format)}` : ""}
        </span>
      </span>
      <a class="button" href={to("table", table.id)}>
        {t(mine ? "lobby.on" : "lobby.sit")}
      </a>
    </li>
  );
}

/** Players who challenge us. */
function Asked() {
  const tick = news.value;
  const list = useLoaded(challengesOfMine, [tick]);
  const me = account.value?.handle;
  const open = list.value?.filter((challenge) => challenge.challenged === me) ?? [];
  if (!open.length) return null;
  return (
    <section class="stack">
      <h2>{t("challenge.asked")}</h2>
      <ul class="list panel">
        {open.map((challenge) => (
          <ChallengeRow key={challenge.id} challenge={challenge} />
        ))}
      </ul>
    </section>
  );
}

/** My running games, and my tables that wait. */
function Mine() {
  const tick = news.value;
  const mine = useLoaded(
    () =>
      Promise.all([
        houseList<GameInfo>("/games", { state: "running" }),
        house<Listed<TableInfo>>("/tables", { query: { mine: true } }),
      ]),
    [tick],
  );
  if (!mine.value) return null;
  const [running, tables] = mine.value;
  const waiting = tables.items.filter((table) => table.state === "open");
  if (!running.length && !waiting.length) return null;
  return (
    <section class="stack">
      <h2>{t("lobby.mine")}</h2>
      <ul class="list panel">
        {running.map((game) => (
          <li key={game.id}>
            <span class="grow">
              <strong>{game.names.join(" · ")}</strong>
              <br />
              <span class="quiet small">{modeTitle(game.mode)}</span>
            </span>
            {awaiting.value.has(game.id) && <span class="tag herb">{t("lobby.your_turn")}</span>}
            <a class="button main" href={to("play", game.id)}>
              {t("lobby.on")}
            </a>
          </li>
        ))}
        {waiting.map((table) => (
          <OpenTable key={table.id} table={table} mine />
        ))}
      </ul>
    </section>
  );
}

/** Games of mine that are over, the newest. */
function Played() {
  const tick = news.value;
  const list = useLoaded(() => house<Listed<GameInfo>>("/games", { query: { state: "over", limit: PLAYED } }), [tick]);
  if (!list.value?.items.length) return null;
  return (
    <section class="stack">
      <h2>{t("lobby.played")}</h2>
      <ul class="list panel">
        {list.value.items.map((game) => (
          <li key={game.id}>
            <span class="grow">
              {game.names.join(" · ")}
              <br />
              <span class="quiet small">
                {modeTitle(game.mode)} · {dayTime(game.created_at)}
              </span>
            </span>
            <a class="button" href={to("replay", game.id)}>
              {t("replay")}
            </a>
            <a class="button plain" href={to("verify", game.id)}>
              {t("tab.verify")}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Invitation() {
  const [code, setCode] = useState("");
  return (
    <form
      class="panel flat stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        if (code.trim()) go("invite", code.trim());
      }}
    >
      <label class="field">
        <span>{t("lobby.code")}</span>
        <input type="text" value={code} autocapitalize="characters" onInput={(e) => setCode(e.currentTarget.value)} />
      </label>
      <div class="row">
        <button class="button" disabled={!code.trim()}>
          {t("lobby.code.do")}
        </button>
      </div>
    </form>
  );
}
