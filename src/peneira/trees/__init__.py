"""The page as a tree: shapes, simple and generalised tree matching, alignment."""
