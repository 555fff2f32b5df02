/** The menu of a table: rules, a draw, resigning, and a report of another player. */
import { useState } from "preact/hooks";
import type { MatchView } from "../desk";
import { ask, house } from "../kitchen";
import { Icon } from "../parts/icons";
import { complain, Sure, toast, useLoaded } from "../parts/ui";
import { ReportDialog } from "../people/report";
import { to } from "../router";
import { t } from "../words";
import type { Match } from "./match";

export function Menu({ match, view }: { match: Match; view: MatchView }) {
  const [sure, setSure] = useState(false);
  const [open, setOpen] = useState(false);
  const [about, setAbout] = useState("");
  const playing = !view.over && view.deals > 0;
  const offer = () => {
    setOpen(false);
    ask("match.offer_draw", { game: view.game }).then((now) => {
      match.view.value = now;
      toast(t("match.draw_offered"));
    }, complain);
  };
  return (
    <div
      class="menu"
      onFocusOut={(event) => !event.currentTarget.contains(event.relatedTarget as Node | null) && setOpen(false)}
      onKeyDown={(event) => event.key === "Escape" && setOpen(false)}
    >
      <button class="button round" aria-label={t("match.menu")} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="more" />
      </button>
      {open && <div class="menu-away" onClick={() => setOpen(false)} />}
      {open && (
        <div class="menu-list">
          <a class="button plain" href={to("rules", view.mode)} target="_blank" rel="noopener">
            {t("title.rules")}
          </a>
          <People view={view} report={setAbout} />
          {playing && (
            <>
              <button class="button plain" onClick={offer}>
                {t("match.draw")}
              </button>
              <button class="button plain wrong" onClick={() => setSure(true)}>
                {t("match.resign")}
              </button>
            </>
          )}
        </div>
      )}
      {about && <ReportDialog handle={about} game={view.game} onClose={() => setAbout("")} />}
      {sure && (
        <Sure
          title={t("match.resign")}
          text={t("match.resign.text")}
          yes={t("match.resign")}
          onNo={() => setSure(false)}
          onYes={() => {
            ask("match.resign", { game: view.game }).then((now) => (match.view.value = now), complain);
          }}
        />
      )}
    </div>
  );
}

/** A report of each other player who is a person: the house knows them by name, and their key is the seat's. */
function People({ view, report }: { view: MatchView; report: (handle: string) => void }) {
  const others = view.seats.filter((_, seat) => seat !== view.seat);
  const found = useLoaded(
    () => Promise.all(others.map(({ name }) => house<{ handle: string; key: string }>(`/players/${encodeURIComponent(name)}`).catch(() => null))),
    [view.game],
  );
  const people = found.value?.filter((each, i) => each?.key === others[i]?.key) ?? [];
  return (
    <>
      {people.map(
        (each) =>
          each && (
            <button key={each.key} class="button plain" onClick={() => report(each.handle)}>
              {t("report.title", { name: each.handle })}
            </button>
          ),
      )}
    </>
  );
}
