"""The Celery workers of the house: they do what no request asks for.

Each task (`tasks`) calls one operation of the service. The sweep (`sweep`) finds every game that is due, so a
lost message costs a quarter of a second and no game. The house's bots (`bots`) move by the code that
players use, and those that think choose in a process of their own (`thinkers`). The workers' own keys open
the envelopes with reveals (`envelopes`). The courier delivers webhooks, and the painter asks for pictures.
`Worker` (`app`) runs all of this, inside `cloche serve` or as a process.
"""
