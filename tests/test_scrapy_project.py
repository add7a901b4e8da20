"""Scrapy projects that use peneira: page objects, the provider, the loader and the spider, with real Scrapy."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from shop import Shop, open_shop

# What a project has, as its author would write it; Scrapy's reactor runs once in a process
PROJECT = """
import dataclasses, json, sys
import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy_poet import DummyResponse

from peneira.result import Extraction, Item
from peneira.scrapy.loader import PeneiraLoader
from peneira.scrapy.options import CrawlOptions
from peneira.scrapy.page_objects import PeneiraItemPage, PeneiraListPage
from peneira.scrapy.run import guard_settings
from peneira.scrapy.spider import PeneiraSpider

port = int(sys.argv[1])
url = f"http://127.0.0.1:{port}/products"


class PageObjects(scrapy.Spider):
    name = "page_objects"
    start_urls = [url]

    async def parse(self, response: DummyResponse, page: PeneiraListPage):
        for record in page.records:
            yield response.follow(record["url"], self.parse_product)
        if page.next_url:
            yield response.follow(page.next_url, self.parse)

    async def parse_product(self, response: DummyResponse, page: PeneiraItemPage):
        yield await page.to_item()


class Provided(scrapy.Spider):
    name = "provided"
    start_urls = [url]

    def parse(self, response: DummyResponse, result: Extraction):
        yield {"records": len(result.main)}
        yield response.follow(result.main[0]["url"].value, self.parse_product)

    def parse_product(self, response: DummyResponse, item: Item):
        yield {"kind": item.kind, "title": item["title"].text}


@dataclasses.dataclass
class Product:
    title: str = None
    price: str = None
    sku: str = None


class Loaded(scrapy.Spider):
    name = "loaded"

    async def start(self):
        yield scrapy.Request(f"http://127.0.0.1:{port}{sys.argv[3]}")

    def parse(self, response):
        loader = PeneiraLoader(Product(), response=response).add_found()
        loader.add_css("title", "title::text")
        yield loader.load_item()


class Own(PeneiraSpider):
    name = "own"
    start_urls = [url]
    crawl_options = CrawlOptions(details=True)

    def record_item(self, values, response):
        return {**values, "page": response.url}


found = {}
process = CrawlerProcess({
    "ADDONS": {"scrapy_poet.Addon": 300},
    "SCRAPY_POET_PROVIDERS": {"peneira.scrapy.provider.PeneiraProvider": 500},
    "LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False,
    **guard_settings([("127.0.0.1", port)]),
})
for spider in (PageObjects, Provided, Loaded, Own):
    crawler = process.create_crawler(spider)

    def keep(item, name=spider.name):
        found.setdefault(name, []).append(dataclasses.asdict(item) if dataclasses.is_dataclass(item) else dict(item))

    crawler.signals.connect(keep, signal=scrapy.signals.item_scraped, weak=False)
    process.crawl(crawler)
process.start()
with open(sys.argv[2], "w") as file:
    json.dump(found, file, default=str)
"""


@pytest.fixture(scope="module")
def shop_and_items(tmp_path_factory: pytest.TempPathFactory) -> tuple[Shop, dict[str, list[dict[str, str]]]]:
    folder = tmp_path_factory.mktemp("project")
    (folder / "project.py").write_text(PROJECT)
    with open_shop() as shop:
        shop.products = shop.products[:30]
        shop.redirects[shop.products[8].path] = "/p/gone"
        args = [sys.executable, "project.py", str(shop.port), "found.json", shop.products[3].path]
        done = subprocess.run(args, cwd=folder, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
    return shop, json.loads((folder / "found.json").read_text())


def test_page_objects_give_records_and_items(shop_and_items: tuple[Shop, dict[str, list[dict[str, str]]]]):
    shop, found = shop_and_items
    items = {item["title"]: item for item in found["page_objects"]}
    assert items.keys() == {product.title for product in shop.products if product.number != 9}
    product = shop.products[3]
    assert (items[product.title]["sku"], items[product.title]["kind"]) == (product.sku, "product")


def test_callbacks_get_extractions_and_items_by_their_types(
    shop_and_items: tuple[Shop, dict[str, list[dict[str, str]]]],
):
    shop, found = shop_and_items
    assert found["provided"] == [{"records": 20}, {"kind": "product", "title": shop.products[0].title}]


def test_the_loader_fills_the_fields_of_an_item(shop_and_items: tuple[Shop, dict[str, list[dict[str, str]]]]):
    shop, found = shop_and_items
    product = shop.products[3]
    assert found["loaded"] == [{"title": product.title, "price": f"${product.price}", "sku": product.sku}]


def test_the_spider_yields_records_joined_with_their_own_pages(
    shop_and_items: tuple[Shop, dict[str, list[dict[str, str]]]],
):
    shop, found = shop_and_items
    assert sorted((item["title"], item.get("sku", "")) for item in found["own"]) == sorted(
        (product.title, product.sku if product.number != 9 else "") for product in shop.products
    )  # a record whose own page is missing is what the list says
    assert all(item["page"].startswith(shop.url("/products")) for item in found["own"])
