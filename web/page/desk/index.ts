/**
 * The desk: everything that the page can ask of the kitchen, and everything that the kitchen tells it.
 *
 * The kitchen is a worker. It holds the player's key, hands, proofs and tokens, and judges what the house says;
 * the page draws. Both sides speak JSON. `Calls` lists the calls and `DeskEvent` the events; a test holds both
 * to `web/python`, where every call is a function of the same name with an underscore for the point.
 *
 * Amounts: times are milliseconds since 1970 by the house's clock unless a name ends in `_ms`; bytes are base64url
 * without padding. A text is never made for one language here: words come from `kind`, `code` and numbers.
 */
export * from "./accounts";
export * from "./calls";
export * from "./cards";
export * from "./events";
export * from "./games";
export * from "./line";
export * from "./modes";
export * from "./records";
export * from "./state";
export * from "./values";
