"""Templates of pages: grammars of what pages have in common, and reading pages by them (G-STM, FiVaTech)."""
