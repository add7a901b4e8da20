"""What a page says about itself beside its text: JSON-LD, microdata, RDFa, OpenGraph and the state of its scripts."""
