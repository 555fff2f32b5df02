/** A report to those who keep order in the house. */
import { useState } from "preact/hooks";
import { house } from "../kitchen";
import { Dialog, Doing, toast } from "../parts/ui";
import { t } from "../words";

export const KINDS = ["cheating", "collusion", "stalling", "bad_name", "harassment", "other"] as const;
type Kind = (typeof KINDS)[number];
const LONGEST = 500;

interface ReportProps {
  handle: string;
  /** A game in which it happened. */
  game?: string;
  onClose: () => void;
}

export function ReportDialog({ handle, game, onClose }: ReportProps) {
  const [kind, setKind] = useState<Kind>(game ? "stalling" : "bad_name");
  const [note, setNote] = useState("");
  const send = async () => {
    const json = { about: handle, kind, note: note.replace(/\s+/g, " ").trim(), ...(game ? { game } : {}) };
    await house("/reports", { method: "POST", json });
    toast(t("report.sent"));
    onClose();
  };
  return (
    <Dialog title={t("report.title", { name: handle })} onClose={onClose} slim>
      <label class="field">
        <span>{t("report.kind")}</span>
        <select value={kind} onChange={(event) => setKind(event.currentTarget.value as Kind)}>
          {KINDS.map((each) => (
            <option key={each} value={each}>
              {t(`report.kind.${each}`)}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{t("report.note")}</span>
        <textarea value={note} maxLength={LONGEST} onInput={(event) => setNote(event.currentTarget.value)} />
      </label>
      <p class="small quiet">{t("report.text")}</p>
      <div class="row end">
        <Doing class="button main" act={send}>
          {t("report.do")}
        </Doing>
      </div>
    </Dialog>
  );
}
