"""Readers of pages with gold, which are not part of the repository."""
