"""Webhooks: register, rotate, ping and deliver, by the conventions of Standard Webhooks.

A failed delivery is tried again at growing intervals for about a day. The house disables an endpoint that has
accepted nothing for `webhook_days`, or that answers 410. Its player learns of that from the feed.
"""

from __future__ import annotations

import contextlib
import hmac
import random
import time
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from ipaddress import ip_network
from typing import Any

import structlog
from sqlalchemy import bindparam, delete, func, update
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from crypto.encoding import b64, unb64
from service import outgoing
from service.keys import UnknownKey
from service.models import Delivery, Player, Webhook
from service.operations import feed
from service.operations.outbox import EVERY, PING, delivery
from service.outgoing import Address, BadUrl, Failed, Target, is_public, read_url
from service.problems import Fault, Problem, conflict, invalid, not_found
from service.runtime import Runtime
from service.statements import Prepared

NAMES = (EVERY, *feed.NAMES)
"""The events that an endpoint may ask for."""
DISABLED = "webhook.disabled"
PAUSES = (5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200)
"""Seconds from each failed attempt to the next, give or take a fifth. After the last there is no attempt."""
SECONDS = 10.0
"""The time limit of an attempt, from resolving the host name to the last byte of the answer's head."""
CLAIM_MS = 30_000
"""The milliseconds that a worker's claim on a delivery lasts.

A delivery that is not done by then is due again.
"""
OVERLAP_MS = 24 * 3_600_000
"""The milliseconds for which the previous secret also signs after a rotation."""
_DAY_MS = 86_400_000
_LONGEST_PAUSE = 86_400
_AT_ONCE = 500

_log = structlog.get_logger(__name__)


def secret(house: Runtime, webhook: Webhook) -> str:
    """An endpoint's secret, in the form of Standard Webhooks: whsec_ and 32 bytes in base64."""
    return "whsec_" + b64encode(_key(house, webhook, webhook.house_key, webhook.number)).decode()


def _key(house: Runtime, webhook: Webhook, house_key: str, number: int) -> bytes:
    return house.keys_of(unb64(house_key, 32)).webhook_key(webhook.id, number)


def signature(key: bytes, message_id: str, seconds: int, body: str) -> str:
    """`v1,` and the HMAC-SHA256, in base64, of id, time and body, joined by full stops."""
    signed = f"{message_id}.{seconds}.{body}".encode()
    return "v1," + b64encode(hmac.new(key, signed, sha256).digest()).decode()


def allowed(house: Runtime, address: Address, secure: bool) -> bool:
    """Tell whether the house may send to an address: public with TLS, allowed networks with or without."""
    networks = [ip_network(text) for text in house.settings.webhook_networks.split(",") if text]
    if any(address in network for network in networks):
        return True
    return secure and is_public(address)


def _checked(house: Runtime, url: str) -> Target:
    try:
        target = read_url(url)
    except BadUrl as fault:
        raise _refused("bad_url", f"The URL {fault}.") from None
    if not target.secure and not house.settings.webhook_networks:
        raise _refused("https_needed", "The URL must begin with https://.")
    if target.literal is not None and not allowed(house, target.literal, target.secure):
        raise _refused("address_not_allowed", "The house sends nothing to this address.")
    return target


def _refused(code: str, detail: str) -> Problem:
    return invalid(code, detail, [Fault(code, detail, "/url")])


def register(house: Runtime, player_id: str, *, url: str, events: list[str]) -> Webhook:
    """Register a new endpoint for a player. Raises `Problem` 409, 422."""
    _checked(house, url)
    with house.write() as session:
        # The lock on the player's row: of two requests at once, only one gets the last allowed webhook.
        session.exec(select(Player).where(Player.id == player_id).with_for_update()).one()
        count = session.exec(select(func.count()).where(Webhook.player_id == player_id)).one()
        if count >= house.settings.webhooks_per_player:
            most = house.settings.webhooks_per_player
            raise conflict("too_many_webhooks", f"A player has at most {most} webhooks.", most=most)
        webhook = Webhook(
            player_id=player_id,
            url=url,
            events=sorted(set(events)),
            created_at=house.now(),
            house_key=b64(house.keys.public),
        )
        session.add(webhook)
    return webhook


def find(session: Session, player_id: str, webhook_id: str) -> Webhook:
    """A webhook that this player owns. Raises `Problem` 404."""
    webhook = session.get(Webhook, webhook_id)
    if webhook is None or webhook.player_id != player_id:
        raise not_found("webhook")
    return webhook


def of_player(session: Session, player_id: str) -> list[Webhook]:
    """The webhooks of a player, oldest first."""
    query = select(Webhook).where(Webhook.player_id == player_id)
    return list(session.exec(query.order_by(col(Webhook.created_at), col(Webhook.id))))


def remove(house: Runtime, player_id: str, webhook_id: str) -> None:
    """Delete a webhook and its deliveries. Raises `Problem` 404."""
    with house.write() as session:
        # Locked first: an event for it is either committed before, or finds the webhook gone.
        session.exec(select(Webhook.id).where(Webhook.id == webhook_id).with_for_update())
        webhook = find(session, player_id, webhook_id)
        session.execute(delete(Delivery).where(col(Delivery.webhook_id) == webhook.id))
        session.delete(webhook)


def rotate(house: Runtime, player_id: str, webhook_id: str) -> Webhook:
    """Give a webhook a new secret. The previous one also signs for a day. Raises `Problem` 404."""
    with house.write() as session:
        webhook = find(session, player_id, webhook_id)
        webhook.old_house_key, webhook.house_key = webhook.house_key, b64(house.keys.public)
        webhook.number += 1
        webhook.old_until = house.now() + OVERLAP_MS
    return webhook


def enable(house: Runtime, player_id: str, webhook_id: str) -> Webhook:
    """Enable a disabled webhook. Events from meanwhile are only in the feed. Raises `Problem` 404, 422."""
    with house.write() as session:
        webhook = find(session, player_id, webhook_id)
        _checked(house, webhook.url)
        webhook.disabled_at = webhook.disabled_reason = webhook.failing_since = None
    return webhook


def ping(house: Runtime, player_id: str, webhook_id: str) -> Delivery:
    """Send a `webhook.ping` as a test. Raises `Problem` 404, 409."""
    with house.write() as session:
        webhook = find(session, player_id, webhook_id)
        if webhook.disabled_at is not None:
            raise conflict("webhook_disabled", "This webhook is disabled: enable it first.")
        sent = delivery(webhook, PING, {"webhook": webhook.id}, house.now())
        session.add(sent)
    return sent


def deliveries(
    session: Session, webhook_id: str, before: tuple[int, str] | None, limit: int
) -> list[Delivery]:
    """The deliveries to a webhook, newest first, from the first before (created_at, id)."""
    query = select(Delivery).where(Delivery.webhook_id == webhook_id)
    if before is not None:
        at, last = before
        older = (col(Delivery.created_at) == at) & (col(Delivery.id) < last)
        query = query.where((col(Delivery.created_at) < at) | older)
    return list(
        session.exec(query.order_by(col(Delivery.created_at).desc(), col(Delivery.id).desc()).limit(limit))
    )


# -- Delivering, by the workers ---------------------------------------------------------------------


def due(house: Runtime, limit: int) -> list[str]:
    """Claim at most `limit` due deliveries, one for each endpoint; returns their ids.

    An endpoint gets its next delivery after the one on its way, so an endpoint that hangs takes one place
    only. Failing endpoints come after all others. Two workers never claim for the same endpoint at once: they
    lock its row before they look for deliveries on their way. Finished and later deliveries are not read.
    """
    if limit <= 0:
        return []
    now = house.now()
    times = {"now": now, "soon": now + CLAIM_MS, "late": now + 2 * CLAIM_MS}
    with house.read() as session:
        if _LOOK.run(session, times).first() is None:
            return []
    ready = _ready(times).limit(limit)
    with house.write() as session:
        free = session.exec(ready.with_for_update(of=Webhook, skip_locked=True, key_share=True)).all()
        still = session.exec(ready.where(col(Webhook.id).in_(free))).all()
        ids = [session.exec(_next(Delivery.id).where(Delivery.webhook_id == each)).one() for each in still]
        claim = update(Delivery).where(col(Delivery.id).in_(ids))
        session.execute(claim.values(claimed_until=now + CLAIM_MS))
    return ids


def _ready(times: Mapping[str, Any]) -> SelectOfScalar[str]:
    """Endpoints with a due delivery and none on its way, in the order to serve them.

    `times` has three times in milliseconds since 1970: `now`, `soon` and `late`. A claim lasts from `now` to
    `soon`, and as long again to `late`.
    """
    now, soon, late = times["now"], times["soon"], times["late"]
    # A claim that lasts far too long was made before the clock was put back. One that lasts a little too long
    # was made after this process read its clock, or with a clock that is ahead.
    held = (col(Delivery.claimed_until) > now) & (col(Delivery.claimed_until) <= late)
    since = _next(Delivery.due_at).where(Delivery.webhook_id == Webhook.id).scalar_subquery()
    busy = select(Delivery.id).where(Delivery.webhook_id == Webhook.id, col(Delivery.due_at) <= soon, held)
    return (
        select(Webhook.id)
        .where(col(Webhook.disabled_at).is_(None), since <= now, ~busy.exists())
        .order_by(col(Webhook.failing_since).is_not(None), since)
    )


def _next(column: Any) -> SelectOfScalar[Any]:
    """A column of the delivery that is due first."""
    order = (col(Delivery.due_at), col(Delivery.created_at), col(Delivery.seq))
    return select(column).where(col(Delivery.due_at).is_not(None)).order_by(*order).limit(1)


_LOOK = Prepared(_ready({name: bindparam(name) for name in ("now", "soon", "late")}).limit(1))
"""Each worker looks several times a second, and finds nothing in most houses."""


def deliver(house: Runtime, delivery_id: str) -> None:
    """Try a delivery once and store the result. A second call does no harm."""
    with house.read() as session:
        sent = session.get(Delivery, delivery_id)
        webhook = None if sent is None else session.get(Webhook, sent.webhook_id)
    if sent is None or webhook is None or sent.due_at is None or webhook.disabled_at is not None:
        return
    now, begun = house.now(), time.monotonic()
    status: int | None = None
    error: str | None = None
    pause = None
    try:
        target, headers = read_url(webhook.url), _headers(house, webhook, sent, now)
        answer = outgoing.post(
            target,
            sent.body.encode(),
            headers,
            may=lambda address: allowed(house, address, target.secure),
            seconds=SECONDS,
        )
        status, pause = answer.status, answer.retry_after
    except Failed as fault:
        error = fault.code
    except BadUrl:  # by a rule that came after the webhook
        error = "bad_url"
    except UnknownKey:  # the house lost its old keys and goes on with new ones
        error = "no_secret"
    attempt = {"at": now, "status": status, "error": error, "ms": round((time.monotonic() - begun) * 1000)}
    with house.write() as session:
        _note(house, session, sent, attempt, pause)


def _headers(house: Runtime, webhook: Webhook, sent: Delivery, now: int) -> dict[str, str]:
    seconds, message_id = now // 1000, f"msg_{sent.id}"
    keys = [_key(house, webhook, webhook.house_key, webhook.number)]
    if webhook.old_house_key is not None and (webhook.old_until or 0) > now:
        with contextlib.suppress(UnknownKey):
            keys.append(_key(house, webhook, webhook.old_house_key, webhook.number - 1))
    return {
        "Content-Type": "application/json",
        "User-Agent": "Cloche",
        "webhook-id": message_id,
        "webhook-timestamp": str(seconds),
        "webhook-signature": " ".join(signature(key, message_id, seconds, sent.body) for key in keys),
    }


def _note(
    house: Runtime,
    session: Session,
    carried: Delivery,
    attempt: dict[str, int | str | None],
    pause: int | None,
) -> None:
    # First the endpoint, then its delivery: the same order as in all other code that locks both.
    lock = select(Webhook).where(Webhook.id == carried.webhook_id).with_for_update(key_share=True)
    webhook = session.exec(lock).first()
    sent = session.exec(select(Delivery).where(Delivery.id == carried.id).with_for_update()).first()
    if sent is None or webhook is None or sent.due_at is None:
        return  # removed or disabled meanwhile, or another worker was quicker
    now, status = house.now(), attempt["status"]
    sent.attempts = [*sent.attempts, attempt]
    sent.claimed_until = 0
    if isinstance(status, int) and 200 <= status < 300:
        sent.state, sent.due_at, webhook.failing_since = "delivered", None, None
        return
    _log.info("webhook_failed", webhook=webhook.id, **{k: attempt[k] for k in ("status", "error")})
    if webhook.failing_since is None:
        webhook.failing_since = now
    tried = len(sent.attempts)
    if tried > len(PAUSES):
        sent.state, sent.due_at = "failed", None
    else:
        least = min(pause or 0, _LONGEST_PAUSE)
        seconds = max(PAUSES[tried - 1] * random.uniform(0.8, 1.2), least)
        sent.due_at = now + int(seconds * 1000)
    if status == 410:
        _disable(house, session, webhook, "gone")
    elif now - webhook.failing_since >= house.settings.webhook_days * _DAY_MS:
        _disable(house, session, webhook, "failing")


def _disable(house: Runtime, session: Session, webhook: Webhook, reason: str) -> None:
    webhook.disabled_at, webhook.disabled_reason = house.now(), reason
    waiting = update(Delivery).where(
        col(Delivery.webhook_id) == webhook.id, col(Delivery.due_at).is_not(None)
    )
    session.execute(waiting.values(state="dropped", due_at=None, claimed_until=0))
    feed.add(house, session, [webhook.player_id], DISABLED, webhook=webhook.id, reason=reason)
    _log.info("webhook_disabled", webhook=webhook.id, reason=reason)


def forget_old(house: Runtime, now: int) -> int:
    """Delete finished deliveries that at `now` are older than `events_days`; returns how many."""
    limit, gone = now - house.settings.events_days * _DAY_MS, 0
    old = select(Delivery.id).where(col(Delivery.due_at).is_(None), Delivery.created_at < limit)
    while True:
        with house.write() as session:
            ids = list(session.exec(old.limit(_AT_ONCE)))
            session.execute(delete(Delivery).where(col(Delivery.id).in_(ids)))
        gone += len(ids)
        if len(ids) < _AT_ONCE:
            return gone
