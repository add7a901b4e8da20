"""Finding the records of a page: candidate lists, their features, ranking, members, columns aside."""
