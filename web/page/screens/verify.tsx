/** Verify: drop a record, pick a file, or name a game of this house. It is checked here, in a worker of its own. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Desk, DeskError, type Report } from "../desk";
import { PlateDrawing } from "../parts/plate";
import { say } from "../parts/ui";
import { told } from "../kitchen";
import { go, to } from "../router";
import { kitchenWorker } from "../trust";
import { number, refusalWords, said, t } from "../words";
import { modeTitle } from "./lobby";

/** A file that was dropped on another screen and waits to be checked here. */
let dropped: File | null = null;

/** The id of a game in what somebody typed or pasted: the id itself, or a link with it. */
export function gameIn(text: string): string | null {
  return /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i.exec(text)?.[0] ?? null;
}

export function RecordPlate({ onFile, onGame }: { onFile: (file: File) => void; onGame: (game: string) => void }) {
  const [over, setOver] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const take = (chosen: File | undefined) => {
    if (!chosen) return;
    dropped = chosen;
    onFile(chosen);
  };
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const text = event.dataTransfer?.getData("text/plain") ?? "";
        const game = gameIn(text);
        if (event.dataTransfer?.files[0]) take(event.dataTransfer.files[0]);
        else if (game) onGame(game);
      }}
    >
      <button class={over ? "drop-plate over" : "drop-plate"} onClick={() => file.current?.click()}>
        <strong>{t("verify.drop")}</strong>
        <span class="quiet">{t("verify.here")}</span>
      </button>
      <input
        ref={file}
        class="unseen"
        type="file"
        tabIndex={-1}
        aria-label={t("verify.drop")}
        accept=".json,application/json"
        onChange={(event) => take(event.currentTarget.files?.[0])}
      />
    </div>
  );
}

type Stage =
  | { is: "idle" }
  | { is: "busy"; done: number; total: number }
  | { is: "done"; report: Report }
  | { is: "failed"; error: unknown };

export function Verify({ game }: { game: string | null }) {
  const [stage, setStage] = useState<Stage>({ is: "idle" });
  const [name, setName] = useState(game ?? "");
  const desk = useRef<Desk | null>(null);

  const check = async (what: { game?: string; file?: ArrayBuffer }) => {
    setStage({ is: "busy", done: 0, total: 0 });
    const verifier = (desk.current ??= newVerifier(setStage));
    try {
      const report = await verifier.ask("verify.record", what);
      setStage({ is: "done", report });
      say(t(verdictOf(report)));
    } catch (error) {
      setStage({ is: "failed", error });
    }
  };
  useEffect(() => {
    if (dropped) {
      const file = dropped;
      dropped = null;
      void file.arrayBuffer().then((bytes) => check({ file: bytes }));
    } else if (game) void check({ game });
    return () => {
      desk.current?.close();
      desk.current = null;
    };
  }, [game]);

  const pick = (file: File) => {
    dropped = null;
    void file.arrayBuffer().then((bytes) => check({ file: bytes }));
  };
  const found = gameIn(name);
  return (
    <div class="stack wide reading">
      <header class="stack tight">
        <h1>{t("verify.title")}</h1>
        <p>{t("verify.text")}</p>
      </header>
      <RecordPlate onFile={pick} onGame={(id) => void check({ game: id })} />
      <form
        class="row low"
        onSubmit={(event) => {
          event.preventDefault();
          if (found) void (found === game ? check({ game: found }) : go("verify", found));
        }}
      >
        <label class="field grow">
          <span>{t("verify.name")}</span>
          <input type="text" value={name} spellcheck={false} onInput={(e) => setName(e.currentTarget.value)} />
        </label>
        <button class="button" disabled={!found}>
          {t("verify.do")}
        </button>
      </form>
      <Result stage={stage} />
      <details>
        <summary class="button plain">{t("how")}</summary>
        <div class="stack tight">
          <p>{t("verify.how.record")}</p>
          <p>{t("verify.how.seal")}</p>
          <p>{t("verify.how.trust")}</p>
        </div>
      </details>
    </div>
  );
}

function newVerifier(setStage: (stage: Stage) => void): Desk {
  const verifier = new Desk(() => kitchenWorker("verifier"));
  verifier.on((event) => {
    if (event.event === "progress" && event.call === "verify.record")
      setStage({ is: "busy", done: event.done, total: event.total });
  });
  return verifier;
}

function Result({ stage }: { stage: Stage }) {
  switch (stage.is) {
    case "idle":
      return null;
    case "busy":
      return (
        <div class="stack tight" role="status">
          <p class="waiting">{stage.total ? t("verify.entries", { n: stage.done, of: stage.total }) : t("oven.warming")}</p>
          <progress max={stage.total || 1} value={stage.done} aria-label={t("verify.busy")} />
        </div>
      );
    case "failed":
      return (
        <div class="note bad stack tight" role="alert">
          <p>{told(stage.error)}</p>
          {stage.error instanceof DeskError && <p class="small quiet">{stage.error.code}</p>}
        </div>
      );
    case "done":
      return <Receipt report={stage.report} />;
  }
}

/** The verdict in words. A record that only lacks its end is no false one: its game still runs, or was cut off. */
export function verdictOf(report: Report): "verify.valid" | "verify.unfinished" | "verify.invalid" {
  if (report.valid) return "verify.valid";
  return report.fault?.code === "unfinished" ? "verify.unfinished" : "verify.invalid";
}

/** What was checked, as a bill; or where the record breaks. */
export function Receipt({ report }: { report: Report }) {
  const verdict = verdictOf(report);
  const checked = Object.entries(report.checked).filter(([, count]) => count > 0);
  return (
    <section class={verdict === "verify.invalid" ? "receipt bad" : "receipt good"}>
      <header class="row">
        <div class="receipt-plate">
          <PlateDrawing lid={report.valid ? "up" : "down"} glazed={report.valid} won={report.valid} />
        </div>
        <h2 class={verdict === "verify.invalid" ? "wrong grow" : "herb grow"}>{t(verdict)}</h2>
      </header>
      {report.fault && verdict === "verify.invalid" && (
        <div class="note bad stack tight">
          <p>{said("fault", report.fault.code, refusalWords(report.fault.code, report.fault.text))}</p>
          <p class="small">
            {report.fault.entry !== null && <>{t("verify.entry", { n: report.fault.entry })} · </>}
            <code>{report.fault.code}</code> <code>{report.fault.pointer}</code> {report.fault.section}
          </p>
        </div>
      )}
      <dl class="bill-lines">
        {report.mode && <Line name={t("verify.game")} value={modeTitle(report.mode)} />}
        {report.seats && <Line name={t("verify.players")} value={report.seats.map((seat) => seat.name).join(" · ")} />}
        {checked.map(([what, count]) => (
          <Line key={what} name={said("checked", what, what)} value={number(count)} />
        ))}
        {report.outcome && <Line name={t("verify.outcome")} value={report.outcome.points.map((n) => number(n)).join(" : ")} />}
        <Line name={t("verify.size")} value={t("verify.bytes", { n: Math.ceil(report.bytes / 1024) })} />
        <Line name={t("verify.took")} value={t("verify.seconds", { s: number(report.took_ms / 1000, 2) })} />
      </dl>
      <p class="small quiet">{t(report.known_house ? "verify.house.known" : report.known_house === false ? "verify.house.other" : "verify.house.unknown")}</p>
      {report.house_key && (
        <p class="small">
          {t("verify.key")} <code>{report.house_key}</code>
        </p>
      )}
      {report.game && (
        <p>
          <a class="button" href={to("replay", report.game)}>
            {t("replay")}
          </a>
        </p>
      )}
    </section>
  );
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
