/** The copies that one owns of a card: where each came from, what holds it, and the token of one that has left. */
import { useState } from "preact/hooks";
import type { OutsideCopy } from "../desk";
import { ask } from "../kitchen";
import { Doing } from "../parts/ui";
import { dayTime, said, t } from "../words";

export interface CopyInfo {
  id: string;
  card: string;
  serial: number;
  origin: string;
  soulbound: boolean;
  created_at: string;
  state: string;
  held_by: string[];
}

/** Copies that a card shows at once; those that are outside come first. */
const SHOWN = 6;

export function CopyLines({ copies }: { copies: CopyInfo[] }) {
  const away = (copy: CopyInfo) => Number(copy.state === "outside");
  const listed = [...copies].sort((a, b) => away(b) - away(a));
  return (
    <ul class="small lines">
      {listed.slice(0, SHOWN).map((copy) => (
        <li key={copy.id}>
          {t("album.copy", { serial: copy.serial, origin: said("origin", copy.origin.split(":")[0] ?? "", copy.origin), at: dayTime(copy.created_at) })}
          {copy.soulbound && ` · ${t("album.bound")}`}
          {copy.state !== "free" && ` · ${said("copy", copy.state, copy.state)}`}
          {copy.state === "outside" && <Token copy={copy} />}
        </li>
      ))}
    </ul>
  );
}

/** Where a copy is outside. The kitchen checks the house's statement and the token's certificate first. */
function Token({ copy }: { copy: CopyInfo }) {
  const [found, setFound] = useState<OutsideCopy | null>(null);
  const look = async () => setFound(await ask("copies.outside", { copy: copy.id, statement: copy.held_by[0] ?? "" }));
  if (!found) return <Doing act={look}>{t("token.check")}</Doing>;
  return (
    <div class="token stack tight" role="status">
      <p>{t(`token.${found.state}`, { until: dayTime(found.until) })}</p>
      <dl>
        <Fact name={t("token.id")} value={found.token} />
        <Fact name={t("token.pantry", { chain: found.chain })} value={found.pantry} />
        <Fact name={t("token.receiver")} value={found.receiver} />
      </dl>
      <p class="herb">{t("token.checked")}</p>
      <p class="quiet">{t("token.owner")}</p>
    </div>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
      </dd>
    </div>
  );
}
