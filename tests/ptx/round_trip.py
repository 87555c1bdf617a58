#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs conformance programs whose device code has gone through PTX text (through_ptx.py).

    tests/ptx/round_trip.py --heddlecc build/bin/heddlecc [--engines simd] [--every 20] [files]

Programs that cannot go that way are skipped with a reason; the list of those that are known to differ,
and why, is in round_trip_known.txt: "program  reason". --every N takes one program in N only, by its name.
"""
import argparse
import concurrent.futures
import os
import pathlib
import sys
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "conformance"))
import run_conformance  # noqa: E402  pylint: disable=wrong-import-position

SKIPPED = 86


def known_differences():
    lines = (HERE / "round_trip_known.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split(None, 1) for line in lines if line and not line.startswith("#"))


def is_chosen(file, every):
    """By name, so that a new program changes nothing for others."""
    return zlib.crc32(f"{file.parent.name}.{file.stem}".encode()) % every == 0


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--heddlecc", required=True)
    parser.add_argument("--engines", nargs="+", default=["reference", "simd"])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", "-j", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


def main():
    options = parse_options()
    os.environ["HEDDLECC"] = str(pathlib.Path(options.heddlecc).resolve())
    folder = run_conformance.HERE
    files = [f.resolve() for f in options.files] or [
        f for f in sorted(folder.glob("*/*.cu")) if is_chosen(f, options.every)]
    runner = run_conformance.Runner(argparse.Namespace(
        repeat=1, nvcc=None, heddlecc=str(HERE / "through_ptx.py"), engines=options.engines, flags=[],
        jobs=options.jobs, build_folder=None, build_only=False, run_only=False))
    known, entries = known_differences(), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for task in concurrent.futures.as_completed([pool.submit(runner.run, f) for f in files]):
            entry = task.result()
            if entry["result"] == "build failed" and entry["exit"] == SKIPPED:
                lines = [l for l in entry["output"].splitlines() if l.startswith("skipped: ")]
                entry.update(result="skip", why=(lines or ["skipped: "])[-1][len("skipped: "):])
            elif entry["result"] != "pass" and entry["program"] in known:
                entry.update(result="skip", why="known: " + known[entry["program"]])
            entries.append(entry)
            run_conformance.print_entry(entry, sys.stdout)
    print(run_conformance.count_results(entries))
    return 0 if entries and all(e["result"] in ("pass", "skip") for e in entries) else 1


if __name__ == "__main__":
    sys.exit(main())
