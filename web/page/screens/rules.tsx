/** The rules in short, of each game; the whole of them stand in the house's documentation. */
import { byTable, modesOfHouse, type ModeFacts } from "../house";
import { Loaded, useLoaded } from "../parts/ui";
import { to } from "../router";
import { drawingOf } from "../table/modes";
import { known, said, t } from "../words";
import { modeTitle } from "./lobby";

/** The points of a game's rules, as many as there are words for. */
function points(mode: string): string[] {
  const found: string[] = [];
  for (let i = 1; known(`rules.${mode}.${i}`); i++) {
    const key = `rules.${mode}.${i}`;
    if (known(key)) found.push(t(key));
  }
  return found;
}

/** The rules of a game in a few sentences. */
export function Points({ mode }: { mode: string }) {
  const list = points(mode);
  if (!list.length) return <p class="quiet">{t("rules.none")}</p>;
  return (
    <ol class="rules">
      {list.map((text, i) => (
        <li key={i}>{text}</li>
      ))}
    </ol>
  );
}

/** The rules of a game of this house; of its first where none is named. */
export function Rules({ mode }: { mode?: string | undefined }) {
  const modes = useLoaded(modesOfHouse, []);
  const games = byTable(modes.value ?? []);
  const shown = mode ?? games[0]?.name;
  return (
    <div class="stack reading">
      <nav class="row" aria-label={t("title.rules")}>
        <Loaded from={modes}>{() => <RulesTabs modes={games} mode={shown} />}</Loaded>
      </nav>
      {shown !== undefined && <RulesOf mode={shown} />}
    </div>
  );
}

function RulesTabs({ modes, mode }: { modes: readonly ModeFacts[]; mode: string | undefined }) {
  return (
    <>
      {modes.map((each) => (
        <a key={each.name} class="button" href={to("rules", each.name)} aria-current={each.name === mode ? "page" : undefined}>
          {modeTitle(each.name)}
        </a>
      ))}
    </>
  );
}

function RulesOf({ mode }: { mode: string }) {
  const { taught } = drawingOf(mode);
  return (
    <>
      <h1>{modeTitle(mode)}</h1>
      <p>{said("mode.about", mode, "")}</p>
      <Points mode={mode} />
      {taught && (
        <p>
          <a class="button main" href={to(taught)}>
            {t("landing.play")}
          </a>
        </p>
      )}
    </>
  );
}
