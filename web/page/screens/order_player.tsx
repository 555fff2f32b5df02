/** A player, as those who keep order see them: role, sanctions, what is unusual; and what can be done. */
import { useState } from "preact/hooks";
import { house } from "../kitchen";
import { Doing, Loaded, useLoaded } from "../parts/ui";
import { Act, type Deed } from "../people/act";
import { PlayNav } from "../people/nav";
import { standing, type Sanction, type Standing } from "../people/standing";
import { replace, to } from "../router";
import { dayTime, number, share, t } from "../words";

interface Conduct extends Standing {
  id: string;
  handle: string;
  created_at: string;
  tokens: number;
  running_games: number;
  open_tables: number;
  open_offers: number;
}

interface Unusual {
  code: string;
  opponent: string | null;
  games: number;
  share: number | null;
}

const DEEDS = { suspend: "suspension", freeze: "freeze", rename: "rename", revoke: "revoke-tokens" } as const;
const LIFTED = { suspended: "suspension", trades_frozen: "freeze" } as const;

export function OrderPlayer({ handle }: { handle: string }) {
  const at = `/moderation/players/${encodeURIComponent(handle)}`;
  const loaded = useLoaded(() => Promise.all([house<Conduct>(at), house<{ items: Unusual[] }>(`${at}/signals`)]), [handle]);
  return (
    <div class="stack">
      <PlayNav />
      <Loaded from={loaded}>{([found, { items }]) => <Player found={found} unusual={items} at={at} again={loaded.again} />}</Loaded>
    </div>
  );
}

function Player({ found, unusual, at, again }: { found: Conduct; unusual: Unusual[]; at: string; again: () => void }) {
  const [deed, setDeed] = useState<Deed | null>(null);
  const figures = [
    ["order.games", found.running_games],
    ["order.tables", found.open_tables],
    ["order.offers", found.open_offers],
    ["order.tokens", found.tokens],
  ] as const;
  return (
    <>
      <header class="stack tight">
        <h1>{found.handle}</h1>
        <p class="quiet">
          {t("player.since", { time: dayTime(found.created_at) })}
          {found.role && ` · ${t(`role.${found.role}`)}`} · <a href={to("player", found.handle)}>{t("player.look")}</a>
        </p>
      </header>
      <dl class="figures">
        {figures.map(([key, value]) => (
          <div class="figure panel flat" key={key}>
            <dd class="serif">{number(value)}</dd>
            <dt class="quiet small">{t(key)}</dt>
          </div>
        ))}
      </dl>
      <section class="panel stack">
        <h2>{t("order.sanctions")}</h2>
        <Sanctions list={found.sanctions} lift={(kind) => house(`${at}/${LIFTED[kind]}`, { method: "DELETE" }).then(again)} />
        <div class="row">
          {(Object.keys(DEEDS) as (keyof typeof DEEDS)[]).map((name) => (
            <button key={name} class="button" onClick={() => setDeed({ name, path: `${at}/${DEEDS[name]}` })}>
              {t(`order.do.${name}`)}
            </button>
          ))}
          <Role found={found} at={at} again={again} />
        </div>
      </section>
      <section class="panel stack">
        <h2>{t("order.unusual")}</h2>
        {unusual.length ? (
          <ul class="list">
            {unusual.map((each, i) => (
              <li key={i}>
                <span class="grow">
                  {t(`order.signal.${each.code as "one_sided"}`, {
                    n: each.games,
                    share: each.share === null ? "" : share(each.share),
                    name: each.opponent ?? "",
                  })}
                </span>
              </li>
            ))}
          </ul>
        ) : (
          <p class="quiet">{t("order.unusual.none")}</p>
        )}
        <p class="small quiet">{t("order.unusual.text")}</p>
      </section>
      {deed && (
        <Act
          deed={deed}
          onClose={() => setDeed(null)}
          onDone={() => (deed.name === "rename" ? replace("order") : again())}
        />
      )}
    </>
  );
}

function Sanctions({ list, lift }: { list: Sanction[]; lift: (kind: Sanction["kind"]) => Promise<unknown> }) {
  if (!list.length) return <p class="quiet">{t("order.sanctions.none")}</p>;
  return (
    <ul class="list">
      {list.map((each) => (
        <li key={each.kind}>
          <span class="grow">
            <strong>{t(`sanction.${each.kind}`)}</strong> · {each.reason}
            <br />
            <span class="quiet small">{sanctionSpan(each)}</span>
          </span>
          <Doing act={() => lift(each.kind)}>{t("order.lift")}</Doing>
        </li>
      ))}
    </ul>
  );
}

/** Until when a sanction stands. */
export function sanctionSpan({ until }: Sanction): string {
  return until === null ? t("order.hours.none") : t("challenge.until", { time: dayTime(until) });
}

/** An admin gives and takes the role below their own. */
function Role({ found, at, again }: { found: Conduct; at: string; again: () => void }) {
  if (standing.value.role !== "admin" || found.role === "admin") return null;
  const given = found.role === "moderator";
  const change = () => house(`${at}/role`, given ? { method: "DELETE" } : { method: "PUT", json: { role: "moderator" } }).then(again);
  return <Doing act={change}>{t(given ? "order.role.take" : "order.role.give")}</Doing>;
}
