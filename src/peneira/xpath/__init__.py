"""Selectors: making them, finding rows by them, and how long each may be expected to live."""
