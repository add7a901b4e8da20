"""Records of different sites that are the same thing: exact keys first, then similar texts, numbers and units."""
