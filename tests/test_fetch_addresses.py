"""Which addresses the fetcher connects to: names resolve as a test says, the address rules are the real ones."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from peneira.errors import RefusedAddress
from peneira.sources.addresses import Address, is_public
from peneira.sources.fetch import fetch
from peneira.sources.fetch_options import FetchOptions
from peneira.sources.network import Network, connect
from raw_site import HTML, PUBLIC_IP, WEB, RawSite, answer, names, page, redirect, served


@pytest.fixture
def site() -> Iterator[RawSite]:
    yield from served(RawSite())


def test_a_public_page_may_not_redirect_to_a_private_address(site: RawSite) -> None:
    site.pages |= {"/": redirect(site.url("/admin")), "/admin": answer(b"secret")}
    start = site.url(host="public.example")
    with pytest.raises(RefusedAddress) as caught:
        fetch(start, network=WEB)
    assert (caught.value.url, str(caught.value), site.paths) == (
        site.url("/admin"),
        f"{site.url('/admin')}: the public page {start} redirects to this private address (127.0.0.1); "
        "if that is meant, fetch the address itself or set allow_private",
        ["/"],
    )


def test_a_public_page_may_redirect_to_a_private_address_if_allowed(site: RawSite) -> None:
    site.pages |= {"/": redirect(site.url("/admin")), "/admin": answer(HTML)}
    start = site.url(host="public.example")
    fetched = fetch(start, options=FetchOptions(allow_private=True), network=WEB)
    assert fetched == page(site.url("/admin"), redirects=(start,))


def test_a_private_address_may_be_typed_and_redirect_to_private_ones(site: RawSite) -> None:
    site.pages |= {"/": redirect(site.url("/end", host="inside.example")), "/end": answer(HTML)}
    assert fetch(site.url(), network=WEB) == page(site.url("/end", host="inside.example"), redirects=(site.url(),))


def test_a_public_page_may_redirect_to_public_ones(site: RawSite) -> None:
    site.pages |= {"/": redirect("/end"), "/end": answer(HTML)}
    assert fetch(site.url(host="public.example"), network=WEB).url == site.url("/end", host="public.example")


def test_the_way_back_from_a_public_page_to_a_private_one_is_closed(site: RawSite) -> None:
    site.pages |= {"/": redirect(site.url("/hop", host="public.example")), "/hop": redirect(site.url("/admin"))}
    with pytest.raises(RefusedAddress):
        fetch(site.url(), network=WEB)
    assert site.paths == ["/", "/hop"]


def test_one_private_address_among_public_ones_is_enough_to_refuse(site: RawSite) -> None:
    site.pages["/"] = redirect(site.url("/end", host="mixed.example"))
    with pytest.raises(RefusedAddress):
        fetch(site.url(host="public.example"), network=WEB)


def test_a_name_with_public_and_private_addresses_needs_the_switch(site: RawSite) -> None:
    site.pages["/"] = answer(HTML)
    start = site.url(host="mixed.example")
    with pytest.raises(RefusedAddress) as caught:
        fetch(start, network=WEB)
    assert str(caught.value) == (
        f"{start}: this name has public and private addresses ({PUBLIC_IP}, 10.0.0.1), as names have that lead "
        "astray; only --allow-private (allow_private=True) reaches it"
    )
    assert fetch(start, options=FetchOptions(allow_private=True), network=WEB).body == HTML


@pytest.mark.parametrize(
    "address",
    ["169.254.169.254", "169.254.1.1", "100.100.100.200", "192.0.0.192", "168.63.129.16", "fe80::1", "fd00:ec2::254",
     "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1"],
)  # fmt: skip
def test_link_local_and_metadata_addresses_need_the_switch_when_typed(site: RawSite, address: str) -> None:
    site.pages["/"] = answer(HTML)
    network = names({"metadata.example": [address]})
    with pytest.raises(RefusedAddress, match="link-local or metadata address"):
        fetch(site.url(host="metadata.example"), network=network)
    assert site.paths == []
    assert fetch(site.url(host="metadata.example"), options=FetchOptions(allow_private=True), network=network)


def test_a_private_page_may_not_redirect_to_a_metadata_address(site: RawSite) -> None:
    site.pages["/"] = redirect("http://169.254.169.254/latest/meta-data/")
    with pytest.raises(RefusedAddress, match="link-local or metadata address"):
        fetch(site.url(host="inside.example"), network=WEB)


@pytest.mark.parametrize(
    "spelling",
    ["2130706433", "0x7f.1", "017700000001", "127.1", "0", "localhost", "[::1]", "[::ffff:127.0.0.1]", "１２７。1"],
)
def test_a_private_address_is_refused_however_it_is_spelled(site: RawSite, spelling: str) -> None:
    site.pages["/"] = redirect(site.url("/admin", host=spelling))
    with pytest.raises(RefusedAddress):
        fetch(site.url(host="public.example"), network=WEB)
    assert site.paths == ["/"]


def test_a_name_is_resolved_once_and_the_sockets_go_to_that_address(site: RawSite) -> None:
    site.pages |= {"/": redirect("/end"), "/end": answer(HTML)}
    rebinding = iter([PUBLIC_IP, "127.0.0.1"])
    connected: list[str] = []
    network = Network(resolve=lambda host, port: [ip_address(next(rebinding))], connect=names({}, connected).connect)
    fetch(site.url(host="public.example"), network=network)
    assert connected == [PUBLIC_IP, PUBLIC_IP]


def test_an_address_that_does_not_answer_gives_way_to_the_next(site: RawSite) -> None:
    site.pages["/"] = answer(HTML)
    tried: list[str] = []

    def first_refuses(address: Address, port: int, timeout_s: float) -> socket.socket:
        tried.append(str(address))
        if len(tried) == 1:
            raise ConnectionRefusedError
        return connect(IPv4Address("127.0.0.1"), port, timeout_s)

    network = Network(resolve=names({"two.example": [PUBLIC_IP, "1.1.1.1"]}).resolve, connect=first_refuses)
    assert fetch(site.url(host="two.example"), network=network).body == HTML
    assert tried == [PUBLIC_IP, "1.1.1.1"]


@pytest.mark.parametrize(
    "text",
    [
        "8.8.8.8", "1.1.1.1", PUBLIC_IP, "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.0.1.1",
        "198.17.0.1", "223.255.255.255", "2606:4700:4700::1111", "2a00:1450:4001:81b::200e", "2001:4860:4860::8888",
        "::ffff:8.8.8.8", "2002:808:808::1", "64:ff9b::808:808",
    ],
)  # fmt: skip
def test_addresses_of_the_internet_are_public(text: str) -> None:
    assert is_public(ip_address(text))


@pytest.mark.parametrize(
    "text",
    [
        "127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
        "169.254.0.1", "169.254.169.254", "100.64.0.1", "100.100.100.200", "100.127.255.255", "168.63.129.16",
        "192.0.0.192", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1",
        "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
        "::", "::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%1", "fec0::1", "ff02::1", "ff0e::1",
        "2001:db8::1", "3fff::1", "100::1", "4000::1", "5f00::1", "64:ff9b:1::808:808",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "::8.8.8.8",
        "2002:7f00:1::", "2002:a00:1::1", "2002:a9fe:a9fe::1",
        "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b::a00:1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:0:808:808:0:ffff:80ff:fffe",
    ],
)  # fmt: skip
def test_all_other_addresses_are_private(text: str) -> None:
    assert not is_public(ip_address(text))


@given(st.ip_addresses(v=4))
def test_no_ipv4_address_is_public_that_python_calls_special(address: IPv4Address) -> None:
    assert not is_public(address) or (address.is_global and not address.is_multicast and not address.is_reserved)


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_is_as_public_inside_an_ipv6_address(address: IPv4Address) -> None:
    number = int(address)
    wrapped = [IPv6Address(0xFFFF << 32 | number), IPv6Address(0x2002 << 112 | number << 80)]
    wrapped.append(IPv6Address(0x64FF9B << 96 | number))
    assert [is_public(one) for one in wrapped] == [is_public(address)] * 3
