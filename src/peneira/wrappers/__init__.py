"""Wrappers: learned from pages of a site, saved, applied, checked, healed and exported."""
