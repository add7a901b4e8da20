"""The page as a tree: subtree shapes, tree matching, edit distances and partial tree alignment."""
