"""The games of the house; importing this seats them in the registry of `cards.mode`."""

from cards.mode import register
from cards.modes.chef import Chef
from cards.modes.hearts import Hearts

register(Chef())
register(Hearts())
