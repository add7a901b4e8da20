def property_fields(view, pairs, ordered, used):
    return iter(())
