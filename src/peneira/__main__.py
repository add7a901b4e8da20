"""``python -m peneira``."""

from peneira.cli.main import main

main()
