# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutants as CUDA sources that need nothing else, with a manifest, for compute-sanitizer on a machine with a GPU."""

import json
import pathlib
import re
import shutil

from judge import judge, places
from mutants import CONFORMANCE, HERE, all_mutants, header, path_of, programs


def whole(name, text, folder, seen):
    """The text with what it includes in quotes, and the line numbers that it had."""
    result = []
    for number, line in enumerate(text.splitlines(), 1):
        included = re.match(r'\s*#include "([^"]+)"', line)
        found = included and next((path for path in (folder / included.group(1), CONFORMANCE / included.group(1)) if path.is_file()), None)
        if line.strip() == "#pragma once":
            result.append("")
        elif not found:
            result.append(line)
        else:
            if found.resolve() not in seen:
                seen.add(found.resolve())
                inner = header() if found.resolve() == (CONFORMANCE / "check.h").resolve() else found.read_text(encoding="utf-8")
                result += [f'#line 1 "{found.name}"', whole(found.name, inner, found.parent, seen)]
            result.append(f'#line {number + 1} "{name}"')
    return "\n".join(result) + "\n"


def chosen(records, count):
    """So many of those that were found, of each kind in turn, and all that were missed."""
    by_kind = {}
    result = []
    for record in records:
        if record["status"] != "checked":
            continue
        verdict = judge(record)
        if verdict == "missed":
            result.append(record)
        elif verdict in ("found", "elsewhere") and record["seconds"] < 6:
            by_kind.setdefault(record["kind"], []).append(record)
    count += len(result)
    while len(result) < count and any(by_kind.values()):
        for group in by_kind.values():
            if group and len(result) < count:
                result.append(group.pop(len(group) // 2))
    return result


def export(folder, results, count):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    records = [json.loads(line) for line in pathlib.Path(results).read_text(encoding="utf-8").splitlines()]
    texts = {mutant.name: mutant.text for mutant in all_mutants(programs())}
    manifest = []
    for number, record in enumerate(chosen([r for r in records if r["name"] in texts], count)):
        source = path_of(record["program"])
        name = f"{number:03}-{source.name}"
        text = texts[record["name"]]
        flags = re.search(r"^// flags: (.*)$", text, re.M)
        (folder / name).write_text(f'#line 1 "{name}"\n' + whole(name, text, source.parent, set()), encoding="utf-8")
        lines = sorted(set().union(*(places(f, source.name) for f in record["findings"])))
        manifest.append({"file": name, "mutant": record["name"], "kind": record["kind"], "line": record["line"],
                         "partners": record["partners"], "flags": flags.group(1).split() if flags else [],
                         "heddle": {"verdict": judge(record), "kinds": sorted({f["kind"] for f in record["findings"]}), "lines": lines}})
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")
    for script in ("sanitizer_run.py",):
        shutil.copy(HERE / script, folder)
    print(f"{len(manifest)} mutants in {folder}")
    return 0
