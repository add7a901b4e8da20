"""The one thing that a page is about, from one page: its kind and its fields by role."""
