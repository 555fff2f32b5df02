/**
 * Cards. Their pictures come from the house while no match runs, since everybody may ask for all of them; in a match
 * the kitchen draws them, because a request for one picture would tell the house which card was drawn.
 */
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { CardText, Category, Units } from "../desk";
import { unitList } from "../house";
import { account, ask } from "../kitchen";
import { listed, t } from "../words";
import { Pip } from "./icons";

/** What a card needs to be shown. */
export type Shown = Omit<CardText, "number">;

/** Addresses of pictures that the kitchen drew, by slug. */
const drawn = signal<ReadonlyMap<string, string>>(new Map());
const wanted = new Set<string>();
let batch: string[] = [];

/** Have the kitchen draw a card; many in one moment are asked for together. */
function draw(slug: string): void {
  if (drawn.value.has(slug) || wanted.has(slug)) return;
  wanted.add(slug);
  batch.push(slug);
  if (batch.length > 1) return;
  setTimeout(() => {
    const slugs = batch;
    batch = [];
    ask("pictures.cards", { slugs }).then(
      ({ svgs }) => {
        const more = new Map(drawn.value);
        svgs.forEach((svg, i) => {
          if (svg) more.set(slugs[i]!, URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })));
        });
        drawn.value = more;
      },
      () => slugs.forEach((slug) => wanted.delete(slug)),
    );
  }, 10);
}

/** The address of a card's picture; empty until the kitchen has drawn it. */
export function usePicture(slug: string): string {
  useEffect(() => draw(slug), [slug]);
  return drawn.value.get(slug) ?? "";
}

/** The addresses of several cards' pictures. */
export function usePictures(slugs: readonly string[]): string[] {
  useEffect(() => slugs.filter(Boolean).forEach(draw), [slugs.join()]);
  return slugs.map((slug) => drawn.value.get(slug) ?? "");
}

/** The address of a picture at the house, which draws it. For cards that everybody is shown, such as a starter's. */
export function picturePath(card: { set: string; number_in_set: number }): string {
  return `/api/v1/cards/${card.set}/${card.number_in_set}/picture.svg`;
}

/** A card as a picture: from the house, or, while a game of ours runs, from the kitchen. */
export function CardPicture({ card }: { card: Shown & { set: string; number_in_set: number } }) {
  const playing = (account.value?.games.length ?? 0) > 0;
  return playing ? <KitchenCard card={card} /> : <FullCard src={picturePath(card)} card={card} />;
}

/** "1 starch and 1 vegetable" */
export function unitWords(units: Units): string {
  return listed(
    (Object.entries(units) as [Category, number][])
      .filter(([, n]) => n)
      .map(([name, n]) => t("units.some", { n, what: t(`category.${name}`) })),
  );
}

/** A card in words, for people who can't see its picture. */
export function cardWords(card: Shown): string {
  const said = [card.name];
  if (card.type === "recipe") said.push(t("card.recipe", { units: unitWords(card.costs) }));
  else if (Object.keys(card.costs).length) said.push(t("card.special", { units: unitWords(card.costs), n: card.bonus }));
  else said.push(t("card.ingredient", { units: unitWords(card.provides) }));
  if (card.type === "ingredient" && card.bonus && !Object.keys(card.costs).length)
    said.push(t("card.bonus", { n: card.bonus }));
  if (card.kinds.length) said.push(t("card.kinds", { kinds: listed(card.kinds) }));
  if (card.list.length) said.push(t("card.likes", { list: listed(card.list) }));
  if (card.one_time) said.push(t("card.once"));
  return said.join(". ");
}

export function Pips({ units }: { units: Units }) {
  return (
    <span class="pips" aria-hidden="true">
      {unitList(units).map((category, i) => (
        <Pip key={i} category={category} />
      ))}
    </span>
  );
}

/** The units that a card shows: what it costs, or what it gives. */
export function unitsOf(card: Shown): Units {
  return Object.keys(card.costs).length ? card.costs : card.provides;
}

/** A whole card as a picture. */
export function FullCard({ src, card }: { src: string; card: Shown }) {
  return (
    <div class="full-card" role="img" aria-label={cardWords(card)}>
      {src ? <img src={src} alt="" width="480" height="672" loading="lazy" /> : <div class="card-back" />}
    </div>
  );
}

export function KitchenCard({ card }: { card: Shown }) {
  return <FullCard src={usePicture(card.slug)} card={card} />;
}

/** What a tile shows. Its name in words stands on the button; signs that it repeats are drawn by the style sheet: the name large enough to read, its units, and the picture's illustration. */
export function TileFace({ src, card }: { src: string; card: Shown }) {
  const [broken, setBroken] = useState(false);
  return (
    <>
      <span class="tile-art">
        {src && !broken ? <img src={src} alt="" width="480" height="672" draggable={false} onError={() => setBroken(true)} /> : null}
      </span>
      <span class="tile-name">{card.name}</span>
      <Pips units={unitsOf(card)} />
      {card.bonus ? <span class="tile-bonus" data-text={`+${card.bonus}`} /> : null}
      {card.one_time ? <span class="tile-once" data-text={t("card.once.short")} /> : null}
    </>
  );
}
