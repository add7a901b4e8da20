"""The type of a column and the value of each of its cells: numbers, money, dates, ratings, links and more."""
