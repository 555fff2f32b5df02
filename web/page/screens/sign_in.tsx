/** Coming back: with handle and words, with a file, or with the words alone on a known device. */
import { useEffect, useState } from "preact/hooks";
import { account, ask, fileIsHere, handleHere, kitchen, oven, ready, refresh, warm } from "../kitchen";
import { Doing, useNow } from "../parts/ui";
import { go, path, to } from "../router";
import { t } from "../words";
import { Insecure } from "./register";

function onward(): void {
  if (path.value[0] === "sign-in") go("lobby");
}

function Passphrase({ value, onInput }: { value: string; onInput: (value: string) => void }) {
  return (
    <label class="field">
      <span>{t("sign_in.words")}</span>
      <input
        type="password"
        value={value}
        autocomplete="current-password"
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}

function Oven() {
  const now = useNow(1000, !ready.value);
  return ready.value ? null : (
    <p class="quiet small" role="status">
      {oven(kitchen.value, now)}
    </p>
  );
}

export function SignIn() {
  const [handle, setHandle] = useState("");
  const [words, setWords] = useState("");
  const [file, setFile] = useState<{ name: string; text: string } | null>(null);
  useEffect(warm, []);
  if (kitchen.value?.secure === false) return <Insecure />;
  // While the oven is warming, too: words that are typed meanwhile stay.
  const expected = fileIsHere() && kitchen.value?.stage !== "failed" && !ready.value;
  if (expected || account.value?.locked || kitchen.value?.disk === "elsewhere") return <Unlock />;
  if (account.value) return <SignedIn />;
  const enter = async () => {
    if (file) await ask("account.import", { text: file.text, passphrase: words });
    else await ask("account.sign_in", { handle, passphrase: words });
    refresh();
    onward();
  };
  return (
    <div class="columns">
      <form class="panel stack" onSubmit={(event) => event.preventDefault()}>
        <h1>{t("sign_in.title")}</h1>
        {file ? (
          <p class="row">
            <span class="tag">{file.name}</span>
            <button type="button" class="button plain" onClick={() => setFile(null)}>
              {t("sign_in.no_file")}
            </button>
          </p>
        ) : (
          <label class="field">
            <span>{t("register.handle")}</span>
            <input
              type="text"
              value={handle}
              autocomplete="username"
              autocapitalize="none"
              spellcheck={false}
              onInput={(event) => setHandle(event.currentTarget.value)}
            />
          </label>
        )}
        <Passphrase value={words} onInput={setWords} />
        <div class="row">
          <Doing class="button main" act={enter} disabled={!ready.value || !words || (!file && !handle)}>
            {t("sign_in")}
          </Doing>
          <label class="button">
            {t("sign_in.file")}
            <input
              class="unseen"
              type="file"
              accept=".json,application/json"
              onChange={(event) => {
                const chosen = event.currentTarget.files?.[0];
                if (chosen) void chosen.text().then((text) => setFile({ name: chosen.name, text }));
              }}
            />
          </label>
        </div>
        <Oven />
        <p class="quiet small">{t("sign_in.box")}</p>
      </form>
      <section class="panel flat stack">
        <h2>{t("sign_in.new")}</h2>
        <p>{t("sign_in.new.text")}</p>
        <div class="row">
          <a class="button main" href={to("learn")}>
            {t("landing.play")}
          </a>
          <a class="button" href={to("register")}>
            {t("learn.register")}
          </a>
        </div>
        <p class="quiet small">{t("sign_in.forgotten")}</p>
      </section>
    </div>
  );
}

/** A known device: the words alone; or the kitchen is open in another tab. */
export function Unlock() {
  const [words, setWords] = useState("");
  if (kitchen.value?.disk === "elsewhere")
    return (
      <section class="panel stack">
        <h1>{t("elsewhere.title")}</h1>
        <p>{t("elsewhere.text")}</p>
        <div class="row">
          <Doing class="button main" act={() => ask("account.move_here").then(refresh)}>
            {t("elsewhere.do")}
          </Doing>
        </div>
      </section>
    );
  const unlock = async () => {
    await ask("account.unlock", { passphrase: words });
    setWords("");
    refresh();
    onward();
  };
  return (
    <form
      class="panel stack"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      <h1>{t("unlock.title", { name: handleHere() })}</h1>
      <input class="unseen" type="text" autocomplete="username" value={handleHere()} aria-label={t("register.handle")} readOnly tabIndex={-1} />
      <Passphrase value={words} onInput={setWords} />
      <div class="row">
        <Doing class="button main" act={unlock} disabled={!words || !ready.value}>
          {t("unlock.do")}
        </Doing>
      </div>
      <Oven />
      <p class="quiet small">{t("sign_in.forgotten")}</p>
    </form>
  );
}

function SignedIn() {
  return (
    <section class="stack">
      <h1>{t("register.already", { name: account.value?.handle ?? "" })}</h1>
      <p>
        <a class="button main" href={to("lobby")}>
          {t("landing.tables")}
        </a>
      </p>
    </section>
  );
}
