/** The rules in short, of each game; the whole of them stand in the house's documentation. */
import { byTable, modesOfHouse } from "../house";
import { Loaded, useLoaded } from "../parts/ui";
import { to } from "../router";
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

export function Rules({ mode }: { mode: string }) {
  const modes = useLoaded(modesOfHouse, []);
  return (
    <div class="stack reading">
      <nav class="row" aria-label={t("title.rules")}>
        <Loaded from={modes}>
          {(all) => (
            <>
              {byTable(all).map((each) => (
                <a key={each.name} class="button" href={to("rules", each.name)} aria-current={each.name === mode ? "page" : undefined}>
                  {modeTitle(each.name)}
                </a>
              ))}
            </>
          )}
        </Loaded>
      </nav>
      <h1>{modeTitle(mode)}</h1>
      <p>{said("mode.about", mode, "")}</p>
      <Points mode={mode} />
      {mode === "chef" && (
        <p>
          <a class="button main" href={to("learn")}>
            {t("landing.play")}
          </a>
        </p>
      )}
    </div>
  );
}
