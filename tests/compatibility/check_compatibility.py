#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares docs/compatibility.md with what Heddle is: headers, library, compiler, source.

The page's tables name things in `backticks`; `cudaGraph*` stands for all names that begin so. Every
thing that exists must be named (a function of the runtime API by exactly one row), and every name must
be of something that exists:
  - functions of the runtime API, "works" or "differs" if libcudart.so has them, else "not yet"
  - device functions that the headers declare
  - headers
  - options of heddlecc, as its --help and its source have them
  - environment variables that the source asks for
"""
import argparse
import fnmatch
import pathlib
import re
import subprocess
import sys
import tempfile

STATUSES = {"works", "differs", "not yet"}

problems = []


def complain(text):
    problems.append(text)


class Page:
    """The page's sections: heading -> rows of table cells, and heading -> text."""

    def __init__(self, text):
        self.rows, self.text = {}, {}
        headings = []
        for line in text.splitlines():
            if match := re.match(r"(#+) (.*)", line):
                level = len(match[1])
                headings = headings[:level - 1] + [match[2]]
            for heading in headings:
                self.text[heading] = self.text.get(heading, "") + line + "\n"
                if line.startswith("| ") and not line.startswith("|--"):
                    cells = [cell.strip() for cell in line.strip("|").split("|")]
                    self.rows.setdefault(heading, []).append(cells)

    def table(self, heading):
        """A section's rows without the tables' heads."""
        if heading not in self.rows:
            raise SystemExit(f"docs/compatibility.md has no table under '{heading}'")
        heads = {"Functions", "Family", "Headers", "Option", "Variable"}
        return [row for row in self.rows[heading] if row[0] not in heads]


def quoted(text):
    return re.findall(r"`([^`]+)`", text)


def run(*command, **options):
    return subprocess.run([str(word) for word in command], text=True, capture_output=True,
                          timeout=120, **options)


def match_all(what, names, rows, once=True):
    """rows: (pattern, row's label). Returns name -> label, and complains about what does not fit."""
    found = {}
    for pattern, label in rows:
        hits = [name for name in names if fnmatch.fnmatchcase(name, pattern)]
        if not hits:
            complain(f"{what}: the page names {pattern}, which does not exist")
        for name in hits:
            if once and name in found:
                complain(f"{what}: {name} is named twice")
            found[name] = label
    for name in names:
        if name not in found:
            complain(f"{what}: {name} is missing from the page")
    return found


def without_comments(text):
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    return re.sub(r"^#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)


def api_functions(include):
    """The functions that cuda_runtime_api.h declares, under the names that programs use."""
    names = []
    for path in [include / "cuda_runtime_api.h", *sorted(include.glob("__heddle_host/api_*.h")),
                 *sorted(include.glob("__heddle_host/newer/*.h"))]:
        for name in re.findall(r"\b(cuda[A-Z]\w*)\s*\(", without_comments(path.read_text())):
            # The variants for a default stream per thread are the same functions.
            if name not in names and not name.endswith(("_ptds", "_ptsz")):
                names.append(name)
    return names


def linker_names(heddlecc, names, folder, *options):
    """What the header's macros make of each name."""
    source = pathlib.Path(folder, "names.cpp")
    lines = "".join(f'"{name}" = {name};\n' for name in names)
    source.write_text("#include <cuda_runtime_api.h>\n" + lines)
    result = run(heddlecc, "-E", *options, source)
    found = dict(re.findall(r'^"(cuda\w+)" = (\w+);$', result.stdout, flags=re.M))
    if len(found) != len(names):
        raise SystemExit("cannot preprocess cuda_runtime_api.h: " + result.stderr)
    return found


def check_api(page, source, build, folder):
    names = api_functions(source / "include")
    heddlecc = build / "bin" / "heddlecc"
    rows = []
    for row in page.table("Runtime API"):
        if len(row) < 3 or row[1] not in STATUSES:
            complain(f"runtime API: a row without a status: {row}")
            continue
        if row[1] == "differs" and not row[2]:
            complain(f"runtime API: the row of {row[0]} does not say how it differs")
        rows += [(pattern, row[1]) for pattern in quoted(row[0])]
    status = match_all("runtime API", names, rows)

    for release in (12, 13):
        symbols = run("nm", "-D", "--defined-only", build / "lib" / f"libcudart.so.{release}").stdout
        exported = {line.split()[-1].split("@")[0] for line in symbols.splitlines()}
        for options in ((), ("--default-stream", "per-thread")):
            for name, symbol in linker_names(heddlecc, names, folder, f"--cuda={release}", *options).items():
                there = symbol in exported
                if there != (status.get(name) in ("works", "differs")):
                    complain(f"runtime API: {name} is '{status.get(name)}', but libcudart.so.{release} "
                             f"{'has' if there else 'lacks'} {symbol}")

    # The page promises that the linker's message names what is missing.
    missing = [name for name, state in status.items() if state == "not yet"]
    if missing:
        program = pathlib.Path(folder, "missing.cu")
        program.write_text(f"void *volatile pointer = (void *)&{missing[0]};\nint main() {{}}\n")
        result = run(heddlecc, program, "-o", pathlib.Path(folder, "missing"))
        if result.returncode == 0 or missing[0] not in result.stderr:
            complain(f"runtime API: using {missing[0]} is no error that names it")


ATTRIBUTE = r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)"
DECLARATION = re.compile(rf"((?:{ATTRIBUTE}\s*)+)((?:[\w:<>,&*]|\s)+?[\s*&])(\w+)\s*\(")


def device_functions(heddlecc, source, folder):
    """Free functions for kernels that Heddle's own headers declare."""
    program = pathlib.Path(folder, "device.cu")
    program.write_text("".join(f"#include <{name}>\n" for name in (
        "cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "cuda_fp6.h", "cuda_fp4.h",
        "cooperative_groups.h")))
    result = run(heddlecc, "-E", "-arch=sm_90", program)
    texts, current = {}, ""
    for line in result.stdout.splitlines(keepends=True):
        if match := re.match(r'# \d+ "([^"]+)"', line):
            current = match[1].split("/include/")[-1]
        else:
            texts[current] = texts.get(current, "") + line
    wanted = ("__heddle/", "__heddle_half/functions", "__heddle_half/small_conversions",
              "cuda_fp8.h", "cuda_fp6.h", "cuda_fp4.h")
    names = []
    for file, text in texts.items():
        if file.startswith(wanted) and file != "__heddle/builtin_vars.h":
            for attributes, type_name, name in DECLARATION.findall(text):
                if "device" in attributes and "operator" not in type_name:
                    names.append(name)
        if file in ("cooperative_groups/details/partition.h", "cooperative_groups/details/tile.h",
                    "cooperative_groups/details/group.h"):
            # Members and helpers are not for the page; the functions that make groups are.
            for _, _, name in DECLARATION.findall(text):
                if re.fullmatch(r"this_(?!multi|thread\b)\w+|coalesced_threads|\w+_partition|"
                                r"invoke_one\w*", name):
                    names.append(name)
    if len(names) < 500:
        raise SystemExit("cannot read the device headers: " + result.stderr)
    return [name for name in dict.fromkeys(names) if not name.startswith(("__heddle_", "__glibcxx"))]


def check_device(page, source, build, folder):
    # What the compiler itself declares.
    names = device_functions(build / "bin" / "heddlecc", source, folder) + ["__syncthreads"]
    rows = []
    for row in page.table("Device functions"):
        if len(row) < 4 or row[2] not in STATUSES:
            complain(f"device functions: a row without a status: {row}")
            continue
        if row[2] == "differs" and not row[3]:
            complain(f"device functions: the row of {row[0]} does not say how it differs")
        rows += [(pattern, row[2]) for pattern in quoted(row[1])]
    match_all("device functions", names, rows, once=False)


def check_headers(page, source):
    include = source / "include"
    headers = [str(path.relative_to(include)) for path in sorted(include.rglob("*.h*"))]
    public = [name for name in headers if not name.startswith("__") and "/details/" not in name]
    match_all("headers", public,
              [(name, "") for row in page.table("Headers") for name in quoted(row[0])])


def check_options(page, source, build, folder):
    text = run(build / "bin" / "heddlecc", "--help").stdout
    listing, _, ignored = text.partition("Accepted, but without effect here:")
    works = {}
    for line in listing.splitlines():
        if match := re.match(r"  (-[^\s,]+(?:, -[^\s,]+)*)", line):
            works[match[1].split(", ")[0]] = match[1].split(", ")
    if len(works) < 20 or not ignored:
        raise SystemExit("cannot read heddlecc --help:\n" + text)
    section = page.text["Compiler options"]
    listed = {}
    for row in page.table("Compiler options"):
        names = quoted(row[0])
        listed[names[0]] = names
    for name in works.keys() - listed.keys():
        complain(f"options: {name} is missing from the table")
    for name in listed.keys() - works.keys():
        complain(f"options: {name} is in the table, but not in heddlecc --help")
    for name in listed.keys() & works.keys():
        if listed[name] != works[name]:
            complain(f"options: {name} has the names {works[name]}, not {listed[name]}")

    after = section.partition("without effect here:")[2]
    said_ignored, _, said_refused = after.partition("Not supported, an error:")
    compare("options without effect", set(quoted(said_ignored)),
            {name.strip() for name in ignored.split(",")})
    code = (source / "src/frontend/command_line/option_table.cpp").read_text()
    refused = set(re.findall(r'\{\{"([^"]+)"[^{}]*\}[^{}]*nullptr,\s*Status::Unsupported\}', code))
    compare("refused options", set(quoted(said_refused)), refused)
    program = pathlib.Path(folder, "empty.cu")
    program.write_text("")
    for name in refused:
        result = run(build / "bin" / "heddlecc", name, program, cwd=folder)
        if result.returncode == 0 or name not in result.stderr:
            complain(f"options: {name} is no error that names it")


def compare(what, page, fact):
    for name in sorted(page - fact):
        complain(f"{what}: the page has {name}, which is not so")
    for name in sorted(fact - page):
        complain(f"{what}: {name} is missing from the page")


def check_variables(page, source, build):
    asked = set()
    for path in (source / "src").rglob("*.cpp"):
        asked |= set(re.findall(r'(?:getenv|environment|switchedOn)\(\s*"((?:HEDDLE|CUDA)_\w+)"',
                                path.read_text()))
    rows = page.table("Environment variables")
    listed = {name for row in rows for name in quoted(row[0])}
    compare("environment variables", listed, asked)
    # What a tool sets for the program that it starts is no setting for people.
    listed -= {name for row in rows if "sets it" in row[1] for name in quoted(row[0])}
    shown = set(re.findall(r"\b(?:HEDDLE|CUDA)_[A-Z_]+",
                           run(build / "bin" / "heddle", "--help").stdout))
    compare("environment variables of heddle --help", listed, shown)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    options = parser.parse_args()
    source, build = options.source.resolve(), options.build.resolve()
    page = Page((source / "docs" / "compatibility.md").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="heddle-compatibility-") as folder:
        check_api(page, source, build, folder)
        check_device(page, source, build, folder)
        check_headers(page, source)
        check_options(page, source, build, folder)
        check_variables(page, source, build)
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
