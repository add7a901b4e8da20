"""The address rules of ``fetch`` in Scrapy's downloader: every name is checked where the connection is opened.

A crawl reaches public addresses, and of private ones only the hosts and ports that the user named. Redirects,
robots.txt and links are all connections, so that none of them leads elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any
from urllib.parse import urlsplit

from twisted.internet.address import IPv4Address as TwistedIPv4
from twisted.internet.address import IPv6Address as TwistedIPv6
from twisted.internet.interfaces import IHostnameResolver, IHostResolution
from twisted.internet.threads import deferToThread
from zope.interface import implementer

from peneira.errors import RefusedAddress
from peneira.sources.addresses import Address, Reach, reach_of, why_guarded
from peneira.sources.network import Resolver
from peneira.sources.urls import PORTS, parse_url

Home = tuple[str, int]


def homes_of(urls: Collection[str]) -> list[Home]:
    """Return the hosts and ports of the addresses that the user named."""
    targets = [parse_url(url) for url in urls]
    return list(dict.fromkeys((target.host, target.port) for target in targets))


class AddressGuard:
    """Says which addresses a crawl may connect to. Names keep their first addresses for the whole crawl."""

    def __init__(
        self, homes: Collection[Home], *, allow_private: bool = False, resolver: Resolver | None = None
    ) -> None:
        self._homes = frozenset(homes)
        self._allow_private = allow_private
        self.resolver = resolver or Resolver()

    def addresses(self, host: str, port: int) -> Sequence[Address]:
        """Return the addresses of a host that may be connected to; raises ``RefusedAddress`` or ``OSError``."""
        addresses = self.resolver(host, port)
        if self._allow_private:
            return addresses
        reach = reach_of(addresses)
        url = f"{host}:{port}"
        if reach is Reach.GUARDED:
            raise RefusedAddress(url, why_guarded(addresses))
        if reach is Reach.PRIVATE and (host.lower(), port) not in self._homes:
            raise RefusedAddress(
                url,
                f"a page of the crawl leads to this private address ({addresses[0]}); if that is meant, "
                "start from it or use --allow-private (allow_private=True)",
            )
        return addresses

    def check(self, url: str) -> None:
        """Raise ``RefusedAddress`` for the URL of a page that may not be fetched, ``OSError`` where it has no host."""
        parts = urlsplit(url)
        try:
            self.addresses(parts.hostname or "", parts.port or PORTS[parts.scheme])
        except RefusedAddress as error:
            raise RefusedAddress(url, str(error).partition(": ")[2]) from None


@implementer(IHostResolution)
class _Resolution:
    def __init__(self, name: str) -> None:
        self.name = name

    def cancel(self) -> None:
        """Do nothing: the thread that looks the name up cannot be stopped."""


@implementer(IHostnameResolver)
class GuardedResolver:
    """Gives Twisted the checked addresses of a name, and none where the guard refuses it."""

    def __init__(self, guard: AddressGuard) -> None:
        self._guard = guard

    def resolveHostName(  # noqa: N802 - the name is Twisted's
        self,
        resolutionReceiver: Any,  # noqa: N803 - an interface of zope, which mypy cannot call
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[Any]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> Any:
        """Look a name up in a thread and pass on the addresses that a connection may be opened to."""
        resolution = _Resolution(hostName)
        resolutionReceiver.resolutionBegan(resolution)

        def resolved(addresses: Sequence[Address]) -> None:
            for address in addresses:
                kind = TwistedIPv4 if address.version == 4 else TwistedIPv6
                resolutionReceiver.addressResolved(kind("TCP", str(address), portNumber))
            resolutionReceiver.resolutionComplete()

        looked_up = deferToThread(self._guard.addresses, hostName, portNumber)
        looked_up.addCallbacks(resolved, lambda _failure: resolutionReceiver.resolutionComplete())
        return resolution
