"""Listening on a port, with errors that an operator understands."""

from __future__ import annotations

import errno
import socket

import click


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises `ClickException` with what to change."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror:
        raise click.ClickException(f"There is no address {host} to listen on.") from None
    family, _, _, _, address = found[0]
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(1024)
    except OSError as fault:
        listener.close()
        if fault.errno == errno.EADDRINUSE:
            why = f"Port {port} on {host} is in use; choose another with --port or CLOCHE_PORT."
        elif fault.errno == errno.EACCES:
            why = f"Port {port} needs special rights; choose one above 1023 with --port."
        else:
            why = f"Can't listen on {host}, port {port}: {fault.strerror}."
        raise click.ClickException(why) from None
    return listener


def url_of(listener: socket.socket, tls: bool = False) -> str:
    """The URL of a listener, as somebody on this machine can open it."""
    host, port = listener.getsockname()[:2]
    return address_of("localhost" if is_everywhere(host) else host, port, tls)


def is_everywhere(host: str) -> bool:
    """Tell whether a listener's address stands for every address of this machine."""
    return host in ("0.0.0.0", "::")  # noqa: S104 (compared, not listened on)


def address_of(host: str, port: int, tls: bool = False) -> str:
    """The URL of a host, which may be a name or an address, and a port."""
    return f"{'https' if tls else 'http'}://{f'[{host}]' if ':' in host else host}:{port}"
