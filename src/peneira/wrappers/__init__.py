"""Wrappers: learned from pages of one template, saved, applied, checked for drift, healed and exported."""
