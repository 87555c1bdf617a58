# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a report says about a mutant: "found" (at the mutated line or a partner), "elsewhere" or "missed"."""

import pathlib
import re


def places(finding, file):
    """The lines of the mutated file that a finding names: of both accesses, of the calls around them, of the host."""
    lines = set()
    for place in finding["places"] + finding.get("other", {}).get("places", []):
        if pathlib.Path(place["file"]).name == file:
            lines.add(place["line"])
    for text in (finding["what"], finding.get("object", ""), finding.get("freed", "")):
        lines.update(int(number) for number in re.findall(rf"\b{re.escape(file)}:(\d+)", text))
    return lines


def judge(record):
    if record["status"] in ("does not compile", "no report"):
        return record["status"]
    if not record["findings"]:
        return "missed"
    file = pathlib.Path(record["program"]).name + ".cu"
    wanted = {record["line"], *record["partners"]}
    for finding in record["findings"]:
        if places(finding, file) & wanted:
            return "found"
    return "elsewhere"
