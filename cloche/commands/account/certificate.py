"""`cloche certificate`: a player trusts the certificate of a house on the same network."""

from __future__ import annotations

import os
import ssl
from hashlib import sha256
from pathlib import Path

import click
import httpx

from client.vault import home
from client.wire import AUTHORITIES, CONNECT, USUAL, trusted
from cloche.commands.errors import CommandError, HouseUnreachable, command_errors

PATH = "/authority.crt"
"""Where a house has the certificate of its authority."""
MOST = 64 * 1024
"""Bytes of the longest certificate that is read."""


@click.command()
@click.argument("url")
@click.option(
    "--fingerprint", metavar="SHA256", help="The fingerprint that the house has printed; else you are asked."
)
def certificate(url: str, fingerprint: str | None) -> None:
    """Trust the certificate of the house at URL from now on.

    A house that speaks TLS on its own network prints a fingerprint at its start. Compare it with
    its owner, by voice or on that screen: whoever makes you trust another certificate can read and
    change what passes between you and the house. Your hand and your keys stay safe even then.
    """
    origin = url.rstrip("/")
    with command_errors():
        der = _fetch(origin)
        found = sha256(der).digest()
        if fingerprint is None:
            click.echo(f"The certificate of {origin} has the SHA-256 fingerprint\n{found.hex(':').upper()}")
            click.confirm("Is that what the house has printed?", abort=True)
        elif _bytes(fingerprint) != found:
            raise CommandError(
                "wrong_fingerprint", f"{origin} has another certificate: {found.hex(':').upper()}."
            )
        pem = ssl.DER_cert_to_PEM_cert(der)
        _try(origin, pem)
        path = home() / AUTHORITIES
        _add(path, pem)
    click.echo(f"You trust the certificate of {origin} from now on ({path}).")


def _bytes(fingerprint: str) -> bytes:
    try:
        return bytes.fromhex(fingerprint.replace(":", ""))
    except ValueError:
        raise click.BadParameter("this is no fingerprint.", param_hint="--fingerprint") from None


def _fetch(origin: str) -> bytes:
    """The certificate of a house's authority, as DER. Nobody vouches for the answer: the fingerprint does."""
    try:
        timeout = httpx.Timeout(USUAL, connect=CONNECT)
        answer = httpx.get(origin + PATH, verify=False, timeout=timeout)  # noqa: S501 (see above)
    except (httpx.TransportError, httpx.InvalidURL) as error:
        raise HouseUnreachable("unreachable", f"{origin} does not answer: {error}") from None
    if not answer.is_success or not 0 < len(answer.content) <= MOST:
        text = f"{origin} has no certificate of its own: it was not started with --tls."
        raise CommandError("no_certificate", text)
    return answer.content


def _add(path: Path, pem: str) -> None:
    """Add a certificate to the player's file, once."""
    before = path.read_text(encoding="ascii") if path.exists() else ""
    if pem in before:
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.new")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(before + pem)
    draft.replace(path)


def _try(origin: str, pem: str) -> None:
    """Raise `CommandError` unless the house's own certificate stands under this one."""
    try:
        context = trusted()
        context.load_verify_locations(cadata=pem)
        httpx.get(origin + PATH, verify=context, timeout=httpx.Timeout(USUAL, connect=CONNECT))
    except (httpx.TransportError, ssl.SSLError) as error:
        text = f"{origin} shows another certificate than the one that it hands out: {error}."
        raise CommandError("untrusted", text) from None
