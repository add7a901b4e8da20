"""``peneira bench`` and ``peneira train``."""
