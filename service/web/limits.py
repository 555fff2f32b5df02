"""Rate limits: which requests are counted together, for whom, and how many are admitted.

A refused request is not counted. `Retry-After` is the first whole second after which all limits of the
request admit it again, unless other requests use them up meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from math import ceil, floor

from flask import Flask, Response, g, request
from limits import RateLimitItem, WindowStats, parse_many
from limits.storage import Storage
from limits.strategies import MovingWindowRateLimiter

from service.addresses import household
from service.config import Settings
from service.problems import Problem
from service.rate_storage import PAUSE, RateStorage
from service.web.blueprint import CHANGING, sign_in_if_asked
from service.web.context import perhaps_me

_ROUNDED = 0.001
"""Seconds by which a storage may round a time down."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Requests that are counted together, for each player or each address."""

    name: str
    """The setting with its limit is NAME_limit."""
    by: str
    endpoints: str
    """Patterns of endpoints, separated by spaces. The first rule that fits an endpoint is its rule."""
    methods: Sequence[str] = CHANGING

    def fits(self, endpoint: str) -> bool:
        """Tell whether an endpoint fits one of the patterns."""
        return any(fnmatchcase(endpoint, pattern) for pattern in self.endpoints.split())


RULES = (
    Rule("registration", "address", "players.register_player"),
    Rule("sign_in", "address", "tokens.issue_*"),
    Rule("mint", "player", "collection.mint_basics"),
    Rule("message", "player", "games.*"),
    Rule("table", "player", "tables.* challenges.* queue.* tournaments.*"),
    Rule("report", "player", "reports.make_report"),
    Rule("suggestion", "player", "deck_statistics.*_suggestions", ("GET", *CHANGING)),
    Rule("statistics", "player", "deck_statistics.*", ("GET", *CHANGING)),
    Rule("change", "player", "*"),
)


@dataclass(frozen=True, slots=True)
class LimitStanding:
    """The standing of a player or an address with a limit: with the one that fills first."""

    amount: int
    """The requests that it admits in its window."""
    remaining: int
    reset: float
    """The time when the oldest request that counts falls out of the window, in seconds since 1970."""
    retry: int | None
    """Seconds after which the request is admitted, if it was refused."""


class Limiter:
    """The limits of one house, counted in its `RateStorage`."""

    def __init__(self, settings: Settings, pause: float = PAUSE) -> None:
        self.limits = {
            rule: sorted(parse_many(text))
            for rule in RULES
            if (text := getattr(settings, f"{rule.name}_limit"))
        }
        self._house = settings.queue
        self._storage = RateStorage(settings, pause)
        self._alone = self._shared = MovingWindowRateLimiter(self._storage.alone)
        if self._storage.shared is not self._storage.alone:
            self._shared = MovingWindowRateLimiter(self._storage.shared)

    def rule(self, endpoint: str | None, method: str) -> Rule | None:
        """The rule of an endpoint, if there is one with a limit."""
        if endpoint is None:
            return None
        method = "GET" if method == "HEAD" else method
        found = next(rule for rule in RULES if rule.fits(endpoint))
        return found if found in self.limits and method in found.methods else None

    def admit(self, rule: Rule, who: str) -> LimitStanding:
        """Count a request of a player or an address, unless a limit refuses it."""

        def act(storage: Storage) -> LimitStanding:
            return self._judge(self._alone if storage is self._storage.alone else self._shared, rule, who)

        return self._storage.use(act)

    def _judge(self, counter: MovingWindowRateLimiter, rule: Rule, who: str) -> LimitStanding:
        items, key = self.limits[rule], (self._house, rule.name, who)
        # Test all before counting in any: a request that one of them refuses must count in none.
        admitted = all(counter.test(item, *key) for item in items)
        admitted = admitted and all(counter.hit(item, *key) for item in items)
        stats = [(item, counter.get_window_stats(item, *key)) for item in items]
        return _standing(stats, admitted, time.time())


def _standing(stats: list[tuple[RateLimitItem, WindowStats]], admitted: bool, now: float) -> LimitStanding:
    used_up = [window.reset_time for _, window in stats if window.remaining <= 0]
    item, window = min(stats, key=lambda each: (each[1].remaining, -each[1].reset_time))
    retry = None if admitted else max(0, floor(max(used_up, default=now) - now + _ROUNDED)) + 1
    return LimitStanding(item.amount, max(0, window.remaining), window.reset_time, retry)


def _address() -> str:
    return household(request.remote_addr or "unknown")


def _player() -> str | None:
    sign_in_if_asked()
    player = perhaps_me()
    return None if player is None else player.id


_WHO: dict[str, Callable[[], str | None]] = {"address": _address, "player": _player}


def install(app: Flask) -> None:
    """Limit an application's requests, and put each limit's standing into the headers of the answers."""
    settings = app.extensions["cloche"].settings
    limiter = app.extensions["cloche_limiter"] = Limiter(settings)

    def admit() -> None:
        rule = limiter.rule(request.endpoint, request.method)
        who = None if rule is None else _WHO[rule.by]()
        if rule is None or who is None:
            return  # the endpoint itself refuses a request without a token
        standing = g.standing = limiter.admit(rule, who)
        if standing.retry is not None:
            detail = "Too many requests: try again after the time in Retry-After."
            raise Problem(429, "too_many_requests", detail, headers={"Retry-After": str(standing.retry)})

    def tell(response: Response) -> Response:
        standing: LimitStanding | None = g.pop("standing", None)
        if standing is not None:
            response.headers["X-RateLimit-Limit"] = str(standing.amount)
            response.headers["X-RateLimit-Remaining"] = str(standing.remaining)
            response.headers["X-RateLimit-Reset"] = str(ceil(standing.reset))
        return response

    app.before_request(admit)
    app.after_request(tell)
