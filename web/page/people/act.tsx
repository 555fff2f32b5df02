/** An act upon a player or a thing. Each needs a reason, and stands in a log that nobody can edit. */
import { useState } from "preact/hooks";
import type { Json } from "../desk";
import { house } from "../kitchen";
import { Dialog, Doing, toast } from "../parts/ui";
import { t } from "../words";

export interface Deed {
  name: "suspend" | "freeze" | "rename" | "revoke" | "hide_deck" | "hide_table";
  path: string;
}

/** Hours that are offered; null stands until it is lifted. */
const SPANS = [24, 72, 168, 720, null] as const;
const TIMED = new Set<Deed["name"]>(["suspend", "freeze"]);
const POSTED = new Set<Deed["name"]>(["rename", "revoke"]);

interface ActProps {
  deed: Deed;
  onClose: () => void;
  onDone: () => void;
}

export function Act({ deed, onClose, onDone }: ActProps) {
  const [reason, setReason] = useState("");
  const [hours, setHours] = useState<number | null>(72);
  const [handle, setHandle] = useState("");
  const timed = TIMED.has(deed.name);
  const naming = deed.name === "rename";
  const act = async () => {
    const json: Record<string, Json> = { reason: reason.trim() };
    if (timed) json["hours"] = hours;
    if (naming) json["handle"] = handle.trim();
    await house(deed.path, { method: POSTED.has(deed.name) ? "POST" : "PUT", json });
    toast(t("order.done"));
    onClose();
    onDone();
  };
  return (
    <Dialog title={t(`order.do.${deed.name}`)} onClose={onClose} slim>
      <p>{t(`order.about.${deed.name}`)}</p>
      {naming && (
        <label class="field">
          <span>{t("rename.handle")}</span>
          <input type="text" value={handle} maxLength={24} autocapitalize="none" autocomplete="off" onInput={(event) => setHandle(event.currentTarget.value)} />
        </label>
      )}
      {timed && (
        <label class="field">
          <span>{t("order.hours")}</span>
          <select value={String(hours)} onChange={(event) => setHours(Number(event.currentTarget.value) || null)}>
            {SPANS.map((each) => (
              <option key={String(each)} value={String(each)}>
                {each === null ? t("order.hours.none") : t("order.days", { n: each / 24 })}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="field">
        <span>{t("order.reason")}</span>
        <input type="text" value={reason} maxLength={300} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <div class="row end">
        <Doing class="button main" act={act} disabled={!reason.trim() || (naming && !handle.trim())}>
          {t(`order.do.${deed.name}`)}
        </Doing>
      </div>
    </Dialog>
  );
}
