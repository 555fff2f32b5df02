/** What all screens share: dialogs, toasts, the live region, things that load. */
import { signal } from "@preact/signals";
import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { told } from "../kitchen";
import { t } from "../words";
import { Icon } from "./icons";

// What is said aloud: each text once

const spoken = signal("");
const shouted = signal("");

/** Have a screen reader say a text; `firmly` interrupts. */
export function say(text: string, firmly = false): void {
  const target = firmly ? shouted : spoken;
  target.value = "";
  setTimeout(() => (target.value = text), 50);
}

export function LiveRegion() {
  return (
    <div class="unseen">
      <div role="status" aria-live="polite">
        {spoken}
      </div>
      <div role="alert" aria-live="assertive">
        {shouted}
      </div>
    </div>
  );
}

// Toasts

interface Way {
  to: string;
  text: string;
}

interface Note {
  id: number;
  text: string;
  bad: boolean;
  /** Where the note leads. */
  way?: Way | undefined;
}

const notes = signal<Note[]>([]);
let next = 0;

/** Show a short note, and return what closes it. One that is bad, or leads somewhere, stays until it is closed. */
export function toast(text: string, more: boolean | Way = false): () => void {
  const id = next++;
  const bad = more === true;
  const way = typeof more === "object" ? more : undefined;
  notes.value = [...notes.value.slice(-2), { id, text, bad, way }];
  say(text, bad);
  if (!bad && !way) setTimeout(() => close(id), 6000);
  return () => close(id);
}

/** Show what went wrong. */
export function complain(error: unknown): void {
  toast(told(error), true);
}

function close(id: number): void {
  notes.value = notes.value.filter((note) => note.id !== id);
}

/** Whether something would hide a part of what has the focus, or of its ring. */
function hidesFocus(box: HTMLElement): boolean {
  const focused = document.activeElement;
  if (!focused || focused === document.body || box.contains(focused)) return false;
  // A field that is drawn by its label has its ring there.
  const seen = focused.matches(".unseen") ? (focused.closest("label") ?? focused) : focused;
  const [note, stop] = [box.getBoundingClientRect(), seen.getBoundingClientRect()];
  return (
    stop.left - RING < note.right && note.left < stop.right + RING && stop.top - RING < note.bottom && note.top < stop.bottom + RING
  );
}

/** Pixels that the ring of the focus takes beyond what has the focus. */
const RING = 5;
/** All that may bring a note and the focus together. */
const MEETINGS = ["focusin", "scroll", "resize"] as const;

/** How many dialogs are open, one over the other. */
const dialogs = signal(0);

/**
 * The notes, in the dialog that is on top if one is open: a browser lets nobody press what lies outside of it. `depth` counts
 * the dialogs around.
 */
export function Toasts({ depth = 0 }: { depth?: number }) {
  return depth === dialogs.value ? <Notes /> : null;
}

/** They lie over everything, but never over what has the focus: then they stand at the other end of the window. */
function Notes() {
  const box = useRef<HTMLDivElement>(null);
  const newest = notes.value.at(-1)?.id;
  useLayoutEffect(() => {
    const stack = box.current;
    if (!stack) return;
    // Whatever is shown last lies on top.
    if (stack.matches(":popover-open")) stack.hidePopover();
    if (newest === undefined) {
      stack.classList.remove("away");
      return;
    }
    stack.showPopover();
    const giveWay = () => {
      if (!hidesFocus(stack)) return;
      stack.classList.toggle("away");
      if (hidesFocus(stack)) stack.classList.remove("away"); // what is as high as the window is never hidden whole
    };
    giveWay();
    for (const each of MEETINGS) addEventListener(each, giveWay, { capture: true, passive: true });
    return () => MEETINGS.forEach((each) => removeEventListener(each, giveWay, { capture: true }));
  }, [newest]);
  return (
    <div class="toasts" popover="manual" ref={box}>
      {notes.value.map((note) => (
        <div key={note.id} class={note.bad ? "toast bad" : "toast"}>
          <span class="grow">{note.text}</span>
          {note.way && (
            <a class="button main" href={note.way.to} onClick={() => close(note.id)}>
              {note.way.text}
            </a>
          )}
          <button class="button plain round" aria-label={t("close")} onClick={() => close(note.id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}

// Dialogs

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  slim?: boolean;
}

/** A dialog over the page; Escape and the cross close it. */
export function Dialog({ title, onClose, children, slim }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const [depth, setDepth] = useState<number | null>(null);
  useEffect(() => {
    const opened = box.current;
    const before = document.activeElement;
    if (opened && !opened.open) opened.showModal();
    setDepth((dialogs.value += 1));
    return () => {
      dialogs.value -= 1;
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={box}
      class={slim ? "slim" : ""}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === box.current && onClose()}
    >
      <div class="stack">
        <div class="row apart one-line">
          <h2 class="grow">{title}</h2>
          <button class="button plain round" aria-label={t("close")} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
      {depth !== null && <Toasts depth={depth} />}
    </dialog>
  );
}

interface SureProps {
  title: string;
  text: string;
  yes: string;
  onYes: () => void;
  onNo: () => void;
}

/** A question with yes and no. */
export function Sure({ title, text, yes, onYes, onNo }: SureProps) {
  return (
    <Dialog title={title} onClose={onNo} slim>
      <p>{text}</p>
      <div class="row end">
        <button class="button" onClick={onNo}>
          {t("cancel")}
        </button>
        <button
          class="button main"
          onClick={() => {
            onNo();
            onYes();
          }}
        >
          {yes}
        </button>
      </div>
    </Dialog>
  );
}

// Things that load

export interface Loading<T> {
  value: T | null;
  error: unknown;
  again: () => void;
}

/** What `load` brings; `again` asks once more and keeps what was there meanwhile. */
export function useLoaded<T>(load: () => Promise<T>, needs: readonly unknown[]): Loading<T> {
  const [value, setValue] = useState<T | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let here = true;
    load().then(
      (found) => {
        if (!here) return;
        setValue(() => found);
        setError(null);
      },
      (reason: unknown) => here && setError(reason),
    );
    return () => {
      here = false;
    };
  }, [...needs, round]);
  return { value, error, again: () => setRound((n) => n + 1) };
}

/** What was loaded, or that it loads, or what went wrong with a way to try again. */
export function Loaded<T>({ from, children }: { from: Loading<T>; children: (value: T) => ComponentChildren }) {
  if (from.value !== null) return <>{children(from.value)}</>;
  if (from.error !== null) return <Trouble error={from.error} again={from.again} />;
  return <p class="waiting">{t("loading")}</p>;
}

export function Trouble({ error, again }: { error: unknown; again?: () => void }) {
  return (
    <div class="note bad row" role="alert">
      <span class="grow">{told(error)}</span>
      {again && (
        <button class="button" onClick={again}>
          {t("again")}
        </button>
      )}
    </div>
  );
}

/** A button that waits for what it began, and shows what went wrong. */
export function Doing({
  act,
  children,
  class: look = "button",
  disabled,
  ...more
}: { act: () => Promise<unknown> } & Omit<ButtonHTMLAttributes, "class" | "disabled"> & {
    class?: string;
    disabled?: boolean;
  }) {
  const [busy, setBusy] = useState(false);
  const here = useRef(true);
  useEffect(
    () => () => {
      here.current = false;
    },
    [],
  );
  const begin = () => {
    setBusy(true);
    act()
      .catch(complain)
      .finally(() => here.current && setBusy(false));
  };
  return (
    <button {...more} type="button" class={look} disabled={disabled || busy} aria-busy={busy} onClick={begin}>
      {children}
    </button>
  );
}

/** One choice of few, as buttons in a row. */
export function Switch<T extends string>({
  label,
  value,
  choices,
  onPick,
}: {
  label: string;
  value: T;
  choices: readonly (readonly [T, string])[];
  onPick: (value: T) => void;
}) {
  return (
    <div class="switch" role="group" aria-label={label}>
      {choices.map(([name, text]) => (
        <button key={name} type="button" aria-pressed={name === value} onClick={() => onPick(name)}>
          {text}
        </button>
      ))}
    </div>
  );
}

/** A text whose parts between backticks are what one types. */
export function Coded({ text }: { text: string }) {
  return <>{text.split("`").map((part, i) => (i % 2 ? <code key={i}>{part}</code> : part))}</>;
}

/** Let the player save a text as a file. */
export function save(name: string, text: string | Blob, type = "application/json"): void {
  const address = URL.createObjectURL(text instanceof Blob ? text : new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Now, told again every `every` milliseconds while `on`. */
export function useNow(every: number, on = true): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!on) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every, on]);
  return now;
}
