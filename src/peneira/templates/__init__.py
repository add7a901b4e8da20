"""Page templates: grammars learned from pages, and data extraction with them (G-STM, FiVaTech)."""
