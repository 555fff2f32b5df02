/** Finding somebody to play with: the queue, challenges, a player by name. */
import { useState } from "preact/hooks";
import { news } from "../flow/news";
import { byTable, modesOfHouse, type ModeFacts } from "../house";
import { account, house } from "../kitchen";
import { Doing, Loaded, useLoaded } from "../parts/ui";
import { ChallengeDialog, ChallengeRow, challengesOfMine } from "../people/challenge";
import { resultWords } from "../people/chart";
import { ratingWords, type Rating } from "../people/ladder";
import { PlayNav } from "../people/nav";
import { stopWaiting, waited, waiting, waitFor } from "../people/waiting";
import { formatTitle, useWishWithDeck } from "../people/wish";
import { go, to } from "../router";
import { t } from "../words";
import { decksOfMine, modeTitle, type DeckInfo } from "./lobby";

export function Opponents() {
  const loaded = useLoaded(() => Promise.all([modesOfHouse(), decksOfMine()]), []);
  return (
    <div class="stack wide">
      <PlayNav />
      <h1>{t("title.opponents")}</h1>
      <div class="columns">
        <section class="panel stack" aria-labelledby="queue-title">
          <h2 id="queue-title">{t("queue.title")}</h2>
          {waiting.value ? (
            <InQueue />
          ) : (
            <Loaded from={loaded}>{([modes, decks]) => <Queue modes={byTable(modes)} decks={decks} />}</Loaded>
          )}
        </section>
        <Challenges />
      </div>
      <Ratings />
    </div>
  );
}

function Queue({ modes, decks }: { modes: ModeFacts[]; decks: DeckInfo[] }) {
  const { wish, fields, lacks } = useWishWithDeck(modes, decks, true);
  return (
    <div class="stack">
      <p class="quiet">{t("queue.text")}</p>
      {fields}
      <div class="row">
        <Doing class="button main big" act={() => waitFor(wish)} disabled={lacks}>
          {t("queue.do")}
        </Doing>
      </div>
    </div>
  );
}

function InQueue() {
  const place = waiting.value;
  if (!place) return null;
  return (
    <div class="stack tight">
      <p>
        <strong>{modeTitle(place.mode)}</strong> · {t(place.rated ? "rating.rated" : "rating.unrated")}
        {place.format && ` · ${formatTitle(place.format)}`}
      </p>
      <p class="quiet">{t("queue.window", { points: place.window, time: waited(place.waited_ms) })}</p>
      <p class="quiet small">{t("queue.anywhere")}</p>
      <div class="row">
        <Doing act={stopWaiting}>{t("queue.stop")}</Doing>
      </div>
    </div>
  );
}

function Challenges() {
  const tick = news.value;
  const list = useLoaded(challengesOfMine, [tick]);
  const [handle, setHandle] = useState("");
  const [asking, setAsking] = useState("");
  const name = handle.trim();
  const me = account.value?.handle.toLowerCase();
  return (
    <section class="panel stack" aria-labelledby="challenges-title">
      <h2 id="challenges-title">{t("challenge.list")}</h2>
      <Loaded from={list}>
        {(found) =>
          found.length ? (
            <ul class="list">
              {found.map((challenge) => (
                <ChallengeRow key={challenge.id} challenge={challenge} />
              ))}
            </ul>
          ) : (
            <p class="quiet">{t("challenge.none")}</p>
          )
        }
      </Loaded>
      <form
        class="stack tight"
        onSubmit={(event) => {
          event.preventDefault();
          if (name && name.toLowerCase() !== me) setAsking(name);
        }}
      >
        <label class="field">
          <span>{t("challenge.whom")}</span>
          <input type="text" value={handle} autocapitalize="none" autocomplete="off" spellcheck={false} onInput={(event) => setHandle(event.currentTarget.value)} />
        </label>
        <div class="row">
          <button class="button main" disabled={!name || name.toLowerCase() === me}>
            {t("challenge.do")}
          </button>
          <button type="button" class="button" disabled={!name} onClick={() => go("player", name)}>
            {t("player.look")}
          </button>
        </div>
      </form>
      {asking && (
        <ChallengeDialog
          handle={asking}
          onClose={() => {
            setAsking("");
            list.again();
          }}
        />
      )}
    </section>
  );
}

/** Our ratings, by mode. */
function Ratings() {
  const me = account.value?.handle ?? "";
  const tick = news.value;
  const list = useLoaded(() => house<{ items: Rating[] }>(`/players/${encodeURIComponent(me)}/ratings`), [me, tick]);
  return (
    <section class="stack">
      <h2>{t("rating.mine")}</h2>
      <Loaded from={list}>
        {({ items }) =>
          items.length ? (
            <ul class="figures">
              {items.map((each) => (
                <li key={each.mode} class="figure panel flat">
                  <a href={to("player", me, each.mode)}>{modeTitle(each.mode)}</a>
                  <p class="serif gold rating-big">{ratingWords(each)}</p>
                  <p class="small quiet">{resultWords(each)}</p>
                  {each.provisional && <p class="small quiet">{t("rating.provisional")}</p>}
                </li>
              ))}
            </ul>
          ) : (
            <div class="empty">
              <p>{t("rating.mine.none")}</p>
            </div>
          )
        }
      </Loaded>
    </section>
  );
}
