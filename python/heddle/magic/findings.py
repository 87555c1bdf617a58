# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What heddle check has found (its --json) as HTML: each finding with the lines of the source around it.

No script, and colours that go with light and dark notebooks.
"""

import pathlib
from html import escape
from typing import Any, Dict, List, Optional

from .scratch import Scratch

_CONTEXT = 2  # lines before and behind
_STYLE = """<style>
.heddle-check{font-size:14px;line-height:1.45;max-width:60em}
.heddle-check details{border:1px solid #8885;border-left:4px solid #d33;border-radius:4px;margin:.6em 0;padding:.4em .8em}
.heddle-check details.mild{border-left-color:#c90}
.heddle-check summary{cursor:pointer}
.heddle-check h4{margin:.7em 0 .2em;font-size:inherit;font-weight:600}
.heddle-check pre{margin:.2em 0;padding:.3em 0;background:#8881;overflow-x:auto;line-height:1.35}
.heddle-check pre,.heddle-check pre *{font-family:var(--jp-code-font-family,ui-monospace,Menlo,Consolas,monospace);font-size:13px}
.heddle-check pre span{display:block;padding:0 .6em;white-space:pre}
.heddle-check pre .here{background:#d332}
.heddle-check pre .mark{color:#d33;font-weight:bold}
.heddle-check pre i{opacity:.55;font-style:normal;user-select:none}
.heddle-check p{margin:.25em 0}
.heddle-check .none{border-left:4px solid #292;padding-left:.8em}
</style>"""
_MILD = ("same-value-race", "leak", "unused-memory", "failed-call", "never-awaited")

Json = Dict[str, Any]


def _dim(index: List[int]) -> str:
    return "({})".format(", ".join(str(part) for part in index))


def _place(place: Json, scratch: Scratch) -> str:
    """cell.cu:5 in kernel(int*)"""
    file = scratch.shown(place["file"])
    where = f"{file}:{place['line']}" if place["line"] else file
    return f"{where} in {place['function']}" if file else str(place["function"])


def _lines(file: str) -> List[str]:
    try:
        return pathlib.Path(file).read_text(encoding="utf-8", errors="replace").split("\n") if file else []
    except OSError:
        return []


def _excerpt(place: Json) -> str:
    lines, at, column = _lines(place["file"]), place["line"], place["column"]
    if not 0 < at <= len(lines):
        return ""
    first, last = max(1, at - _CONTEXT), min(len(lines), at + _CONTEXT)
    width = len(str(last))
    rows = []
    for number in range(first, last + 1):
        text = lines[number - 1]
        here = ' class="here"' if number == at else ""
        rows.append(f"<span{here}><i>{number:>{width}} │ </i>{escape(text) or ' '}</span>")
        if number == at and 0 < column <= len(text):
            gap = "".join("\t" if letter == "\t" else " " for letter in text[: column - 1])
            rows.append(f'<span class="here"><i>{"":>{width}} │ </i>{gap}<b class="mark">^</b></span>')
    return "<pre>" + "".join(rows) + "</pre>"


def _places(places: List[Json], first: str, scratch: Scratch) -> str:
    parts = []
    for place in places:
        parts.append(f"<h4>{escape(first)} {escape(_place(place, scratch))}</h4>{_excerpt(place)}")
        first = "inlined at"
    return "".join(parts)


def _launch(launched: List[Json], scratch: Scratch) -> str:
    """main at cell.cu:30, with the calls down to it."""
    calls = []
    for place in launched:
        at = f" at {scratch.shown(place['file'])}:{place['line']}" if place["line"] else ""
        calls.append(place["function"] + at)
    return ", called from ".join(calls)


def _by(side: Json, count: int, scratch: Scratch) -> Optional[str]:
    """Who it was: a kernel's thread, or a copy."""
    if not side.get("kernel"):
        return f"{count} times" if count > 1 else None
    launched = _launch(side.get("launched", []), scratch)
    if side.get("copy"):
        return f"by {side['kernel']}" + (f" in {launched}" if launched else "")
    thread = f"block {_dim(side['block'])}, thread {_dim(side['thread'])}"
    if side.get("any_of_warp"):
        thread = f"a thread of the warp of {thread}"
    if side.get("any_place"):
        thread += ", here or where else it accesses these bytes"
    times = f"{count} times, first in " if count > 1 else ""
    text = f"kernel {side['kernel']}: {times}{thread}"
    if side.get("launcher"):
        text += f"; launched by kernel {side['launcher']}"
    return text + (f"; launched in {launched}" if launched else "")


def _paragraph(text: Optional[str], label: str = "") -> str:
    if not text:
        return ""
    return f"<p>{f'<b>{label}</b> ' if label else ''}{escape(text)}</p>"


def _other(finding: Json, scratch: Scratch) -> str:
    other = finding.get("other")
    if not other:
        return ""
    who = f"the other {'one' if other['copy'] else 'thread'}: {other['what']}"
    head = _places(other["places"], who + " at", scratch) if other["places"] else f"<h4>{escape(who)}</h4>"
    same = {**other, "launched": []} if other["launched"] == finding.get("launched") else other
    return head + _paragraph(_by(same, 1, scratch))


def _finding(finding: Json, scratch: Scratch) -> str:
    mild = ' class="mild"' if finding["kind"] in _MILD else ""
    return (
        f"<details open{mild}><summary><b>{escape(finding['title'])}</b>: {escape(finding['what'])}</summary>"
        + _places(finding["places"], "at", scratch)
        + _paragraph(_by(finding, finding["count"], scratch))
        + _paragraph(finding.get("object"))
        + _paragraph(finding.get("freed"))
        + _other(finding, scratch)
        + _paragraph(finding.get("why"), "Why:")
        + _paragraph(finding["remedy"], "Remedy:")
        + "</details>"
    )


def html(report: Json, scratch: Scratch) -> str:
    """The whole report."""
    count, told = report["count"], len(report["findings"])
    if count:
        head = f"<p><b>heddle check: {count} finding{'' if count == 1 else 's'}</b>"
        head += f", of which {told} are told (--max-reports)</p>" if told < count else "</p>"
    else:
        head = '<p class="none"><b>heddle check: nothing found</b></p>'
    if report["program_exit_code"]:
        head += f"<p>The program's exit code is {report['program_exit_code']}.</p>"
    findings = "".join(_finding(finding, scratch) for finding in report["findings"])
    return f'{_STYLE}<div class="heddle-check">{head}{findings}</div>'
