/** Requests of the page to the house, with the player's token, which the page never sees. */
import type { DeskFault } from "../page/desk";
import type { PythonDesk } from "./python";

const API = "/api/v1";
/** A picture or a text of a single card. To ask for one during a match would tell the house the hand. */
const CARD = /^\/(cards|sets\/[^/]+\/versions\/[^/]+\/cards)\/[^/?]+/;

export class Refused extends Error {
  constructor(readonly fault: DeskFault) {
    super(fault.text);
  }
}

interface Asked {
  method?: unknown;
  path?: unknown;
  query?: unknown;
  json?: unknown;
  if_match?: unknown;
}

interface Given {
  status: number;
  data: unknown;
  etag: string | null;
}

function address(path: string, query: unknown): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>))
    if (value !== null && value !== undefined) given.set(name, String(value));
  const text = given.toString();
  return API + path + (text ? `?${text}` : "");
}

/** Send a request; a token that has run out is renewed once. Throws `Refused`. */
export async function request(desk: PythonDesk, asked: Asked, raw = false): Promise<Given> {
  const method = String(asked.method ?? "GET");
  const path = String(asked.path ?? "");
  if (!path.startsWith("/") || path.includes("..") || path.includes("//"))
    throw new Refused({ code: "bad_argument", text: "The path begins with one stroke.", pointer: "/path" });
  const { q, card } = (asked.query ?? {}) as { q?: unknown; card?: unknown };
  const one = CARD.test(path) || /[?&](q|card)=/.test(path) || Boolean(card) || (path === "/cards" && Boolean(q));
  if (desk.busy() && one)
    throw new Refused({ code: "match_running", text: "During a match no single card is asked for." });
  const headers: Record<string, string> = { Accept: raw ? "*/*" : "application/json" };
  if (asked.json !== undefined) headers["Content-Type"] = "application/json";
  if (typeof asked.if_match === "string") headers["If-Match"] = asked.if_match;
  if (method === "POST" || asked.if_match !== undefined) headers["Idempotency-Key"] = crypto.randomUUID();
  const body = asked.json === undefined ? null : JSON.stringify(asked.json);
  const send = async (token: string | undefined): Promise<Response> => {
    const signed = token ? { ...headers, Authorization: `Bearer ${token}` } : headers;
    try {
      return await fetch(address(path, asked.query), { method, headers: signed, body });
    } catch {
      throw new Refused({ code: "unreachable", text: "The house does not answer." });
    }
  };
  const token = desk.token();
  let response = await send(token);
  if (response.status === 401 && token !== undefined) response = await send(desk.renew());
  if (!response.ok) throw new Refused(await refusal(response));
  const etag = response.headers.get("ETag");
  if (raw) return { status: response.status, data: await response.arrayBuffer(), etag };
  const text = await response.text();
  return { status: response.status, data: text ? (JSON.parse(text) as unknown) : null, etag };
}

async function refusal(response: Response): Promise<DeskFault> {
  const found: DeskFault = { code: "http_error", text: `The house answers ${response.status}.`, status: response.status };
  try {
    const problem = (await response.json()) as { code: string; detail: string; errors?: DeskFault["errors"] };
    found.code = problem.code;
    found.text = problem.detail;
    if (problem.errors) found.errors = problem.errors;
    const pointer = problem.errors?.find((error) => typeof error["pointer"] === "string")?.["pointer"];
    if (typeof pointer === "string") found.pointer = pointer;
  } catch {
    // no problem document: a proxy has answered
  }
  return found;
}
