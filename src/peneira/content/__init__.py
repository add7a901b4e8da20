"""Content or noise: which texts of a page are what the page is about."""
