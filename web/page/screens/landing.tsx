/** The first screen: what this is, a table to look at, and a plate for records. */
import { TaughtRound } from "../flow/taught";
import { fetched, type Listed, type LiveGame } from "../house";
import { account } from "../kitchen";
import { useLoaded } from "../parts/ui";
import { go, to } from "../router";
import { t } from "../words";
import { LiveRow } from "./lobby";
import { RecordPlate } from "./verify";

export function Landing() {
  const live = useLoaded(() => fetched<Listed<LiveGame>>("/live?limit=3"), []);
  const games = live.value?.items ?? [];
  return (
    <div class="landing">
      <div class="landing-say">
        <h1>
          <span>{t("landing.cook")}</span> <span>{t("landing.reveal")}</span> <span>{t("landing.cheat")}</span>
        </h1>
        <p>{t("landing.text")}</p>
        <div class="row">
          <a class="button main big" href={account.value ? to("lobby") : to("learn")}>
            {account.value ? t("landing.tables") : t("landing.play")}
          </a>
          {!account.value && (
            <a class="button plain" href={to("sign-in")}>
              {t("landing.known")}
            </a>
          )}
        </div>
        {!account.value && <p class="quiet small">{t("landing.no_account")}</p>}
      </div>
      <TaughtRound alone />
      {games.length > 0 && (
        <section class="landing-live stack tight" aria-label={t("landing.live")}>
          <h2>{t("landing.live")}</h2>
          <ul class="list">
            {games.map((game) => (
              <LiveRow key={game.id} game={game} />
            ))}
          </ul>
        </section>
      )}
      <div class={games.length > 0 ? undefined : "landing-more"}>
        <RecordPlate onGame={(game) => go("verify", game)} onFile={() => go("verify")} />
      </div>
      <div class="landing-more points3">
        {(["sealed", "yours", "five"] as const).map((name) => (
          <section class="stack tight" key={name}>
            <h2>{t(`landing.${name}.title`)}</h2>
            <p class="quiet">{t(`landing.${name}.text`)}</p>
          </section>
        ))}
      </div>
    </div>
  );
}
