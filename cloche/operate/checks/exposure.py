"""Checks of a house that others can reach: what should be there before it is opened to them."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from urllib.parse import urlsplit

from cloche.operate.checks.finding import Finding, ProcessSetup
from service.config import UNLIMITED
from service.passwords import AT_ONCE


def at_home(host: str) -> bool:
    """Tell whether an address or a name is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_open(setup: ProcessSetup) -> bool:
    """Tell whether others can reach the process, or soon will."""
    return setup.listens and (setup.for_others or bool(setup.settings.proxies) or not at_home(setup.host))


def proxies(setup: ProcessSetup) -> Iterator[Finding]:
    """Check whether others can read the traffic on its way."""
    if not is_open(setup) or setup.settings.proxies:
        return
    if setup.tls:
        yield Finding("ok", "proxies", "it speaks TLS itself, with a certificate for this network")
        return
    do = "Put a proxy with TLS before it and set CLOCHE_PROXIES, or limits count the proxy's address."
    if at_home(setup.host):
        text = "no proxy is configured before it, so others can't reach it by TLS"
    else:
        text = f"other machines can reach {setup.host} in plain HTTP, and no proxy is configured before it"
    yield Finding("warning", "proxies", text, do)


def limits(setup: ProcessSetup) -> Iterator[Finding]:
    """Check whether every rate limit is on."""
    if not is_open(setup) or not setup.serves:
        return
    off = [name for name in UNLIMITED if not getattr(setup.settings, name)]
    if off:
        variables = ", ".join(f"CLOCHE_{name.upper()}" for name in off)
        text = f"{len(off)} of {len(UNLIMITED)} rate limits are switched off"
        yield Finding("warning", "limits", text, f"Unset {variables}.")
    else:
        yield Finding("ok", "limits", "every rate limit is on")


def guessing(setup: ProcessSetup) -> Iterator[Finding]:
    """Check whether guessing a password is slow."""
    if not is_open(setup) or not setup.serves:
        return
    pause = setup.settings.sign_in_pause
    if pause < 60:
        text = "nothing slows down guessing the password of one player"
        text = text if not pause else f"a password can be guessed every {pause} seconds for ever"
        yield Finding("warning", "guessing", text, "Unset CLOCHE_SIGN_IN_PAUSE.")
    else:
        yield Finding("ok", "guessing", f"a handle pauses after wrong passwords, {pause} seconds at most")


def sign_ins(setup: ProcessSetup) -> Iterator[Finding]:
    """Check whether a flood of sign-ins leaves threads for other requests. Half are kept for games."""
    most, shared = AT_ONCE + setup.settings.password_queue, setup.threads // 2
    if not is_open(setup) or not setup.serves:
        return
    if most >= shared:
        text = f"{most} sign-ins at once can take all {shared} threads that are not kept for games"
        yield Finding("warning", "sign-ins", text, "Lower CLOCHE_PASSWORD_QUEUE, or raise CLOCHE_THREADS.")
    else:
        yield Finding("ok", "sign-ins", f"{most} of {shared} threads at most check passwords")


def browsers(setup: ProcessSetup) -> Iterator[Finding]:
    """Check whether the pages that may use the API came by TLS."""
    plain = [
        origin
        for origin in filter(None, setup.settings.cors_origins.split(","))
        if origin.startswith("http://") and not at_home(urlsplit(origin).hostname or "")
    ]
    if setup.listens and plain:
        text = f"pages of {', '.join(plain)} come without TLS, so anybody on the way can change them"
        yield Finding("warning", "browsers", text, "Name https:// origins in CLOCHE_CORS_ORIGINS.")


def webhooks(setup: ProcessSetup) -> Iterator[Finding]:
    """Check whether players could have events sent into a private network."""
    networks = setup.settings.webhook_networks
    if networks and (is_open(setup) or not setup.listens):
        text = f"every player can have the house send requests to {networks}"
        yield Finding("warning", "webhooks", text, "Unset CLOCHE_WEBHOOK_NETWORKS.")


def figures(setup: ProcessSetup) -> Iterator[Finding]:
    """Check whether the operator can see how the house does."""
    settings = setup.settings
    if not is_open(setup):
        return
    if settings.proxies and not settings.metrics_token:
        text = "nobody can read /metrics behind a proxy without a token"
        yield Finding("warning", "figures", text, "Set CLOCHE_METRICS_TOKEN, and let Prometheus send it.")
    if not settings.disk_mib:
        text = "the house calls itself ready even while a disk is full"
        yield Finding("warning", "figures", text, "Unset CLOCHE_DISK_MIB.")
