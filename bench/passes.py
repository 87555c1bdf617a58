#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each optional pass and kind of access is good for, on kernels that none was written for.

    bench/passes.py [--heddle build] [--rounds 5] [--only columns,table] [--fires] [--workloads]

bench/passes/*.cu hold small kernels; "// of: NAMES" above a kernel says whose domain it is in. Each is compiled, for the
blocks that are launched, with all passes and without each (HEDDLE_SIMD_SKIP). Where that changes a kernel's code, the pass
*fires*; one that fires in no kernel of its domain is too narrow. These kernels then run with and without it in turn, with
one worker (for atomics, set HEDDLE_WORKERS=2, too). The ratio is that of the least CPU times over all rounds, since other
work on the machine only adds to them: 1.2 means that the kernel takes 1.2 times as long without the pass.
* marks kernels of other domains.

With --workloads, the kernels are those of bench/workloads, at full size and on all cores: times, not CPU times.
"""
import argparse
import functools
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = sorted((HERE / "passes").glob("*.cu"))


def domains():
    """For each kernel, the names that the comment above it gives."""
    result = {}
    for source in SOURCES:
        for names, kernel in re.findall(r"// of: (.*)\n__global__ void (\w+)", source.read_text()):
            result[kernel] = names.split()
    return result


def optional_names(heddle):
    """The optional passes, in order, and the optional kinds of accesses; and which of them are passes of the target's."""
    listed = subprocess.run([heddle / "bin" / "heddle-opt", "--list-passes", "--list-accesses"], capture_output=True,
                            text=True, check=True).stdout
    pattern = re.compile(r"^([\w-]+) \(.*optional\)$", re.M)
    updates = (HERE.parent / "src/engine/compiler/simd/widen/kinds/access_kinds.h").read_text()
    names = pattern.findall(listed) + re.findall(r'update_\w+ = "([\w-]+)"', updates)
    target = pattern.findall(listed[listed.index("\nshare-function-addresses"):listed.index("\nscalar (")])
    return list(dict.fromkeys(names)), set(target)


def run(program, skipped, folder, arguments, dump=None):
    """Seconds and the sum of the result of each kernel, compiled without what is skipped for the blocks that are launched."""
    # Another cache than the user's hides what heddlecc has compiled for blocks of any shape.
    env = {"HEDDLE_WORKERS": "1", **os.environ, "HEDDLE_SIMD_SKIP": skipped, "HEDDLE_CACHE": str(folder / f"cache.{skipped}")}
    if dump:
        env.update(HEDDLE_SIMD_DUMP=str(dump), HEDDLE_CACHE=str(dump))
    result = subprocess.run([program, *arguments], env=env, capture_output=True, text=True, timeout=300, check=False)
    if result.returncode or result.stderr:
        sys.exit(f"{program} without {skipped} failed:\n{result.stdout}{result.stderr}")
    return {name: (float(seconds), total) for name, seconds, total in map(str.split, result.stdout.splitlines())}


def code_without(skipped, program, kernels, folder, target):
    """The code of each kernel, without what says nothing about it: after the last pass of all, or of kernels."""
    with tempfile.TemporaryDirectory(dir=folder) as dump:
        run(program, skipped, folder, ["--once", *kernels], dump)
        numbered = {}
        for path in pathlib.Path(dump).glob("target.*.ll" if target else "_Z*.ll"):
            name, number = path.name.split(".")[:2]
            numbered.setdefault(name, {})[int(number)] = path
        return {name: re.sub(r"[!#]\d+", "", paths[max(paths)].read_text()) for name, paths in numbered.items()}


@functools.cache
def base_code(program, kernels, folder, target):
    return code_without("", program, kernels, folder, target)


def firing(skipped, program, kernels, own, folder, target):
    """The kernels whose code is another one without what is skipped; of passes of the target's only those of its domain."""
    if target:  # their files are not named by kernels
        return [kernel for kernel in kernels if kernel in own
                and base_code(program, (kernel,), folder, True) != code_without(skipped, program, [kernel], folder, True)]
    base, other = base_code(program, (), folder, False), code_without(skipped, program, [], folder, False)
    changed = {name for name in base.keys() | other.keys() if base.get(name) != other.get(name)}
    return [kernel for kernel in kernels if any(name.startswith(f"_Z{len(kernel)}{kernel}") for name in changed)]


def ratios(skipped, program, kernels, folder, rounds):
    """How many times as long each kernel takes."""
    least = {}
    for _ in range(rounds):
        for which in ("", skipped):
            for kernel, (seconds, total) in run(program, which, folder, kernels).items():
                if least.setdefault((kernel, "sum"), total) != total:
                    sys.exit(f"{kernel}: another result without {skipped}")
                least[kernel, which] = min(seconds, least.get((kernel, which), math.inf))
    return {kernel: least[kernel, skipped] / least[kernel, ""] for kernel in kernels}


class Workload:
    """A program of bench/workloads: whether it is compiled in another way without a pass, and how much slower it is then."""

    def __init__(self, name, folder, heddle):
        self.program, self.folder = folder / name, folder
        subprocess.run([heddle / "bin" / "heddlecc", "-O3", f"-I{HERE}", HERE / "workloads" / name / "cuda.cu",
                        "-o", self.program], check=True)
        self.base = self.code("")

    def run(self, skipped, cache, *options):
        env = os.environ | {"HEDDLE_SIMD_SKIP": skipped, "HEDDLE_CACHE": str(cache)}
        if cache != self.cache(skipped):
            env["HEDDLE_SIMD_DUMP"] = str(cache)
        result = subprocess.run([self.program, *options], env=env, capture_output=True, text=True, timeout=300, check=False)
        report = json.loads(result.stdout.splitlines()[-1]) if result.stdout else {"error": result.stderr}
        if report["error"]:
            sys.exit(f"{self.program} without {skipped or 'nothing'} failed: {report['error']}")
        return report

    def cache(self, skipped):
        return self.folder / f"cache.{skipped}"

    def code(self, skipped):
        """The code after the last pass, of each kernel and of all."""
        with tempfile.TemporaryDirectory(dir=self.folder) as dump:
            self.run(skipped, pathlib.Path(dump), "--size", "small", "--no-check", "--seconds", "0.001")
            last = {}
            for path in pathlib.Path(dump).glob("*.ll"):
                name, number = path.name.split(".")[:2]
                last[name] = max(last.get(name, (-1, path)), (int(number), path))
            return {name: re.sub(r"[!#]\d+", "", path.read_text()) for name, (_, path) in last.items()}

    def ratio(self, skipped, rounds):
        least = {"": math.inf, skipped: math.inf}
        for which in ["", skipped] * rounds:
            report = self.run(which, self.cache(which), "--size", "full", "--no-check", "--seconds", "0.25")
            least[which] = min(least[which], report["min"])
        return least[skipped] / least[""]


def of_workloads(names, options, folder):
    """Prints for each pass the workloads that it changes."""
    programs = sorted(path.parent.name for path in HERE.glob("workloads/*/cuda.cu") if not path.parent.name.startswith("thrust"))
    workloads = [Workload(name, folder, options.heddle) for name in programs]
    for name in names:
        changed = [workload for workload in workloads if workload.code(name) != workload.base]
        found = {w.program.name: 1.0 if options.fires else w.ratio(name, options.rounds) for w in changed}
        print(f"{name:<30} " + " ".join(f"{program} {ratio:.2f}" for program, ratio in
                                        sorted(found.items(), key=lambda item: -item[1])), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", type=pathlib.Path, default=HERE.parent / "build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="names, with commas between")
    parser.add_argument("--fires", action="store_true", help="do not measure")
    parser.add_argument("--workloads", action="store_true", help="of bench/workloads")
    options = parser.parse_args()
    of = domains()
    names, target = optional_names(options.heddle)
    if unknown := {name for group in of.values() for name in group} - set(names):
        sys.exit(f"bench/passes: there is no {', '.join(sorted(unknown))}")
    if options.only:
        names = options.only.split(",")
    if options.workloads:
        with tempfile.TemporaryDirectory() as folder:
            of_workloads(names, options, pathlib.Path(folder))
        return
    print(f"{'pass or kind':<30} {'fires in its own':>16} {'others':>6}  {'mean':>5}  each")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        programs = {}
        for source in SOURCES:
            program = folder / source.stem
            subprocess.run([options.heddle / "bin" / "heddlecc", "-O3", source, "-o", program], check=True)
            programs[program] = re.findall(r"__global__ void (\w+)", source.read_text())
        for name in names:
            own, measured = {kernel for kernel, group in of.items() if name in group}, {}
            for program, kernels in programs.items():
                kernels = firing(name, program, kernels, own, folder, name in target)
                if options.fires:
                    measured.update(dict.fromkeys(kernels, 1.0))
                elif kernels:
                    measured.update(ratios(name, program, kernels, folder, options.rounds))
            mean = math.exp(sum(map(math.log, measured.values())) / len(measured)) if measured else 1.0
            each = sorted(measured.items(), key=lambda item: (item[0] not in own, -item[1]))
            print(f"{name:<30} {len(own & measured.keys()):>7} of {len(own):>5} {len(measured.keys() - own):>7}  {mean:>5.2f}  "
                  + " ".join(f"{kernel}{'' if kernel in own else '*'} {ratio:.2f}" for kernel, ratio in each), flush=True)


if __name__ == "__main__":
    main()
