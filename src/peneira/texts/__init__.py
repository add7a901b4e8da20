"""The texts of a page: their features, content or noise, regions and blocks, page type and cleaning."""
