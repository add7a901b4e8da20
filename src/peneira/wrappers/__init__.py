"""Wrappers: what pages of one template have in common, as a grammar that reads further pages."""
