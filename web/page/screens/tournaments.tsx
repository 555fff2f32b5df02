/** The tournaments of the house: which are there, and one of one's own. */
import { useState } from "preact/hooks";
import { news } from "../flow/news";
import { byTable, fetched, modesOfHouse, type Listed, type ModeFacts } from "../house";
import { house, signedIn } from "../kitchen";
import { Doing, Loaded, Switch, useLoaded } from "../parts/ui";
import { forTwo } from "../people/ladder";
import { PlayNav } from "../people/nav";
import { useWish } from "../people/wish";
import { pot, prizesIn, type Tournament } from "../people/tournament";
import { go, to } from "../router";
import { dayTime, t } from "../words";
import { modeTitle } from "./lobby";

const STATES = ["open", "running", "over"] as const;
type Shelf = (typeof STATES)[number] | "mine";

export function Tournaments() {
  const [shelf, setShelf] = useState<Shelf>("open");
  const shelves: readonly Shelf[] = signedIn.value ? [...STATES, "mine"] : STATES;
  return (
    <div class="stack">
      <PlayNav />
      <div class="row apart">
        <h1>{t("title.tournaments")}</h1>
        {signedIn.value && (
          <a class="button" href={to("new-tournament")}>
            {t("title.new_tournament")}
          </a>
        )}
      </div>
      <Switch
        label={t("title.tournaments")}
        value={shelf}
        choices={shelves.map((each) => [each, t(`tournament.shelf.${each}`)] as const)}
        onPick={setShelf}
      />
      <Shelf key={shelf} shelf={shelf} />
    </div>
  );
}

function Shelf({ shelf }: { shelf: Shelf }) {
  const tick = news.value;
  const list = useLoaded(
    () =>
      shelf === "mine"
        ? house<Listed<Tournament>>("/me/tournaments", { query: { limit: 50 } })
        : fetched<Listed<Tournament>>(`/tournaments?limit=50&state=${shelf}`),
    [shelf, tick],
  );
  return (
    <Loaded from={list}>
      {({ items }) =>
        items.length ? (
          <ul class="list panel">
            {items.map((each) => (
              <li key={each.id}>
                <span class="grow">
                  <a href={to("tournament", each.id)}>
                    <strong class="serif">{each.name}</strong>
                  </a>
                  <br />
                  <span class="quiet small">
                    {modeTitle(each.mode)} · {t(`tournament.system.${each.system}`)} ·{" "}
                    {t("tournament.entered", { n: each.entered, places: each.places })}
                  </span>
                </span>
                {pot(each) > 0 && <span class="tag gold">{t("coins", { n: pot(each) })}</span>}
                <span class="quiet small">{when(each)}</span>
              </li>
            ))}
          </ul>
        ) : (
          <div class="empty">
            <p>{t(`tournament.none.${shelf}`)}</p>
          </div>
        )
      }
    </Loaded>
  );
}

/** Where a tournament is in time, in a few words. */
export function when(of: Tournament): string {
  switch (of.state) {
    case "open":
      return t("tournament.starts", { time: dayTime(of.starts_at) });
    case "running":
      return of.rounds === null ? t("tournament.round", { n: of.round }) : t("tournament.round.of", { n: of.round, rounds: of.rounds });
    default:
      return t(`tournament.state.${of.state}`);
  }
}

/** The form of a new tournament, which we direct. */
export function NewTournament() {
  const modes = useLoaded(modesOfHouse, []);
  return (
    <div class="stack narrow">
      <h1>{t("title.new_tournament")}</h1>
      <p class="quiet">{t("tournament.new.text")}</p>
      <Loaded from={modes}>{(list) => <TournamentForm modes={byTable(forTwo(list))} />}</Loaded>
    </div>
  );
}

function TournamentForm({ modes }: { modes: ModeFacts[] }) {
  const [name, setName] = useState("");
  const { wish, game, terms } = useWish(modes, modes[0]?.name ?? "", false);
  const [system, setSystem] = useState<Tournament["system"]>("swiss");
  const [numbers, setNumbers] = useState({ places: 16, fee: 0, added: 0, starts_in: 30, pause: 2 });
  const [shares, setShares] = useState("");
  const prizes = prizesIn(shares);
  const paid = numbers.fee > 0 || numbers.added > 0;
  const lacks = !name.trim() || prizes === null || (paid && !prizes.length) || (!paid && prizes.length > 0);
  const create = async () => {
    const json = { name: name.trim(), system, ...wish, prizes: prizes ?? [], ...numbers };
    const made = await house<Tournament>("/tournaments", { method: "POST", json });
    go("tournament", made.id);
  };
  const field = (key: keyof typeof numbers, low: number, high: number) => (
    <label class="field">
      <span>{t(`tournament.new.${key}`)}</span>
      <input
        type="number"
        min={low}
        max={high}
        value={numbers[key]}
        onInput={(event) => setNumbers({ ...numbers, [key]: event.currentTarget.valueAsNumber || 0 })}
      />
    </label>
  );
  return (
    <form class="panel stack" onSubmit={(event) => event.preventDefault()}>
      <label class="field">
        <span>{t("tournament.new.name")}</span>
        <input type="text" value={name} maxLength={60} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      {game}
      <div class="field">
        <span>{t("tournament.new.system")}</span>
        <Switch
          label={t("tournament.new.system")}
          value={system}
          choices={(["swiss", "elimination", "round_robin"] as const).map((each) => [each, t(`tournament.system.${each}`)] as const)}
          onPick={setSystem}
        />
        <span class="quiet small">{t(`tournament.about.${system}`)}</span>
      </div>
      {terms}
      <div class="columns two">
        {field("places", 2, 256)}
        {field("starts_in", 1, 43_200)}
        {field("pause", 0, 1440)}
        {field("fee", 0, 1_000_000)}
        {field("added", 0, 1_000_000)}
      </div>
      <label class="field">
        <span>{t("tournament.new.prizes")}</span>
        <input type="text" inputMode="numeric" value={shares} aria-invalid={prizes === null} aria-describedby="prizes-help" onInput={(event) => setShares(event.currentTarget.value)} />
        <span id="prizes-help" class={prizes === null ? "wrong small" : "quiet small"}>
          {t("tournament.new.prizes.help")}
        </span>
      </label>
      <div class="row">
        <Doing class="button main big" act={create} disabled={lacks}>
          {t("tournament.new.do")}
        </Doing>
      </div>
    </form>
  );
}
