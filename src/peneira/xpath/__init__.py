"""Selectors: making them, evaluating them on a page, and estimating how likely each is to survive a redesign."""
