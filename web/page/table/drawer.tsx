/** Beside the table: the bill, round by round, and what has been checked so far. */
import { useState } from "preact/hooks";
import type { AccountEvent, MatchView } from "../desk";
import { Switch } from "../parts/ui";
import { said, t } from "../words";
import { roundOf, toldWords, whyWords, type Teller } from "./account_words";

export function Drawer({ view, accounts, teller }: { view: MatchView; accounts: AccountEvent[]; teller: Teller }) {
  const [tab, setTab] = useState<"bill" | "proof">("bill");
  return (
    <aside class="drawer" aria-label={t("drawer")}>
      <Switch
        label={t("drawer")}
        value={tab}
        onPick={setTab}
        choices={[
          ["bill", t("drawer.bill")],
          ["proof", t("drawer.proof")],
        ]}
      />
      {tab === "bill" ? <Bills accounts={accounts} teller={teller} rounds={typeof view.state["round"] === "number"} /> : <Proof view={view} />}
    </aside>
  );
}

function Bills({ accounts, teller, rounds }: { accounts: AccountEvent[]; teller: Teller; rounds: boolean }) {
  if (!accounts.length) return <p class="quiet small">{t("drawer.bill.none")}</p>;
  return (
    <ol class="bills">
      {[...accounts].reverse().map((account) => (
        <li key={account.seq} class="bill">
          {rounds && <h3>{roundOf(account) ? t("round", { n: roundOf(account) }) : t("round.start")}</h3>}
          <Bill account={account} teller={teller} />
        </li>
      ))}
    </ol>
  );
}

/** An account section by section, each line with its reasons. The number of the round stands above it already. */
export function Bill({ account, teller }: { account: AccountEvent; teller: Teller }) {
  return (
    <>
      {account.sections.map(({ heading, lines, winners }, i) => (
        <section class="bill-part" key={i}>
          {heading && heading.code !== "round" && (
            <h4 class={winners === null ? "" : winners.length ? "gold" : "quiet"}>{toldWords(heading, teller)}</h4>
          )}
          {lines.length > 0 && (
            <ul class="bill-text">
              {lines.map((line, j) => (
                <li key={j}>
                  {toldWords(line, teller)}
                  {line.reasons.length > 0 && <span class="small quiet bill-why">{whyWords(line, teller)}</span>}
                </li>
              ))}
            </ul>
          )}
        </section>
      ))}
    </>
  );
}

function Proof({ view }: { view: MatchView }) {
  const kinds = Object.entries(view.proven.kinds).filter(([, count]) => count > 0);
  return (
    <div class="stack tight">
      <p>{t("proof.text")}</p>
      <ul class="proof">
        <li>{t("proof.signatures", { n: view.proven.signatures })}</li>
        {kinds.map(([kind, count]) => (
          <li key={kind}>{said("proof", kind, `${kind}: ${count}`, { n: count })}</li>
        ))}
      </ul>
      {view.seats.map((seat, i) =>
        seat.seal ? (
          <p class="small" key={i}>
            {t("proof.fingerprint", { name: seat.name })} <code>{seat.seal.fingerprint}</code>
          </p>
        ) : null,
      )}
      <details>
        <summary class="button plain">{t("how")}</summary>
        <p class="small">{t("proof.how")}</p>
      </details>
    </div>
  );
}
