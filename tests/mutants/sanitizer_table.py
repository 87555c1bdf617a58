#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of docs/checks.md: exported mutants found by heddle check, by compute-sanitizer, by both, by neither.

  sanitizer_table.py MANIFEST.json RESULTS.json [KEPT.json]     KEPT.json: what the table is made of (recorded.json is one)

Mutants that equivalents.json has are left out of the table; if compute-sanitizer tells an error in one, it is named on stderr.
"""

import collections
import json
import pathlib
import sys

from mutants import all_mutants, judged, key_of, programs


def found_by_sanitizer(result):
    """The tools that told an error, but for calls that return one, which programs that test errors do on purpose."""
    return [tool for tool, told in result["tools"].items()
            if told["errors"] > 0 and (told["lines"] or not any("Program hit" in line for line in told["first"][:1]))]


def main():
    manifest = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    data = json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
    results = {result["file"]: result for result in data["results"]}
    rows = collections.defaultdict(collections.Counter)
    equivalent, texts, kept = judged("equivalents.json"), {m.name: m for m in all_mutants(programs())}, []
    for entry in manifest:
        result = results.get(entry["file"])
        if not result or not result["compiled"]:
            print(f"not compiled: {entry['file']}", file=sys.stderr)
            continue
        ours, tools = entry["heddle"]["verdict"] in ("found", "elsewhere"), found_by_sanitizer(result)
        wanted = {entry["line"], *entry["partners"]}
        kept.append({"mutant": entry["mutant"], "heddle": entry["heddle"]["verdict"], "compute-sanitizer": tools})
        if key_of(texts[entry["mutant"]]) in equivalent:
            if tools:
                print(f"told of an equivalent: {entry['file']}: {entry['mutant']}: {tools}", file=sys.stderr)
            continue
        named = any(wanted & set(result["tools"][tool]["lines"]) for tool in tools)
        which = "both" if ours and tools else "heddle" if ours else "sanitizer" if tools else "neither"
        for row in (rows[entry["kind"]], rows["all"]):
            row["mutants"] += 1
            row[which] += 1
            row["at the line"] += named
            row["hangs"] += any(told["exit_code"] is None for told in result["tools"].values())
        if which in ("sanitizer", "neither"):
            print(f"{which}: {entry['file']}: {entry['mutant']}: {tools}", file=sys.stderr)
    if len(sys.argv) > 3:
        lines = ",\n".join(json.dumps(one) for one in kept)
        pathlib.Path(sys.argv[3]).write_text(f'{{"gpu": {json.dumps(data["gpu"])}, "versions": {json.dumps(data["versions"])}, "mutants": [\n'
                                             f"{lines}\n]}}\n", encoding="utf-8")
    print(f"{data['gpu']}; {data['versions']}\n")
    print("| mutation | mutants | both | heddle check alone | compute-sanitizer alone | neither | it names a line | it hangs |")
    print("|---|---|---|---|---|---|---|---|")
    for kind in [kind for kind in rows if kind != "all"] + ["all"]:
        row = rows[kind]
        print(f"| {kind} | {row['mutants']} | {row['both']} | {row['heddle']} | {row['sanitizer']} | {row['neither']} "
              f"| {row['at the line']} | {row['hangs']} |")


if __name__ == "__main__":
    main()
