/** A table and, beside it, the bill and what was checked. */
import type { ComponentChildren } from "preact";
import type { AccountEvent, MatchView } from "../desk";
import type { Teller } from "./account_words";
import { Drawer } from "./drawer";

interface Props {
  view: MatchView;
  accounts: AccountEvent[];
  teller: Teller;
  /** What the room is for: the table alone, the table with the bill beside it, or the bill, once nothing is left to do. */
  room?: "table" | "both" | "bill";
  children: ComponentChildren;
}

export function Frame({ view, accounts, teller, room = "both", children }: Props) {
  return (
    <div class={`with-bill room-${room}`}>
      <div class="at-table">{children}</div>
      {room !== "table" && <Drawer view={view} accounts={accounts} teller={teller} />}
    </div>
  );
}
