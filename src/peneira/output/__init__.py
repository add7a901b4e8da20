"""Tables into files and onto the terminal."""
