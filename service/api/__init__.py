"""The resources of the API, one file each: a blueprint with its schemas, and no rules of the house.

An endpoint is its decorators and about five lines. It parses the request, calls one operation, and dumps
the result; so the code is also the OpenAPI document.
"""

from collections.abc import Sequence

from flask import Flask

from service.api import health
from service.api.account import account
from service.api.accounts import accounts
from service.api.blocks import blocks
from service.api.boosters import boosters
from service.api.boxes import boxes
from service.api.bulk import bulk
from service.api.cards import cards
from service.api.challenges import challenges
from service.api.collection import collection
from service.api.deck_checks import deck_checks
from service.api.deck_revisions import deck_revisions
from service.api.deck_statistics import deck_statistics
from service.api.decks import decks
from service.api.events import events
from service.api.games import games
from service.api.limits import limits
from service.api.live import live
from service.api.market import market
from service.api.moderation import moderation
from service.api.modes import modes
from service.api.outside import outside
from service.api.phrases import phrases
from service.api.pictures import pictures
from service.api.players import players
from service.api.queue import queue
from service.api.ratings import ratings
from service.api.reports import reports
from service.api.rewards import rewards
from service.api.settlements import settlements
from service.api.tables import tables
from service.api.tokens import tokens
from service.api.tournaments import tournaments
from service.api.versions import versions
from service.api.webhooks import webhooks
from service.page import Page
from service.web import authority, browsing, cors, errors, fields, page_files, requests, schemas
from service.web.blueprint import Blueprint
from service.web.document import open_api
from service.web.limits import install as install_limits

RESOURCES = (
    players,
    tokens,
    account,
    boxes,
    blocks,
    modes,
    cards,
    versions,
    bulk,
    collection,
    rewards,
    ratings,
    boosters,
    decks,
    deck_revisions,
    deck_checks,
    deck_statistics,
    market,
    tables,
    challenges,
    queue,
    tournaments,
    games,
    settlements,
    outside,
    accounts,
    events,
    live,
    pictures,
    webhooks,
    limits,
    moderation,
    reports,
    phrases,
)


STREAMS = (events,)
"""The resources of a process that only serves streams."""


def register(
    app: Flask,
    resources: Sequence[Blueprint] = RESOURCES,
    page: Page | None = None,
    certificate: bytes | None = None,
) -> None:
    """Serve these resources under /api/v1, their document, /healthz, /readyz, /metrics, and the page.

    With `certificate` (DER) serve the certificate of the house's own authority too.
    """
    requests.install(app)
    settings = app.extensions["cloche"].settings
    cors.install(app, cors.origins_of(settings.cors_origins))
    fields.install(app)
    install_limits(app)
    api = open_api(app)
    for resource in resources:
        resource.register(api)
    api.later.append(lambda: schemas.vary(api.spec.components.schemas))
    errors.install(app)  # after flask-smorest's own handlers, which these replace
    health.install(app)
    browsing.install(app)
    if certificate is not None:
        authority.install(app, certificate)
    if page is None:
        browsing.lead_to_docs(app)
    else:
        page_files.install(app, page)
