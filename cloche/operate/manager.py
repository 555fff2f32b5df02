"""The exchange with a service manager such as systemd: what it gives a process, and what it hears.

The manager may open the socket itself and hand it over (sd_listen_fds(3)). Then connections that are made
during a restart wait in the socket's queue, and several processes may take them from the same queue. It may
also ask to be told when the process is ready (sd_notify(3)).
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable, Mapping, MutableMapping
from pathlib import Path

import click

FIRST = 3
"""The number of the first file that is handed over."""


def handed_over(environment: MutableMapping[str, str] = os.environ) -> socket.socket | None:
    """The socket that the manager opened for this process; None if it opened none.

    The variables are taken out of the environment: they are for this process and none of its children. Raises
    `ClickException` if it is not exactly one socket that listens.
    """
    given = {name: environment.pop(name, "") for name in ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES")}
    if given["LISTEN_PID"] != str(os.getpid()):
        return None
    if given["LISTEN_FDS"] != "1":
        number = given["LISTEN_FDS"] or "0"
        raise click.ClickException(f"The service manager hands over {number} sockets; one is wanted.")
    os.set_inheritable(FIRST, False)
    try:
        listener = socket.socket(fileno=FIRST)
        listens = listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    except OSError as fault:
        text = f"The service manager hands over what is no socket ({fault.strerror})."
        raise click.ClickException(text) from None
    if not listens or listener.type != socket.SOCK_STREAM:
        listener.detach()
        raise click.ClickException("The service manager hands over a socket that does not listen.")
    return listener


def readiness(environment: MutableMapping[str, str] = os.environ) -> Callable[[], None]:
    """A function that tells the manager that the process is ready. It does nothing if nobody wants to know.

    The variable is taken out of the environment: nobody else is to tell the manager.
    """
    address = environment.pop("NOTIFY_SOCKET", "")
    if not address:
        return lambda: None
    if address.startswith("@"):
        address = "\0" + address[1:]

    def tell() -> None:
        # A manager that is gone is no reason to close the house.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.sendto(b"READY=1", address)

    return tell


def runtime_folder(otherwise: Path, environment: Mapping[str, str] = os.environ) -> Path:
    """The folder in memory that the manager has made for this service; `otherwise` if it has made none."""
    return Path(environment.get("RUNTIME_DIRECTORY", "").split(":")[0] or otherwise)
