"""Which addresses lie on the public internet, by the registries and not by the look of a name; and what names reach.

This is the one address policy: ``fetch`` and the browser's way out (``egress.py``) both ask ``reach_of``.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address

# IANA's special-purpose registries (RFC 6890) and multicast. ``ipaddress`` has a list too, but it changes by release
_SPECIAL_V4 = (
    IPv4Network("0.0.0.0/8"),  # this host
    IPv4Network("10.0.0.0/8"),
    IPv4Network("100.64.0.0/10"),  # carrier-grade NAT, and the metadata server of Alibaba
    IPv4Network("127.0.0.0/8"),
    IPv4Network("169.254.0.0/16"),  # link-local, and the metadata servers of most clouds
    IPv4Network("172.16.0.0/12"),
    IPv4Network("192.0.0.0/24"),  # protocol assignments, and the metadata server of Oracle
    IPv4Network("192.0.2.0/24"),
    IPv4Network("192.88.99.0/24"),
    IPv4Network("192.168.0.0/16"),
    IPv4Network("198.18.0.0/15"),
    IPv4Network("198.51.100.0/24"),
    IPv4Network("203.0.113.0/24"),
    IPv4Network("224.0.0.0/4"),
    IPv4Network("240.0.0.0/4"),
    IPv4Network("168.63.129.16/32"),  # looks public, but inside Azure the host of the machine answers
)
_GLOBAL_V6 = IPv6Network("2000::/3")  # all that IANA has given out so far
_SPECIAL_V6 = (
    IPv6Network("2001::/23"),  # protocol assignments, Teredo among them
    IPv6Network("2001:db8::/32"),
    IPv6Network("3fff::/20"),
)
_NAT64 = IPv6Network("64:ff9b::/96")
# Link-local, and where clouds tell a machine its secrets: nobody publishes a page there
_GUARDED_V4 = (
    IPv4Network("169.254.0.0/16"),
    IPv4Network("100.100.100.200/32"),  # Alibaba
    IPv4Network("168.63.129.16/32"),  # Azure
    IPv4Network("192.0.0.192/32"),  # Oracle
)
_GUARDED_V6 = (
    IPv6Network("fe80::/10"),
    IPv6Network("fd00:ec2::254/128"),  # Amazon
    IPv6Network("fd20:ce::254/128"),  # Google
    IPv6Network("fd00:c1::a9fe:a9fe/128"),  # Oracle
)
# Why an address is refused where strangers name the URLs
PUBLIC_ONLY = "this is a private address, which this service does not open; start it with --allow-private if it may"


class Reach(Enum):
    """Where the addresses of a name lie: ``GUARDED`` names are reached only if private addresses are allowed."""

    PUBLIC = "public"
    PRIVATE = "private"
    GUARDED = "guarded"


def reach_of(addresses: Sequence[Address]) -> Reach:
    """Return where a name leads: any private address among its answers makes it private.

    A name with private and public addresses is guarded, even if the user typed it: its owner is in public, and a page
    that is loaded from one of its addresses would have the other one as its own origin (DNS rebinding).
    """
    if all(map(is_public, addresses)):
        return Reach.PUBLIC
    if any(map(is_public, addresses)) or any(map(is_guarded, addresses)):
        return Reach.GUARDED
    return Reach.PRIVATE


def why_guarded(addresses: Sequence[Address]) -> str:
    """Return why a guarded name is refused, and what reaches it."""
    listed = ", ".join(map(str, addresses))
    if any(map(is_guarded, addresses)):
        reason = f"this is a link-local or metadata address ({listed}), where no pages are"
    else:
        reason = f"this name has public and private addresses ({listed}), as names have that lead astray"
    return f"{reason}; only --allow-private (allow_private=True) reaches it"


def is_guarded(address: Address) -> bool:
    """Return whether an address is link-local or that of a metadata server of a cloud."""
    if isinstance(address, IPv4Address):
        return any(address in network for network in _GUARDED_V4)
    inner = _inner(address)
    return is_guarded(inner) if inner is not None else any(address in network for network in _GUARDED_V6)


def is_public(address: Address) -> bool:
    """Return whether an address lies on the public internet, and so does the IPv4 address in it, if there is one."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _SPECIAL_V4)
    inner = _inner(address)
    if inner is not None:
        return is_public(inner)
    return address in _GLOBAL_V6 and not any(address in network for network in _SPECIAL_V6)


def _inner(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address where a packet to this mapped, 6to4 or NAT64 address ends."""
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour
