"""Generated pages for property tests: sane trees, and tag soup."""

from __future__ import annotations

from hypothesis import strategies as st

TAGS = ["div", "span", "p", "ul", "li", "table", "tr", "td", "b", "a", "h2", "br", "img", "section", "my-card", "svg"]
# ruff: noqa: E501
SOUP = [
    *(f"<{tag}>" for tag in TAGS),
    *(f"</{tag}>" for tag in TAGS),
    "<select><option>x", "<template><i>t</i></template>", "<noscript><p>n</p></noscript>", "<!-- c -->", "<!DOCTYPE html>",
    "<o:p>", "<form>", "<button>", "<math><mi>x</mi>", "<foreignObject>", "<textarea>\n\nx</textarea>", "<script>if (a<b) c</script>",
    "<title>t</title>", "<body class=x>", "<frameset>", "&amp;", "&nbsp;", "\x00", "word ", " ", "\n", "<a href='?a=1&b=\"2\"'>",
    "<p hidden>", '<i style="display: none">', "\u200b", "é", "<", ">", "<3", "</", "<!", "<?php ?>", "<col>", "<pre>\n", "<plaintext>",
]  # fmt: skip

words = st.text(alphabet="abcxyz ÀÉ你&<>\"'\u00a0\u200b\n", min_size=1, max_size=12)
soup = st.lists(st.one_of(st.sampled_from(SOUP), words), max_size=40).map("".join)


@st.composite
def trees(draw: st.DrawFn) -> str:
    """A page whose HTML nests as it is written."""
    inner = st.one_of(words.map(escape), st.sampled_from(["<br>", "<img src=x>", "<!-- c -->"]))
    nest = st.recursive(inner, lambda below: st.builds(_element, element, st.lists(below, max_size=4)), max_leaves=25)
    return "<!DOCTYPE html><html><head><title>t</title></head><body>" + "".join(draw(st.lists(nest, max_size=5)))


element = st.tuples(
    st.sampled_from(["div", "span", "b", "section", "ul", "em", "my-card"]),
    st.sampled_from(["", ' class="a b"', ' id="x"', " hidden", ' style="color:red"', ' data-n="&quot;1&amp;"']),
)


def _element(element: tuple[str, str], children: list[str]) -> str:
    tag, attrs = element
    return f"<{tag}{attrs}>{''.join(children)}</{tag}>"


def escape(text: str) -> str:
    """Return text that stays text in HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
