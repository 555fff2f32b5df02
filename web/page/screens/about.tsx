/** What this page is, whom it trusts, and the digest of each of its files. */
import { fetched } from "../house";
import { Coded, Loaded, useLoaded } from "../parts/ui";
import { to } from "../router";
import { build } from "../service";
import { t } from "../words";

interface Manifest {
  build: string;
  files: Record<string, { sha256: string; bytes: number }>;
}

async function manifest(): Promise<Manifest | null> {
  const answer = await fetch("/manifest.json");
  return answer.ok ? ((await answer.json()) as Manifest) : { build: "dev", files: {} };
}

export function About() {
  const files = useLoaded(manifest, []);
  const keys = useLoaded(() => fetched<{ house_key: string; protocol: string }>("/house"), []);
  return (
    <div class="stack wide reading">
      <header class="stack">
        <h1>{t("title.about")}</h1>
        <p>{t("about.text")}</p>
      </header>
      <section class="stack">
        <h2>{t("about.trust")}</h2>
        <p>{t("about.trust.text")}</p>
        <p>{t("about.web")}</p>
        <pre class="command">cloche web --house {location.origin}</pre>
        <p>{t("about.lie")}</p>
      </section>
      <section class="stack tight">
        <h2>{t("about.house")}</h2>
        <Loaded from={keys}>
          {(house) => (
            <dl class="bill-lines">
              <div>
                <dt>{t("verify.key")}</dt>
                <dd>
                  <code>{house.house_key}</code>
                </dd>
              </div>
              <div>
                <dt>{t("about.protocol")}</dt>
                <dd>
                  <code>{house.protocol}</code>
                </dd>
              </div>
            </dl>
          )}
        </Loaded>
      </section>
      <section class="stack">
        <h2>
          {t("foot.build")} <code>{build()}</code>
        </h2>
        <p class="quiet">
          <Coded text={t("about.files")} />
        </p>
        <Loaded from={files}>
          {(found) =>
            Object.keys(found?.files ?? {}).length ? (
              <details>
                <summary class="button plain">{t("about.list", { n: Object.keys(found?.files ?? {}).length })}</summary>
                <ul class="digests">
                  {Object.entries(found?.files ?? {}).map(([name, file]) => (
                    <li key={name}>
                      <span class="small">{name}</span> <code>{file.sha256}</code>
                    </li>
                  ))}
                </ul>
              </details>
            ) : (
              <p class="quiet">
                <Coded text={t("about.none")} />
              </p>
            )
          }
        </Loaded>
      </section>
      <section class="stack tight">
        <h2>{t("about.credits")}</h2>
        <p class="small">{t("about.credits.text")}</p>
      </section>
      <p>
        <a class="button" href={to("verify")}>
          {t("tab.verify")}
        </a>
      </p>
    </div>
  );
}
