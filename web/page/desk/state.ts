/** The kitchen and the account in it. */
import type { DeskFault } from "./values";

export interface KitchenState {
  stage: "loading" | "starting" | "ready" | "failed";
  /** From 0 to 1, while it is loading and starting. */
  done: number;
  /** False on plain http other than loopback: then nobody can register or sign in here. */
  secure: boolean;
  /** Where the player's file lies: on disk, in memory until the tab is closed, or held by another tab. */
  disk: "disk" | "memory" | "elsewhere" | "none";
  account: Account | null;
  /** Why it failed. */
  fault?: DeskFault;
}

export interface Account {
  /** Empty while the account is locked: the file does not say whose it is. */
  handle: string;
  house: string;
  /** A locked account needs `account.unlock` before anything with a key or a token. */
  locked: boolean;
  /** True if the house keeps a copy of the locked file. Null while locked. */
  boxed: boolean | null;
  /** The player's public key and the house's; null while locked. */
  key: string | null;
  house_key: string | null;
  /** Games that are not over and whose secrets lie here. */
  games: string[];
}
