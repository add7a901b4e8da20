"""Bytes, text, files and URLs into pages."""
