#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and runs the conformance programs with Heddle, or with nvcc on a machine with a GPU.

A conformance program is a CUDA program that checks itself: it exits with 0 when the platform
behaved as a real NVIDIA GPU does. What else is expected of it, it says in comments among its first
lines:

    // flags: -std=c++17 -lineinfo      more arguments for the compiler
    // also: parts/b.cu parts/c.cpp     more source files, relative to the program's folder
    // args: 1 two                      arguments for the program
    // env: HEDDLE_GPU=t4               variables set for the program
    // exit: 1                          exit code (otherwise 0)
    // stdout: a line                   repeated: exactly these lines, in this order
    // stdout-contains: text            standard output contains the text
    // stderr-contains: text            standard error contains the text
    // timeout: 60                      seconds the program may run
    // hardware: skip <reason>          cannot run on whatever GPU the machine has

What cannot run on this machine, a program says itself: it prints "skipped: why" and exits with 0.

Usage:
    run_conformance.py --heddlecc build/bin/heddlecc [--engines reference simd --] [files]
    run_conformance.py --heddlecc build/bin/heddlecc --repeat 100 async/*.cu
    run_conformance.py --nvcc nvcc --arch sm_90 --jobs 8 --report out.json [files]
    run_conformance.py --from-report out.json --markdown

Without files, all programs in the folders beside this script run. A program is built once and runs on
each engine; `simd:x86-64-v3` is that engine with HEDDLE_CPU.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
LISTS = {"stdout", "stdout-contains", "stderr-contains"}
WORDS = {"flags", "also", "args", "env"}
SINGLE = {"exit", "timeout", "hardware"}
DIRECTIVE = re.compile(r"^//\s?([a-z-]+):(?: (.*)|\s*)$")
BUILD_LIMIT = 600
RUN_LIMIT = {"heddle": 300, "nvcc": 20}  # a first run compiles what it launches
OUTPUT_HEAD = 2000


def read_directives(source):
    """The directives in the comment lines at the top of a program."""
    found = {key: [] for key in LISTS | WORDS}
    for line in source.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("//"):
            break
        match = DIRECTIVE.match(line)
        if not match:
            continue
        key, value = match.group(1), match.group(2) or ""
        if key in LISTS:
            found[key].append(value)
        elif key in WORDS:
            found[key] += shlex.split(value)
        elif key in SINGLE:
            found[key] = value.strip()
    return found


def run_limited(command, seconds, cwd, env=None):
    """Runs a command in a process group of its own; returns (exit code or None, out, err)."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            process = subprocess.Popen(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL,
                                       stdout=out, stderr=err, start_new_session=True)
        except OSError as error:
            return 127, "", f"{command[0]}: {error.strerror}\n"
        try:
            code = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            code = None
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "replace"))
        return code, texts[0], texts[1]


def find_mismatch(directives, code, out, err):
    """What an execution did otherwise than its program's directives say, or None."""
    expected_code = int(directives.get("exit", 0))
    if code != expected_code:
        return f"exit code {code}, expected {expected_code}"
    if directives["stdout"]:
        lines = out.split("\n")
        if lines and lines[-1] == "":
            lines.pop()
        for number, (line, want) in enumerate(zip(lines, directives["stdout"]), 1):
            if line != want:
                return f"stdout line {number} is {line!r}, expected {want!r}"
        if len(lines) != len(directives["stdout"]):
            return f"stdout has {len(lines)} lines, expected {len(directives['stdout'])}"
    for stream, text in (("stdout", out), ("stderr", err)):
        for want in directives[stream + "-contains"]:
            if want not in text:
                return f"{stream} does not contain {want!r}"
    return None


class Runner:
    """Builds and runs programs with one compiler."""

    def __init__(self, options):
        self.options = options
        self.kind = "nvcc" if options.nvcc else "heddle"
        self.engines = ["gpu"] if self.kind == "nvcc" else options.engines
        # A GPU runs one program at a time, so that times and hangs are a program's own.
        self.running = threading.Semaphore(1 if self.kind == "nvcc" else options.jobs)
        if options.build_folder:
            pathlib.Path(options.build_folder).mkdir(parents=True, exist_ok=True)

    def compiler_command(self, source, directives, executable):
        sources = [str(source)] + [str(source.parent / other) for other in directives["also"]]
        if self.kind == "nvcc":
            start = [self.options.nvcc, "-arch=" + self.options.arch]
        else:
            start = [self.options.heddlecc]
        return (start + ["-I" + str(HERE)] + directives["flags"] + self.options.flags + sources
                + ["-o", str(executable)])

    def run(self, source):
        """Builds and runs one program; returns its entry for the report."""
        directives = read_directives(source)
        entry = {"program": name_of(source), "result": "pass", "why": "", "exit": None,
                 "build_seconds": 0.0, "seconds": 0.0, "output": ""}
        hardware = directives.get("hardware", "")
        if self.kind == "nvcc" and hardware.startswith("skip"):
            entry.update(result="skip", why=hardware[len("skip"):].strip())
            return entry
        with tempfile.TemporaryDirectory(prefix="conformance-") as folder:
            executable = pathlib.Path(folder) / "program"
            if self.options.build_folder:
                executable = pathlib.Path(self.options.build_folder).resolve() / name_of(source)
            if not self.options.run_only and not self.build(source, directives, executable, entry):
                return entry
            for engine in [] if self.options.build_only else self.engines:
                self.repeat(directives, executable, folder, engine, entry)
        return entry

    def build(self, source, directives, executable, entry):
        started = time.monotonic()
        command = self.compiler_command(source, directives, executable)
        # Native code is made ahead for the first engine alone: compiling every kernel for the SIMD
        # engine's commonest shape takes longer than what the program launches, which is then compiled.
        env = dict(os.environ, HEDDLE_ENGINE=self.engines[0].partition(":")[0])
        code, out, err = run_limited(command, BUILD_LIMIT, executable.parent, env)
        entry["build_seconds"] = round(time.monotonic() - started, 2)
        if code == 0:
            return True
        entry.update(result="build failed", exit=code, output=(out + err)[:OUTPUT_HEAD],
                     why="compiler timed out" if code is None else f"compiler exit code {code}")
        return False

    def repeat(self, directives, executable, folder, engine, entry):
        """Runs a program on one engine as often as is asked, until it fails."""
        for number in range(self.options.repeat):
            self.execute(directives, executable, folder, engine, entry)
            if entry["result"] != "pass":
                if self.options.repeat > 1:
                    entry["why"] += f" in run {number + 1} of {self.options.repeat}"
                return

    def execute(self, directives, executable, folder, engine, entry):
        """Runs a program on one engine; what fails is added to its entry."""
        env = dict(os.environ)
        limit = RUN_LIMIT["nvcc"]
        if self.kind == "heddle":
            env["HEDDLE_ENGINE"], _, cpu = engine.partition(":")
            if cpu:
                env["HEDDLE_CPU"] = cpu
            limit = float(directives.get("timeout", RUN_LIMIT[self.kind]))
        env.update(setting.split("=", 1) for setting in directives["env"])
        with self.running:
            started = time.monotonic()
            code, out, err = run_limited([str(executable)] + directives["args"], limit, folder, env)
            entry["seconds"] = round(entry["seconds"] + time.monotonic() - started, 2)
        why = f"no end within {limit:g} s" if code is None else \
            find_mismatch(directives, code, out, err)
        output = (out + err)[:OUTPUT_HEAD]
        if not why and out.startswith("skipped: "):
            if entry["result"] == "pass":
                entry.update(result="skip", why=out.splitlines()[0].removeprefix("skipped: "))
        elif why:
            where = f"{engine}: " if self.kind == "heddle" else ""
            earlier = entry["output"] if entry["result"] == "fail" else ""
            entry.update(result="fail", exit=code, output=earlier + output,
                         why="; ".join(filter(None, [entry["why"], where + why])))
        elif entry["result"] == "pass":
            entry.update(exit=code, output=output)


def name_of(source):
    return f"{source.parent.name}.{source.stem}"


def first_line(command):
    try:
        return subprocess.run(command, capture_output=True, text=True,
                              check=True).stdout.strip().splitlines()[0].strip()
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "unknown"


def describe_machine(options):
    """Where the report was made: compiler and GPU."""
    if not options.nvcc:
        return {"platform": "heddle", "engines": options.engines, "compiler": options.heddlecc}
    query = ["nvidia-smi", "--format=csv,noheader"]
    cuda = "unknown"
    try:
        version = subprocess.run([options.nvcc, "--version"], capture_output=True, text=True)
        match = re.search(r"release ([\d.]+)", version.stdout)
        cuda = match.group(1) if match else cuda
    except OSError:
        pass
    return {"platform": "nvcc", "arch": options.arch, "cuda": cuda,
            "gpu": first_line(query + ["--query-gpu=name"]),
            "driver": first_line(query + ["--query-gpu=driver_version"])}


def count_results(programs):
    counts = {}
    for entry in programs:
        counts[entry["result"]] = counts.get(entry["result"], 0) + 1
    return ", ".join(f"{counts[key]} {key}" for key in sorted(counts, key=lambda k: -counts[k]))


def print_markdown(report):
    machine = report["machine"]
    if machine["platform"] == "nvcc":
        print(f"{machine['gpu']}, CUDA {machine['cuda']}, driver {machine['driver']}, "
              f"`-arch={machine['arch']}`: {count_results(report['programs'])}.\n")
    else:
        print(f"Heddle, {', '.join(machine['engines'])}: {count_results(report['programs'])}.\n")
    print("| program | result | seconds |\n|---|---|---|")
    for entry in report["programs"]:
        why = f": {entry['why']}" if entry["why"] else ""
        print(f"| {entry['program']} | {entry['result']}{why.replace('|', chr(92) + '|')} "
              f"| {entry['seconds']:.2f} |")


def print_entry(entry, stream):
    why = f" ({entry['why']})" if entry["why"] else ""
    print(f"{entry['result']:5} {entry['program']}{why} {entry['build_seconds']:.1f} s + "
          f"{entry['seconds']:.1f} s", file=stream)
    if entry["result"] not in ("pass", "skip"):
        for line in entry["output"].splitlines()[:20]:
            print("      " + line, file=stream)
    stream.flush()


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--heddlecc", help="run with Heddle: the compiler to use")
    parser.add_argument("--engines", nargs="+", default=["reference", "simd"],
                        metavar="ENGINE[:CPU]", help="HEDDLE_ENGINE for the programs")
    parser.add_argument("--nvcc", help="run on this machine's GPU: the compiler to use")
    parser.add_argument("--arch", default="sm_90", help="-arch for nvcc")
    parser.add_argument("--flags", default=[], type=shlex.split, help="more compiler arguments")
    parser.add_argument("--jobs", "-j", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--repeat", type=int, default=1, metavar="N",
                        help="run each program N times on each engine, until it fails: for what waits or races")
    parser.add_argument("--build-folder", help="keep the executables here")
    parser.add_argument("--build-only", action="store_true", help="compile, do not run")
    parser.add_argument("--run-only", action="store_true", help="run what --build-folder holds")
    parser.add_argument("--report", help="write the results to this JSON file")
    parser.add_argument("--from-report", help="run nothing, show this earlier report")
    parser.add_argument("--markdown", action="store_true", help="print the results as a table")
    options = parser.parse_args()
    if not options.from_report and bool(options.heddlecc) == bool(options.nvcc):
        parser.error("say one of --heddlecc, --nvcc and --from-report")
    if options.run_only and not options.build_folder:
        parser.error("--run-only needs --build-folder")
    if options.heddlecc and "/" in options.heddlecc:
        options.heddlecc = str(pathlib.Path(options.heddlecc).resolve())
    return options


def make_report(options):
    files = [file.resolve() for file in options.files] or sorted(HERE.glob("*/*.cu"))
    runner = Runner(options)
    entries = []
    stream = sys.stderr if options.markdown else sys.stdout
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for task in concurrent.futures.as_completed([pool.submit(runner.run, f) for f in files]):
            entries.append(task.result())
            print_entry(entries[-1], stream)
    entries.sort(key=lambda entry: entry["program"])
    return {"machine": describe_machine(options), "programs": entries}


def main():
    options = parse_options()
    if options.from_report:
        report = json.loads(pathlib.Path(options.from_report).read_text(encoding="utf-8"))
    else:
        report = make_report(options)
    if options.report:
        pathlib.Path(options.report).write_text(json.dumps(report, indent=1) + "\n",
                                                encoding="utf-8")
    if options.markdown:
        print_markdown(report)
    else:
        print(count_results(report["programs"]) or "no programs")
    good = all(entry["result"] in ("pass", "skip") for entry in report["programs"])
    return 0 if good and report["programs"] else 1


if __name__ == "__main__":
    sys.exit(main())
