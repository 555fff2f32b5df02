/** One tournament: how it is played, who leads, who meets whom, one's own next game; what the director may do. */
import { useEffect, useState } from "preact/hooks";
import { DeskError } from "../desk";
import { news } from "../flow/news";
import { all, fetched, modesOfHouse } from "../house";
import { account, house, signedIn } from "../kitchen";
import { complain, Dialog, Doing, Loaded, Sure, useLoaded } from "../parts/ui";
import { Direct, type Decree } from "../people/direct";
import { giveUp, hope } from "../people/meetings";
import { PlayNav } from "../people/nav";
import { standing } from "../people/standing";
import { pot, prizeWords, resultWords, type Entry, type Pairing, type Standing, type Tournament } from "../people/tournament";
import { formatTitle } from "../people/wish";
import { to } from "../router";
import { dayTime, number, said, t } from "../words";
import { decksOfMine, modeTitle, pace } from "./lobby";
import { DeckPick } from "./tables";
import { when } from "./tournaments";

const LOOK_MS = 10_000;

export function TournamentPage({ id }: { id: string }) {
  const tick = news.value;
  const at = `/tournaments/${encodeURIComponent(id)}`;
  const who = signedIn.value ? account.value?.key : null;
  const loaded = useLoaded(
    () =>
      Promise.all([
        fetched<Tournament>(at),
        all<Standing>(`${at}/standings`),
        who ? house<Entry>(`${at}/entry`).catch(notEntered) : Promise.resolve(null),
      ]),
    [id, tick, who],
  );
  useEffect(() => {
    const timer = setInterval(loaded.again, LOOK_MS);
    return () => clearInterval(timer);
  }, [id]);
  return (
    <div class="stack wide">
      <PlayNav />
      <Loaded from={loaded}>
        {([of, standings, entry]) => <Page of={of} standings={standings} entry={entry} again={loaded.again} />}
      </Loaded>
    </div>
  );
}

function notEntered(error: unknown): null {
  if (error instanceof DeskError && error.fault.status === 404) return null;
  throw error;
}

interface Props {
  of: Tournament;
  standings: Standing[];
  entry: Entry | null;
  again: () => void;
}

function Page({ of, standings, entry, again }: Props) {
  const [decree, setDecree] = useState<Decree | null>(null);
  const directs = signedIn.value && (of.director === account.value?.handle || standing.value.role !== null);
  const goes = of.state === "open" || of.state === "running";
  return (
    <>
      <header class="stack tight">
        <h1>{of.name}</h1>
        <p class="quiet">
          {modeTitle(of.mode)} · {t(`tournament.system.${of.system}`)} · {pace(of.options)} · {t(of.rated ? "rating.rated" : "rating.unrated")}
          {of.format ? ` · ${formatTitle(of.format)}` : ""}
        </p>
        <p>
          <strong>{when(of)}</strong>
          {of.next_at && ` · ${t(of.rounds === of.round ? "tournament.ends" : "tournament.next", { time: dayTime(of.next_at) })}`}
        </p>
        {of.reason && <p class="note">{of.reason}</p>}
      </header>
      {entry?.match && <MyMatch of={of} match={entry.match} />}
      {entry?.out_reason && <p class="note">{t("tournament.out", { reason: said("gone", entry.out_reason, entry.out_reason) })}</p>}
      <dl class="figures">
        <Figure name={t("tournament.players")} value={`${of.entered} / ${of.places}`} />
        <Figure name={t("tournament.fee")} value={number(of.fee)} />
        <Figure name={t("tournament.pot")} value={number(pot(of))} />
      </dl>
      <p class="quiet small">
        {prizeWords(of)} {t("tournament.director")} <a href={to("player", of.director)}>{of.director}</a>
      </p>
      <div class="row">
        {signedIn.value && goes && <Entering of={of} entry={entry} again={again} />}
        {directs && of.state === "open" && (
          <Doing act={() => house(`/tournaments/${of.id}/start`, { method: "POST", json: {} }).then(again)}>{t("tournament.start")}</Doing>
        )}
        {directs && goes && (
          <button class="button plain wrong" onClick={() => setDecree({ name: "cancel", path: `/tournaments/${of.id}/cancel` })}>
            {t("tournament.do.cancel")}
          </button>
        )}
      </div>
      <Standings of={of} list={standings} direct={directs && goes ? setDecree : null} />
      {of.round > 0 && <Rounds of={of} direct={directs && of.state === "running" ? setDecree : null} />}
      {decree && <Direct decree={decree} onClose={() => setDecree(null)} onDone={again} />}
    </>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div class="figure panel flat">
      <dd class="serif">{value}</dd>
      <dt class="quiet small">{name}</dt>
    </div>
  );
}

/** Our own match: the game that waits, or what became of it. */
function MyMatch({ of, match }: { of: Tournament; match: Pairing }) {
  const me = account.value?.handle;
  const other = match.first === me ? match.second : match.first;
  const here = match.state === "playing" && match.game !== null;
  return (
    <section class={here ? "note good row" : "note row"}>
      <span class="grow">
        {t("tournament.round", { n: match.round })} ·{" "}
        {other === null ? t("tournament.bye") : t("tournament.against", { name: other })}
        {match.state === "over" && ` · ${resultWords(match)}`}
      </span>
      {here && of.state === "running" && (
        <a class="button main" href={to("play", match.game ?? "")}>
          {t("tournament.play")}
        </a>
      )}
    </section>
  );
}

/** Enter, with a deck where one is needed, or leave. */
function Entering({ of, entry, again }: Omit<Props, "standings">) {
  const [choosing, setChoosing] = useState(false);
  const [sure, setSure] = useState(false);
  const inside = entry !== null && entry.out_round === null;
  const leave = async () => {
    await house(`/tournaments/${of.id}/entry`, { method: "DELETE" });
    giveUp(`tournament ${of.id}`);
    again();
  };
  const late = of.state === "running" && of.round > of.late_rounds;
  return (
    <>
      {inside ? (
        <button class="button" onClick={() => setSure(true)}>
          {t("tournament.leave")}
        </button>
      ) : (
        !late && (
          <button class="button main big" onClick={() => setChoosing(true)} disabled={of.entered >= of.places}>
            {of.fee ? t("tournament.enter.fee", { n: of.fee }) : t("tournament.enter")}
          </button>
        )
      )}
      {sure && (
        <Sure
          title={t("tournament.leave")}
          text={t(of.state === "open" ? "tournament.leave.open" : "tournament.leave.running")}
          yes={t("tournament.leave")}
          onNo={() => setSure(false)}
          onYes={() => void leave().catch(complain)}
        />
      )}
      {choosing && <Enter of={of} onClose={() => setChoosing(false)} again={again} />}
    </>
  );
}

function Enter({ of, onClose, again }: { of: Tournament; onClose: () => void; again: () => void }) {
  const loaded = useLoaded(() => Promise.all([modesOfHouse(), decksOfMine()]), []);
  const [deck, setDeck] = useState("");
  const [modes, decks] = loaded.value ?? [[], []];
  const own = modes.find((mode) => mode.name === of.mode)?.own_decks ?? false;
  const chosen = deck || (decks[0]?.id ?? "");
  const enter = async () => {
    await house(`/tournaments/${of.id}/entry`, { method: "PUT", json: { deck: own ? chosen : null } });
    hope(`tournament ${of.id}`, { mode: of.mode, options: of.options });
    onClose();
    again();
  };
  return (
    <Dialog title={of.name} onClose={onClose} slim>
      <Loaded from={loaded}>
        {() => (
          <>
            <p>{t(own ? "tournament.enter.deck" : "tournament.enter.text")}</p>
            {own && <DeckPick decks={decks} value={chosen} onPick={setDeck} />}
            <div class="row end">
              <Doing class="button main" act={enter} disabled={own && !chosen}>
                {of.fee ? t("tournament.enter.fee", { n: of.fee }) : t("tournament.enter")}
              </Doing>
            </div>
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

type Directing = ((decree: Decree) => void) | null;

function Standings({ of, list, direct }: { of: Tournament; list: Standing[]; direct: Directing }) {
  const me = account.value?.handle;
  const breaks = of.state === "running" || of.state === "over";
  const swiss = of.system === "swiss";
  const even = of.system !== "elimination";
  if (!list.length)
    return (
      <div class="empty">
        <p>{t("tournament.empty")}</p>
      </div>
    );
  const column = (key: "tournament.points" | "tournament.buchholz" | "tournament.sonneborn" | "leaders.wins" | "tournament.prize") => (
    <th scope="col" class="number">
      {t(key)}
    </th>
  );
  return (
    <section class="stack tight">
      <div class="panel scroll" tabIndex={0} role="group" aria-label={t("tournament.standings")}>
        <table class="board">
          <caption>{t("tournament.standings")}</caption>
          <thead>
            <tr>
              <th scope="col" class="number">
                {t("leaders.rank")}
              </th>
              <th scope="col">{t("leaders.player")}</th>
              {breaks && even && column("tournament.points")}
              {breaks && swiss && column("tournament.buchholz")}
              {breaks && even && column("tournament.sonneborn")}
              {breaks && column("leaders.wins")}
              {of.state === "over" && column("tournament.prize")}
              {direct && <td />}
            </tr>
          </thead>
          <tbody>
            {list.map((each) => (
              <tr key={each.handle} class={each.handle === me ? "mine" : ""}>
                <td class="number">{each.place ?? each.rank}</td>
                <th scope="row">
                  <a href={to("player", each.handle)}>{each.handle}</a>
                  {each.out_round !== null && <span class="quiet small"> {t("tournament.gone")}</span>}
                </th>
                {breaks && even && <td class="number">{number(each.points, 1)}</td>}
                {breaks && swiss && <td class="number">{number(each.buchholz, 1)}</td>}
                {breaks && even && <td class="number">{number(each.sonneborn_berger, 2)}</td>}
                {breaks && <td class="number">{each.wins}</td>}
                {of.state === "over" && <td class="number">{number(each.prize)}</td>}
                {direct && (
                  <td>
                    <button
                      class="button plain"
                      onClick={() => {
                        const name = each.out_round === null ? "drop" : "restore";
                        direct({ name, path: `/tournaments/${of.id}/entries/${encodeURIComponent(each.handle)}/${name}`, about: each.handle });
                      }}
                    >
                      {t(each.out_round === null ? "tournament.do.drop" : "tournament.do.restore")}
                    </button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {breaks && swiss && <p class="small quiet">{t("tournament.breaks")}</p>}
    </section>
  );
}

function Rounds({ of, direct }: { of: Tournament; direct: Directing }) {
  const tick = news.value;
  const [picked, setPicked] = useState<number | null>(null);
  const round = picked ?? of.round;
  const list = useLoaded(() => all<Pairing>(`/tournaments/${of.id}/rounds/${round}`), [of.id, of.round, of.next_at, round, tick]);
  return (
    <section class="panel stack">
      <div class="row apart">
        <h2>{t("tournament.round", { n: round })}</h2>
        {of.round > 1 && (
          <label class="field">
            <span class="unseen">{t("tournament.which")}</span>
            <select value={round} onChange={(event) => setPicked(Number(event.currentTarget.value))}>
              {Array.from({ length: of.round }, (_, i) => i + 1).map((n) => (
                <option key={n} value={n}>
                  {t("tournament.round", { n })}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <Loaded from={list}>
        {(pairings) => (
          <ul class="list">
            {pairings.map((each) => (
              <Match key={each.board} of={of} match={each} direct={direct} />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

function Match({ of, match, direct }: { of: Tournament; match: Pairing; direct: Directing }) {
  const me = account.value?.handle;
  const mine = match.first === me || match.second === me;
  return (
    <li>
      <span class="grow">
        <span class="quiet small">{match.board}. </span>
        {match.first} – {match.second ?? t("tournament.bye")}
        {match.ruling && (
          <>
            <br />
            <span class="quiet small">{match.ruling}</span>
          </>
        )}
      </span>
      <strong class="serif">{match.state === "over" ? resultWords(match) : t(`tournament.match.${match.state}`)}</strong>
      {match.game && (
        <a class="button" href={to(match.state === "over" ? "replay" : mine ? "play" : "watch", match.game)}>
          {t(match.state === "over" ? "replay" : mine ? "meeting.go" : "watch")}
        </a>
      )}
      {direct && match.second !== null && !mine && (
        <button
          class="button plain"
          onClick={() => direct({ name: "rule", path: `/tournaments/${of.id}/rounds/${match.round}/matches/${match.board}`, about: `${match.first} – ${match.second}` })}
        >
          {t("tournament.do.rule")}
        </button>
      )}
    </li>
  );
}
