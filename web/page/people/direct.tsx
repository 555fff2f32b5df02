/** What a director decides: each needs a reason, which the players read, and stands in the log. */
import { useState } from "preact/hooks";
import type { Json } from "../desk";
import { house } from "../kitchen";
import { Dialog, Doing, toast } from "../parts/ui";
import { t } from "../words";
import type { Result } from "./tournament";

export interface Decree {
  name: "cancel" | "drop" | "restore" | "rule";
  path: string;
  /** Whom or which match it is about. */
  about?: string;
}

const RESULTS: readonly Result[] = ["first", "second", "draw", "neither"];

export function Direct({ decree, onClose, onDone }: { decree: Decree; onClose: () => void; onDone: () => void }) {
  const [reason, setReason] = useState("");
  const [result, setResult] = useState<Result>("first");
  const rules = decree.name === "rule";
  const act = async () => {
    const json: Record<string, Json> = { reason: reason.trim() };
    if (rules) json["result"] = result;
    await house(decree.path, { method: rules ? "PUT" : "POST", json });
    toast(t("order.done"));
    onClose();
    onDone();
  };
  return (
    <Dialog title={t(`tournament.do.${decree.name}`)} onClose={onClose} slim>
      {decree.about && <p class="serif">{decree.about}</p>}
      <p>{t(`tournament.about.${decree.name}`)}</p>
      {rules && (
        <label class="field">
          <span>{t("rating.result")}</span>
          <select value={result} onChange={(event) => setResult(event.currentTarget.value as Result)}>
            {RESULTS.map((each) => (
              <option key={each} value={each}>
                {t(`tournament.result.${each}`)}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="field">
        <span>{t("tournament.reason")}</span>
        <input type="text" value={reason} maxLength={300} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <div class="row end">
        <Doing class="button main" act={act} disabled={!reason.trim()}>
          {t(`tournament.do.${decree.name}`)}
        </Doing>
      </div>
    </Dialog>
  );
}
