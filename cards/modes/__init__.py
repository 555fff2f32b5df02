"""The games of the house; importing this seats them in the registry of `cards.mode`."""

from cards.mode import register
from cards.modes.big_c import BigC
from cards.modes.chef import Chef
from cards.modes.cribbage import Cribbage
from cards.modes.flip import Flip
from cards.modes.hearts import Hearts

register(BigC())
register(Chef())
register(Flip())
register(Hearts())
register(Cribbage())
