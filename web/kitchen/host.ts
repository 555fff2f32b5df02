/** What Python asks of its host: the network, the word list, and the page. */
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { bytes, type Bytes } from "./bytes";

/** Called by Python; the worker puts its own functions here. */
export const ears = {
  tell: (_text: string): void => undefined,
  later: (_game: string, _ms: number): void => undefined,
  follow: (_game: string): void => undefined,
  box: (_ms?: number): void => undefined,
};

type Headers = [string, string][] | { toJs(): [string, string][] };

export const host = {
  /**
   * One request, waited for: a dedicated worker may do that, so the client's order (write down, then send) holds.
   * Gives status, headers and content. Throws if nobody answers.
   */
  http(method: string, url: string, headers: Headers, body: Bytes | undefined): [number, string, Uint8Array] {
    const request = new XMLHttpRequest();
    request.open(method, url, false);
    request.responseType = "arraybuffer";
    for (const [name, value] of Array.isArray(headers) ? headers : headers.toJs())
      request.setRequestHeader(name, value);
    request.send(body === undefined ? null : (bytes(body) as BufferSource as XMLHttpRequestBodyInit));
    if (request.status === 0) throw new Error("nobody answers");
    const content = request.response as ArrayBuffer | null;
    return [request.status, request.getAllResponseHeaders(), new Uint8Array(content ?? new ArrayBuffer(0))];
  },
  /** 2048 words of three to eight letters (BIP 39). Six of them have 66 bits. */
  words: (): string[] => wordlist,
  secure: (): boolean => globalThis.isSecureContext !== false,
  origin: (): string => globalThis.location?.origin ?? "",
  /** Tell the page an event, as JSON. */
  tell: (text: string): void => ears.tell(text),
  /** Have `turn` called for a game after some milliseconds; with "" for the games that are not followed yet. */
  later: (game: string, ms: number): void => ears.later(game, ms),
  /** Have the stream of a game read. */
  follow: (game: string): void => ears.follow(game),
  /** The player's file has changed: the box at the house should be renewed, within these milliseconds. */
  box: (ms?: number): void => ears.box(ms),
};
