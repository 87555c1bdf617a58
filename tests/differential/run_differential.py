#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random CUDA kernels on several engines, whose outputs must be equal to the last bit.

Usage:
    run_differential.py --heddlecc build/bin/heddlecc --engines reference simd --seed 1 --count 1000
    run_differential.py --heddlecc build/bin/heddlecc --forever
    run_differential.py --heddlecc build/bin/heddlecc --seed 1 --first 17 --count 1

The first engine is the judge of the others. `reference/1` is the reference engine on one CPU. A kernel
that differs is reduced to a small program, which goes into the folder that --keep names. Kernel 17 of
seed 1 is the same kernel in every run; --print shows it.

The programs are free of races and of what CUDA leaves undefined, except for what docs/compatibility.md
defines (division by zero, wide shifts, conversions); where a NaN's bits could show, they do not.
"""

import argparse
import concurrent.futures
import itertools
import os
import pathlib
import shutil
import sys
import time

from execution import HERE, Side, Workshop, compile_command, kind_of, run_sides, verdict
from generator.kernel import Kernel
from generator.program import PER_FILE, options_of, render_program
from reduction import nodes, reduce_kernel

REDUCTION_RUN_LIMIT = 60


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddlecc", help="the compiler of the Heddle to test")
    parser.add_argument("--engines", nargs="+", default=["reference", "simd"])
    parser.add_argument("--judge", metavar="HEDDLECC",
                        help="compare with the reference engine of this other build, too")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first kernel")
    parser.add_argument("--count", type=int, default=PER_FILE, help="how many kernels")
    parser.add_argument("--forever", action="store_true", help="go on with the following seeds")
    parser.add_argument("--failures", type=int, default=3, help="stop after so many kernels differ")
    parser.add_argument("--jobs", "-j", type=int, default=1)
    parser.add_argument("--options", help="compiler options, in place of the generator's choice")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("differential-failures"),
                        help="the folder for kernels that differ")
    parser.add_argument("--reduce-seconds", type=int, default=240,
                        help="CPU time to make a kernel smaller; 0 keeps it as it is")
    parser.add_argument("--print", action="store_true", help="only print the kernels' program")
    options = parser.parse_args()
    if not options.print and not options.heddlecc:
        parser.error("say --heddlecc")
    if options.count < 1:
        parser.error("--count must be at least 1")
    for name in ("heddlecc", "judge"):
        if getattr(options, name) and "/" in getattr(options, name):
            setattr(options, name, str(pathlib.Path(getattr(options, name)).resolve()))
    return options


def sides_of(options):
    sides = [Side(options.judge, "reference", title="judge")] if options.judge else []
    for name in options.engines:
        engine, _, cpus = name.partition("/")
        sides.append(Side(options.heddlecc, engine, cpus == "1"))
    return sides


def compiler_options(options, seed, index):
    return options.options.split() if options.options is not None else options_of(seed, index)


def files(options):
    """(seed, first kernel, number of kernels) of one program after the other."""
    for seed in itertools.count(options.seed) if options.forever else (options.seed,):
        start, stop = options.first, options.first + options.count
        while start < stop:
            end = min(stop, (start // PER_FILE + 1) * PER_FILE)
            yield seed, start, end - start
            start = end


def check_file(options, sides, place):
    """Runs the kernels of one program; returns a list of (kernel, what is wrong)."""
    seed, first, count = place
    kernels = [Kernel(seed, index) for index in range(first, first + count)]
    with Workshop() as workshop:
        results = run_sides(workshop, sides, kernels, compiler_options(options, seed, first))
    return [(kernel, verdict(result)) for kernel, result in zip(kernels, results)
            if verdict(result)]


def explain(options, sides, kernel, why):
    """Reduces a kernel, writes it to the folder for failures and says where it is."""
    flags = compiler_options(options, kernel.seed, kernel.index)
    folder = options.keep / f"seed{kernel.seed}-kernel{kernel.index}"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "differential.h", folder)
    (folder / "whole.cu").write_text(render_program([kernel], why), encoding="utf-8")
    print(f"DIFFERS seed {kernel.seed} kernel {kernel.index}: {why}\n"
          f"  the kernel: {folder / 'whole.cu'}", flush=True)
    with Workshop(REDUCTION_RUN_LIMIT) as workshop:
        def interesting(variants):
            return [kind_of(verdict(result)) == kind_of(why) for result in
                    run_sides(workshop, sides, variants, flags, apart=True)]

        if not interesting([kernel])[0]:
            print("  it does not differ alone: run it together with the kernels of its file "
                  f"(--first {kernel.index // PER_FILE * PER_FILE} --count {PER_FILE})", flush=True)
            return
        if options.reduce_seconds:
            kernel = reduce_kernel(kernel, interesting, options.reduce_seconds)
        why = verdict(run_sides(workshop, sides, [kernel], flags)[0]) or why
        command = " ".join(compile_command("heddlecc", flags, "reduced.cu", "reduced"))
        command = command.replace(f" -I{HERE}", "")
        comment = f"{why}\n\n{command} && HEDDLE_ENGINE={sides[-1].engine} ./reduced --dump\n\n" + \
            "\n".join(first_differences(workshop, sides, kernel, flags))
        (folder / "reduced.cu").write_text(render_program([kernel], comment), encoding="utf-8")
    print(f"  reduced:    {folder / 'reduced.cu'} ({sum(1 for _ in nodes(kernel))} nodes)\n  "
          + comment.replace("\n", "\n  "), flush=True)


def first_differences(workshop, sides, kernel, flags, most=6):
    """Elements that are not equal on the first and the last side."""
    dumps = []
    for side in (sides[0], sides[-1]):
        executable = workshop.build(render_program([kernel]), side.heddlecc, flags, side.engine)
        dumps.append(workshop.run_from(executable, side, None, "--dump")[0].get(kernel.name, []))
    pairs = [(a, b) for a, b in zip(*dumps) if a != b and "[" in a]
    return [f"{a}, but {b.split()[-1]}" for a, b in pairs[:most]] + \
        ([f"… and {len(pairs) - most} more elements"] if len(pairs) > most else [])


def check_all(options, sides):
    started, failures, checked = time.monotonic(), 0, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        places = files(options)
        running = {pool.submit(check_file, options, sides, p): p
                   for p in itertools.islice(places, options.jobs)}
        while running:
            done, _ = concurrent.futures.wait(running,
                                              return_when=concurrent.futures.FIRST_COMPLETED)
            for task in done:
                seed, first, count = running.pop(task)
                wrong = task.result()
                checked += count
                print(f"seed {seed} kernels {first} to {first + count - 1}: "
                      f"{f'{len(wrong)} DIFFER' if wrong else 'equal'} "
                      f"({time.monotonic() - started:.0f} s)", flush=True)
                for kernel, why in wrong:
                    failures += 1
                    if failures <= options.failures:
                        explain(options, sides, kernel, why)
            if failures < options.failures:
                for place in itertools.islice(places, options.jobs - len(running)):
                    running[pool.submit(check_file, options, sides, place)] = place
    print(f"{checked} kernels on {', '.join(map(str, sides))}: "
          + (f"{failures} differ" if failures else "no differences"))
    return 1 if failures else 0


def main():
    options = parse_options()
    if options.print:
        kernels = [Kernel(options.seed, options.first + i) for i in range(options.count)]
        print(render_program(kernels), end="")
        return 0
    return check_all(options, sides_of(options))


if __name__ == "__main__":
    os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")
    sys.exit(main())
