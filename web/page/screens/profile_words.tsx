/** Another name, other words. Both need the words of today; neither the page nor the house keeps them. */
import { useState } from "preact/hooks";
import { account, ask, refresh, warm } from "../kitchen";
import { complain, Dialog, Doing, toast } from "../parts/ui";
import { t } from "../words";
import { handleFault, keep, Six } from "./register";

function WordsNow({ value, set }: { value: string; set: (words: string) => void }) {
  return (
    <label class="field">
      <span>{t("words.now")}</span>
      <input type="password" value={value} autocomplete="current-password" onInput={(event) => set(event.currentTarget.value)} />
    </label>
  );
}

export function Rename({ onClose }: { onClose: () => void }) {
  const [handle, setHandle] = useState("");
  const [words, setWords] = useState("");
  const fault = handle ? handleFault(handle) : null;
  const rename = async () => {
    await ask("account.rename", { handle, passphrase: words });
    refresh();
    toast(t("rename.done", { name: handle }));
    onClose();
  };
  return (
    <Dialog title={t("rename.title")} onClose={onClose} slim>
      <p>{t("rename.text")}</p>
      <label class="field">
        <span>{t("rename.handle")}</span>
        <input
          type="text"
          value={handle}
          maxLength={24}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          aria-invalid={fault !== null}
          aria-describedby="rename-help"
          onInput={(event) => setHandle(event.currentTarget.value)}
        />
        <span id="rename-help" class={fault ? "wrong small" : "quiet small"}>
          {t(fault ? `register.handle.${fault}` : "register.handle.help")}
        </span>
      </label>
      <WordsNow value={words} set={setWords} />
      <div class="row end">
        <Doing class="button main" disabled={!handle || fault !== null || !words} act={rename}>
          {t("rename.do")}
        </Doing>
      </div>
    </Dialog>
  );
}

export function ChangeWords({ onClose }: { onClose: () => void }) {
  const [now, setNow] = useState("");
  const [fresh, setFresh] = useState<string[]>([]);
  const [kept, setKept] = useState(false);
  const draw = () => {
    warm();
    ask("account.words").then(({ words }) => {
      setFresh(words);
      setKept(false);
    }, complain);
  };
  const change = async () => {
    await ask("account.change_words", { passphrase: now, words: fresh.join(" ") });
    refresh();
    toast(t("words.changed"));
    onClose();
  };
  const handle = account.value?.handle ?? "";
  return (
    <Dialog title={t("words.title")} onClose={onClose}>
      <p>{t("words.text")}</p>
      <WordsNow value={now} set={setNow} />
      {fresh.length > 0 && <Six words={fresh} waits="" />}
      <div class="row">
        <button class="button" onClick={draw}>
          {t(fresh.length ? "register.others" : "words.draw")}
        </button>
        {fresh.length > 0 && (
          <button class="button" onClick={() => keep(handle, fresh, setKept)}>
            {t("register.save")}
          </button>
        )}
      </div>
      {fresh.length > 0 && (
        <label class="tick">
          <input type="checkbox" checked={kept} onChange={(event) => setKept(event.currentTarget.checked)} />
          <span>{t("register.kept")}</span>
        </label>
      )}
      <div class="row end">
        <Doing class="button main" disabled={!now || !kept} act={change}>
          {t("words.do")}
        </Doing>
      </div>
    </Dialog>
  );
}
