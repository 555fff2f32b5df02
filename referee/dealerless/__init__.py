"""Tables without a dealer (protocol section 20): all mix the pack, and only its player sees a hand.

`masked` holds a pack under locks, `making` its attempts and the deal in play, `proofs` the checks of
messages, `sending` what a party sends. `referee.fold` calls them; a table with a dealer needs none.
"""
