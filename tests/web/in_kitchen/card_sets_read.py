"""Read the card sets and the formats of the build, and tell their digests."""

import sys

from cards.catalog import card_sets
from cards.catalog.changes import digest
from cards.decks import formats

catalog = card_sets.load()
found = {
    "digests": [[digest(each) for each in (card_set, *card_set.earlier)] for card_set in catalog.sets],
    "starters": {starter.slug: len(starter.counts) for starter in catalog.starters.values()},
    "formats": {name: repr(each) for name, each in formats.load(catalog).items()},
    "yaml": "yaml" in sys.modules,
}
