"""Tools for language models, over the Model Context Protocol: compact, typed answers of bounded size."""
