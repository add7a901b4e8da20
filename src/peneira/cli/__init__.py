"""The terminal face: thin commands over the library."""
