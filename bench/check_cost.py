#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `heddle check` costs: the time that kernels take under it, against a plain run.

    bench/check_cost.py [--heddle build] [--size small] [--only memory,init] [--rounds 3] [workload ...]

Runs the CUDA program of each workload plainly and under the check, in turn, and prints the medians, their ratio and
the geometric mean of all ratios. Also the largest memory of both processes, and how much the check adds for each byte that
the program has touched: beyond what a program with an empty kernel has, plainly and under the check.
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
LIMIT = 300  # seconds that one run may take


EMPTY = """__global__ void empty(int *) {}
int main() { int *x; cudaMalloc(&x, 4); empty<<<1, 32>>>(x); cudaDeviceSynchronize(); cudaFree(x); }
"""


def run(command):
    """What the command prints, and its largest memory in MiB."""
    result = subprocess.run(["/usr/bin/env", "time", "-f", "memory %M", *command], capture_output=True, text=True,
                            timeout=LIMIT, check=False)
    told = [line for line in result.stderr.splitlines() if line.startswith("memory ")]
    return result, int(told[-1].split()[1]) / 1024 if told else math.nan


def measure(command):
    """Seconds that the program reports, and its largest memory in MiB."""
    result, memory = run(command)
    line = next((line for line in result.stdout.splitlines() if line.startswith('{"workload"')), None)
    if not line or json.loads(line)["error"]:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{result.stdout}{result.stderr}")
    if "--max-reports" in command and "nothing found" not in result.stderr:
        print(f"warning: findings in {command[-3]}:\n{result.stderr[:2000]}", file=sys.stderr)
    return json.loads(line)["median"], memory


def build(heddle, source, program):
    subprocess.run([heddle / "bin" / "heddlecc", "-O3", f"-I{HERE}", source, "-o", program], check=True)


def added(memory, base):
    """Memory that the check adds, as a multiple of what the program has touched; - where that is too little to tell."""
    touched = memory[0] - base[0]
    return f"{(memory[1] - base[1] - touched) / touched:>10.1f}" if touched >= 64 else f"{'-':>10}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", type=pathlib.Path, default=HERE.parent / "build")
    parser.add_argument("--size", default="full")
    parser.add_argument("--only", default="memory,init")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("workloads", nargs="*")
    options = parser.parse_args()
    names = options.workloads or sorted(path.parent.name for path in HERE.glob("workloads/*/cuda.cu"))
    ratios = []
    print(f"{os.cpu_count()} CPUs, {time.strftime('%Y-%m-%d')}, heddle check --only {options.only}, size {options.size}\n")
    print(f"{'workload':<20} {'plain, ms':>10} {'check, ms':>10} {'ratio':>7} {'MiB':>14} {'added':>10}")
    check = [options.heddle / "bin" / "heddle", "check", "--only", options.only, "--max-reports", "3"]
    with tempfile.TemporaryDirectory() as folder:
        empty = pathlib.Path(folder) / "empty"
        source = empty.with_suffix(".cu")
        source.write_text(EMPTY)
        build(options.heddle, source, empty)
        base = [run(command)[1] for command in ([empty], [*check, empty])]
        for name in names:
            program = pathlib.Path(folder) / name
            build(options.heddle, HERE / "workloads" / name / "cuda.cu", program)
            arguments = ["--size", options.size, "--seconds", "0.3", "--min-runs", "3"]
            runs = [(measure([program, *arguments]), measure([*check, program, "--", *arguments]))
                    for _ in range(options.rounds)]
            plain, checked = (statistics.median(run[i][0] for run in runs) for i in (0, 1))
            memory = [max(run[i][1] for run in runs) for i in (0, 1)]
            ratios.append(checked / plain)
            print(f"{name:<20} {plain * 1e3:>10.3f} {checked * 1e3:>10.3f} {checked / plain:>7.2f} "
                  f"{memory[0]:>6.0f} {memory[1]:>7.0f} {added(memory, base)}", flush=True)
    print(f"\ngeometric mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}, largest {max(ratios):.1f}")


if __name__ == "__main__":
    main()
