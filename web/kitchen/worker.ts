/** The kitchen: a worker that answers the calls of `page/desk`. Secrets and tokens stay in here. */
import type { DeskEvent, DeskFault, KitchenState } from "../page/desk";
import { ears } from "./host";
import { Following } from "./following";
import { Refused, request } from "./request";
import { start, type Kitchen } from "./python";
import * as store from "./store";

const FILE = "cloche-player";
const FEED = ""; // the stream of news about the player, beside those of games
/** A file that changes all the time is put into its box no more often than this, unless a secret must be there. */
const BOX_MS = 15_000;

let kitchen: Kitchen | null = null;
let stage: KitchenState["stage"] = "loading";
let done = 0;
let fault: DeskFault | undefined;
/** The verifier is a second kitchen, which has no player. */
const own = (globalThis as { name?: string }).name !== "verifier";

function tell(event: DeskEvent): void {
  postMessage(event);
}

function state(): KitchenState {
  const seen = kitchen ? (JSON.parse(kitchen.desk.state()) as Pick<KitchenState, "account">) : { account: null };
  const place = own ? store.where() : "none";
  return {
    stage,
    done,
    secure: globalThis.isSecureContext !== false,
    disk: place,
    account: place === "elsewhere" ? null : seen.account,
    ...(fault ? { fault } : {}),
  };
}

function told(): void {
  tell({ event: "kitchen", state: state() });
}

function refuse(code: string, text: string): never {
  throw new Refused({ code, text });
}

/** What a call threw, as the page is told it. */
function faultOf(error: unknown): DeskFault {
  if (error instanceof Refused) return error.fault;
  const text = error instanceof Error ? error.message : String(error);
  return { code: "failed", text: text.trim().split("\n").at(-1) ?? "failed" };
}

const ready = boot();

async function boot(): Promise<void> {
  try {
    if (own) await store.open(FILE);
    kitchen = await start((share) => {
      stage = share < 0.9 ? "loading" : "starting";
      if (share - done >= 0.01 || share >= 0.9) {
        done = share;
        told();
      }
    });
    stage = "ready";
    done = 1;
  } catch (error) {
    stage = "failed";
    fault = faultOf(error);
  }
  told();
}

function desk(): Kitchen["desk"] {
  return kitchen?.desk ?? refuse("not_ready", fault?.text ?? "The kitchen is not ready.");
}

const following = new Following(desk);

ears.tell = (text) => {
  const event = JSON.parse(text) as DeskEvent;
  tell(event);
  if (event.event === "over") told(); // one running game less
};
ears.later = (game, ms) => void setTimeout(() => kitchen?.desk.turn(game), ms);
// Later, since Python is at work while it asks for this.
ears.follow = (game) => void setTimeout(() => following.begin(game));
let boxing: ReturnType<typeof setTimeout> | undefined;
let boxAt = Number.POSITIVE_INFINITY;
ears.box = (ms = BOX_MS) => {
  if (Date.now() + ms >= boxAt) return;
  clearTimeout(boxing);
  boxAt = Date.now() + ms;
  boxing = setTimeout(() => {
    boxAt = Number.POSITIVE_INFINITY;
    kitchen?.desk.box();
  }, ms);
};

type Arguments = Record<string, unknown>;

/** The calls that are the worker's own, and not Python's. */
const OWN: Record<string, (args: Arguments) => unknown> = {
  "house.request": (args) => request(desk(), args),
  "house.record": async ({ game }) => {
    const path = `/games/${encodeURIComponent(String(game))}/record`;
    return { file: (await request(desk(), { path }, true)).data };
  },
  "account.archive": async () => ({
    file: (await request(desk(), { method: "POST", path: "/me/export" }, true)).data,
  }),
  "account.move_here": async () => {
    if (store.where() === "elsewhere") {
      await asked();
      await store.open(FILE);
      desk().close();
      told();
    }
    return state();
  },
};

async function answer(call: string, args: Arguments): Promise<unknown> {
  if (call === "kitchen.state") return state();
  await ready;
  const mine = OWN[call];
  if (mine) return mine(args);
  if (store.where() === "elsewhere" && /^(account|match|boosters)\./.test(call))
    refuse("elsewhere_open", "Your kitchen is open in another tab.");
  const { file, ...rest } = args;
  const bytes = file instanceof ArrayBuffer ? new Uint8Array(file) : undefined;
  const found = JSON.parse(desk().call(call, JSON.stringify(rest), bytes)) as { value?: unknown; fault?: DeskFault };
  if (found.fault) throw new Refused(found.fault);
  follow(call, rest);
  return found.value;
}

/** Open and close streams as a call asks for it, and tell the page of a changed account. */
function follow(call: string, args: Arguments): void {
  const game = String(args["game"] ?? "");
  if (call === "match.leave" || call === "watch.stop") following.settle(game);
  if (call === "match.sit") told(); // one running game more, perhaps
  if (!call.startsWith("account.")) return;
  if (desk().token() === undefined) {
    following.endAll();
    desk().close();
  } else {
    following.begin(FEED);
    ears.later("", 0);
  }
  told();
}

globalThis.onmessage = ({ data }: MessageEvent<{ id: number; call: string; args?: Arguments }>) => {
  const { id, call, args } = data;
  answer(call, args ?? {}).then(
    (value) => postMessage({ id, value }),
    (error: unknown) => postMessage({ id, fault: faultOf(error) }),
  );
};

// Another tab may ask for the file: this one then gives it up.
const tabs = own && typeof BroadcastChannel !== "undefined" ? new BroadcastChannel("cloche-kitchen") : undefined;

function asked(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 2000);
    tabs?.addEventListener("message", ({ data }) => {
      if (data !== "given") return;
      clearTimeout(timer);
      resolve();
    });
    tabs?.postMessage("give");
  });
}

tabs?.addEventListener("message", ({ data }) => {
  if (data !== "give" || store.where() !== "disk") return;
  following.endAll();
  kitchen?.desk.close();
  store.close();
  tabs.postMessage("given");
  told();
});

/** For tests outside a browser, which look at Python itself. */
export const started: Promise<Kitchen | null> = ready.then(() => kitchen);
