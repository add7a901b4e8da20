"""Which addresses lie on the public internet, by the registries and not by the look of a name."""

from __future__ import annotations

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
