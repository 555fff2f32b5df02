"""Pictures of cards and served dishes as SVG. The same card or dish always gives the same bytes.

`card.picture` draws a card from its data, `served.picture` a dish from a record, and `dishes.drawing` a dish apart
from any record. `vocabulary` chooses a shape by names and kinds; the shapes are in `bakery`, `fruits`, `garden`,
`larder`, `pantry` and `roots`. `menu` chooses the form of a dish from `bowls` and `plates`. `price_chart` draws
prices and `rating_chart` a rating, both in a `chart_frame`. `sheet` puts pictures side by side, and `token_metadata`
describes a card for other programs. docs/cards.md shows pictures.
"""

from cards.pictures.card import picture

__all__ = ["picture"]
