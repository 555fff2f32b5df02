"""Pictures of cards and served dishes as SVG: drawn from the card's data or the record alone, always the same.

`picture(printing, set_name)` draws a card, `served(...)` a dish. The illustrations are put together from a
vocabulary of shapes (`garden`, `roots`, `pantry`, `larder`), chosen by names and kinds (`vocabulary`), and served in
forms of dishes (`plates`). docs/cards.md shows them.
"""

from cards.pictures.card import picture

__all__ = ["picture"]
