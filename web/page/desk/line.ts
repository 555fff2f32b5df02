/** The line to the worker: calls that wait for their answers, and events that are heard. */
import type { Calls, CallName } from "./calls";
import type { DeskEvent } from "./events";
import type { DeskFault } from "./values";

export class DeskError extends Error {
  constructor(readonly fault: DeskFault) {
    super(`${fault.text} (${fault.code})`);
    this.name = "DeskError";
  }
  get code(): string {
    return this.fault.code;
  }
}

type Asked = { resolve: (value: never) => void; reject: (fault: DeskError) => void };
type Answer = { id: number; value?: unknown; fault?: DeskFault } | DeskEvent;
/** What `Desk` needs of a worker. Tests hand in their own. */
export interface Line {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  onmessage: ((message: MessageEvent) => void) | null;
  onerror: ((error: ErrorEvent) => void) | null;
  terminate(): void;
}

/** One kitchen. `open` makes its worker; it is called at the first call, and not before. */
export class Desk {
  private line: Line | null = null;
  private next = 0;
  private readonly asked = new Map<number, Asked>();
  private readonly heard = new Set<(event: DeskEvent) => void>();

  constructor(private readonly open: () => Line) {}

  /** Start the kitchen, unless it has been started. */
  start(): void {
    if (this.line) return;
    this.line = this.open();
    this.line.onmessage = (message: MessageEvent) => this.hear(message.data as Answer);
    this.line.onerror = (error: ErrorEvent) => this.fail(error.message || "The kitchen did not start.");
  }

  get started(): boolean {
    return this.line !== null;
  }

  /** Ask for something. Rejects with a `DeskError`. Calls wait for the kitchen to be ready, in their order. */
  ask<K extends CallName>(call: K, args: Calls[K]["in"] = {} as Calls[K]["in"]): Promise<Calls[K]["out"]> {
    this.start();
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve: resolve as Asked["resolve"], reject });
      this.line?.postMessage({ id, call, args });
    });
  }

  /** Hear all events. Returns what stops it. */
  on(hear: (event: DeskEvent) => void): () => void {
    this.heard.add(hear);
    return () => this.heard.delete(hear);
  }

  /** Close the worker; calls that wait are rejected. */
  close(): void {
    this.line?.terminate();
    this.line = null;
    this.fail("The kitchen was closed.");
  }

  private hear(answer: Answer): void {
    if ("event" in answer) {
      for (const hear of this.heard) hear(answer);
      return;
    }
    const asked = this.asked.get(answer.id);
    this.asked.delete(answer.id);
    if (answer.fault) asked?.reject(new DeskError(answer.fault));
    else asked?.resolve(answer.value as never);
  }

  private fail(text: string): void {
    const fault = new DeskError({ code: "failed", text });
    for (const { reject } of this.asked.values()) reject(fault);
    this.asked.clear();
  }
}
