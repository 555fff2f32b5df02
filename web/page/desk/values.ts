/** What calls and events are made of: JSON, amounts, refusals. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };
/** Copies by the slug of the card. */
export type Copies = { [slug: string]: number };

/** A refusal of a call. `code` is stable: a code of the house, of the rules, of the vault, or one of `DeskCode`. */
export interface DeskFault {
  code: string;
  /** English, for a place where the code is not known. */
  text: string;
  /** The section of the rules or of the protocol that decides. */
  section?: string;
  /** The field at fault, as a JSON pointer. */
  pointer?: string;
  /** HTTP's status, if the house refused. */
  status?: number;
  /** Every fault that the house found, each with `code`, `detail` and perhaps `pointer`. */
  errors?: JsonObject[];
}

/** The codes of the desk's own: nothing else uses them. */
export type DeskCode =
  | "unknown_call" | "bad_argument" | "not_ready" | "failed"
  | "no_account" | "locked" | "has_account" | "insecure" | "elsewhere_open" | "weak_passphrase"
  | "not_sitting" | "sitting" | "unreachable" | "house_fault" | "match_running" | "unknown_card";
