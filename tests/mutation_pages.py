"""Pages that run a script, or would after they are written and read once more: each tries to change the title to 1."""

from __future__ import annotations

from itertools import product

RUN = "document.title=1"
IMG = f"<img src=x onerror={RUN}>"
ESCAPED = f"&lt;img src=x onerror={RUN}&gt;"

_AROUND = (
    "<svg>{}</svg>",
    "<math>{}</math>",
    "<svg><foreignObject>{}</foreignObject></svg>",
    "<svg><desc>{}</desc></svg>",
    "<svg><title>{}</title></svg>",
    "<math><mtext>{}</mtext></math>",
    "<math><annotation-xml encoding=text/html>{}</annotation-xml></math>",
    "<math><mtext><table><mglyph>{}</mglyph></table></mtext></math>",
    "<form><math><mtext></form><form>{}</mtext></math></form>",
    "<table>{}</table>",
    "<select>{}</select>",
    "<template>{}</template>",
    "<noscript>{}</noscript>",
    "<x-y>{}</x-y>",
)
_INSIDE = (
    f"<style>{ESCAPED}</style>",
    f"<style><!--</style>{IMG}--></style>",
    f"<xmp>{ESCAPED}</xmp>",
    f"<textarea></textarea>{IMG}</textarea>",
    f"<p title='</style></noscript></xmp></textarea></title></template>{IMG}'>x</p>",
    f"<a href='javascript:{RUN}'>x</a>",
)

MUTATION_PAGES = [
    *(around.format(inside) for around, inside in product(_AROUND, _INSIDE)),
    f"<script>{RUN}</script>",
    f"<svg onload={RUN}>",
    f"<svg><script>{RUN}</script></svg>",
    f"<svg><script href='data:text/javascript,{RUN}'></script></svg>",
    f"<svg><animate onbegin={RUN} attributeName=x dur=1s></svg>",
    f"<svg><set attributeName=href to=javascript:{RUN}></svg>",
    f"<svg><use href='data:image/svg+xml,<svg id=x onload={RUN} />#x'></use></svg>",
    f"<math href='javascript:{RUN}'>x</math>",
    f"<body onload={RUN}>",
    f"<details open ontoggle={RUN}>x</details>",
    f"<input autofocus onfocus={RUN}>",
    f"<marquee onstart={RUN}>x</marquee>",
    f"<video><source onerror={RUN} src=x></video>",
    f"<audio src=x onerror={RUN}></audio>",
    f"<iframe srcdoc='<script>parent.{RUN}</script>'></iframe>",
    f"<iframe src='javascript:parent.{RUN}'></iframe>",
    f"<object data='javascript:{RUN}'></object>",
    f"<embed src='javascript:{RUN}'>",
    f"<form action='javascript:{RUN}'><input type=submit></form>",
    f"<meta http-equiv=refresh content='0;url=javascript:{RUN}'>",
    f"<base href='javascript:{RUN}//'><a href=x>x</a>",
    f"<link rel=stylesheet href='data:text/css,x' onload={RUN}>",
    f"<style onload={RUN}></style>",
    f"<a href='&#106;avascript:{RUN}'>x</a>",
    f"<a href='java&Tab;script:{RUN}'>x</a>",
    f"<a href='\x01javascript:{RUN}'>x</a>",
    f"<a href='javascript&colon;{RUN}'>x</a>",
    f"<img src=x onerror\x0c={RUN}>",
    f"<img/src=x/onerror={RUN}>",
    f"<img src='x'onerror={RUN}>",
    f"<<img src=x onerror={RUN}>",
    f"<p title=\"`{IMG}\">x</p>",
    f"<!--><img src=x onerror={RUN}>-->",
    f"<!-- --!><img src=x onerror={RUN}> -->",
    f"<![CDATA[><img src=x onerror={RUN}>]]>",
    f"<svg><![CDATA[<img src=x onerror={RUN}>]]></svg>",
    f"<?x ><img src=x onerror={RUN}>",
    f"<table background='javascript:{RUN}'><tr><td>x</table>",
    f"<div style=\"background:url('javascript:{RUN}')\">x</div>",
    f"<button popovertarget=x>y</button><div popover id=x onbeforetoggle={RUN}>z</div>",
    f"<plaintext>{IMG}",
]  # fmt: skip
