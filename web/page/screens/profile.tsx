/** The profile: record and rewards, devices, the kitchen card, and how the page looks and speaks. */
import { useState } from "preact/hooks";
import { DeskError } from "../desk";
import { account, ask, house, houseList, kitchen, refresh, signedIn, warm } from "../kitchen";
import { sound } from "../parts/sound";
import { complain, Dialog, Doing, Loaded, save, Switch, toast, useLoaded } from "../parts/ui";
import type { Rating } from "../people/ladder";
import { Favourites } from "../people/results";
import { standing } from "../people/standing";
import { go, to } from "../router";
import { set, settings } from "../settings";
import { build } from "../service";
import { sanctionSpan } from "./order_player";
import { RatingPanel } from "./player";
import { ChangeWords, Rename } from "./profile_words";
import { dayTime, LANGUAGES, language, said, t, type Language } from "../words";

export function Profile() {
  return (
    <div class="stack wide">
      <header class="row apart">
        <h1>{account.value ? account.value.handle : t("title.profile")}</h1>
        {signedIn.value && (
          <a class="button" href={to("player", account.value?.handle ?? "")}>
            {t("profile.public")}
          </a>
        )}
      </header>
      {signedIn.value ? <Mine /> : <Stranger />}
      <Looks />
    </div>
  );
}

function Stranger() {
  return (
    <p class="row">
      <a class="button main" href={to("sign-in")}>
        {t("sign_in")}
      </a>
      <a class="button" href={to("learn")}>
        {t("landing.play")}
      </a>
    </p>
  );
}

interface Wallet {
  coins: number;
  wins: number;
  wins_today: number;
  booster_in: number;
}
interface Token {
  id: string;
  label: string;
  prefix: string;
  created_at: string;
  used_at: string | null;
  current: boolean;
}

interface Report {
  id: string;
  about: string | null;
  kind: string;
  created_at: string;
  state: string;
  verdict: string | null;
}

function Mine() {
  const wallet = useLoaded(() => house<Wallet>("/wallet"), []);
  const tokens = useLoaded(() => houseList<Token>("/tokens"), []);
  return (
    <>
      <Loaded from={wallet}>
        {(found) => (
          <dl class="figures">
            <Figure name={t("profile.wins")} value={found.wins} />
            <Figure name={t("profile.coins")} value={found.coins} />
            <Figure name={t("profile.today")} value={found.wins_today} />
            <Figure name={t("profile.booster")} value={found.booster_in} />
          </dl>
        )}
      </Loaded>
      {standing.value.sanctions.map((each) => (
        <p key={each.kind} class="note bad">
          <strong>{t(`sanction.${each.kind}`)}</strong>: {each.reason} ({sanctionSpan(each)})
        </p>
      ))}
      <MyResults />
      <Keys />
      <section class="panel stack">
        <h2>{t("profile.devices")}</h2>
        <p class="quiet small">{t("profile.devices.text")}</p>
        <Loaded from={tokens}>
          {(list) => (
            <ul class="list">
              {list.map((token) => (
                <li key={token.id}>
                  <span class="grow">
                    {token.label} <code>{token.prefix}…</code> {token.current && <em>{t("profile.this_device")}</em>}
                    <br />
                    <span class="quiet small">
                      {t("profile.began", { time: dayTime(token.created_at) })}
                      {token.used_at && ` · ${t("profile.used", { time: dayTime(token.used_at) })}`}
                    </span>
                  </span>
                  <Doing act={() => house(`/tokens/${token.id}`, { method: "DELETE" }).then(tokens.again)}>{t("profile.revoke")}</Doing>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
        <Doing act={() => house("/tokens", { method: "DELETE", query: { others: true } }).then(tokens.again)}>
          {t("profile.others")}
        </Doing>
      </section>
      <Others />
      <Leaving />
    </>
  );
}

/** What our rated games have come to, and what we like to serve. */
function MyResults() {
  const of = { handle: account.value?.handle ?? "", key: account.value?.key ?? "" };
  const ratings = useLoaded(() => house<{ items: Rating[] }>(`/players/${encodeURIComponent(of.handle)}/ratings`), [of.handle]);
  const [mode, setMode] = useState<string>();
  return (
    <>
      <Loaded from={ratings}>{({ items }) => <RatingPanel of={of} ratings={items} mode={mode} onMode={setMode} />}</Loaded>
      <Favourites of={of} />
    </>
  );
}

/** Players whom we have blocked, and what became of our reports. */
function Others() {
  const blocks = useLoaded(() => house<{ items: { handle: string }[] }>("/me/blocks"), []);
  const reports = useLoaded(() => house<{ items: Report[] }>("/reports"), []);
  const blocked = blocks.value?.items ?? [];
  const told = reports.value?.items ?? [];
  const lift = (handle: string) => () => house(`/me/blocks/${encodeURIComponent(handle)}`, { method: "DELETE" }).then(blocks.again);
  return (
    <section class="panel stack">
      <h2>{t("profile.blocks")}</h2>
      {blocked.length ? (
        <ul class="list">
          {blocked.map(({ handle }) => (
            <li key={handle}>
              <a class="grow" href={to("player", handle)}>
                {handle}
              </a>
              <Doing act={lift(handle)}>{t("block.lift")}</Doing>
            </li>
          ))}
        </ul>
      ) : (
        <p class="quiet">{t("profile.blocks.none")}</p>
      )}
      {told.length > 0 && (
        <>
          <h3>{t("profile.reports")}</h3>
          <ul class="list">
            {told.map((report) => (
              <li key={report.id}>
                <span class="grow">
                  {report.about ?? t("player.gone")} · {said("report.kind", report.kind, report.kind)}
                  <br />
                  <span class="quiet small">{dayTime(report.created_at)}</span>
                </span>
                <span class="tag">{said("report.state", report.verdict ?? report.state, report.state)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** What the house keeps about the player, to save; and the end of the account. */
function Leaving() {
  const [leaving, setLeaving] = useState(false);
  const [sure, setSure] = useState("");
  const handle = account.value?.handle ?? "";
  const download = async () => {
    const { file } = await ask("account.archive");
    save(`${handle}.zip`, new Blob([file], { type: "application/zip" }));
  };
  const leave = async () => {
    const { left } = await ask("account.delete", { sure });
    refresh();
    go();
    toast(t(left ? "profile.deleted.left" : "profile.deleted"));
  };
  return (
    <section class="panel stack">
      <h2>{t("profile.account")}</h2>
      <p class="quiet small">{t("profile.account.text")}</p>
      <div class="row">
        <Doing act={download}>{t("profile.archive")}</Doing>
        <button class="button plain wrong" onClick={() => setLeaving(true)}>
          {t("profile.delete")}
        </button>
      </div>
      {leaving && (
        <Dialog title={t("profile.delete")} onClose={() => setLeaving(false)} slim>
          <p>{t("profile.delete.text")}</p>
          <label class="field">
            <span>{t("profile.forget.type", { name: handle })}</span>
            <input type="text" value={sure} onInput={(event) => setSure(event.currentTarget.value)} />
          </label>
          <div class="row end">
            <Doing class="button main" disabled={sure !== handle} act={leave}>
              {t("profile.delete")}
            </Doing>
          </div>
        </Dialog>
      )}
    </section>
  );
}

function Figure({ name, value }: { name: string; value: number }) {
  return (
    <div class="figure panel flat">
      <dd class="serif">{value}</dd>
      <dt class="quiet small">{name}</dt>
    </div>
  );
}

function Keys() {
  const [leaving, setLeaving] = useState(false);
  const [changing, setChanging] = useState<"name" | "words" | null>(null);
  const [brought, setBrought] = useState("");
  const me = account.value;
  const download = async () => {
    const file = await ask("account.export");
    save(file.name, file.text);
  };
  return (
    <section class="panel stack">
      <h2>{t("profile.keys")}</h2>
      <p>{t("profile.keys.text")}</p>
      {kitchen.value?.disk === "memory" && <p class="note">{t("profile.memory")}</p>}
      <p class="small">
        {t("profile.key")} <code>{me?.key}</code>
      </p>
      <label class="tick">
        <input
          type="checkbox"
          checked={me?.boxed ?? false}
          onChange={(event) => {
            const on = event.currentTarget.checked;
            ask("account.box", { on }).then(
              () => {
                refresh();
                toast(t(on ? "box.on" : "box.off"));
              },
              (error: unknown) => toast(error instanceof DeskError ? error.fault.text : String(error), true),
            );
          }}
        />
        <span>{t("box.offer")}</span>
      </label>
      <div class="row">
        <button class="button" onClick={() => setChanging("name")}>
          {t("rename.title")}
        </button>
        <button class="button" onClick={() => setChanging("words")}>
          {t("words.title")}
        </button>
        <Doing act={download}>{t("profile.file")}</Doing>
        <label class="button">
          {t("profile.take")}
          <input
            class="unseen"
            type="file"
            accept=".json,application/json"
            onChange={(event) => {
              const chosen = event.currentTarget.files?.[0];
              event.currentTarget.value = "";
              if (chosen) void chosen.text().then(setBrought, complain);
            }}
          />
        </label>
        <Doing act={() => ask("account.lock").then(refresh)}>{t("profile.lock")}</Doing>
        <button class="button plain wrong" onClick={() => setLeaving(true)}>
          {t("profile.forget")}
        </button>
      </div>
      <p class="small quiet">
        {t("profile.web")} <code>cloche web --house {location.origin}</code>. <a href={to("about")}>{t("how")}</a>
      </p>
      {changing === "name" && <Rename onClose={() => setChanging(null)} />}
      {changing === "words" && <ChangeWords onClose={() => setChanging(null)} />}
      {brought && <TakeIn text={brought} onClose={() => setBrought("")} />}
      {leaving && <Forget onClose={() => setLeaving(false)} />}
    </section>
  );
}

/** A file of the same player from another device: its games can go on here. */
function TakeIn({ text, onClose }: { text: string; onClose: () => void }) {
  const [words, setWords] = useState("");
  const take = async () => {
    await ask("account.import", { text, passphrase: words });
    refresh();
    toast(t("profile.taken"));
    onClose();
  };
  return (
    <Dialog title={t("profile.take")} onClose={onClose} slim>
      <p>{t("profile.take.text")}</p>
      <label class="field">
        <span>{t("sign_in.words")}</span>
        <input
          type="password"
          value={words}
          autocomplete="current-password"
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </label>
      <div class="row end">
        <Doing class="button main" disabled={!words} act={take}>
          {t("profile.take")}
        </Doing>
      </div>
    </Dialog>
  );
}

function Forget({ onClose }: { onClose: () => void }) {
  const [sure, setSure] = useState("");
  const handle = account.value?.handle ?? "";
  return (
    <Dialog title={t("profile.forget")} onClose={onClose} slim>
      <p>{t("profile.forget.text")}</p>
      <label class="field">
        <span>{t("profile.forget.type", { name: handle })}</span>
        <input type="text" value={sure} onInput={(event) => setSure(event.currentTarget.value)} />
      </label>
      <div class="row end">
        <Doing
          class="button main"
          disabled={sure !== handle}
          act={async () => {
            await ask("account.forget", { sure });
            refresh();
            onClose();
            go();
          }}
        >
          {t("profile.forget")}
        </Doing>
      </div>
    </Dialog>
  );
}

function Looks() {
  const now = settings.value;
  return (
    <section class="panel stack">
      <h2>{t("profile.looks")}</h2>
      <div class="field">
        <span>{t("profile.language")}</span>
        <Switch
          label={t("profile.language")}
          value={language.value}
          choices={Object.entries(LANGUAGES) as [Language, string][]}
          onPick={(to) => set("language", to)}
        />
      </div>
      <div class="field">
        <span>{t("profile.theme")}</span>
        <Switch
          label={t("profile.theme")}
          value={now.theme}
          choices={(["system", "light", "dark"] as const).map((each) => [each, t(`profile.theme.${each}`)] as const)}
          onPick={(theme) => set("theme", theme)}
        />
      </div>
      <label class="tick">
        <input type="checkbox" checked={now.motion === "less"} onChange={(e) => set("motion", e.currentTarget.checked ? "less" : "system")} />
        <span>{t("profile.motion")}</span>
      </label>
      <label class="tick">
        <input
          type="checkbox"
          checked={now.sound}
          onChange={(event) => {
            set("sound", event.currentTarget.checked);
            sound("reveal");
          }}
        />
        <span>{t("profile.sound")}</span>
      </label>
      <label class="tick">
        <input type="checkbox" checked={now.envelope} onChange={(event) => set("envelope", event.currentTarget.checked)} />
        <span>{t("profile.envelope")}</span>
      </label>
      <p class="small quiet">
        {t("foot.build")} <code>{build()}</code>
        {!kitchen.value && (
          <button class="button plain" onClick={warm}>
            {t("profile.warm")}
          </button>
        )}
      </p>
    </section>
  );
}
