"""Whole measurements: methods over corpora, speed, drift, published tables, the quality gate."""
