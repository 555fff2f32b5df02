"""For whoever looks after the house: is it alive, is it ready?"""

from __future__ import annotations

import structlog
from flask import Blueprint, Flask, Response, jsonify

from service import migrations
from service.api.context import house
from service.problems import Problem

log = structlog.get_logger(__name__)

health = Blueprint("health", __name__)


@health.get("/healthz")
def alive() -> Response:
    """This process answers."""
    return jsonify(status="ok")


@health.get("/readyz")
def ready() -> Response:
    """The database answers and has today's tables."""
    try:
        current = migrations.current(house().database.engine)
    except Exception as error:
        log.warning("not_ready", error=type(error).__name__)
        raise Problem(503, "no_database", "The database does not answer.") from None
    if current != migrations.head():
        raise Problem(503, "not_migrated", "The database does not have today's tables yet.")
    return jsonify(status="ready")


def install(app: Flask) -> None:
    """Serve /healthz and /readyz."""
    app.register_blueprint(health)
