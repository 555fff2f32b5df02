/** The shell around every screen, and which screen stands at which address. */
import type { ComponentChild } from "preact";
import { useEffect } from "preact/hooks";
import { account, handleHere, kitchen, oven, signedIn } from "./kitchen";
import { Icon, Mark, type IconName } from "./parts/icons";
import { LiveRegion, Toasts, useNow } from "./parts/ui";
import { WaitingBar } from "./people/waiting";
import { path, to } from "./router";
import { About } from "./screens/about";
import { Album } from "./screens/album";
import { Boosters } from "./screens/boosters";
import { DeckBuilder } from "./screens/deck_builder";
import { Decks } from "./screens/decks";
import { Landing } from "./screens/landing";
import { Leaders } from "./screens/leaders";
import { Lobby } from "./screens/lobby";
import { Market } from "./screens/market";
import { Opponents } from "./screens/opponents";
import { PlayerPage } from "./screens/player";
import { Order } from "./screens/order";
import { OrderPlayer } from "./screens/order_player";
import { Profile } from "./screens/profile";
import { Register } from "./screens/register";
import { Rules } from "./screens/rules";
import { SignIn, Unlock } from "./screens/sign_in";
import { NewTable, TableWaiting } from "./screens/tables";
import { Verify } from "./screens/verify";
import { TournamentPage } from "./screens/tournament";
import { NewTournament, Tournaments } from "./screens/tournaments";
import { build, changeBuild, newBuild } from "./service";
import { TaughtRound } from "./flow/taught";
import { Play } from "./table/play";
import { Replay } from "./table/replay";
import { Watch } from "./table/watch";
import { t, type Key } from "./words";

const TABS: readonly (readonly [string, Key, IconName])[] = [
  ["lobby", "tab.play", "play"],
  ["album", "tab.album", "album"],
  ["decks", "tab.decks", "decks"],
  ["market", "tab.market", "market"],
  ["verify", "tab.verify", "verify"],
];

/** Screens behind the first tab. */
const ROOMS = new Set(["opponents", "leaders", "player", "order", "tournaments", "tournament", "new-tournament"]);

interface Screen {
  title: Key;
  show: (rest: string[]) => ComponentChild;
  /** True where nothing but the table should take room. */
  table?: boolean;
  /** True if a player must be signed in. */
  player?: boolean;
  /** True if there is nothing to see without the kitchen. */
  kitchen?: boolean;
}

const SCREENS: Record<string, Screen> = {
  "": { title: "title.landing", show: () => <Landing /> },
  learn: { title: "title.learn", show: () => <TaughtRound /> },
  register: { title: "title.register", show: () => <Register />, kitchen: true },
  "sign-in": { title: "title.sign_in", show: () => <SignIn />, kitchen: true },
  lobby: { title: "tab.play", show: () => <Lobby /> },
  "new-table": { title: "title.new_table", show: ([mode]) => <NewTable mode={mode} />, player: true },
  table: { title: "title.table", show: ([id]) => <TableWaiting id={id ?? ""} />, player: true },
  invite: { title: "title.invite", show: ([code]) => <TableWaiting invitation={code ?? ""} />, player: true },
  play: { title: "title.table", show: ([game]) => <Play key={game} game={game ?? ""} />, table: true, player: true },
  watch: { title: "title.watch", show: ([game]) => <Watch key={game} game={game ?? ""} />, table: true, kitchen: true },
  replay: { title: "title.replay", show: ([game]) => <Replay key={game} game={game ?? ""} />, table: true, kitchen: true },
  album: { title: "tab.album", show: () => <Album /> },
  boosters: { title: "title.boosters", show: () => <Boosters />, player: true },
  decks: { title: "tab.decks", show: () => <Decks />, player: true },
  deck: { title: "title.deck", show: ([id]) => <DeckBuilder key={id} id={id ?? "new"} />, player: true },
  market: { title: "tab.market", show: () => <Market />, player: true },
  verify: { title: "tab.verify", show: ([game]) => <Verify game={game ?? null} /> },
  opponents: { title: "title.opponents", show: () => <Opponents />, player: true },
  leaders: { title: "title.leaders", show: ([mode]) => <Leaders mode={mode} /> },
  player: { title: "title.player", show: ([handle, mode]) => <PlayerPage key={handle} handle={handle ?? ""} mode={mode} /> },
  tournaments: { title: "title.tournaments", show: () => <Tournaments /> },
  tournament: { title: "title.tournament", show: ([id]) => <TournamentPage key={id} id={id ?? ""} /> },
  "new-tournament": { title: "title.new_tournament", show: () => <NewTournament />, player: true },
  order: { title: "title.order", show: ([handle]) => (handle ? <OrderPlayer key={handle} handle={handle} /> : <Order />), player: true },
  profile: { title: "title.profile", show: () => <Profile /> },
  rules: { title: "title.rules", show: ([mode]) => <Rules mode={mode} /> },
  about: { title: "title.about", show: () => <About /> },
};

export function App() {
  const [name = "", ...rest] = path.value;
  const screen = SCREENS[name];
  const title = screen ? t(screen.title) : t("lost.title");
  useEffect(() => {
    document.title = name === "" ? "Cloche" : `${title} · Cloche`;
  }, [title, name]);
  return (
    <div class={screen?.table ? "shell playing" : "shell"}>
      <a class="skip" href="#main" onClick={skip}>
        {t("skip")}
      </a>
      <Head current={name} />
      <WaitingBar />
      <main id="main" class={screen?.table ? "page broad" : "page"} tabIndex={-1}>
        {screen ? <Guarded screen={screen} rest={rest} /> : <Lost />}
      </main>
      <Foot />
      <Toasts />
      <LiveRegion />
    </div>
  );
}

function skip(event: Event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** A screen, or first what a player needs for it: an account, its words, the kitchen. */
function Guarded({ screen, rest }: { screen: Screen; rest: string[] }) {
  const state = kitchen.value;
  if (state?.stage === "failed" && (screen.player || screen.kitchen)) return <KitchenFailed />;
  if (!screen.player || signedIn.value) return <>{screen.show(rest)}</>;
  if (state && state.stage !== "ready") return <Warming />;
  if (state?.disk === "elsewhere" || account.value?.locked) return <Unlock />;
  return <SignIn />;
}

function Warming() {
  const now = useNow(1000);
  return (
    <section class="empty stack" role="status">
      <p class="waiting">{oven(kitchen.value, now)}</p>
      <p>{t("oven.why")}</p>
    </section>
  );
}

function KitchenFailed() {
  return (
    <section class="note bad stack">
      <p>{t("kitchen.failed")}</p>
      <p class="small">
        <code>{kitchen.value?.fault?.text}</code>
      </p>
      <div class="row">
        <button class="button main" onClick={() => location.reload()}>
          {t("again")}
        </button>
      </div>
    </section>
  );
}

function Head({ current }: { current: string }) {
  const state = kitchen.value;
  const who = account.value;
  const loading = state !== null && state.stage !== "ready" && state.stage !== "failed";
  return (
    <header class="head">
      <div class="head-row">
        <a class="brand" href="#/">
          <Mark />
          Cloche
        </a>
        <nav class="tabs" aria-label={t("nav")}>
          {TABS.map(([name, key, icon]) => (
            <a key={name} href={to(name)} aria-current={current === name || (name === "lobby" && ROOMS.has(current)) ? "page" : undefined}>
              <Icon name={icon} />
              {t(key)}
            </a>
          ))}
        </nav>
        <div class="head-end">
          {who ? (
            <a href={to("profile")} aria-current={current === "profile" ? "page" : undefined}>
              <Icon name={who.locked ? "lock" : "person"} label={who.locked ? t("profile.locked") : t("title.profile")} />
              <span class="handle">{who.handle || handleHere()}</span>
              {state?.disk === "memory" && <span class="tag">{t("guest")}</span>}
            </a>
          ) : (
            <a href={to("sign-in")}>{t("sign_in")}</a>
          )}
        </div>
      </div>
      {loading && (
        <div
          class="oven"
          role="progressbar"
          aria-label={t("oven.warming")}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(state.done * 100)}
        >
          <i style={{ transform: `scaleX(${Math.max(0.03, state.done)})` }} />
        </div>
      )}
    </header>
  );
}

function Foot() {
  return (
    <footer class="foot">
      <div class="row">
        <span>
          {t("foot.build")} <code>{build()}</code>
        </span>
        {newBuild.value && (
          <button class="button" onClick={changeBuild}>
            {t("foot.new_build")}
          </button>
        )}
        <a href={to("rules")}>{t("title.rules")}</a>
        <a href={to("about")}>{t("title.about")}</a>
        <a href="/api/docs/">{t("foot.api")}</a>
      </div>
    </footer>
  );
}

function Lost() {
  return (
    <section class="stack">
      <h1>{t("lost.title")}</h1>
      <p>{t("lost.text")}</p>
      <p>
        <a class="button main" href="#/">
          {t("lost.home")}
        </a>
      </p>
    </section>
  );
}
