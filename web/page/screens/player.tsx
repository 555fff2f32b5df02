/** A player, as everybody may see them: ratings with their history, results against us; challenge, block, report. */
import { useState } from "preact/hooks";
import { DeskError } from "../desk";
import { all, fetched, HouseError, type Listed } from "../house";
import { account, house, signedIn } from "../kitchen";
import { Doing, Loaded, Switch, toast, Trouble, useLoaded } from "../parts/ui";
import { ChallengeDialog } from "../people/challenge";
import { RatingChart, resultWords } from "../people/chart";
import { ratingWords, type Rating, type RatingStep } from "../people/ladder";
import { ReportDialog } from "../people/report";
import { Favourites, Results, type Whom } from "../people/results";
import { replace, to } from "../router";
import { dayTime, listed, t } from "../words";
import { modeTitle } from "./lobby";

interface PlayerInfo {
  id: string;
  handle: string;
  key: string;
  created_at: string;
  former: { handle: string; until: string }[];
}

export function PlayerPage({ handle, mode }: { handle: string; mode?: string | undefined }) {
  const at = `/players/${encodeURIComponent(handle)}`;
  const found = useLoaded(() => Promise.all([fetched<PlayerInfo>(at), fetched<{ items: Rating[] }>(`${at}/ratings`)]), [handle]);
  if (found.value === null && found.error !== null && missing(found.error))
    return (
      <div class="empty">
        <p>{t("player.none", { name: handle })}</p>
      </div>
    );
  return (
    <div class="stack wide">
      <Loaded from={found}>
        {([player, { items }]) => (
          <>
            <header class="stack tight">
              <h1>{player.handle}</h1>
              <p class="quiet">
                {t("player.since", { time: dayTime(player.created_at) })}
                {player.former.length > 0 && ` · ${t("player.former", { names: listed(player.former.map((each) => each.handle)) })}`}
              </p>
              <Doings player={player} />
            </header>
            <RatingPanel of={player} ratings={items} mode={mode} onMode={(name) => replace("player", player.handle, name)} />
            <Favourites of={player} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function missing(error: unknown): boolean {
  return (error instanceof HouseError && error.status === 404) || (error instanceof DeskError && error.fault.status === 404);
}

function Doings({ player }: { player: PlayerInfo }) {
  const [open, setOpen] = useState<"challenge" | "report" | null>(null);
  if (!signedIn.value) return null;
  if (player.key === account.value?.key)
    return (
      <p>
        <a class="button" href={to("profile")}>
          {t("player.self")}
        </a>
      </p>
    );
  return (
    <div class="row">
      <button class="button main" onClick={() => setOpen("challenge")}>
        {t("challenge.do")}
      </button>
      <Block handle={player.handle} />
      <button class="button plain" onClick={() => setOpen("report")}>
        {t("report.do")}
      </button>
      {open === "challenge" && <ChallengeDialog handle={player.handle} onClose={() => setOpen(null)} />}
      {open === "report" && <ReportDialog handle={player.handle} onClose={() => setOpen(null)} />}
    </div>
  );
}

function Block({ handle }: { handle: string }) {
  const blocks = useLoaded(() => house<Listed<{ handle: string }>>("/me/blocks"), [handle]);
  if (!blocks.value) return null;
  const on = blocks.value.items.some((each) => each.handle === handle);
  const change = async () => {
    await house(`/me/blocks/${encodeURIComponent(handle)}`, { method: on ? "DELETE" : "PUT" });
    toast(t(on ? "block.lifted" : "block.done", { name: handle }));
    blocks.again();
  };
  return <Doing act={change}>{t(on ? "block.lift" : "block.do")}</Doing>;
}

interface RatingProps {
  of: Whom;
  ratings: Rating[];
  mode?: string | undefined;
  onMode: (mode: string) => void;
}

/** A rating with its history and the results behind it, one mode at a time. */
export function RatingPanel({ of, ratings, mode, onMode }: RatingProps) {
  const shown = ratings.find((each) => each.mode === mode) ?? ratings[0];
  if (!shown)
    return (
      <div class="empty">
        <p>{t("rating.none", { name: of.handle })}</p>
      </div>
    );
  return (
    <section class="panel stack">
      <h2>{t("rating")}</h2>
      {ratings.length > 1 && (
        <Switch
          label={t("wish.mode")}
          value={shown.mode}
          choices={ratings.map((each) => [each.mode, modeTitle(each.mode)] as const)}
          onPick={onMode}
        />
      )}
      <p>
        {ratings.length < 2 && `${modeTitle(shown.mode)}: `}
        <strong class="serif gold rating-big">{ratingWords(shown)}</strong>
        {shown.provisional && <span class="tag">{t("rating.provisional")}</span>}
      </p>
      <p class="quiet">{resultWords(shown)}</p>
      <div class="columns rating-past">
        <History key={`${of.key} ${shown.mode}`} handle={of.handle} mode={shown.mode} />
        <Results key={`met ${shown.mode}`} of={of} mode={shown.mode} />
      </div>
    </section>
  );
}

function History({ handle, mode }: { handle: string; mode: string }) {
  const steps = useLoaded(() => all<RatingStep>(`/players/${encodeURIComponent(handle)}/ratings/${mode}`), [handle, mode]);
  if (steps.error !== null) return <Trouble error={steps.error} again={steps.again} />;
  if (!steps.value?.length) return null;
  return <RatingChart steps={[...steps.value].reverse()} />;
}
