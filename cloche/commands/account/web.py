"""`cloche web`: the page from this machine, for a house elsewhere."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import click
import httpx

from client.wire import trusted
from cloche.commands import access
from cloche.commands.access import HOUSE
from cloche.commands.errors import CommandError, command_errors
from cloche.operate.ports import listen, url_of

if TYPE_CHECKING:  # a player's commands start without the service
    from service.page import Page

API = "/api/"
SILENCE = 90.0
"""Seconds without a byte of the house after which a request is given up: more than a long poll takes."""
MOST = 1024 * 1024
"""Bytes of the longest request that is passed on. A house refuses shorter ones."""
_OWN = frozenset(
    {"connection", "content-length", "date", "host", "keep-alive", "server", "transfer-encoding"}
)
"""Headers of a connection, which are not passed on."""


@click.command()
@access.house_option
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8041,
    show_default=True,
    help="Port to listen on, on this machine alone; 0 chooses a free one.",
)
@click.option("--hash", "only_hash", is_flag=True, help="Print the digests of the page's files, and end.")
def web(house: str | None, port: int, only_hash: bool) -> None:
    """Play in a browser, with the page's files from this machine.

    A house that serves the page could serve another one. These files are yours, as this program's
    are: nothing but requests to the API goes to the house.
    """
    from service.page import Page

    with command_errors():
        page = Page.built()
        if page is None:
            raise CommandError("no_page", "The page is not built here: `make run` builds it with Node.js.")
        if only_hash:
            _print_digests(page)
            return
        with access.reach(house or HOUSE) as api:
            api.house()  # say now if nobody answers
            server = serving(page, api.url, port)
        click.echo(f"The page of {api.url} is at {server.address}/ (Ctrl-C ends it).")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("The page is closed.")
        finally:
            server.server_close()


def _print_digests(page: Page) -> None:
    """Print the digests of the files as they are here. Raises `CommandError` for one of another build."""
    found = page.computed()
    click.echo(f"build {page.build}")
    for path, digest in sorted(found.items()):
        click.echo(f"{digest or 'is missing'.ljust(64)}  {path}")
    if other := [path for path, digest in sorted(found.items()) if digest != page.digests[path]]:
        text = f"These files are not those of build {page.build}. `make page` builds the page again."
        raise CommandError("changed_page", text, tuple(other))


class WebServer(ThreadingHTTPServer):
    """Serves a page on loopback, and passes /api on to a house."""

    daemon_threads = True
    page: Page
    house: str
    address: str
    client: httpx.Client


def serving(page: Page, house: str, port: int) -> WebServer:
    """A server of the page for a house, which listens on this machine alone; 0 is any free port."""
    listener = listen("127.0.0.1", port)
    server = WebServer(listener.getsockname()[:2], Handler, bind_and_activate=False)
    server.socket.close()
    server.socket, server.page, server.house, server.address = listener, page, house, url_of(listener)
    timeout = httpx.Timeout(SILENCE, connect=5.0)
    server.client = httpx.Client(base_url=house, timeout=timeout, verify=trusted())
    return server


class Handler(BaseHTTPRequestHandler):
    """One connection of a browser."""

    protocol_version = "HTTP/1.1"
    server: WebServer

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        """Answer with a file, or pass the request on."""
        if not self._for_us():
            return
        path = self.path.partition("?")[0]
        if path.startswith(API):
            self._pass_on()
        elif path in self.server.page.paths:
            words = self.headers.get("Accept-Encoding", "").replace(",", " ").replace(";", " ").split()
            known = self.headers.get("If-None-Match", "")
            answer = self.server.page.answer(path, frozenset(words), known, self.server.house)
            self._say(answer.status, dict(answer.headers), answer.body)
        else:
            self._say(404, {}, b"")

    def do_POST(self) -> None:
        """Pass a change on."""
        if self._for_us():
            self._pass_on()

    do_PUT = do_PATCH = do_DELETE = do_POST

    def _for_us(self) -> bool:
        """Refuse a request under another name: a foreign site could have its name lead to this machine."""
        port = self.server.server_address[1]
        if self.headers.get("Host") in (f"127.0.0.1:{port}", f"localhost:{port}"):
            return True
        self._say(421, {}, b"")
        return False

    def _say(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response_only(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _pass_on(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if length > MOST or not self.path.startswith(API):
            self.close_connection = True
            self._say(413 if length > MOST else 404, {}, b"")
            return
        body = self.rfile.read(length)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in _OWN}
        request = self.server.client.build_request(self.command, self.path, headers=headers, content=body)
        self.close_connection = True  # the answer's end is the connection's: it may be a stream
        try:
            response = self.server.client.send(request, stream=True)
        except httpx.TransportError:
            self._say(502, {}, b"")
            return
        try:
            self.send_response_only(response.status_code)
            for name, value in response.headers.items():
                if name not in _OWN:
                    self.send_header(name, value)
            self.send_header("Connection", "close")
            self.end_headers()
            for part in response.iter_raw():  # compressed as the house has compressed it
                self.wfile.write(part)
                self.wfile.flush()
        except (OSError, httpx.TransportError):
            return  # the browser has gone, or the house
        finally:
            response.close()
