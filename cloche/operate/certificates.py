"""Certificates of a house's own, for players on the same network who can't get to it by a public name.

The house has an authority, which its friends trust once, and under it a short certificate for the names and
addresses that the machine has now. The authority is limited (RFC 5280, section 4.2.1.10) to this machine's
name, `localhost`, names that end in `.local`, and private addresses: with its key nobody can pretend to be a
site of the internet. Both keys stay in the data folder.
"""

from __future__ import annotations

import fcntl
import ipaddress
import os
import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import ifaddr
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

FOLDER = "tls"
"""The folder inside the data folder."""
AUTHORITY, AUTHORITY_KEY, HOUSE = "authority.crt", "authority.key", "house.pem"
"""The authority's certificate, its key, and the house's key and certificate in one file, each as PEM."""
AUTHORITY_DAYS, HOUSE_DAYS = 3650, 90
RENEWED_DAYS = 30
"""Days before its end when the house's certificate is made new."""
SKEW = timedelta(days=1)
"""How far a friend's clock may be behind."""
LOCAL = "local"
"""The domain of multicast DNS (RFC 6762), which exists on the network at hand alone."""
NETWORKS = tuple(
    ipaddress.ip_network(text)
    for text in (
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        "100.64.0.0/10",
        "::1/128",
        "fc00::/7",
        "fe80::/10",
    )
)
"""The networks for whose addresses the authority may vouch: none of them is routed on the internet."""
_HOST = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True)
class Certificates:
    """The files of a house's certificates, and what identifies the authority."""

    authority: Path
    house: Path
    der: bytes
    """The authority's certificate, as DER (X.690)."""

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the authority's certificate, as browsers and phones show it: AB:CD:..."""
        return sha256(self.der).digest().hex(":").upper()


def addresses() -> tuple[Address, ...]:
    """The addresses of this machine's interfaces, other than loopback; those of IPv4 first."""
    found = [
        ipaddress.ip_address(each.ip if isinstance(each.ip, str) else each.ip[0])
        for adapter in ifaddr.get_adapters()
        for each in adapter.ips
    ]
    return tuple(sorted({each for each in found if not each.is_loopback}, key=lambda a: (a.version, a)))


def names() -> tuple[str, ...]:
    """The names under which this machine may be known on its network."""
    host = socket.gethostname().lower().rstrip(".")
    first = host.partition(".")[0]
    own = [name for name in (host, f"{first}.{LOCAL}") if _HOST.fullmatch(name)]
    return tuple(dict.fromkeys(["localhost", *own]))


def ensure(data: Path, host: str = "", now: datetime | None = None) -> Certificates:
    """Make or renew the certificates in a data folder, unless they will do; several processes may ask.

    `host` is a name or an address at which the house listens, beside those of the machine. Raises OSError if
    the folder can't be written.
    """
    now = now or datetime.now(UTC)
    folder = data / FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _alone(folder):
        pair = _authority(folder) or _new_authority(folder, now)
        if pair[0].not_valid_after_utc - now < timedelta(days=HOUSE_DAYS):
            pair = _new_authority(folder, now)
        wanted = _vouched(pair[0], (*names(), *_named(host)), (*_loopback(), *addresses()))
        if not _will_do(folder / HOUSE, pair[0], wanted, now):
            _new_house(folder / HOUSE, *pair, wanted, now)
    der = pair[0].public_bytes(serialization.Encoding.DER)
    return Certificates(folder / AUTHORITY, folder / HOUSE, der)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other processes out."""
    with (folder / ".lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _loopback() -> tuple[Address, ...]:
    return ipaddress.ip_address("127.0.0.1"), ipaddress.ip_address("::1")


def _named(host: str) -> tuple[str, ...]:
    """A name at which the house listens; none for an address, which the machine has."""
    return (host.lower(),) if _HOST.fullmatch(host.lower()) and not _is_address(host) else ()


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


# The authority


def _new_authority(folder: Path, now: datetime) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    key = ec.generate_private_key(ec.SECP256R1())
    titled = f"Cloche at {socket.gethostname()}"[:64]
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, titled)])
    permitted: list[x509.GeneralName] = [x509.DNSName(each) for each in (*names(), LOCAL)]
    permitted += [x509.IPAddress(network) for network in NETWORKS]
    made = (
        _begun(name, name, key.public_key(), now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    # The key first: a key without a certificate is made new at the next start.
    _write(folder / AUTHORITY_KEY, _pem(key))
    _write(folder / AUTHORITY, made.public_bytes(serialization.Encoding.PEM))
    return made, key


def _authority(folder: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey] | None:
    """The authority of a folder, with its key; None if there is none, or the files don't belong together."""
    try:
        made = x509.load_pem_x509_certificate((folder / AUTHORITY).read_bytes())
        key = serialization.load_pem_private_key((folder / AUTHORITY_KEY).read_bytes(), None)
    except (FileNotFoundError, ValueError):
        return None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != made.public_key():
        return None
    return made, key


def _vouched(
    authority: x509.Certificate, every: Iterable[str], everywhere: Iterable[Address]
) -> tuple[x509.GeneralName, ...]:
    """The names and addresses for which the authority may vouch, each once."""
    limits = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    domains = [each.value for each in limits.permitted_subtrees or () if isinstance(each, x509.DNSName)]
    inside = [n for n in every if any(n == domain or n.endswith(f".{domain}") for domain in domains)]
    near = [a for a in everywhere if any(a in network for network in NETWORKS)]
    return (
        *(x509.DNSName(name) for name in dict.fromkeys(inside)),
        *(x509.IPAddress(address) for address in dict.fromkeys(near)),
    )


# The house's certificate


def _new_house(
    path: Path,
    authority: x509.Certificate,
    signer: ec.EllipticCurvePrivateKey,
    wanted: tuple[x509.GeneralName, ...],
    now: datetime,
) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Cloche")])
    made = (
        _begun(name, authority.subject, key.public_key(), now, HOUSE_DAYS)
        .add_extension(x509.SubjectAlternativeName(wanted), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
        )
        .sign(signer, hashes.SHA256())
    )
    _write(path, _pem(key) + made.public_bytes(serialization.Encoding.PEM))


def _will_do(
    path: Path, authority: x509.Certificate, wanted: tuple[x509.GeneralName, ...], now: datetime
) -> bool:
    """Tell whether a house's certificate is the authority's, has all these names and does not end soon."""
    try:
        made = x509.load_pem_x509_certificate(path.read_bytes())
        made.verify_directly_issued_by(authority)
        named = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (FileNotFoundError, ValueError, TypeError, InvalidSignature, x509.ExtensionNotFound):
        return False
    return made.not_valid_after_utc - now > timedelta(days=RENEWED_DAYS) and set(wanted) <= set(named)


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - SKEW)
        .not_valid_after(now + timedelta(days=days))
    )


def _usage(signs: bool) -> x509.KeyUsage:
    """The use of a key: signing certificates, or a server's handshakes."""
    others: dict[str, Any] = dict.fromkeys(
        (
            "content_commitment",
            "key_encipherment",
            "data_encipherment",
            "key_agreement",
            "encipher_only",
            "decipher_only",
        ),
        False,
    )
    return x509.KeyUsage(digital_signature=not signs, key_cert_sign=signs, crl_sign=signs, **others)


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _write(path: Path, data: bytes) -> None:
    """Replace a file at once by one that its owner alone can read."""
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
