"""Connections to checked addresses, all within one deadline."""

from __future__ import annotations

import io
import socket
import ssl
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from ipaddress import ip_address
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING

from peneira.sources.addresses import Address
from peneira.sources.urls import Target

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer


def resolve(host: str, port: int) -> list[Address]:
    """Return the addresses of a host, in the order in which the system would try them."""
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ip_address(str(answer[4][0])) for answer in answers))


class Resolver:
    """Looks up the addresses of hosts, each once: what a name answers later in the same run changes nothing.

    ``fetch`` and the browser share the resolver of a run. It may be called from several threads.
    """

    def __init__(self, look_up: Callable[[str, int], Sequence[Address]] | None = None) -> None:
        self._look_up = look_up
        self._answers: dict[str, Sequence[Address]] = {}

    def __call__(self, host: str, port: int) -> Sequence[Address]:
        """Return the addresses of a host; a failed look-up is not kept."""
        name = host.lower().removesuffix(".")
        if name not in self._answers:
            # the first answer that arrives counts, also where two threads ask at the same time
            self._answers.setdefault(name, tuple((self._look_up or resolve)(host, port)))
        return self._answers[name]


def connect(address: Address, port: int, timeout_s: float) -> socket.socket:
    """Return a socket that is connected to an address."""
    return socket.create_connection((str(address), port), timeout_s)


@cache  # reading the certificates of the system takes 26 ms
def tls_context() -> ssl.SSLContext:
    """Return the settings of a TLS connection: certificate and host name are verified."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


@dataclass(frozen=True, slots=True)
class Network:
    """The network that ``fetch`` uses: three functions, which tests replace. The address rules are not among them."""

    resolve: Callable[[str, int], Sequence[Address]] = resolve
    connect: Callable[[Address, int, float], socket.socket] = connect
    tls_context: Callable[[], ssl.SSLContext] = tls_context

    def pinned(self) -> Network:
        """Return the same network, in which a name keeps its first addresses."""
        return self if isinstance(self.resolve, Resolver) else replace(self, resolve=Resolver(self.resolve))


INTERNET = Network()


class Deadline:
    """The time at which the whole fetch must be over."""

    def __init__(self, timeout_s: float) -> None:
        self._at_s = monotonic() + timeout_s

    def left_s(self) -> float:
        """Return the seconds that are left; raises ``TimeoutError`` where there are none."""
        left_s = self._at_s - monotonic()
        if left_s <= 0:
            raise TimeoutError("timed out")
        return left_s


class SocketStream(io.RawIOBase):
    """A socket for http.client that keeps the deadline, also where the server sends byte by byte."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock = sock
        self._deadline = deadline
        self.is_ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        self._sock.settimeout(self._deadline.left_s())
        received = self._sock.recv_into(buffer)
        self.is_ended = received == 0
        return received

    def sendall(self, data: ReadableBuffer) -> None:
        self._sock.settimeout(self._deadline.left_s())
        self._sock.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def close(self) -> None:
        """Do nothing: http.client closes before the body is read, and who opened the socket closes it."""


def look_up(target: Target, network: Network, deadline: Deadline) -> Sequence[Address]:
    """Return the addresses of the target. getaddrinfo has no timeout: it runs in a thread, which is left behind."""
    answer: Future[Sequence[Address]] = Future()

    def run() -> None:
        try:
            answer.set_result(network.resolve(target.host, target.port))
        except Exception as error:
            answer.set_exception(error)

    Thread(target=run, daemon=True).start()
    return answer.result(deadline.left_s())


@contextmanager
def connected(
    target: Target, addresses: Sequence[Address], network: Network, deadline: Deadline
) -> Iterator[socket.socket]:
    """Give a socket that is connected to the first address that answers, with TLS for https."""
    with _first_to_answer(target, addresses, network, deadline) as sock:
        if target.scheme == "http":
            yield sock
            return
        sock.settimeout(deadline.left_s())
        # the certificate is checked against the name, wherever the socket leads
        with network.tls_context().wrap_socket(sock, server_hostname=target.host.rstrip(".")) as secured:
            yield secured


def _first_to_answer(
    target: Target, addresses: Sequence[Address], network: Network, deadline: Deadline
) -> socket.socket:
    failure = OSError("the host has no address")
    for tried, address in enumerate(addresses):
        try:  # an address that never answers leaves time for the next ones
            return network.connect(address, target.port, deadline.left_s() / (len(addresses) - tried))
        except OSError as error:
            failure = error
    raise failure
