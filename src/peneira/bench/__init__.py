"""Measuring: corpora with gold, the record score, the scoreboard, the quality gate, speed."""
