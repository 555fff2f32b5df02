/** Events of the house, read by `fetch`, because EventSource can't send a token. */

export interface Sent {
  id: string;
  name: string;
  data: string;
}

/** What became of a stream: it ended for good, was refused, or broke. */
export type End = { end: "over" } | { end: "refused"; status: number } | { end: "lost" };

const SILENCE_MS = 40_000; // the house sends a heartbeat every 15 seconds

/** Split what came so far into whole events and the rest. */
export function split(text: string): { events: Sent[]; rest: string } {
  const parts = text.replaceAll("\r\n", "\n").split("\n\n");
  const rest = parts.pop() ?? "";
  return { events: parts.map(event).filter((found) => found.data !== ""), rest };
}

function event(text: string): Sent {
  const found: Sent = { id: "", name: "message", data: "" };
  const data: string[] = [];
  for (const line of text.split("\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, "");
    const field = line.slice(0, colon);
    if (field === "data") data.push(value);
    else if (field === "id") found.id = value;
    else if (field === "event") found.name = value;
  }
  found.data = data.join("\n");
  return found;
}

/** Read one stream until it ends. `open` is called once the house has answered. */
export async function listen(
  url: string,
  token: string | null,
  after: number,
  stop: AbortSignal,
  open: () => void,
  take: (sent: Sent) => void,
): Promise<End> {
  const headers: Record<string, string> = { Accept: "text/event-stream" };
  if (token) headers["Authorization"] = `Bearer ${token}`;
  headers["Last-Event-ID"] = String(after);
  const quiet = new AbortController();
  let timer = setTimeout(() => quiet.abort(), SILENCE_MS);
  try {
    const signal = AbortSignal.any([stop, quiet.signal]);
    const response = await fetch(url, { headers, signal, cache: "no-store" });
    if (response.status === 204) return { end: "over" };
    if (!response.ok || !response.body) return { end: "refused", status: response.status };
    open();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; ; ) {
      const { done, value } = await reader.read();
      if (done) return { end: "lost" };
      clearTimeout(timer);
      timer = setTimeout(() => quiet.abort(), SILENCE_MS);
      const { events, rest } = split(text + value);
      text = rest;
      events.forEach(take);
    }
  } catch {
    return { end: "lost" };
  } finally {
    clearTimeout(timer);
  }
}
