"""Whole sites on Scrapy (extra ``crawl``): lists, their pages, the page of each record; politely, and resumable.

``peneira crawl`` runs it; a Scrapy project imports ``PeneiraSpider`` and the parts from the modules of this package.
"""
