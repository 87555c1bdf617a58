#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what heddlecc costs, in seconds of CPU time a file.

Usage: bench/compile_times.py [--build FOLDER] [--runs N] [FILE.cu [OPTIONS...]]

Compiles the files of bench/compile, or FILE with OPTIONS, N times (3) each, and prints the minimum: `ahead` with all kernels
(HEDDLE_LAZY=0), `by default`, and `front` without any (HEDDLE_LAZY=1). Each run has a cache of its own with nothing in it but the
precompiled preludes.
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def cpu_seconds(command, environment, folder):
    """The CPU time of the command and its children, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measure(compiler, options, lazy, runs, folder):
    environment = {**os.environ, "HEDDLE_CACHE": str(folder / "cache")}
    environment.pop("HEDDLE_LAZY", None)
    if lazy is not None:
        environment["HEDDLE_LAZY"] = lazy
    best = None
    for run in range(runs + 1):  # the first one makes the preludes
        seconds = cpu_seconds([compiler, "-c", *options, "-o", "out.o"], environment, folder)
        if run:
            best = seconds if best is None else min(best, seconds)
        for entry in (folder / "cache").iterdir():
            if entry.name != "preludes":
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("words", nargs=argparse.REMAINDER, metavar="FILE.cu OPTIONS")
    arguments = parser.parse_args()
    compiler = str(arguments.build.resolve() / "bin" / "heddlecc")
    files = sorted((ROOT / "bench" / "compile").glob("*.cu"))
    jobs = [[str(file), "-O3"] for file in files]
    if arguments.words:
        jobs = [[str(pathlib.Path(arguments.words[0]).resolve()), *arguments.words[1:]]]
    print(f"{'CPU s':24}{'ahead':>10}{'default':>10}{'front':>10}")
    for options in jobs:
        with tempfile.TemporaryDirectory() as name:
            values = [measure(compiler, options, lazy, arguments.runs, pathlib.Path(name)) for lazy in ("0", None, "1")]
        print(f"{pathlib.Path(options[0]).name:24}" + "".join(f"{value:10.2f}" for value in values), flush=True)


if __name__ == "__main__":
    main()
