"""Decision forests at run time, and the running sums over a page's rows that features are computed from."""
