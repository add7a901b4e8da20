def byline_claims(view):
    return iter(())
