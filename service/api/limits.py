"""Rate limits: which endpoints have one, and which setting says it."""

from __future__ import annotations

from typing import Any

from flask import Flask
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

from service.config import Settings
from service.house import House


def table(settings: Settings) -> dict[str, str]:
    """The limits by endpoint; those that are switched off are left out."""
    limits = {
        "players.register": settings.registration_limit,
        "tokens.issue": settings.sign_in_limit,
        "collection.mint": settings.mint_limit,
    }
    return {endpoint: text for endpoint, text in limits.items() if text}


def limit(app: Flask) -> None:
    """Limit an application's endpoints, for each address."""
    house: House = app.extensions["cloche"]
    limiter = Limiter(
        get_remote_address,
        app=app,
        storage_uri=house.settings.rate_storage,
        strategy="moving-window",
        in_memory_fallback_enabled=house.settings.rate_storage != "memory://",
        headers_enabled=True,
    )
    views: Any = app.view_functions
    for endpoint, text in table(house.settings).items():
        views[endpoint] = limiter.limit(text)(views[endpoint])
