"""The hot loops, in plain Python; compiled where a compiler is found."""
