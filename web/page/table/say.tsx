/** What players say to each other at a table: a few phrases, which one key mutes for good. */
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { house } from "../kitchen";
import { Icon } from "../parts/icons";
import { complain, toast } from "../parts/ui";
import { said, t } from "../words";

interface Phrases {
  items: { phrase: string; text: string }[];
  muted: boolean;
}

/** The phrases of the house, and whether we hear them; null until they were asked for. */
const known = signal<Phrases | null>(null);

async function phrases(): Promise<Phrases> {
  return (known.value ??= await house<Phrases>("/me/phrases"));
}

async function mute(): Promise<void> {
  const { muted } = await phrases();
  known.value = await house<Phrases>("/me/phrases", { method: "PUT", json: { muted: !muted } });
  toast(t(muted ? "say.heard" : "say.muted"));
}

/** `m` mutes all phrases at all tables, and hears them again. */
function useMuteKey(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key !== "m" || event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select, dialog")) return;
      event.preventDefault();
      mute().catch(complain);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

export function Say({ game }: { game: string }) {
  const [open, setOpen] = useState(false);
  useMuteKey();
  const all = known.value;
  const show = () => {
    setOpen(!open);
    phrases().catch(complain);
  };
  const speak = (phrase: string) => {
    setOpen(false);
    house(`/games/${game}/phrases`, { method: "POST", json: { phrase } }).then(
      () => toast(t("say.said", { phrase: said("phrase", phrase, phrase) })),
      complain,
    );
  };
  return (
    <div
      class="menu"
      onFocusOut={(event) => !event.currentTarget.contains(event.relatedTarget as Node | null) && setOpen(false)}
      onKeyDown={(event) => event.key === "Escape" && setOpen(false)}
    >
      <button class="button round" aria-label={t("say.title")} aria-expanded={open} onClick={show}>
        <Icon name={all?.muted ? "mute" : "say"} />
      </button>
      {open && <div class="menu-away" onClick={() => setOpen(false)} />}
      {open && all && (
        <div class="menu-list">
          {all.items.map(({ phrase, text }) => (
            <button key={phrase} class="button plain" onClick={() => speak(phrase)}>
              {said("phrase", phrase, text)}
            </button>
          ))}
          <button class="button" aria-pressed={all.muted} onClick={() => mute().catch(complain)}>
            {t("say.mute")} <kbd aria-hidden="true">m</kbd>
          </button>
        </div>
      )}
    </div>
  );
}
