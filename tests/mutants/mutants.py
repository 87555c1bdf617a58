#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes one mistake at a time in programs that are right, and looks whether heddle check reports it.

  mutants.py run [--sample N --seed S] [--kind KIND] [--program NAME] [--results FILE]   exit code 1: one was missed
  mutants.py table RESULTS                                                               the table of docs/checks.md
  mutants.py baseline                                     programs that may be mutated: right, silent, and quick to check
  mutants.py export FOLDER --results FILE [--count N]     misbehaving mutants for a machine with a GPU (sanitizer_run.py)

HEDDLE_BUILD names the build folder. README.md says what the mutations are and when they count.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from judge import judge
from operators import KINDS, mutants_of
from source import Source

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CONFORMANCE = ROOT / "tests" / "conformance"
BUILD = pathlib.Path(os.environ.get("HEDDLE_BUILD", ROOT / "build")).resolve()
LIMIT = 30  # seconds for a program under the checker
# Mutants of a program and kind. Of what is equivalent more often than not, one.
MOST = collections.defaultdict(lambda: 6, {"host initialisation removed": 2, "allocation shrunk": 3, "bound weakened": 3,
                                           "guard dropped": 2, "index off by one": 3})

# DeviceBuffer without contents, and with a byte less than it says.
TAGS = "namespace check { struct Unwritten {}; struct Shrunk {}; }\n"
CONSTRUCTORS = """
  DeviceBuffer(check::Unwritten, const std::vector<T> &values) : count(values.size()) {
    CHECK_CUDA(cudaMalloc(reinterpret_cast<void **>(&pointer), count * sizeof(T)));
  }
  DeviceBuffer(check::Shrunk, size_t count) : count(count), shrunk(1) {
    CHECK_CUDA(cudaMalloc(reinterpret_cast<void **>(&pointer), count * sizeof(T) - 1));
    CHECK_CUDA(cudaMemset(pointer, 0, count * sizeof(T) - 1));
  }
  DeviceBuffer(check::Shrunk, const std::vector<T> &values) : DeviceBuffer(check::Shrunk(), values.size()) {
    upload(values);
  }
"""


def header():
    """check.h whose DeviceBuffer can be made wrong; copies by the host stay within what there is."""
    text = (CONFORMANCE / "check.h").read_text(encoding="utf-8")
    begin = text.index("template <class T> class DeviceBuffer {")
    buffer = text[begin:].replace("values.size() * sizeof(T), cudaMemcpyHostToDevice", "values.size() * sizeof(T) - shrunk, cudaMemcpyHostToDevice")
    buffer = buffer.replace("count * sizeof(T), cudaMemcpyDeviceToHost", "count * sizeof(T) - shrunk, cudaMemcpyDeviceToHost")
    buffer = buffer.replace("  size_t count;\n};", "  size_t count, shrunk = 0;\n};")
    buffer = buffer.replace("  DeviceBuffer(const DeviceBuffer &) = delete;", CONSTRUCTORS + "  DeviceBuffer(const DeviceBuffer &) = delete;")
    return text[:begin] + TAGS + buffer


def programs():
    return (HERE / "programs.txt").read_text(encoding="utf-8").split()


def path_of(program):
    return ROOT / f"{program}.cu"


def all_mutants(names, kinds=None):
    """At most MOST of a program and kind, spread over the program."""
    for name in names:
        by_kind = collections.defaultdict(list)
        same = collections.Counter()
        for mutant in mutants_of(name, Source(path_of(name).read_text(encoding="utf-8")), kinds):
            same[mutant.kind, mutant.was] += 1
            mutant.nth = same[mutant.kind, mutant.was]
            by_kind[mutant.kind].append(mutant)
        for group in by_kind.values():
            group.sort(key=lambda m: hashlib.sha256(m.name.encode()).hexdigest())
            yield from group[:MOST[group[0].kind]]


def run_limited(command, limit, **settings):
    """stdout and exit code; None where it ran past the limit, after what had been found was told."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                               start_new_session=True, **settings)
    try:
        out, err = process.communicate(timeout=limit)
        return out, err, process.returncode
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)
        try:
            out, err = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
        return out, err, None


def check(program, text, folder, *more):
    """Compiles the text, with more options, and checks it: {"status": …, "findings": […]}."""
    source = folder / path_of(program).name
    source.write_text(text, encoding="utf-8")
    for shared in CONFORMANCE.glob("*.h"):  # beside it: they include each other
        shutil.copy(shared, folder)
    (folder / "check.h").write_text(header(), encoding="utf-8")
    flags = re.search(r"^// flags: (.*)$", text, re.M)
    include = path_of(program).parent
    command = [BUILD / "bin/heddlecc", "-g", "-O1", "-std=c++17", "-w", f"-I{include}", f"-I{CONFORMANCE}",
               f"-I{ROOT / 'examples'}", *(flags.group(1).split() if flags else []), *more, source.name, "-o", "program"]
    _, err, code = run_limited([str(word) for word in command], 120, cwd=folder)
    if code != 0:
        return {"status": "does not compile", "error": err[-500:]}
    out, err, code = run_limited([str(BUILD / "bin/heddle"), "check", "--json", "--only", "memory,race,init,sync", "./program"],
                                 LIMIT, cwd=folder)
    last = out.splitlines()[-1] if out else ""
    try:
        report = json.loads(last)
    except json.JSONDecodeError:
        return {"status": "no report", "error": (out + err)[-500:]}
    return {"status": "checked" if code is not None else "stopped", "findings": report["findings"],
            "program_exit_code": report["program_exit_code"]}


def check_mutant(mutant, cache):
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="heddle-mutant-") as folder:
        os.environ["HEDDLE_CACHE"] = cache
        record = {key: value for key, value in dataclasses.asdict(mutant).items() if key != "text"}
        record.update(check(mutant.program, mutant.text, pathlib.Path(folder)), as_written=False)
        if judge(record) == "missed":  # what the optimiser knows to be wrong it leaves out
            record.update(check(mutant.program, mutant.text, pathlib.Path(folder), "-G"), as_written=True)
    record.update(name=mutant.name, seconds=round(time.monotonic() - began, 2))
    return record


def key_of(mutant):
    """What names a mutant in equivalents.json and limits.json: it outlives changes elsewhere in the program."""
    get = mutant.get if isinstance(mutant, dict) else lambda name: getattr(mutant, name)
    return get("program"), get("kind"), get("was"), get("nth")


def judged(name):
    """The mutants of a file of judgements, with the reasons."""
    return {key_of(entry): entry["reason"] for entry in json.loads((HERE / name).read_text(encoding="utf-8"))}


def run(arguments):
    equivalent, limits = judged("equivalents.json"), judged("limits.json")
    mutants = [m for m in all_mutants([p for p in programs() if arguments.program in p], [arguments.kind] if arguments.kind else None)
               if key_of(m) not in equivalent]
    if arguments.sample:
        mutants = random.Random(arguments.seed).sample(mutants, min(arguments.sample, len(mutants)))
    cache = tempfile.mkdtemp(prefix="heddle-mutants-cache-")
    verdicts = collections.Counter()
    try:
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool, \
                open(arguments.results or os.devnull, "w", encoding="utf-8") as results:
            for record in pool.map(lambda m: check_mutant(m, cache), mutants):
                record["verdict"] = judge(record)
                if record["verdict"] == "missed" and key_of(record) in limits:
                    record["verdict"] = "known limit"
                verdicts[record["verdict"]] += 1
                results.write(json.dumps(record) + "\n")
                results.flush()
                if record["verdict"] in ("missed", "elsewhere"):
                    print(f"{record['verdict']}: {record['name']}: {record['was']}", flush=True)
    finally:
        shutil.rmtree(cache, ignore_errors=True)
    print(dict(verdicts))
    return 1 if verdicts["missed"] else 0


def baseline(arguments):
    candidates = sorted(path.relative_to(ROOT).with_suffix("") for folder in
                        ("tests/mutants/programs", "tests/conformance/kernels", "tests/conformance/language", "tests/conformance/async", "examples/*")
                        for path in ROOT.glob(f"{folder}/*.cu"))
    names = [str(name) for name in candidates if arguments.program in str(name)
             and any(True for _ in all_mutants([str(name)])) and len(path_of(name).read_text().splitlines()) < 130]
    cache = tempfile.mkdtemp(prefix="heddle-mutants-cache-")

    def one(name):
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="heddle-mutant-") as folder:
            os.environ["HEDDLE_CACHE"] = cache
            result = check(name, path_of(name).read_text(encoding="utf-8"), pathlib.Path(folder))
        return name, result, time.monotonic() - began
    try:
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for name, result, seconds in pool.map(one, names):
                good = result["status"] == "checked" and not result["findings"] and result["program_exit_code"] == 0
                why = result.get("error") or [(f["kind"], f["places"][:1]) for f in result.get("findings", [])][:2]
                print(f"{name}  # {seconds:.1f} s" if good else f"# {name}: {result['status']} {why}", flush=True)
    finally:
        shutil.rmtree(cache, ignore_errors=True)
    return 0


def table(arguments):
    equivalent = judged("equivalents.json")
    rows = {name: collections.Counter() for name in KINDS}
    used = set()
    for line in pathlib.Path(arguments.file).read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if key_of(record) not in equivalent:
            rows[record["kind"]][judge(record)] += 1
            used.add(record["program"])
    for mutant in all_mutants(programs()):
        rows[mutant.kind]["equivalent"] += key_of(mutant) in equivalent
    rows["all"] = sum(rows.values(), collections.Counter())
    print(f"{len(used)} programs\n\n| mutation | made | misbehaving | found at the line or its partner | found elsewhere | missed |\n|---|---|---|---|---|---|")
    for name, row in rows.items():
        misbehaving = row["found"] + row["elsewhere"] + row["missed"]
        print(f"| {name} | {misbehaving + row['equivalent']} | {misbehaving} | {row['found']} | {row['elsewhere']} | {row['missed']} |")
    print(dict(rows["all"]))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["run", "table", "baseline", "export"])
    parser.add_argument("file", nargs="?")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--program", default="")
    parser.add_argument("--results")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    if arguments.command == "export":
        from export import export
        return export(arguments.file, arguments.results, arguments.count)
    return {"run": run, "table": table, "baseline": baseline}[arguments.command](arguments)


if __name__ == "__main__":
    sys.exit(main())
