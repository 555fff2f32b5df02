"""Celery's side of the house: what must happen by itself.

Tasks (`tasks`) call one operation of the service each; the sweep (`sweep`)
finds every game that is due, so a lost message costs a quarter of a second
and no game; the house's bots (`bots`) play through the client's own code;
reveals come out of their envelopes (`envelopes`), by the worker's own keys.
`Worker` (`app`) runs all of it in a thread of the one-command house or as a
process of its own.
"""
