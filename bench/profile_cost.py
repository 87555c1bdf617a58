#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `heddle profile` costs: the time that kernels take under it, against a plain run.

    bench/profile_cost.py [--heddle build] [--size small] [--rounds 3] [--option OPTION ...] [workload ...]

Runs the CUDA program of each workload plainly and under the profiler, in turn, and prints the fastest runs, their ratio
and the geometric mean of all ratios.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 600  # seconds that one run may take


def measure(command):
    """Seconds that the program reports: of its fastest run, as the machine may have other work."""
    result = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    line = next((line for line in result.stdout.splitlines() if line.startswith('{"workload"')), None)
    if not line or json.loads(line)["error"]:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{result.stdout}{result.stderr}")
    return json.loads(line)["min"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", type=pathlib.Path, default=HERE.parent / "build")
    parser.add_argument("--size", default="full")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--option", action="append", default=[], help="of heddle profile")
    parser.add_argument("workloads", nargs="*")
    options = parser.parse_args()
    names = options.workloads or sorted(path.parent.name for path in HERE.glob("workloads/*/cuda.cu"))
    ratios = []
    print(f"{os.cpu_count()} CPUs, {time.strftime('%Y-%m-%d')}, heddle profile {' '.join(options.option)}, "
          f"size {options.size}\n\n{'workload':<20} {'plain, ms':>10} {'profile, ms':>11} {'ratio':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            program = pathlib.Path(folder) / name
            subprocess.run([options.heddle / "bin" / "heddlecc", "-O3", f"-I{HERE}", HERE / "workloads" / name / "cuda.cu",
                            "-o", program], check=True)
            arguments = ["--size", options.size, "--seconds", "0.3", "--min-runs", "3"]
            profile = [options.heddle / "bin" / "heddle", "profile", *options.option, program, "--"]
            runs = [(measure([program, *arguments]), measure([*profile, *arguments])) for _ in range(options.rounds)]
            plain, profiled = (statistics.median(run[i] for run in runs) for i in (0, 1))
            ratios.append(profiled / plain)
            print(f"{name:<20} {plain * 1e3:>10.3f} {profiled * 1e3:>11.3f} {profiled / plain:>7.2f}", flush=True)
    print(f"\ngeometric mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}, largest {max(ratios):.1f}")


if __name__ == "__main__":
    main()
