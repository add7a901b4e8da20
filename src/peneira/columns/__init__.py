"""From the records of a list to aligned, named, typed columns."""
