/** A table before its game: opened with its clocks, waited at, shared by a link, joined. */
import { useEffect, useState } from "preact/hooks";
import type { JsonObject, TableInfo } from "../desk";
import { news } from "../flow/news";
import { byTable, modesOfHouse, type ModeFacts, type OptionFacts } from "../house";
import { account, ask, house } from "../kitchen";
import { Icon } from "../parts/icons";
import { QrCode } from "../parts/qr";
import { Doing, Loaded, Switch, toast, useLoaded } from "../parts/ui";
import { FormatPick, formatTitle, RatedTick } from "../people/wish";
import { go, to } from "../router";
import { known, said, t } from "../words";
import { decksOfMine, modeTitle, pace, type DeckInfo } from "./lobby";
import { Points } from "./rules";

/** Clocks by pace, as far as a mode has them (docs/tables.md). */
const PACES = {
  quick: { seal: 45, reveal: 15, choice: 20, link: 15, card: 15, turn: 15, present: 15, lay: 15, expose: 30 },
  calm: {},
  days: {
    seal: 86_400, reveal: 86_400, choice: 86_400, link: 86_400, card: 86_400, turn: 86_400, present: 86_400,
    lay: 86_400, expose: 86_400, cut: 86_400, claim: 86_400, enter: 604_800, ready: 604_800,
  },
} as const;
type Pace = keyof typeof PACES;

/** The options of a pace that this mode has. */
export function clocksOf(mode: ModeFacts, wanted: Pace): JsonObject {
  const has = new Set(mode.options.map((option) => option.name));
  return Object.fromEntries(Object.entries(PACES[wanted]).filter(([name]) => has.has(name)));
}

/** Options that are no clock, with their defaults. */
function choices(mode: ModeFacts) {
  return mode.options.filter((option) => option.kind !== "seconds");
}

/** Whether there are words for what each choice means: such an option is seen at once. */
function explained({ name, choices: all }: OptionFacts): boolean {
  return (all ?? []).some((each) => known(`choice.about.${name}.${each}`));
}

/** The form of a new table; of the house's first game where none is named. */
export function NewTable({ mode: name }: { mode?: string | undefined }) {
  const loaded = useLoaded(() => Promise.all([modesOfHouse(), decksOfMine()]), []);
  return (
    <div class="stack">
      <Loaded from={loaded}>
        {([modes, decks]) => {
          const mode = name === undefined ? byTable(modes)[0] : modes.find((each) => each.name === name);
          if (!mode) return <p class="note bad narrow">{t("lost.title")}</p>;
          return (
            <>
              <h1>{t("new_table.title", { mode: modeTitle(mode.name) })}</h1>
              <NewTableForm mode={mode} decks={decks} />
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

function NewTableForm({ mode, decks }: { mode: ModeFacts; decks: DeckInfo[] }) {
  const [deck, setDeck] = useState(decks[0]?.id ?? "");
  const [seats, setSeats] = useState(mode.seats.min);
  const [bots, setBots] = useState(0);
  const [bot, setBot] = useState(mode.bots[0] ?? "random");
  const [speed, setSpeed] = useState<Pace>("calm");
  const [hidden, setHidden] = useState(false);
  const [watched, setWatched] = useState(true);
  const [options, setOptions] = useState<JsonObject>({});
  const [format, setFormat] = useState<string | null>(null);
  const [rated, setRated] = useState(false);
  const free = seats - 1 - bots;
  /** The house rates games among people alone. */
  const rateable = bots === 0 && seats > 1;
  const open = async () => {
    const table = await ask("match.open", {
      mode: mode.name,
      deck: mode.own_decks ? deck : null,
      seats,
      bots: Array<string>(bots).fill(bot),
      options: { ...clocksOf(mode, speed), ...options },
      private: hidden,
      spectators: watched && !hidden,
      format,
      rated: rated && rateable,
    });
    if (table.game) go("play", table.game);
    else go("table", table.id);
  };
  const weighty = choices(mode).filter(explained);
  const other = choices(mode).filter((option) => !explained(option));
  const field = (option: OptionFacts) => (
    <OptionField
      key={option.name}
      option={option}
      value={options[option.name] ?? option.default}
      onPick={(value) => setOptions({ ...options, [option.name]: value })}
    />
  );
  return (
    <div class="columns">
      <form class="panel stack" onSubmit={(event) => event.preventDefault()}>
        {mode.own_decks && <DeckPick decks={decks} value={deck} onPick={setDeck} />}
        {mode.seats.max > mode.seats.min && (
          <Numbers label={t("new_table.seats")} low={mode.seats.min} high={mode.seats.max} value={seats} onPick={(n) => {
            setSeats(n);
            setBots(Math.min(bots, n - 1));
          }} />
        )}
        <div class="columns">
          <Numbers label={t("new_table.bots")} low={0} high={seats - 1} value={bots} onPick={setBots} />
          {bots > 0 && (
            <label class="field">
              <span>{t("new_table.bot")}</span>
              <select value={bot} onChange={(event) => setBot(event.currentTarget.value)}>
                {mode.bots.map((each) => (
                  <option key={each} value={each}>
                    {said("bot", each, each)}
                  </option>
                ))}
              </select>
            </label>
          )}
        </div>
        <div class="field">
          <span>{t("new_table.pace")}</span>
          <Switch
            label={t("new_table.pace")}
            value={speed}
            onPick={setSpeed}
            choices={(["quick", "calm", "days"] as const).map((each) => [each, t(`new_table.pace.${each}`)] as const)}
          />
        </div>
        {mode.own_decks && <FormatPick value={format} onPick={setFormat} />}
        {rateable && <RatedTick on={rated} set={setRated} />}
        {weighty.map(field)}
        {other.length > 0 && (
          <details>
            <summary class="button plain">{t("new_table.more")}</summary>
            <div class="stack">{other.map(field)}</div>
          </details>
        )}
        {free > 0 && (
          <>
            <Tick label={t("new_table.private")} on={hidden} set={setHidden} />
            {!hidden && <Tick label={t("new_table.watched")} on={watched} set={setWatched} />}
          </>
        )}
        <div class="row">
          <Doing class="button main big" act={open} disabled={mode.own_decks && !deck}>
            {free > 0 ? t("new_table.open", { n: free }) : t("new_table.begin")}
          </Doing>
        </div>
      </form>
      <section class="stack tight new-table-rules">
        <h2>{t("title.rules")}</h2>
        <p>{said("mode.about", mode.name, mode.summary)}</p>
        <Points mode={mode.name} />
      </section>
    </div>
  );
}

function Tick({ label, on, set }: { label: string; on: boolean; set: (on: boolean) => void }) {
  return (
    <label class="tick">
      <input type="checkbox" checked={on} onChange={(event) => set(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

function Numbers(props: { label: string; low: number; high: number; value: number; onPick: (n: number) => void }) {
  const { label, low, high, value, onPick } = props;
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onPick(Number(event.currentTarget.value))}>
        {Array.from({ length: high - low + 1 }, (_, i) => low + i).map((n) => (
          <option key={n} value={n}>
            {n}
          </option>
        ))}
      </select>
    </label>
  );
}

export function DeckPick({ decks, value, onPick }: { decks: DeckInfo[]; value: string; onPick: (id: string) => void }) {
  if (!decks.length)
    return (
      <p class="note">
        {t("decks.none")} <a href={to("decks")}>{t("tab.decks")}</a>
      </p>
    );
  return (
    <label class="field">
      <span>{t("new_table.deck")}</span>
      <select value={value} onChange={(event) => onPick(event.currentTarget.value)}>
        {decks.map((deck) => (
          <option key={deck.id} value={deck.id}>
            {deck.name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface OptionProps {
  option: OptionFacts;
  value: unknown;
  onPick: (value: string | number | boolean) => void;
}

function OptionField({ option, value, onPick }: OptionProps) {
  const label = said("option", option.name, option.text);
  if (option.kind === "flag") return <Tick label={label} on={value === true} set={onPick} />;
  const about = said(`choice.about.${option.name}`, String(value), "");
  return (
    <label class="field">
      <span>{label}</span>
      {option.kind === "choice" ? (
        <select value={String(value)} onChange={(event) => onPick(event.currentTarget.value)}>
          {(option.choices ?? []).map((each) => (
            <option key={each} value={each}>
              {said("choice", each, each)}
            </option>
          ))}
        </select>
      ) : (
        <input
          type="number"
          min={option.off ?? option.low}
          max={option.high}
          value={Number(value)}
          onInput={(event) => onPick(event.currentTarget.valueAsNumber || 0)}
        />
      )}
      {about && <span class="quiet small">{about}</span>}
    </label>
  );
}

/** A table that waits for players; by its id, or by an invitation. */
export function TableWaiting({ id, invitation }: { id?: string; invitation?: string }) {
  const tick = news.value;
  const table = useLoaded(
    () => (id ? house<TableInfo>(`/tables/${id}`) : house<TableInfo>(`/invitations/${encodeURIComponent(invitation ?? "")}`)),
    [id, invitation, tick],
  );
  useEffect(() => {
    const timer = setInterval(table.again, 3000);
    return () => clearInterval(timer);
  }, [id, invitation]);
  const me = account.value?.handle;
  const begun = table.value?.game;
  const mine = table.value?.seats.some((seat) => seat !== null && seat.name === me && !seat.bot);
  useEffect(() => {
    if (begun && mine) go("play", begun);
  }, [begun, mine]);
  return (
    <Loaded from={table}>
      {(found) => (
        <div class="stack narrow">
          <h1>{modeTitle(found.mode)}</h1>
          <p class="quiet">
            {pace(found.options)} · {t(found.rated ? "rating.rated" : "rating.unrated")} · {t("table.by", { name: found.opened_by })}
            {found.format && ` · ${formatTitle(found.format)}`}
          </p>
          <ol class="seats panel">
            {found.seats.map((seat, i) => (
              <li key={i} class={seat ? "" : "free"}>
                <Icon name={seat ? "person" : "plus"} />
                {seat ? (seat.bot ? t("table.bot", { name: said("bot", seat.bot, seat.bot) }) : seat.name) : t("table.free")}
              </li>
            ))}
          </ol>
          <Doings table={found} mine={Boolean(mine)} invitation={invitation ?? null} again={table.again} />
        </div>
      )}
    </Loaded>
  );
}

interface DoingsProps {
  table: TableInfo;
  mine: boolean;
  invitation: string | null;
  again: () => void;
}

function Doings({ table, mine, invitation, again }: DoingsProps) {
  const decks = useLoaded(decksOfMine, []);
  const [deck, setDeck] = useState("");
  const modes = useLoaded(modesOfHouse, []);
  if (table.state === "cancelled" || table.state === "expired") return <p class="note">{t(`table.${table.state}`)}</p>;
  if (table.state === "playing" && !mine)
    return (
      <p>
        <a class="button main" href={to("watch", table.game ?? "")}>
          {t("watch")}
        </a>
      </p>
    );
  if (mine) return <Waiting table={table} again={again} />;
  const own = modes.value?.find((mode) => mode.name === table.mode)?.own_decks ?? false;
  const chosen = deck || (decks.value?.[0]?.id ?? "");
  const join = async () => {
    const joined = await ask("match.join", { table: table.id, deck: own ? chosen : null, invitation });
    if (joined.game) go("play", joined.game);
    else go("table", joined.id);
  };
  return (
    <div class="stack">
      {own && decks.value && <DeckPick decks={decks.value} value={chosen} onPick={setDeck} />}
      <div class="row">
        <Doing class="button main big" act={join} disabled={!modes.value || (own && !chosen)}>
          {t("lobby.sit")}
        </Doing>
      </div>
    </div>
  );
}

function Waiting({ table, again }: { table: TableInfo; again: () => void }) {
  const link = table.invitation ? `${location.origin}/${to("invite", table.invitation)}` : `${location.origin}/${to("table", table.id)}`;
  const opener = table.opened_by === account.value?.handle;
  return (
    <div class="stack">
      <p class="waiting">{t("table.waits")}</p>
      <div class="panel flat stack tight">
        <h2>{t("table.invite")}</h2>
        <p>{t(table.private ? "table.invite.private" : "table.invite.text")}</p>
        <pre class="command">{link}</pre>
        <QrCode text={link} label={t("table.qr")} />
        <div class="row">
          <button
            class="button"
            onClick={() => void navigator.clipboard.writeText(link).then(() => toast(t("copied")))}
          >
            {t("table.copy")}
          </button>
          {table.invitation && <span class="tag">{table.invitation}</span>}
        </div>
      </div>
      <div class="row">
        <Doing
          act={() =>
            (opener
              ? house(`/tables/${table.id}`, { method: "DELETE" })
              : house(`/tables/${table.id}/leave`, { method: "POST" })
            ).then(again)
          }
        >
          {t(opener ? "table.cancel" : "table.leave")}
        </Doing>
      </div>
    </div>
  );
}
