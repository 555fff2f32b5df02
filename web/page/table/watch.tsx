/** A running game, watched: the same table without a hand. */
import { Trouble } from "../parts/ui";
import { modeTitle } from "../screens/lobby";
import { t } from "../words";
import { begin, roundShown, useMatch } from "./match";
import { drawingOf } from "./modes";
import { outcomeWords } from "./play";

export function Watch({ game }: { game: string }) {
  const match = useMatch(game, false);
  const view = match.view.value;
  if (match.error.value !== null) return <Trouble error={match.error.value} again={() => begin(match, game, false)} />;
  if (!view) return <p class="waiting">{t("watch.coming")}</p>;
  const { Seen } = drawingOf(view.mode);
  const round = roundShown(view, match.fresh.value);
  return (
    <div class="match">
      <div class="match-head">
        <h1 class="match-title">{modeTitle(view.mode)}</h1>
        {round > 0 && <span class="tag">{t("round", { n: round })}</span>}
        <span class="tag">{t("watch.watching")}</span>
      </div>
      {view.over && <p class="note good">{outcomeWords(view)}</p>}
      <Seen
        view={view}
        skew={match.skew.value}
        accounts={match.accounts.value}
        fresh={match.fresh.value}
        onRead={() => (match.fresh.value = null)}
      />
    </div>
  );
}
