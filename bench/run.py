#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures Heddle's engines on real kernels, against what else a CPU could run.

Every folder of bench/workloads is a workload, with these programs:

    cuda.cu               run once with each engine of Heddle:  simd, reference
                          and by the SIMD engine under heddle profile:  profile
    omp.cpp               the same algorithm as a good programmer writes it in C++ with OpenMP:  omp
    best.cpp              the same task by whatever is fastest on a CPU:  omp-best
    opencl.cpp, kernel.cl the same kernel in OpenCL, run by PoCL:  pocl

They are measured in rounds, candidate and peer in turn (simd, omp, simd, omp-best, simd, pocl), so
that what happens to the machine meanwhile happens to both. Before and after each program the FMA rate
of one and of all threads is measured; if the threads disturb each other the program runs again, and a
round in which that does not help does not count. Processors are kept from falling asleep meanwhile
(`machine awake`): a virtual one may wake up beside another one, on the same core.
Times are medians over rounds of the medians that programs report; ratios are medians over rounds of
peer's time / candidate's time, so more than 1 means that the candidate is faster.

A run of everything writes bench/results/DATE-MACHINE.md and .json; one with names, --engines or
--quick only prints its table.
"""
import argparse
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import table  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ENGINES = ["simd", "reference"]
PEERS = ["omp", "omp-best", "pocl"]
TOOLS = ["profile"]  # of Heddle
PROGRAMS = {"simd": "cuda", "reference": "cuda", "profile": "cuda", "omp": "omp", "omp-best": "best", "pocl": "opencl"}
LIBRARIES = {"best": "-ltbb", "opencl": "-lOpenCL"}
# The rate of all threads, in multiples of one thread's, from which a round counts, for each thread.
UNDISTURBED = 0.925
RUN_LIMIT = 90  # seconds that one program may take
FULL_ROUNDS = 660  # seconds since the start after which the remaining workloads get one round instead of three

NINJA = """
rule cpp
  command = rm -f $out && clang++-19 -O3 -march=native -fopenmp -std=c++20 -Wall -Wextra -Werror $
    -Wno-invalid-feature-combination -MMD -MF $out.d -I{bench} -DKERNEL_FILE=\\"$kernel\\" $in -o $out $libraries
  depfile = $out.d
  description = $out
rule cuda
  command = rm -f $out && {heddle}/bin/heddlecc -O3 -MMD -MF $out.d -I{bench} $in -o $out
  depfile = $out.d
  description = $out
"""


def workloads():
    folders = [path.parent for path in HERE.glob("workloads/*/cuda.cu")]
    return {folder.name: folder for folder in sorted(folders, key=lambda f: table.order(f.name))}


class Programs:
    """Builds the programs, and runs one for a measurement."""

    def __init__(self, heddle, folder, size):
        self.heddle, self.folder, self.size = heddle, folder, size

    def build(self, chosen, columns):
        """Builds what the columns need. Returns the output of the compilers if one failed."""
        self.folder.mkdir(parents=True, exist_ok=True)
        lines = [NINJA.format(bench=HERE, heddle=self.heddle),
                 f"build machine: cpp {HERE}/common/machine.cpp",
                 f"build engine: cuda {HERE}/common/engine.cu | {self.heddle}/bin/heddlecc"]
        for name, source in chosen.items():
            for program in sorted({PROGRAMS[column] for column in columns}):
                out = f"{name}.{program}"
                if not (source / f"{program}.{'cu' if program == 'cuda' else 'cpp'}").exists():
                    continue
                if program == "cuda":
                    lines.append(f"build {out}: cuda {source}/cuda.cu | {self.heddle}/bin/heddlecc "
                                 f"{self.heddle}/lib/heddle/devicelib.bc")
                    continue
                lines.append(f"build {out}: cpp {source}/{program}.cpp")
                lines.append(f"  kernel = {source}/kernel.cl")
                lines.append(f"  libraries = {LIBRARIES.get(program, '')}")
        (self.folder / "build.ninja").write_text("\n".join(lines) + "\n")
        ninja = ["ninja", "-C", str(self.folder), "-k", "0", "-j", str(os.cpu_count()), "--quiet"]
        done = subprocess.run(ninja, capture_output=True, text=True, check=False)
        return "" if done.returncode == 0 else done.stdout + done.stderr

    def machine(self, what):
        program = self.folder / "machine"
        return json.loads(subprocess.run([program, what], check=True, capture_output=True, text=True).stdout)

    def exists(self, column):
        """Whether this Heddle has that engine; peers always exist."""
        if column not in ENGINES:
            return True
        done = subprocess.run([self.folder / "engine"], env=os.environ | {"HEDDLE_ENGINE": column},
                              check=False, capture_output=True, text=True)
        if done.returncode and "there is no such engine" not in done.stderr:
            print(done.stderr, end="", file=sys.stderr)
            return True  # and the workloads will say what is wrong with it
        return done.returncode == 0

    def run(self, workload, column, *options):
        """What the program reports, or {"error": ...} if it fails."""
        program = self.folder / f"{workload}.{PROGRAMS[column]}"
        if not program.exists():
            return {"error": "does not build"}
        env = dict(os.environ)
        if column in ENGINES:
            env["HEDDLE_ENGINE"] = column
        command = [self.heddle / "bin" / "heddle", column, program, "--"] if column in TOOLS else [program]
        try:
            done = subprocess.run([*command, "--size", self.size, *options], env=env, check=False,
                                  capture_output=True, text=True, timeout=RUN_LIMIT)
        except subprocess.TimeoutExpired:
            return {"error": f"took more than {RUN_LIMIT} s"}
        lines = done.stdout.splitlines()
        if done.returncode not in (0, 1) or not lines:
            return {"error": done.stderr.strip()[-500:] or f"ended with {done.returncode}"}
        return json.loads(lines[-1])


@contextlib.contextmanager
def awake(programs):
    """Keeps the processors from falling asleep as long as its body runs."""
    with subprocess.Popen([programs.folder / "machine", "awake"], stdin=subprocess.PIPE) as spinners:
        try:
            yield
        finally:
            spinners.stdin.close()  # which ends it; so does the end of this process


class Measurement:
    """The rounds of all workloads."""

    def __init__(self, programs, columns, settings, start):
        self.programs, self.settings = programs, settings
        self.columns = [column for column in columns if programs.exists(column)]
        self.hurry = start + FULL_ROUNDS
        self.patience = settings.patience  # seconds left for waiting until the machine is undisturbed
        self.fma, self.bandwidth, self.latency = [], [], []

    def undisturbed(self):
        """Measures the FMA rates: whether all threads together reach what one does, times their number."""
        rates = self.programs.machine("fma")
        good = rates["all"] >= UNDISTURBED * rates["threads"] * rates["one"]
        self.fma.append(rates | {"good": good})
        return good

    def run(self, workload, column, *options):
        """Runs a program, again if the threads disturbed each other before or after, as long as there is
        patience. Returns whether they did not, and the report."""
        while True:
            before = self.fma[-1]["good"] if self.fma else self.undisturbed()
            while not before and self.patience > 0:
                self.patience -= 1
                time.sleep(1)
                before = self.undisturbed()
            report = self.programs.run(workload, column, *options)
            good = self.undisturbed() and before
            if good or report["error"] or self.patience <= 0:
                return good, report

    def round(self, workload, first):
        """One round: whether it counts, and what was run, in order, as (column, report). The first one
        checks the results."""
        runs, goods = [], []

        def run(column, *options):
            before = [report for name, report in runs if name == column]
            if before and before[0]["error"]:
                return
            check = [] if first and not before else ["--no-check"]
            good, report = self.run(workload, column, *options, *check)
            goods.append(good)
            runs.append((column, report))

        seconds = ["--seconds", str(self.settings.seconds)]
        peers = [peer for peer in PEERS if peer in self.columns]
        for peer in peers or [None]:
            if "simd" in self.columns:
                run("simd", *seconds)
            if peer:
                run(peer, *seconds)
        if first and "reference" in self.columns:  # too slow for more than a look
            run("reference", "--seconds", "0.01", "--min-runs", "1")
        for tool in TOOLS:
            if first and tool in self.columns:
                run(tool, "--seconds", "0.1", "--min-runs", "3")
        return {"good": all(goods), "runs": runs}

    def workload(self, name):
        rounds = []
        while not rounds or (len(rounds) < self.settings.rounds and time.time() < self.hurry):
            if name in table.BANDWIDTH or not self.bandwidth:
                self.bandwidth.append(self.programs.machine("bandwidth"))
                self.latency.append(self.programs.machine("latency"))
            rounds.append(self.round(name, not rounds) | {"bandwidth": self.bandwidth[-1]})
        return rounds


def arguments():
    parser = argparse.ArgumentParser(prog="dev bench", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", type=pathlib.Path, default=HERE.parent / "build",
                        help="Heddle's build folder (./dev gives it)")
    parser.add_argument("--folder", type=pathlib.Path, help="where programs are built")
    parser.add_argument("--engines", default=",".join([*ENGINES, *PEERS, *TOOLS]),
                        help="columns of the table, of: %(default)s")
    parser.add_argument("--size", choices=["full", "small"], default="full",
                        help="small: tiny problems, to see that everything works")
    parser.add_argument("--quick", action="store_true", help="one short round")
    parser.add_argument("--list", action="store_true", help="only print the names of the workloads")
    parser.add_argument("names", nargs="*", metavar="NAME", help="workloads (default: all)")
    given = parser.parse_args()
    given.columns = given.engines.split(",")
    for column in given.columns:
        if column not in ENGINES + PEERS + TOOLS:
            parser.error(f"--engines: there is no {column}; known: {', '.join(ENGINES + PEERS + TOOLS)}")
    known = workloads()
    for name in given.names:
        if name not in known:
            parser.error(f"there is no workload {name}; known: {', '.join(known)}")
    given.chosen = {name: known[name] for name in given.names or known}
    given.rounds, given.seconds, given.patience = (1, 0.1, 5) if given.quick else (3, 0.25, 240)
    given.everything = not (given.names or given.quick or given.size == "small" or
                            len(given.columns) < len(ENGINES + PEERS + TOOLS))
    return given


def main():
    given = arguments()
    if given.list:
        print("\n".join(given.chosen))
        return 0
    heddle = given.heddle.resolve()
    programs = Programs(heddle, (given.folder or heddle / "bench").resolve(), given.size)
    start = time.time()
    print(f"Building {len(given.chosen)} workloads in {programs.folder}", file=sys.stderr)
    failed = programs.build(given.chosen, given.columns)
    print(failed, end="", file=sys.stderr)
    if not (programs.folder / "machine").exists():
        return 1

    measurement = Measurement(programs, given.columns, given, start)
    rounds = {}
    with awake(programs):
        for name in given.chosen:
            print(f"Measuring {name}", file=sys.stderr)
            rounds[name] = measurement.workload(name)
    result = {"date": time.strftime("%Y-%m-%d"), "seconds": round(time.time() - start),
              "machine": table.machine(), "versions": table.versions(), "size": given.size, "columns": given.columns,
              "fma": measurement.fma, "bandwidth": measurement.bandwidth, "latency": measurement.latency,
              "workloads": rounds}
    text = table.render(result)
    print(text)
    if given.everything:
        path = HERE / "results" / f"{result['date']}-{table.slug(result['machine'])}"
        path.parent.mkdir(exist_ok=True)
        path.with_suffix(".md").write_text(text + "\n")
        path.with_suffix(".json").write_text(json.dumps(result, indent=1) + "\n")
        print(f"Written to {path}.md and .json", file=sys.stderr)
    return 1 if failed or table.failures(result) else 0


if __name__ == "__main__":
    sys.exit(main())
