"""The addresses at which somebody on the same network opens a house."""

from __future__ import annotations

import ipaddress

from cloche.operate import certificates
from cloche.operate.ports import address_of, is_everywhere


def urls(host: str, port: int, tls: bool) -> tuple[str, ...]:
    """The addresses at which other machines reach a listener; none if it listens on loopback alone."""
    if is_everywhere(host):
        hosts = [str(each) for each in certificates.addresses() if not each.is_link_local]
    else:
        hosts = [host] if _is_of_others(host) else []
    return tuple(address_of(each, port, tls) for each in hosts)


def _is_of_others(host: str) -> bool:
    """Tell whether a listener's address is one that other machines reach: not loopback, and no path."""
    try:
        return not ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False
