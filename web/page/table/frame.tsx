/** A table and, beside it, the bill and what was checked. */
import type { ComponentChildren } from "preact";
import type { AccountEvent, MatchView } from "../desk";
import type { Teller } from "./account_words";
import { Drawer } from "./drawer";

interface Props {
  view: MatchView;
  accounts: AccountEvent[];
  teller: Teller;
  /** True if nothing is left to do at the table, so that the bill takes the room. */
  ended?: boolean;
  children: ComponentChildren;
}

export function Frame({ view, accounts, teller, ended = false, children }: Props) {
  return (
    <div class={ended ? "with-bill ended" : "with-bill"}>
      <div class="at-table">{children}</div>
      <Drawer view={view} accounts={accounts} teller={teller} />
    </div>
  );
}
