/** A new player: a handle, a starter deck, six words. One screen, no e-mail. */
import { useEffect, useRef, useState } from "preact/hooks";
import { DeskError } from "../desk";
import { cardsOfHouse, fetched, type HouseCard, type Listed, type Starter } from "../house";
import { ask, kitchen, oven, ready, warm } from "../kitchen";
import { FullCard, picturePath } from "../parts/card";
import { complain, Doing, Loaded, save, useLoaded, useNow } from "../parts/ui";
import { go, to } from "../router";
import { t } from "../words";

/** The reasons for which a handle can't be; null if it can. The house has the last word. */
export function handleFault(handle: string): "short" | "letters" | null {
  if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(handle)) return "letters";
  return handle.length < 3 || handle.length > 24 ? "short" : null;
}

/** The four cards that show best what a deck is about: its dearest recipes. */
export function fanOf(cards: Record<string, number>, known: ReadonlyMap<string, HouseCard>): HouseCard[] {
  const cost = (card: HouseCard) => Object.values(card.costs).reduce((sum: number, n) => sum + (n ?? 0), 0);
  return Object.keys(cards)
    .map((slug) => known.get(slug))
    .filter((card): card is HouseCard => card?.type === "recipe")
    .sort((a, b) => cost(b) - cost(a) || a.number - b.number)
    .slice(0, 4);
}

export function Register() {
  const [handle, setHandle] = useState("");
  const [starter, setStarter] = useState("");
  const [words, setWords] = useState<string[]>([]);
  const [own, setOwn] = useState(false);
  const [passphrase, setPassphrase] = useState("");
  const [kept, setKept] = useState(false);
  const [wrong, setWrong] = useState("");
  const starters = useLoaded(() => Promise.all([fetched<Listed<Starter>>("/starters"), cardsOfHouse()]), []);
  const now = useNow(1000, !ready.value);

  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    warm();
    draw();
    // Where there is a keyboard, one begins to type. On a phone its keyboard would hide the rest.
    if (matchMedia("(hover: hover)").matches) field.current?.focus({ preventScroll: true });
  }, []);
  const draw = () => {
    ask("account.words").then(({ words: found }) => setWords(found), complain);
  };
  const secret = own ? passphrase : words.join(" ");
  const fault = handle ? handleFault(handle) : null;

  const register = async () => {
    setWrong("");
    try {
      await ask("account.register", { handle, passphrase: secret, starter: starter || null });
      setPassphrase("");
      go("lobby");
    } catch (error) {
      if (error instanceof DeskError && error.code === "handle_taken") setWrong(t("error.handle_taken"));
      throw error;
    }
  };

  if (kitchen.value?.secure === false) return <Insecure />;
  if (kitchen.value?.account) return <Already />;
  return (
    <form class="stack wide register" onSubmit={(event) => event.preventDefault()}>
      <header class="stack tight">
        <h1>{t("register.title")}</h1>
        <p class="quiet">
          {t("register.known")} <a href={to("sign-in")}>{t("sign_in")}</a>
        </p>
      </header>
      <label class="field">
        <span>{t("register.handle")}</span>
        <input
          ref={field}
          type="text"
          value={handle}
          maxLength={24}
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          aria-invalid={Boolean(fault || wrong)}
          aria-describedby="handle-help"
          onInput={(event) => {
            setHandle(event.currentTarget.value);
            setWrong("");
          }}
        />
        <span id="handle-help" class={fault || wrong ? "wrong small" : "quiet small"}>
          {wrong || t(fault ? `register.handle.${fault}` : "register.handle.help")}
        </span>
      </label>
      <fieldset class="stack">
        <legend>{t("register.starter")}</legend>
        <p class="quiet small">{t("register.starter.help")}</p>
        <Loaded from={starters}>
          {([list, cards]) => (
            <div class="starters">
              {list.items.map((deck) => (
                <StarterChoice
                  key={deck.slug}
                  deck={deck}
                  cards={fanOf(deck.cards, cards)}
                  picked={deck.slug === starter}
                  pick={() => setStarter(deck.slug)}
                />
              ))}
            </div>
          )}
        </Loaded>
      </fieldset>
      <section class="panel stack">
        <h2>{t("register.words")}</h2>
        <p>{t("register.words.text")}</p>
        {own ? (
          <label class="field">
            <span>{t("register.own")}</span>
            <input
              type="password"
              value={passphrase}
              autocomplete="new-password"
              onInput={(event) => setPassphrase(event.currentTarget.value)}
            />
            <span class="quiet small">{t("register.own.help")}</span>
          </label>
        ) : (
          <Six words={words} waits={ready.value ? t("loading") : oven(kitchen.value, now)} />
        )}
        <div class="row no-print">
          {!own && (
            <>
              <button type="button" class="button" disabled={!words.length} onClick={() => keep(handle, words, setKept)}>
                {t("register.save")}
              </button>
              <button
                type="button"
                class="button"
                disabled={!words.length}
                onClick={() => {
                  print();
                  setKept(true);
                }}
              >
                {t("register.print")}
              </button>
              <button type="button" class="button" onClick={draw} disabled={!words.length}>
                {t("register.others")}
              </button>
            </>
          )}
          <button type="button" class="button plain" onClick={() => setOwn(!own)}>
            {t(own ? "register.draw" : "register.choose")}
          </button>
        </div>
        <label class="tick">
          <input type="checkbox" checked={kept} onChange={(event) => setKept(event.currentTarget.checked)} />
          <span>{t("register.kept")}</span>
        </label>
      </section>
      <div class="row">
        <Doing
          class="button main big"
          act={register}
          disabled={!ready.value || !starter || !kept || !handle || fault !== null || secret.length < 14}
        >
          {t("register.do")}
        </Doing>
        <span class="quiet small" role="status">
          {ready.value ? missing(handle, starter, kept) : oven(kitchen.value, now)}
        </span>
      </div>
    </form>
  );
}

function missing(handle: string, starter: string, kept: boolean): string {
  if (!handle) return t("register.lacks.handle");
  if (!starter) return t("register.lacks.starter");
  return kept ? "" : t("register.lacks.kept");
}

/** The kitchen card as a text file. */
export function keep(handle: string, words: string[], setKept: (kept: boolean) => void): void {
  const text = `${t("kitchen_card.title")}\n\n${handle}\n${words.join(" ")}\n\n${location.origin}\n\n${t("kitchen_card.text")}\n`;
  save(`cloche-${handle || "kitchen"}.txt`, text, "text/plain");
  setKept(true);
}

export function Six({ words, waits }: { words: string[]; waits: string }) {
  if (!words.length) return <p class="waiting">{waits}</p>;
  return (
    <ol class="six" aria-label={t("register.words")}>
      {words.map((word, i) => (
        <li key={i}>{word}</li>
      ))}
    </ol>
  );
}

interface StarterProps {
  deck: Starter;
  cards: HouseCard[];
  picked: boolean;
  pick: () => void;
}

function StarterChoice({ deck, cards, picked, pick }: StarterProps) {
  return (
    <label class="starter choice">
      <input type="radio" class="unseen" name="starter" value={deck.slug} checked={picked} onChange={pick} />
      <span class="fan" aria-hidden="true">
        {cards.map((card) => (
          <FullCard key={card.slug} src={picturePath(card)} card={card} />
        ))}
      </span>
      <strong class="serif">{deck.name}</strong>
      <span class="quiet small">{deck.text}</span>
    </label>
  );
}

/** Plain http: nothing that a player's secrets need is there. */
export function Insecure() {
  return (
    <section class="stack">
      <h1>{t("insecure.title")}</h1>
      <p>{t("insecure.text")}</p>
      <p>{t("insecure.do")}</p>
      <div class="row">
        <a class="button" href={to("lobby")}>
          {t("insecure.watch")}
        </a>
        <a class="button" href={to("verify")}>
          {t("tab.verify")}
        </a>
      </div>
    </section>
  );
}

function Already() {
  return (
    <section class="stack">
      <h1>{t("register.already", { name: kitchen.value?.account?.handle ?? "" })}</h1>
      <div class="row">
        <a class="button main" href={to("lobby")}>
          {t("landing.tables")}
        </a>
        <a class="button" href={to("profile")}>
          {t("title.profile")}
        </a>
      </div>
    </section>
  );
}
