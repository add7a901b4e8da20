"""What a page says: its text features, content or noise, regions and blocks, page type, cleaning."""
