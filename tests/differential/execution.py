# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs generated programs, and says what each kernel did on each engine."""

import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

from generator.program import render_program

HERE = pathlib.Path(__file__).resolve().parent
BUILD_LIMIT = 900
RUN_LIMIT = 300  # a program's first run compiles for its engine

# Some kernels may run on the reference engine, whose results are right; but not those that a compiler
# has given up because it contradicts itself. HEDDLE_VERBOSE=1 tells.
GIVEN_UP = re.compile(r"^heddle: kernel (?:(v\d+)::)?(\w+)\(.*runs on the reference engine: "
                      r"(internal error.*)$", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Side:
    """One way to run kernels: an engine of one build of Heddle. one_cpu: all blocks on one CPU."""
    heddlecc: str
    engine: str
    one_cpu: bool = False
    title: str = ""

    def __str__(self):
        return self.title or self.engine + ("/1" if self.one_cpu else "")


class Broken(Exception):
    """The program does not compile."""


def run_limited(command, seconds, env, one_cpu=False):
    """Runs a command in a process group of its own; returns (exit code or None, out, err)."""
    def restrict():
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True,
                               preexec_fn=restrict if one_cpu else None)
    try:
        out, err = process.communicate(timeout=seconds)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        code = None
    return code, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


class Workshop:
    """A temporary folder with programs and with a cache of compiled kernels of its own."""

    def __init__(self, run_limit=RUN_LIMIT):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle-differential-"))
        self.run_limit = run_limit
        self.programs = 0
        self.built = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def environment(self, engine):
        return dict(os.environ, HEDDLE_ENGINE=engine, HEDDLE_CACHE=str(self.folder / "cache"),
                    HEDDLE_QUIET="1", HEDDLE_VERBOSE="1", CUDA_LAUNCH_BLOCKING="0")

    def build(self, text, heddlecc, options, engine):
        """The executable of a program; raises Broken."""
        key = (text, heddlecc, *options)
        if key in self.built:
            return self.built[key]
        self.programs += 1
        source = self.folder / f"program{self.programs}.cu"
        executable = source.with_suffix("")
        source.write_text(text, encoding="utf-8")
        command = compile_command(heddlecc, options, source, executable)
        code, out, err = run_limited(command, BUILD_LIMIT, self.environment(engine))
        if code != 0:
            raise Broken(f"{heddlecc} {'timed out' if code is None else 'failed'}:\n{out}{err}")
        self.built[key] = executable
        return executable

    def run_from(self, executable, side, first, *arguments):
        """Runs the kernels from `first` on; returns ({kernel: lines}, what ended it early or "")."""
        command = [str(executable), *arguments] + (["--from", first] if first else [])
        code, out, err = run_limited(command, self.run_limit, self.environment(side.engine),
                                     side.one_cpu)
        found = {}
        lines = out.splitlines()
        for line in lines:
            name, _, rest = line.partition(" ")
            if rest:
                found.setdefault(name, []).append(rest)
        for namespace, name, reason in GIVEN_UP.findall(err):
            if (namespace or name) in found:
                found[namespace or name] = [f"failed: {reason}"]
        if code == 0 and lines and lines[-1] == "end":
            return found, ""
        why = "no end" if code is None else f"exit code {code}"
        for name in [name for name, rest in found.items() if rest[-1].startswith("error ")]:
            why = found.pop(name)[-1]
        return found, f"{why}; {' '.join(err.split())[-300:]}"


def compile_command(heddlecc, options, source, executable):
    # Warnings: that a loop was not unrolled, that an expression is compared with itself …
    return [heddlecc, "-w", "-arch=sm_80", "-std=c++17", f"-I{HERE}", *options, str(source), "-o",
            str(executable)]


def run_side(workshop, side, kernels, options, apart):
    """What each kernel printed on one side. A kernel that ends its program has one line, `failed: …`;
    the others then run without it."""
    names = [f"v{i}" if apart else kernel.name for i, kernel in enumerate(kernels)]
    found, pending, executable = {}, list(names), None
    try:
        executable = workshop.build(render_program(kernels, apart=apart), side.heddlecc, options,
                                    side.engine)
    except Broken as broken:
        why = f"does not compile: {' '.join(str(broken).split())[-2000:]}"
    while pending:
        if executable:
            first = pending[0] if len(pending) < len(names) else None
            more, why = workshop.run_from(executable, side, first)
            found.update(more)
            pending = [name for name in names if name not in found]
            if why and not pending:
                found[names[-1]] = [f"failed: after the last kernel: {why}"]
            if not why or not pending:
                break
        if len(pending) == len(names) > 1:
            # Nothing works, perhaps because one kernel cannot be compiled.
            middle = len(kernels) // 2
            return run_side(workshop, side, kernels[:middle], options, apart) + \
                run_side(workshop, side, kernels[middle:], options, apart)
        found[pending.pop(0)] = [f"failed: {why}"]
    return [found.get(name, ["failed: did not run"]) for name in names]


def run_sides(workshop, sides, kernels, options, apart=False):
    """What each kernel did: a list of {side: lines}, in the order of the kernels."""
    by_side = {side: run_side(workshop, side, kernels, options, apart) for side in sides}
    return [{side: by_side[side][i] for side in sides} for i in range(len(kernels))]


def verdict(result):
    """What is wrong with a kernel's result on the sides, or None. The first side is the judge."""
    sides = list(result)
    first = result[sides[0]]
    if first[0].startswith("failed: "):
        return f"{sides[0]} {first[0]}"
    if first[0] != "inputs same":
        return f"{sides[0]}: the kernel wrote to its inputs"
    for side in sides[1:]:
        lines = result[side]
        if lines[0].startswith("failed: "):
            return f"{side} {lines[0]}"
        if lines != first:
            other = [line.split()[0] for line, want in zip(lines, first) if line != want]
            return f"{sides[0]} and {side} differ in {', '.join(other)}"
    return None


def kind_of(why):
    """What sort of thing is wrong, so that the reducer does not go from one bug to another."""
    if why is None:
        return None
    words = why.partition(";")[0]
    return "differ" if " differ in " in words else words
