"""Our extractor: from a page to records, from records to columns."""
