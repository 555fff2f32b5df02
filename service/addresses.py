"""The owner of an address: one host in IPv4, and one household in IPv6."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv6Address, ip_address


@lru_cache(1024)  # each request asks, and most come from few addresses
def household(text: str) -> str:
    """The address to count by: an IPv4 address, or in IPv6 the /56 network that a household may have.

    A text that is no address stays as it is.
    """
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return text
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> 72 << 72))
    return str(address)
