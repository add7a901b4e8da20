"""JavaScript that is run in a rendered page, in an isolated world (see ``isolated_world.py``).

Names of elements shadow properties of their document and of their forms. So properties of the document are taken from
its prototype, and an element with a shadowed property is skipped.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

# Nobody is there to answer a dialog, and scripts wait for the answer
DISABLE_DIALOGS = "window.alert = window.print = () => {}; window.confirm = () => false; window.prompt = () => null;"

_ALL = "const all = what => Document.prototype.querySelectorAll.call(document, what);"
# Calls a function with each element, those of open shadow trees too
_EACH = f"""{_ALL} const each = visit => {{
  const waiting = [all('*')];
  while (waiting.length) for (const element of waiting.pop()) try {{
    if (element.shadowRoot) waiting.push(element.shadowRoot.querySelectorAll('*'));
    visit(element);
  }} catch (shadowed) {{}}
}};"""

READY_STATE = "Object.getOwnPropertyDescriptor(Document.prototype, 'readyState').get.call(document)"
COUNT_ELEMENTS = f"(() => {{ {_ALL} return all('*').length; }})()"
# Milliseconds since the DOM changed, the characters of text (once it is quiet), and whether there are scripts
DOM_STATE = f"""(() => {{ {_ALL}
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
COUNT_REPEATED_ELEMENTS = f"""(() => {{ {_EACH}
  const counts = new Map();
  const name = element => element.localName + ' ' + (element.getAttribute('class') || '');
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


TEXT_HASH = f"""(() => {{ {_ALL}
  const body = all('body')[0];
  let hash = 0;
  for (const char of location.href + (body ? body.innerText : '')) hash = (hash * 31 + char.codePointAt(0)) | 0;
  return hash;
}})()"""
# Clicks an element, at the end of what runs now: a click that loads another page would take the answer with it
CLICK = "function() { if (!this.isConnected) return false; setTimeout(() => this.click()); return true; }"


def scroll(*, to_end: bool) -> str:
    """Return what scrolls the page, and the large elements in it that scroll by themselves, to the end or back."""
    return f"""(() => {{ {_EACH}
      each(element => {{
        if (element.clientHeight >= 200 && element.scrollHeight > element.clientHeight + 50
            && /auto|scroll/.test(getComputedStyle(element).overflowY))
          element.scrollTop = {"element.scrollHeight" if to_end else 0};
      }});
      window.scrollTo(0, {"all('html')[0].scrollHeight" if to_end else 0});
    }})()"""


def press(labels: Sequence[str]) -> str:
    """Return what presses the last button with one of the labels, and says whether there is one.

    Links that lead to another page are no buttons. Labels are compared without numbers, accents and case; where several
    buttons have one, the one whose label comes first among ours is pressed.
    """
    return f"""(() => {{ {_EACH}
      const labels = new Map({json.dumps([[label, k] for k, label in enumerate(labels)])});
      const plain = text => text.normalize('NFKD').replace(/\\p{{M}}/gu, '').toLowerCase()
        .replace(/[^\\p{{L}}]+/gu, ' ').trim();
      let best = null, rank = labels.size;
      each(element => {{
        if (!element.matches('button, a, [role=button], input[type=button], summary')) return;
        const leads = (element.getAttribute('href') || '#').trim();
        if (element.localName === 'a' && !/^(#|javascript:)/i.test(leads)) return;
        if (element.disabled || !element.getClientRects().length) return;
        const text = plain(element.innerText || element.value || element.getAttribute('aria-label') || '');
        const own = labels.get(text);
        if (own !== undefined && own <= rank) {{ best = element; rank = own; }}
      }});
      if (best) best.click();
      return best !== null;
    }})()"""
