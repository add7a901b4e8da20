"""Decision trees at run time, and running sums over the rows of a page that features are computed from."""
