"""The page as a string: one symbol per tag path."""
