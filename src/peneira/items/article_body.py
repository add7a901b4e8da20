def body_text(page):
    return ""
