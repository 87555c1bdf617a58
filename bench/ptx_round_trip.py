#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast kernels run whose code has gone through PTX text, beside the same kernels without.

    bench/ptx_round_trip.py [--heddle build] [--rounds 3] [workload ...]

Each workload's CUDA program is built twice, by heddlecc and by tests/ptx/through_ptx.py (Clang's PTX, read
back), and both run in turn, with a cache of their own, so that kernels are compiled for the blocks they get
in both. Prints the best times and direct/PTX: 1 is as fast, less is slower through PTX.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
THROUGH_PTX = HERE.parent / "tests" / "ptx" / "through_ptx.py"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="*")
    parser.add_argument("--heddle", type=pathlib.Path, default=HERE.parent / "build")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", default="0.3")
    parser.add_argument("--rolled", action="store_true", help="Clang leaves loops as they are in the PTX")
    return parser.parse_args()


def build(compiler, source, program, heddlecc, rolled):
    command = [str(compiler), "-O3", f"-I{HERE}", str(source / "cuda.cu"), "-o", str(program)]
    result = subprocess.run(command, capture_output=True, text=True, check=False,
                            env={**os.environ, "HEDDLECC": str(heddlecc),
                                 "THROUGH_PTX_CC1": "-fno-unroll-loops" if rolled else ""})
    return "" if result.returncode == 0 else (result.stdout + result.stderr).strip()[-300:]


def seconds_of(program, options):
    environment = {**os.environ, "HEDDLE_ENGINE": "simd", "HEDDLE_CACHE": str(program) + ".cache"}
    result = subprocess.run([str(program), "--seconds", options.seconds], capture_output=True,
                            text=True, check=False, env=environment)
    if result.returncode != 0:
        raise RuntimeError((result.stdout + result.stderr).strip()[-300:])
    line = json.loads(result.stdout.strip().splitlines()[-1])
    return line.get("min", line.get("median", line.get("seconds")))


def compare(name, options, folder):
    """(direct, through PTX) in seconds, or why not."""
    heddlecc = (options.heddle / "bin" / "heddlecc").resolve()
    programs = [folder / f"{name}.direct", folder / f"{name}.ptx"]
    for compiler, program in zip((heddlecc, THROUGH_PTX), programs):
        if why := build(compiler, HERE / "workloads" / name, program, heddlecc, options.rolled):
            return why
    best = [math.inf, math.inf]
    for _ in range(options.rounds):
        for i, program in enumerate(programs):
            try:
                best[i] = min(best[i], seconds_of(program, options))
            except RuntimeError as why:
                return f"{program.suffix}: {why}"
    return best


def main():
    options = arguments()
    names = options.workloads or sorted(path.parent.name
                                        for path in (HERE / "workloads").glob("*/cuda.cu"))
    ratios, good = [], True
    print("| workload | direct ms | PTX ms | direct/PTX |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            result = compare(name, options, pathlib.Path(folder))
            if isinstance(result, str):
                print(f"| {name} | {result.splitlines()[-1] if result else 'failed'} | | |", flush=True)
                good = False
                continue
            ratios.append(result[0] / result[1])
            print(f"| {name} | {result[0] * 1e3:.3f} | {result[1] * 1e3:.3f} | {ratios[-1]:.2f} |",
                  flush=True)
    if ratios:
        print(f"geometric mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}, "
              f"least {min(ratios):.2f}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
