"""Endpoints for the operator's programs: whether the process works, whether it is ready, its metrics."""

from __future__ import annotations

from hmac import compare_digest
from ipaddress import ip_address

import structlog
from flask import Blueprint, Flask, Response, current_app, jsonify, request
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from service import disk, metrics, migrations
from service.operations import health as operations
from service.problems import Problem, not_found
from service.web.context import house

log = structlog.get_logger(__name__)

health = Blueprint("health", __name__)


@health.get("/healthz")
def alive() -> Response:
    """Say that this process answers and, where it has other work to do, that it does it."""
    if not current_app.extensions.get("cloche-alive", lambda: True)():
        raise Problem(503, "not_working", "This process answers, but has stopped doing its work.")
    return jsonify(status="ok")


@health.get("/readyz")
def ready() -> Response:
    """Say that the database answers with tables of this version or a newer one, and that there is room."""
    try:
        current = migrations.current(house().database.engine)
    except Exception as error:
        log.warning("not_ready", error=type(error).__name__)
        raise Problem(503, "no_database", "The database does not answer.") from None
    # A revision that this version does not know is of a newer one, whose migrations let this one go on.
    older = current is None or migrations.known(current)
    if older and current != migrations.head():
        log.warning("not_ready", reason="not_migrated", tables=current)
        raise Problem(503, "not_migrated", "The database does not have the tables of this version yet.")
    _require_room()
    return jsonify(status="ready")


def _require_room() -> None:
    """Raise `Problem` 503 while a disk of the house is full, or so full that it soon will be."""
    here = house()
    least = here.settings.disk_mib << 20
    room = {name: disk.free(folder) for name, folder in disk.folders(here.settings).items()}
    short = {name: free >> 20 for name, free in room.items() if free < least}
    if short or here.database.full:
        log.error("not_ready", reason="disk_full", free_mib=short, least_mib=here.settings.disk_mib)
        raise Problem(503, "disk_full", "A disk of the house is full, or almost.")


@health.get("/metrics")
def measured() -> Response:
    """Answer Prometheus with the metrics: on this machine only, or with the token of the settings."""
    if not _may_measure():
        raise not_found("page")
    return Response(metrics.exposition(operations.registry(house())), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _may_measure() -> bool:
    token = house().settings.metrics_token
    if token:
        return compare_digest(request.headers.get("Authorization", "").encode(), f"Bearer {token}".encode())
    # A proxy on this machine forwards the requests of others.
    forwarded = any(name in request.headers for name in ("Forwarded", "X-Forwarded-For", "X-Real-Ip"))
    return not forwarded and not house().settings.proxies and _is_local(request.remote_addr)


def _is_local(address: str | None) -> bool:
    try:
        return ip_address(address or "").is_loopback
    except ValueError:
        return False


def install(app: Flask) -> None:
    """Serve /healthz, /readyz and /metrics."""
    app.register_blueprint(health)
