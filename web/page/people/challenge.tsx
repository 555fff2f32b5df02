/** Challenges: asking one player for a game, and answering. */
import { useState } from "preact/hooks";
import { reloadLists } from "../flow/news";
import { byTable, modesOfHouse, type Listed, type ModeFacts } from "../house";
import { account, house } from "../kitchen";
import { Dialog, Doing, Loaded, toast, useLoaded } from "../parts/ui";
import { to } from "../router";
import { decksOfMine, modeTitle, pace, type DeckInfo } from "../screens/lobby";
import { DeckPick } from "../screens/tables";
import { t } from "../words";
import { forTwo, until, type Challenge } from "./ladder";
import { giveUp, hope, meet } from "./meetings";
import { formatTitle, useWishWithDeck } from "./wish";

export function challengesOfMine(): Promise<Challenge[]> {
  return house<Listed<Challenge>>("/challenges").then((list) => list.items);
}

interface ChallengeProps {
  handle: string;
  onClose: () => void;
}

/** Ask a player for a game. */
export function ChallengeDialog({ handle, onClose }: ChallengeProps) {
  const loaded = useLoaded(() => Promise.all([modesOfHouse(), decksOfMine()]), []);
  return (
    <Dialog title={t("challenge.title", { name: handle })} onClose={onClose} slim>
      <Loaded from={loaded}>
        {([modes, decks]) => <ChallengeForm handle={handle} modes={byTable(forTwo(modes))} decks={decks} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

function ChallengeForm({ handle, modes, decks, onClose }: ChallengeProps & { modes: ModeFacts[]; decks: DeckInfo[] }) {
  const { wish, fields, lacks } = useWishWithDeck(modes, decks, false);
  const make = async () => {
    const made = await house<Challenge>("/challenges", { method: "POST", json: { to: handle, ...wish } });
    hope(`challenge ${made.id}`, { mode: made.mode, options: made.options });
    toast(t("challenge.made", { name: made.challenged }));
    onClose();
  };
  return (
    <div class="stack">
      {fields}
      <p class="small quiet">{t("challenge.text")}</p>
      <div class="row end">
        <Doing class="button main" act={make} disabled={lacks}>
          {t("challenge.do")}
        </Doing>
      </div>
    </div>
  );
}

/** A challenge in a list: by whom or to whom, which game, and what one may answer. */
export function ChallengeRow({ challenge }: { challenge: Challenge }) {
  const [choosing, setChoosing] = useState(false);
  const mine = challenge.challenger === account.value?.handle;
  const other = mine ? challenge.challenged : challenge.challenger;
  const verb = (name: string) => () =>
    house(`/challenges/${challenge.id}/${name}`, { method: "POST", json: {} })
      .then(() => giveUp(`challenge ${challenge.id}`))
      .finally(reloadLists);
  return (
    <li>
      <span class="grow">
        <a href={to("player", other)}>
          <strong>{other}</strong>
        </a>{" "}
        · {modeTitle(challenge.mode)}
        <br />
        <span class="quiet small">
          {t(mine ? "challenge.mine" : "challenge.yours")} · {pace(challenge.options)} ·{" "}
          {t(challenge.rated ? "rating.rated" : "rating.unrated")} · {challenge.format && `${formatTitle(challenge.format)} · `}
          {until(challenge)}
        </span>
      </span>
      <span class="row">
        {mine ? (
          <Doing act={verb("withdraw")}>{t("challenge.withdraw")}</Doing>
        ) : (
          <>
            <button class="button main" onClick={() => setChoosing(true)}>
              {t("challenge.accept")}
            </button>
            <Doing act={verb("decline")}>{t("challenge.decline")}</Doing>
          </>
        )}
      </span>
      {choosing && <Accept challenge={challenge} onClose={() => setChoosing(false)} />}
    </li>
  );
}

/** Accept a challenge, with a deck where one is needed. The game begins at once. */
function Accept({ challenge, onClose }: { challenge: Challenge; onClose: () => void }) {
  const loaded = useLoaded(() => Promise.all([modesOfHouse(), decksOfMine()]), []);
  const [deck, setDeck] = useState("");
  const [modes, decks] = loaded.value ?? [[], []];
  const own = modes.find((mode) => mode.name === challenge.mode)?.own_decks ?? false;
  const chosen = deck || (decks[0]?.id ?? "");
  const accept = async () => {
    const json = { deck: own ? chosen : null };
    const { game, mode, options } = challenge;
    const begun = await house<Challenge>(`/challenges/${challenge.id}/accept`, { method: "POST", json }).finally(reloadLists);
    onClose();
    await meet(begun.game ?? game ?? "", { mode, options });
  };
  return (
    <Dialog title={t("challenge.title", { name: challenge.challenger })} onClose={onClose} slim>
      <Loaded from={loaded}>
        {() => (
          <>
            <p>
              {modeTitle(challenge.mode)} · {pace(challenge.options)} · {t(challenge.rated ? "rating.rated" : "rating.unrated")}
              {challenge.format && ` · ${formatTitle(challenge.format)}`}
            </p>
            {own && <DeckPick decks={decks} value={chosen} onPick={setDeck} />}
            <div class="row end">
              <Doing class="button main" act={accept} disabled={own && !chosen}>
                {t("challenge.accept")}
              </Doing>
            </div>
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
