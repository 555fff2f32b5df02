"""Helpers of the tests of deployment: the build's files, the compose file as compose reads it, running
proxies.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.paths import DOCS, ROOT
from tests.waiting import until

DEPLOY = ROOT / "deploy"
EXAMPLES = DOCS / "examples"
NAME = "localhost"
"""The host under which tests reach a proxy."""
_KEPT = ("PATH", "LANG", "PIP_", "SSL_CERT_", "REQUESTS_CA_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")


def tool(name: str) -> str:
    """Find a tool of requirements-deploy.lock or Debian. Without it the test is skipped, and fails in CI."""
    places = os.pathsep.join([str(Path(sys.prefix, "bin")), os.environ.get("PATH", ""), "/usr/sbin"])
    if found := shutil.which(name, path=places):
        return found
    if os.environ.get("CI"):
        pytest.fail(f"CI needs {name}: pip install -r requirements-deploy.lock, or apt install {name}")
    pytest.skip(f"there is no {name} here (requirements-deploy.lock has it, or Debian)")


def run(*command: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; its output is one text."""
    words = [*map(str, command)]
    return subprocess.run(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options
    )


def bare(home: Path) -> dict[str, str]:
    """An environment without anything of ours: the path, and the way to the package registry."""
    kept = {name: text for name, text in os.environ.items() if name.upper().startswith(_KEPT)}
    return {**kept, "HOME": str(home)}


def build_context(target: Path) -> Path:
    """Copy what Docker sends to a build by deploy/Dockerfile.dockerignore: only what that file names."""
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    left_out = [rule.removeprefix("**/") for rule in rules if rule.startswith("**/")]
    assert (rules[0], left_out) == ("*", ["__pycache__", "node_modules"])
    for rule in rules[1 : -len(left_out)]:
        assert rule.startswith("!"), rule
        source, copy = ROOT / rule[1:], target / rule[1:]
        if rule == "!web/dist" and not source.exists():
            continue  # a page that is not built is no part of the image, which then says so
        copy.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns(*left_out))
        else:
            shutil.copy2(source, copy)
    return target


def composed(values: Mapping[str, str]) -> dict[str, Any]:
    """deploy/compose.yaml with its variables put in. A variable that must be set and is not is an error."""

    def put_in(found: re.Match[str]) -> str:
        name, how, text = found["name"], found["how"], found["text"]
        if values.get(name):
            return values[name]
        assert how == ":-", f"{name} {text}"
        return text or ""

    pattern = re.compile(r"\$\{(?P<name>\w+)(?:(?P<how>:[-?])(?P<text>[^}]*))?\}")

    def walk(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: walk(value) for key, value in part.items()}
        if isinstance(part, list):
            return [walk(value) for value in part]
        return pattern.sub(put_in, part) if isinstance(part, str) else part

    read: dict[str, Any] = walk(yaml.safe_load((DEPLOY / "compose.yaml").read_text()))
    return read


def variables(text: str) -> dict[str, str]:
    """The variables of an environment file, as systemd and compose read it."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    found = dict(line.split("=", 1) for line in lines)
    assert len(found) == len(lines), "a variable stands twice"
    return found


def free_ports(number: int) -> list[int]:
    """Ports of 127.0.0.1 that nobody listens on, each another."""
    with ExitStack() as sockets:
        taken = [sockets.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(number)]
        return [each.getsockname()[1] for each in taken]


@contextmanager
def process(
    command: Sequence[str | Path], environment: Mapping[str, str], output: Path, patience: float = 30.0
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that runs during the block, and is asked to end after it."""
    with output.open("ab") as file:
        started = subprocess.Popen(
            [*map(str, command)],
            env=dict(environment),
            cwd=output.parent,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield started
    finally:
        started.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            started.wait(patience)
        if started.poll() is None:
            started.kill()
            started.wait()


class Proxy:
    """One of the examples before a house, with addresses of this machine put in.

    `url` is where it answers in TLS, and `authority` the file with the certificate that it is checked by.
    """

    def __init__(self, folder: Path, api: str, events: str) -> None:
        """`api` and `events` are HOST:PORT of the house and of its streams."""
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        self.folder = folder
        self.plain_port, self.port = free_ports(2)
        self.url = f"https://{NAME}:{self.port}"
        self.authority = folder / "authority.pem"
        self._houses = (api, events)

    @contextmanager
    def running(self) -> Iterator[Proxy]:
        """The proxy runs, and answers, during the block."""
        with process(self.command(), self.environment(), self.folder / "output"):
            until(self._answers, what=f"{type(self).__name__} answers")
            yield self

    def context(self) -> ssl.SSLContext:
        """TLS as a client speaks it that trusts this proxy's authority alone."""
        return ssl.create_default_context(cafile=str(self.authority))

    def _answers(self) -> bool:
        """Tell whether it listens and shows its certificate. Caddy listens before it has one."""
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 5) as line:
            self.trust()
            self.context().wrap_socket(line, server_hostname=NAME).close()
            return True
        return False

    def environment(self) -> dict[str, str]:
        """The environment of its process."""
        return {"PATH": os.environ["PATH"], "HOME": str(self.folder)}

    def command(self) -> list[str]:
        """The command that starts it, once its files are written."""
        raise NotImplementedError

    def trust(self) -> None:
        """Fetch the authority's certificate, if the proxy makes it; raises `OSError` while there is none."""


class Caddy(Proxy):
    """docs/examples/Caddyfile: it makes an authority of its own for `localhost`."""

    def config(self) -> Path:
        """Write the configuration: on free ports, and no certificate put into this machine's store."""
        text = (EXAMPLES / "Caddyfile").read_text()
        mine = f"skip_install_trust\n\tadmin off\n\thttp_port {self.plain_port}\n\thttps_port {self.port}"
        assert text.count("\n{\n\tservers {") == 1
        (self.folder / "Caddyfile").write_text(text.replace("\n{\n\t", f"\n{{\n\t{mine}\n\t", 1))
        return self.folder / "Caddyfile"

    def environment(self) -> dict[str, str]:
        api, events = self._houses
        said = {"CLOCHE_SITE": NAME, "CLOCHE_API": api, "CLOCHE_EVENTS": events}
        places = {"XDG_DATA_HOME": str(self.folder / "data"), "XDG_CONFIG_HOME": str(self.folder / "config")}
        return super().environment() | said | places

    def command(self) -> list[str]:
        return [tool("caddy"), "run", "--config", str(self.config()), "--adapter", "caddyfile"]

    def trust(self) -> None:
        root = self.folder / "data" / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        shutil.copy(root, self.authority)


class Nginx(Proxy):
    """docs/examples/nginx.conf, inside the frame that every nginx.conf has."""

    def config(self) -> Path:
        """Write the configuration with a certificate, and folders that this account can write."""
        made = run(
            *(tool("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
            *("-nodes", "-days", "2", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"),
            *("-keyout", "key.pem", "-out", self.authority.name),
            cwd=self.folder,
        )
        assert made.returncode == 0, made.stdout
        api, events = self._houses
        text = (EXAMPLES / "nginx.conf").read_text()
        for said, here in {
            "listen 80;": f"listen 127.0.0.1:{self.plain_port};",
            "    listen [::]:80;\n": "",
            "listen 443 ssl http2;": f"listen 127.0.0.1:{self.port} ssl http2;",
            "    listen [::]:443 ssl http2;\n": "",
            "/etc/letsencrypt/live/cards.example.org/fullchain.pem": str(self.authority),
            "/etc/letsencrypt/live/cards.example.org/privkey.pem": str(self.folder / "key.pem"),
            "127.0.0.1:8041 max_fails": f"{events} max_fails",
            "127.0.0.1:8040 max_fails": f"{api} max_fails",
        }.items():
            assert text.count(said) == 1, said
            text = text.replace(said, here)
        text = text.replace("cards.example.org", NAME)
        (self.folder / "cloche.conf").write_text(text)
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        folders = "\n".join(f"    {kind}_temp_path {self.folder}/{kind};" for kind in kinds)
        user = "user root;\n" if os.geteuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(
            f"{user}daemon off;\npid {self.folder}/pid;\nerror_log stderr;\nevents {{}}\n"
            f"http {{\n    access_log off;\n{folders}\n    include {self.folder}/cloche.conf;\n}}\n"
        )
        return self.folder / "nginx.conf"

    def command(self) -> list[str]:
        return [tool("nginx"), "-p", str(self.folder), "-e", "stderr", "-c", str(self.config())]
