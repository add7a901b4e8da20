"""Finding the records of a page: candidate lists, their features, their ranking, and which members are records."""
