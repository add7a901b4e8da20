"""Texts of strangers as a terminal or a log may get them: nothing in them moves the cursor or turns the line around."""

from __future__ import annotations

import re

REPLACEMENT = "\ufffd"
# C0, DEL and C1: escape sequences (CSI, OSC) begin with one of them. The last two end a line in some logs
_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029"
_CONTROL = re.compile(f"[{_CONTROLS}]")
_CONTROL_OR_BREAK = re.compile(f"[{_CONTROLS}\t\n]")
# Marks, embeddings, overrides and isolates of bidirectional text: they show a text in another order than it is read in
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def safe_lines(text: str) -> str:
    """Return the text without bidi controls, and with U+FFFD for each control character but newline and tab."""
    return _CONTROL.sub(REPLACEMENT, _BIDI.sub("", text))


def safe_line(text: str) -> str:
    """Return the text like ``safe_lines``, and with U+FFFD for newlines and tabs too: it stays on its line."""
    return _CONTROL_OR_BREAK.sub(REPLACEMENT, _BIDI.sub("", text))
