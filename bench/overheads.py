#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what Heddle itself costs: empty threads, launches, the start of a program.

Usage: bench/overheads.py [BUILD_FOLDER]

Prints the median of seven runs with the machine's name; the goals are those of the reference engine.
The engines' speed on real kernels is measured elsewhere.
"""
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 7
GOALS = {"empty threads, M/s": ">= 10", "graph replay, times as fast": ">= 3", "start of a compiled hello-world, ms": "< 100",
         "launch of one warp from a kernel, us": "<= 3"}
HELLO = """#include <cstdio>
__global__ void hello() { printf("hello\\n"); }
int main() { hello<<<1, 1>>>(); return cudaDeviceSynchronize(); }
"""


def cpu_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    build = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else root / "build"
    compiler = build / "bin" / "heddlecc"
    values = {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "hello.cu").write_text(HELLO)
        for source in (root / "bench" / "overheads.cu", folder / "hello.cu"):
            subprocess.run([compiler, "-O2", source, "-o", folder / source.stem], check=True)
        for _ in range(RUNS):
            output = subprocess.run([folder / "overheads"], check=True, capture_output=True, text=True).stdout
            for name, value in re.findall(r"^(.+): ([0-9.]+)$", output, re.M):
                values.setdefault(name, []).append(float(value))
            start = time.perf_counter()
            subprocess.run([folder / "hello"], check=True, capture_output=True)
            values.setdefault("start of a compiled hello-world, ms", []).append(
                (time.perf_counter() - start) * 1e3)
    print(f"{cpu_name()}, {os.cpu_count()} CPUs, {time.strftime('%Y-%m-%d')}, median of {RUNS}")
    for name, runs in values.items():
        goal = f"   goal {GOALS[name]}" if name in GOALS else ""
        print(f"{name:<40} {statistics.median(runs):>8.2f}{goal}")


if __name__ == "__main__":
    main()
