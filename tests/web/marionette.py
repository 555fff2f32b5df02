"""Firefox without a driver: its own remote protocol (Marionette, version 3) over a socket on loopback."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The name under which WebDriver (section 12.1) sends an element."""
PREFERENCES: dict[str, object] = {
    "marionette.port": 0,
    # Firefox has errands of its own. They end at a port where nobody listens; loopback needs no proxy.
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 1,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 1,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "intl.locale.requested": "en-US",
    "toolkit.telemetry.enabled": False,
}


def firefox() -> str:
    """The path of Debian's Firefox. Skips the test where it is missing: only the long tests use it."""
    found = shutil.which("firefox-esr") or shutil.which("firefox")
    if found is None:
        pytest.skip("no firefox-esr")
    return found


class Firefox:
    """A headless Firefox with a new profile in a folder."""

    def __init__(self, folder: Path, seconds: float) -> None:
        """`seconds` is how long anything may take."""
        self._seconds, self._number = seconds, 0
        profile = folder / "profile"
        profile.mkdir()
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()
        ]
        (profile / "user.js").write_text("\n".join(lines))
        self._popen = subprocess.Popen(
            [firefox(), "--headless", "--no-remote", "--marionette", "--profile", profile],
            env={**os.environ, "HOME": str(folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._line = socket.create_connection(("127.0.0.1", self._port(profile)), seconds)
        self._line.settimeout(seconds)
        self._read()
        self.tell("WebDriver:NewSession", {})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._line.close()
        os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()

    def _port(self, profile: Path) -> int:
        file = profile / "MarionetteActivePort"
        deadline = time.monotonic() + self._seconds
        while not (file.exists() and file.read_text().strip()):
            if self._popen.poll() is not None or time.monotonic() > deadline:
                pytest.fail("Firefox does not start")
            time.sleep(0.1)
        return int(file.read_text())

    def tell(self, command: str, parameters: dict[str, Any]) -> Any:
        """Send a command and return its result. Fails the test for an error."""
        self._number += 1
        sent = json.dumps([0, self._number, command, parameters]).encode()
        self._line.sendall(b"%d:%s" % (len(sent), sent))
        _, number, error, result = self._read()
        assert number == self._number
        assert error is None, f"{command}: {error['error']}: {error['message']}"
        return result

    def _read(self) -> Any:
        """A message: its length, a colon, and JSON."""
        length = b""
        while not length.endswith(b":"):
            length += self._line.recv(1)
        left, parts = int(length[:-1]), []
        while left:
            parts.append(self._line.recv(min(left, 65_536)))
            left -= len(parts[-1])
        return json.loads(b"".join(parts))

    def go(self, address: str) -> None:
        """Open an address."""
        self.tell("WebDriver:Navigate", {"url": address})

    def run(self, script: str, *arguments: object) -> Any:
        """Return what a function's body returns in the page."""
        return self.tell("WebDriver:ExecuteScript", {"script": script, "args": arguments})["value"]

    def find(self, css: str) -> dict[str, str]:
        """An element of the page; waits until it is there."""
        deadline = time.monotonic() + self._seconds
        while not self.run("return document.querySelector(arguments[0]) !== null", css):
            if time.monotonic() > deadline:
                pytest.fail(f"there is no {css}: {self.run('return document.body.innerText')[:2000]}")
            time.sleep(0.2)
        found = self.tell("WebDriver:FindElement", {"using": "css selector", "value": css})["value"]
        return {ELEMENT: found[ELEMENT]}

    def press(self, css: str) -> None:
        """Press an element, as a person with a mouse."""
        self.tell("WebDriver:ElementClick", {"id": self.find(css)[ELEMENT]})

    def write(self, css: str, text: str) -> None:
        """Type a text into a field; the path of a file where it takes one."""
        self.tell("WebDriver:ElementSendKeys", {"id": self.find(css)[ELEMENT], "text": text})
