/** A game of ours on the screen: it sits down, keeps the phone awake while it matters, and shows how it ended. */
import { useEffect, useRef, useState } from "preact/hooks";
import { DeskError, type MatchView } from "../desk";
import { ask } from "../kitchen";
import { PlateDrawing } from "../parts/plate";
import { Doing, save, say, Trouble, useNow } from "../parts/ui";
import { replace, to } from "../router";
import { firstTime } from "../settings";
import { listed, refusalWords, said, signed, t } from "../words";
import { modeTitle } from "../screens/lobby";
import { begin, roundShown, useMatch, type Match } from "./match";
import { Menu } from "./menu";
import { drawingOf } from "./modes";
import { Rematch } from "./rematch";
import { Say } from "./say";

export function Play({ game }: { game: string }) {
  const match = useMatch(game, true);
  const view = match.view.value;
  useAwake(view);
  useOver(view);
  const past = match.error.value instanceof DeskError && match.error.value.code === "game_over";
  // Whoever comes back to the address of a game that is over sees how it went.
  useEffect(() => {
    if (past) replace("replay", game);
  }, [past]);
  if (past) return null;
  if (match.error.value !== null) return <Trouble error={match.error.value} again={() => begin(match, game, true)} />;
  if (!view) return <p class="waiting">{t("match.sitting")}</p>;
  const { Played, plays } = drawingOf(view.mode);
  const fresh = match.fresh.value;
  const playing = fresh !== null && (plays?.(fresh) ?? false);
  return (
    <div class="match">
      <MatchHead match={match} view={view} />
      <Notices match={match} view={view} />
      {view.over && !playing && <Over view={view} />}
      <Played match={match} view={view} />
    </div>
  );
}

/** Keep the screen on from seal to reveal: a frozen tab could not open the meal, which costs seven points. */
function useAwake(view: MatchView | null): void {
  const mine = view?.seat ?? -1;
  const needed = Boolean(view && !view.over && (view.seats[mine]?.seal || view.asking?.kind === "reveal"));
  useEffect(() => {
    if (!needed || !("wakeLock" in navigator)) return;
    let lock: WakeLockSentinel | null = null;
    let here = true;
    const hold = () => {
      if (document.visibilityState !== "visible") return;
      navigator.wakeLock.request("screen").then(
        (got) => {
          if (here) lock = got;
          else void got.release();
        },
        () => undefined, // low battery: the browser decides
      );
    };
    hold();
    document.addEventListener("visibilitychange", hold);
    return () => {
      here = false;
      document.removeEventListener("visibilitychange", hold);
      void lock?.release();
    };
  }, [needed]);
}

function useOver(view: MatchView | null): void {
  const over = view?.over ?? false;
  useEffect(() => {
    if (over && view) say(outcomeWords(view));
  }, [over]);
}

/** How a game ended, in a sentence. */
export function outcomeWords(view: MatchView): string {
  const outcome = view.outcome;
  if (!outcome) return t("over.title");
  const names = outcome.winners.map((seat) => view.seats[seat]?.name ?? "");
  if (!names.length) return t("over.void");
  if (names.length === view.seats.length && names.length > 1) return t("over.draw");
  if (outcome.winners.length === 1 && outcome.winners[0] === view.seat) return t("over.you");
  return t("over.won", { names: listed(names), n: names.length });
}

function MatchHead({ match, view }: { match: Match; view: MatchView }) {
  const round = roundShown(view, match.fresh.value);
  return (
    <div class="match-head">
      <div class="match-name">
        <h1 class="match-title">{modeTitle(view.mode)}</h1> {round > 0 && <span class="tag">{t("round", { n: round })}</span>}
      </div>
      {view.seats.length > 1 && <Say game={view.game} />}
      <Menu match={match} view={view} />
    </div>
  );
}

function Notices({ match, view }: { match: Match; view: MatchView }) {
  const away = match.away.value;
  const now = useNow(1000, away !== null);
  const fault = match.fault.value;
  return (
    <>
      {away !== null && !view.over && (
        <p class="note" role="status">
          {t("match.away", { n: Math.max(1, Math.round((now - away) / 1000)) })}
        </p>
      )}
      {match.concerns.value.map((concern, i) => (
        <p class="note bad" role="alert" key={i}>
          {said("concern", concern.code, concern.text)}
        </p>
      ))}
      {view.locked_out && <p class="note bad">{t("match.locked_out")}</p>}
      {fault && (
        <div class="note bad stack tight" role="alert">
          <p>
            <strong>{t("match.fault")}</strong>
          </p>
          <p>{refusalWords(fault.fault.code, fault.fault.text)}</p>
          {fault.evidence && (
            <p>
              <button class="button" onClick={() => save(`cloche-evidence-${view.game.slice(0, 8)}.json`, fault.evidence ?? "")}>
                {t("match.evidence")}
              </button>
            </p>
          )}
        </div>
      )}
    </>
  );
}

function Over({ view }: { view: MatchView }) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.scrollIntoView({ block: "center" }), []);
  const won = view.seat !== null && view.outcome?.winners.includes(view.seat) && view.outcome.winners.length < view.seats.length;
  return (
    <section ref={box} class={won ? "over panel stack won" : "over panel stack"} aria-label={t("over.title")}>
      <header class="row">
        <div class="receipt-plate">
          <PlateDrawing lid="up" glazed won={won ?? false} />
        </div>
        <h2 class="grow">{outcomeWords(view)}</h2>
      </header>
      <p class="quiet">
        {view.outcome && said("reason", view.outcome.reason, view.outcome.reason)} ·{" "}
        {scores(view)}
      </p>
      <div class="row">
        <Rematch view={view} />
        <a class="button" href={to("replay", view.game)}>
          {t("replay")}
        </a>
        <a class="button" href={to("verify", view.game)}>
          {t("tab.verify")}
        </a>
        <a class="button plain" href={to("lobby")}>
          {t("over.lobby")}
        </a>
      </div>
      <OfferBox />
    </section>
  );
}

/** What everybody has in the end. Where somebody can fall below nothing, each number has its sign. */
function scores(view: MatchView): string {
  const points = view.outcome?.points ?? [];
  const told = points.some((n) => n < 0) ? signed : String;
  return view.seats.map((seat, i) => `${seat.name} ${told(points[i] ?? 0)}`).join(" · ");
}

/** After the first game: have the house keep the locked file, so that handle and words suffice anywhere. */
function OfferBox() {
  const [shown, setShown] = useState(false);
  const [boxed, setBoxed] = useState(false);
  useEffect(() => {
    if (firstTime("box")) setShown(true);
  }, []);
  if (!shown) return null;
  return (
    <div class="note row">
      <span class="grow">{t(boxed ? "box.on" : "box.offer")}</span>
      {!boxed && (
        <>
          <Doing act={() => ask("account.box", { on: true }).then(() => setBoxed(true))}>{t("box.do")}</Doing>
          <button class="button plain" onClick={() => setShown(false)}>
            {t("box.no")}
          </button>
        </>
      )}
    </div>
  );
}
