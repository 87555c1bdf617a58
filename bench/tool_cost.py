#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a tool of Heddle's costs: the time that kernels take under it, against a plain run.

    bench/tool_cost.py check|profile [--heddle build] [--size small] [--rounds 3] [--options=OPTIONS] [workload ...]

Runs the CUDA program of each workload plainly and under the tool, in turn, and prints the medians over the rounds of
each run's fastest repetition (the machine may have other work), their ratio and the geometric mean of all ratios. Also the
largest memory of both processes, and how much the tool adds for each byte that the program has touched: beyond what a
program with an empty kernel has, plainly and under the tool. OPTIONS are the tool's own: --options="--only memory,init".
"""
import argparse
import json
import math
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 600  # seconds that one run may take


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
    """Seconds of the fastest repetition, and the process's largest memory in MiB."""
    result, memory = run(command)
    line = next((line for line in result.stdout.splitlines() if line.startswith('{"workload"')), None)
    if not line or json.loads(line)["error"]:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{result.stdout}{result.stderr}")
    if "--max-reports" in command and "nothing found" not in result.stderr:
        print(f"warning: findings in {command[command.index('--') - 1]}:\n{result.stderr[:2000]}", file=sys.stderr)
    return json.loads(line)["min"], memory


def build(heddle, source, program):
    subprocess.run([heddle / "bin" / "heddlecc", "-O3", f"-I{HERE}", source, "-o", program], check=True)


def added(memory, base):
    """Memory that the tool adds, as a multiple of what the program has touched; - where that is too little to tell."""
    touched = memory[0] - base[0]
    return f"{(memory[1] - base[1] - touched) / touched:>10.1f}" if touched >= 24 else f"{'-':>10}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", choices=["check", "profile"])
    parser.add_argument("--heddle", type=pathlib.Path, default=HERE.parent / "build")
    parser.add_argument("--size", default="full")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--options", default="", type=shlex.split, help="of the tool")
    parser.add_argument("workloads", nargs="*")
    options = parser.parse_intermixed_args()  # workloads may follow options
    names = options.workloads or sorted(path.parent.name for path in HERE.glob("workloads/*/cuda.cu"))
    ratios = []
    print(f"{os.cpu_count()} CPUs, {time.strftime('%Y-%m-%d')}, "
          f"{shlex.join(['heddle', options.tool, *options.options])}, size {options.size}\n")
    print(f"{'workload':<20} {'plain, ms':>10} {options.tool + ', ms':>11} {'ratio':>7} {'MiB':>14} {'added':>10}")
    tool = [options.heddle / "bin" / "heddle", options.tool, *options.options]
    if options.tool == "check":
        tool += ["--max-reports", "3"]
    with tempfile.TemporaryDirectory() as folder:
        empty = pathlib.Path(folder) / "empty"
        source = empty.with_suffix(".cu")
        source.write_text(EMPTY)
        build(options.heddle, source, empty)
        base = [run(command)[1] for command in ([empty], [*tool, empty])]
        for name in names:
            program = pathlib.Path(folder) / name
            build(options.heddle, HERE / "workloads" / name / "cuda.cu", program)
            arguments = ["--size", options.size, "--seconds", "0.3", "--min-runs", "3"]
            runs = [(measure([program, *arguments]), measure([*tool, program, "--", *arguments]))
                    for _ in range(options.rounds)]
            plain, under = (statistics.median(run[i][0] for run in runs) for i in (0, 1))
            memory = [max(run[i][1] for run in runs) for i in (0, 1)]
            ratios.append(under / plain)
            print(f"{name:<20} {plain * 1e3:>10.3f} {under * 1e3:>11.3f} {under / plain:>7.2f} "
                  f"{memory[0]:>6.0f} {memory[1]:>7.0f} {added(memory, base)}", flush=True)
    print(f"\ngeometric mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}, largest {max(ratios):.1f}")


if __name__ == "__main__":
    main()
