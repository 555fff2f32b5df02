/** The desk of those who keep order: reports, players, the log of acts (docs/moderation.md). */
import { useState } from "preact/hooks";
import { news, reloadLists } from "../flow/news";
import type { Listed } from "../house";
import { account, house } from "../kitchen";
import { Dialog, Doing, Loaded, Switch, useLoaded } from "../parts/ui";
import { Act, type Deed } from "../people/act";
import { PlayNav } from "../people/nav";
import { standing } from "../people/standing";
import { go, to } from "../router";
import { dayTime, said, t } from "../words";

const VERDICTS = ["upheld", "dismissed", "duplicate"] as const;
type Shelf = "open" | "taken" | "closed" | "acts";

interface Case {
  id: string;
  about: string | null;
  reporter: string | null;
  handler: string | null;
  kind: string;
  note: string;
  remark: string;
  game: string | null;
  deck: string | null;
  table: string | null;
  created_at: string;
  state: "open" | "taken" | "closed";
  verdict: (typeof VERDICTS)[number] | null;
}

interface Acted {
  seq: number;
  at: string;
  by: string | null;
  kind: string;
  handle: string | null;
  details: Record<string, unknown>;
}

export function Order() {
  const [shelf, setShelf] = useState<Shelf>("open");
  const [handle, setHandle] = useState("");
  return (
    <div class="stack">
      <PlayNav />
      <h1>{t("title.order")}</h1>
      {standing.value.role === null ? (
        <div class="empty">
          <p>{t("order.stranger")}</p>
        </div>
      ) : (
        <>
          <div class="row apart low">
            <Switch
              label={t("title.order")}
              value={shelf}
              choices={(["open", "taken", "closed", "acts"] as const).map((each) => [each, t(`order.shelf.${each}`)] as const)}
              onPick={setShelf}
            />
            <form
              class="row low"
              onSubmit={(event) => {
                event.preventDefault();
                if (handle.trim()) go("order", handle.trim());
              }}
            >
              <label class="field">
                <span>{t("order.player")}</span>
                <input type="text" value={handle} autocapitalize="none" autocomplete="off" onInput={(event) => setHandle(event.currentTarget.value)} />
              </label>
              <button class="button" disabled={!handle.trim()}>
                {t("order.look")}
              </button>
            </form>
          </div>
          {shelf === "acts" ? <Log /> : <Cases key={shelf} state={shelf} />}
        </>
      )}
    </div>
  );
}

function Cases({ state }: { state: Case["state"] }) {
  const tick = news.value;
  const list = useLoaded(() => house<Listed<Case>>("/moderation/reports", { query: { state, limit: 50 } }), [state, tick]);
  return (
    <Loaded from={list}>
      {({ items }) =>
        items.length ? (
          <ul class="list panel">
            {items.map((each) => (
              <CaseRow key={each.id} found={each} />
            ))}
          </ul>
        ) : (
          <div class="empty">
            <p>{t(`order.none.${state}`)}</p>
          </div>
        )
      }
    </Loaded>
  );
}

function CaseRow({ found }: { found: Case }) {
  const [closing, setClosing] = useState(false);
  const [deed, setDeed] = useState<Deed | null>(null);
  const mine = found.handler === account.value?.handle;
  const verb = (name: string) => () => house(`/moderation/reports/${found.id}/${name}`, { method: "POST" }).finally(reloadLists);
  return (
    <li class="case">
      <div class="stack tight grow">
        <p>
          <strong>{said("report.kind", found.kind, found.kind)}</strong> ·{" "}
          {found.about ? <a href={to("order", found.about)}>{found.about}</a> : t("player.gone")}
        </p>
        {found.note && <p class="quote">{found.note}</p>}
        <p class="quiet small">
          {t("order.by", { name: found.reporter ?? t("player.gone"), time: dayTime(found.created_at) })}
          {found.handler && ` · ${t("order.handler", { name: found.handler })}`}
        </p>
        {found.remark && <p class="quiet small">{found.remark}</p>}
      </div>
      <div class="row">
        {found.verdict && <span class="tag">{said("report.state", found.verdict, found.verdict)}</span>}
        {found.game && (
          <a class="button" href={to("replay", found.game)}>
            {t("replay")}
          </a>
        )}
        {found.deck && (
          <button class="button" onClick={() => setDeed({ name: "hide_deck", path: `/moderation/decks/${found.deck}/hidden` })}>
            {t("order.do.hide_deck")}
          </button>
        )}
        {found.table && (
          <button class="button" onClick={() => setDeed({ name: "hide_table", path: `/moderation/tables/${found.table}/hidden` })}>
            {t("order.do.hide_table")}
          </button>
        )}
        {found.state === "open" && (
          <Doing class="button main" act={verb("take")}>
            {t("order.take")}
          </Doing>
        )}
        {found.state === "taken" && (mine || standing.value.role === "admin") && <Doing act={verb("release")}>{t("order.release")}</Doing>}
        {found.state === "taken" && mine && (
          <button class="button main" onClick={() => setClosing(true)}>
            {t("order.close")}
          </button>
        )}
      </div>
      {deed && <Act deed={deed} onClose={() => setDeed(null)} onDone={reloadLists} />}
      {closing && <Close found={found} onClose={() => setClosing(false)} />}
    </li>
  );
}

/** The end of a case. The verdict alone imposes nothing. */
function Close({ found, onClose }: { found: Case; onClose: () => void }) {
  const [verdict, setVerdict] = useState<(typeof VERDICTS)[number]>("upheld");
  const [remark, setRemark] = useState("");
  const close = async () => {
    await house(`/moderation/reports/${found.id}/close`, { method: "POST", json: { verdict, remark: remark.trim() } });
    onClose();
    reloadLists();
  };
  return (
    <Dialog title={t("order.close")} onClose={onClose} slim>
      <p>{t("order.close.text")}</p>
      <div class="field">
        <span>{t("order.verdict")}</span>
        <Switch
          label={t("order.verdict")}
          value={verdict}
          choices={VERDICTS.map((each) => [each, t(`report.state.${each}`)] as const)}
          onPick={setVerdict}
        />
      </div>
      <label class="field">
        <span>{t("order.remark")}</span>
        <input type="text" value={remark} maxLength={300} onInput={(event) => setRemark(event.currentTarget.value)} />
      </label>
      <div class="row end">
        <Doing class="button main" act={close}>
          {t("order.close")}
        </Doing>
      </div>
    </Dialog>
  );
}

/** What an act says beside its kind: texts and numbers, in the words of who acted. */
function details(of: Record<string, unknown>): string {
  const { reason, ...others } = of;
  const rest = Object.values(others).filter((each) => typeof each === "string" || typeof each === "number");
  return [...(typeof reason === "string" ? [reason] : []), ...rest].join(" · ");
}

function Log() {
  const tick = news.value;
  const list = useLoaded(() => house<Listed<Acted>>("/moderation/acts", { query: { limit: 100 } }), [tick]);
  return (
    <Loaded from={list}>
      {({ items }) =>
        items.length ? (
          <div class="panel scroll" tabIndex={0} role="group" aria-label={t("order.shelf.acts")}>
            <table class="board">
              <caption>{t("order.log")}</caption>
              <thead>
                <tr>
                  <th scope="col" class="number">
                    {t("order.number")}
                  </th>
                  <th scope="col">{t("rating.when")}</th>
                  <th scope="col">{t("order.who")}</th>
                  <th scope="col">{t("order.what")}</th>
                  <th scope="col">{t("order.why")}</th>
                </tr>
              </thead>
              <tbody>
                {items.map((act) => (
                  <tr key={act.seq}>
                    <td class="number">{act.seq}</td>
                    <td>{dayTime(act.at)}</td>
                    <td>{act.by ?? t("player.gone")}</td>
                    <td>
                      {said("act", act.kind, act.kind)} {act.handle && <a href={to("order", act.handle)}>{act.handle}</a>}
                    </td>
                    <td>{details(act.details)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ) : (
          <div class="empty">
            <p>{t("order.none.acts")}</p>
          </div>
        )
      }
    </Loaded>
  );
}
