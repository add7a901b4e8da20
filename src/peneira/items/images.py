def image_claims(view):
    return iter(())
