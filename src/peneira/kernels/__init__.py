"""The hot loops in plain Python; ``setup.py`` compiles them where a compiler is found."""
