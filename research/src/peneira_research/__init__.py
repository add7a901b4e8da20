"""The research side of peneira: corpora, scores, training, published tables, scoreboard and gate."""
