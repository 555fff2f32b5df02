/** A game again: the same table with a scrubber whose ticks are entries. Every entry was checked when it was opened. */
import { useEffect, useState } from "preact/hooks";
import type { AccountEvent, MatchView, ReplayInfo } from "../desk";
import { ask } from "../kitchen";
import { Icon } from "../parts/icons";
import { Trouble } from "../parts/ui";
import { to } from "../router";
import { dayTime, said, t } from "../words";
import { modeTitle } from "../screens/lobby";
import { roundShown } from "./match";
import { drawingOf } from "./modes";
import { outcomeWords } from "./play";

/** The ticks where something is to be seen: accounts, and the end. */
export function landmarks(info: ReplayInfo): number[] {
  return info.ticks.filter((tick) => tick.kind === "account" || tick.kind === "result").map((tick) => tick.seq);
}

export function Replay({ game }: { game: string }) {
  const [info, setInfo] = useState<ReplayInfo | null>(null);
  const [at, setAt] = useState(0);
  const [seen, setSeen] = useState<{ view: MatchView; account: AccountEvent | null } | null>(null);
  const [bills, setBills] = useState<AccountEvent[]>([]);
  const [error, setError] = useState<unknown>(null);

  useEffect(() => {
    let replay = "";
    ask("replay.open", { game }).then((found) => {
      replay = found.replay;
      setInfo(found);
      setAt(landmarks(found)[0] ?? found.ticks.at(-1)?.seq ?? 0);
    }, setError);
    return () => {
      if (replay) void ask("replay.close", { replay }).catch(() => undefined);
    };
  }, [game]);
  useEffect(() => {
    if (!info) return;
    let here = true;
    ask("replay.at", { replay: info.replay, seq: at }).then((found) => {
      if (!here) return;
      setSeen(found);
      if (found.account) {
        const account = found.account;
        setBills((old) => [...old.filter((each) => each.seq !== account.seq), account].sort((a, b) => a.seq - b.seq));
      }
    }, setError);
    return () => {
      here = false;
    };
  }, [info, at]);

  if (error !== null) return <Trouble error={error} />;
  if (!info || !seen) return <p class="waiting">{t("replay.opening")}</p>;
  const last = info.ticks.at(-1)?.seq ?? 0;
  const marks = landmarks(info);
  const tick = info.ticks.find((each) => each.seq === at);
  const { Seen } = drawingOf(seen.view.mode);
  const round = roundShown(seen.view, seen.account);
  const jump = (seq: number | undefined) => seq !== undefined && setAt(Math.max(0, Math.min(last, seq)));
  return (
    <div class="match">
      <div class="match-head">
        <h1 class="match-title">{modeTitle(info.mode)}</h1>
        <span class="tag">{t("replay")}</span>
        {round > 0 && <span class="tag">{t("round", { n: round })}</span>}
        <span class="grow" />
        <a class="button" href={to("verify", game)}>
          {t("tab.verify")}
        </a>
      </div>
      <div class="scrubber panel flat">
        <button class="button round" aria-label={t("replay.round.back")} onClick={() => jump(marks.filter((m) => m < at).at(-1) ?? 0)}>
          <Icon name="first" />
        </button>
        <button class="button round" aria-label={t("replay.back")} onClick={() => jump(at - 1)}>
          <Icon name="back" />
        </button>
        <input
          class="grow"
          type="range"
          min={0}
          max={last}
          value={at}
          aria-label={t("replay.entry")}
          aria-valuetext={tick ? `${at}: ${said("entry", tick.kind, tick.kind)}` : String(at)}
          onInput={(event) => setAt(event.currentTarget.valueAsNumber)}
        />
        <button class="button round" aria-label={t("replay.next")} onClick={() => jump(at + 1)}>
          <Icon name="next" />
        </button>
        <button class="button round" aria-label={t("replay.round.next")} onClick={() => jump(marks.find((m) => m > at) ?? last)}>
          <Icon name="last" />
        </button>
        <p class="scrubber-say small quiet">
          {t("replay.at", { n: at, of: last })} · {tick && said("entry", tick.kind, tick.kind)}
          {tick?.seat != null && ` · ${info.seats[tick.seat]?.name ?? ""}`} {tick && `· ${dayTime(tick.at)}`}
        </p>
      </div>
      {at === last && seen.view.over && <p class="note good">{outcomeWords(seen.view)}</p>}
      <Seen view={seen.view} skew={null} accounts={bills.filter((b) => b.seq <= at)} fresh={seen.account} onRead={() => jump(marks.find((m) => m > at) ?? last)} />
    </div>
  );
}
