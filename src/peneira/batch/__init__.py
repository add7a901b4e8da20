"""Many pages in one run: inputs, workers, tables that grow, and going on where a run stopped."""
