def breadcrumb_claims(view):
    return iter(())
