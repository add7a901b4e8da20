"""Scores: what peneira returns for a page, against the gold of that page."""
