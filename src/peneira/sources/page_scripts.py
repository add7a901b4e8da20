"""What a page is asked in a world of our own, which its scripts cannot reach.

Names of its elements shadow properties of its document and of its forms: those of the document are taken from the
prototype, and an element that cannot be asked is passed over.
"""

from __future__ import annotations

# Scripts are not stopped by what nobody is there to answer
SILENCE = "window.alert = window.print = () => {}; window.confirm = () => false; window.prompt = () => null;"

_ALL = "const all = what => Document.prototype.querySelectorAll.call(document, what);"
# Calls a function with each element, those of open shadow trees too
_EACH = f"""{_ALL} const each = visit => {{
  const waiting = [all('*')];
  while (waiting.length) for (const one of waiting.pop()) try {{
    if (one.shadowRoot) waiting.push(one.shadowRoot.querySelectorAll('*'));
    visit(one);
  }} catch (shadowed) {{}}
}};"""

STATE = "Object.getOwnPropertyDescriptor(Document.prototype, 'readyState').get.call(document)"
COUNT_ELEMENTS = f"(() => {{ {_ALL} return all('*').length; }})()"
# Milliseconds since the DOM changed, the characters of text (once it is quiet), and whether there are scripts
WATCH = f"""(() => {{ {_ALL}
  if (globalThis.peneiraLast === undefined) {{
    globalThis.peneiraLast = performance.now();
    new MutationObserver(() => {{ globalThis.peneiraLast = performance.now(); }}).observe(
      document, {{subtree: true, childList: true, characterData: true}});
  }}
  const quiet = performance.now() - globalThis.peneiraLast;
  const scripts = all('script').length > 0;
  const body = scripts && quiet >= 250 ? all('body')[0] : null;
  return [quiet, body ? body.innerText.trim().length : 0, scripts];
}})()"""

# How many elements repeat: have the tag and class of two others, in parents of one tag and class. Records are among
# them, whatever else repeats, and also where each batch of them comes in an element of its own
COUNT_ALIKE = f"""(() => {{ {_EACH}
  const counts = new Map();
  const name = one => one.localName + ' ' + (one.getAttribute('class') || '');
  each(parent => {{
    const above = name(parent);
    for (const child of parent.children) {{
      const key = above + ' > ' + name(child);
      counts.set(key, (counts.get(key) || 0) + 1);
    }}
  }});
  let total = 0;
  for (const count of counts.values()) if (count > 2) total += count;
  return total;
}})()"""


def scroll(*, down: bool) -> str:
    """Return what scrolls the page, and the large elements in it that scroll by themselves, to the end or back."""
    return f"""(() => {{ {_EACH}
      each(one => {{
        if (one.clientHeight >= 200 && one.scrollHeight > one.clientHeight + 50
            && /auto|scroll/.test(getComputedStyle(one).overflowY)) one.scrollTop = {"one.scrollHeight" if down else 0};
      }});
      window.scrollTo(0, {"all('html')[0].scrollHeight" if down else 0});
    }})()"""
