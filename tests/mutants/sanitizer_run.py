#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs exported mutants under NVIDIA's compute-sanitizer, on a machine with a GPU and CUDA's toolkit.

  sanitizer_run.py RESULTS.json        in the folder that `mutants.py export` made: manifest.json and *.cu

Each mutant is compiled once and run under four tools, 60 seconds each, 16 at a time. RESULTS.json has for each file and
tool: the exit code, how many errors were told, and the lines that were named.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = {"memcheck": [], "racecheck": ["--racecheck-report", "all"], "initcheck": [], "synccheck": []}
LIMIT = 60


def run(command, folder, limit):
    """(exit code or None after `limit` seconds, output)"""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                               start_new_session=True)
    try:
        out, _ = process.communicate(timeout=limit)
        return process.returncode, out
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, _ = process.communicate()
        return None, out


def one(entry, folder):
    name = entry["file"]
    program = folder / name.removesuffix(".cu")
    code, out = run(["nvcc", "-w", "-O1", "-lineinfo", "-std=c++17", "-arch=native", *entry["flags"], str(HERE / name), "-o", str(program)],
                    HERE, 180)
    if code != 0:
        return {"file": name, "compiled": False, "output": out[-800:]}
    result = {"file": name, "compiled": True, "plain": run([str(program)], folder, LIMIT)[0], "tools": {}}
    for tool, options in TOOLS.items():
        code, out = run(["compute-sanitizer", "--tool", tool, "--print-limit", "200", *options, str(program)], folder, LIMIT)
        told = [line for line in out.splitlines() if line.startswith("=========")]
        lines = sorted({int(n) for line in told for n in re.findall(rf"{re.escape(name)}:(\d+)", line)})
        summary = re.findall(r"(?:ERROR SUMMARY|RACECHECK SUMMARY): (\d+)", out)
        # Errors of calls are what a sticky error leaves; they are errors, too.
        result["tools"][tool] = {"exit_code": code, "errors": int(summary[-1]) if summary else -1, "lines": lines,
                                 "first": told[1:4], "output": "" if summary else out[-400:]}
    return result


def main():
    manifest = json.loads((HERE / "manifest.json").read_text(encoding="utf-8"))
    versions = [run([tool, "--version"], HERE, 30)[1].strip().splitlines()[-1:] for tool in ("nvcc", "compute-sanitizer")]
    gpu = run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], HERE, 30)[1].strip()
    results = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(16) as pool:
        for result in pool.map(lambda entry: one(entry, pathlib.Path(folder)), manifest):
            results.append(result)
            text = json.dumps({"gpu": gpu, "versions": versions, "results": results}, indent=1)
            pathlib.Path(sys.argv[1]).write_text(text, encoding="utf-8")
    print(f"{len(results)} mutants, {sum(r['compiled'] for r in results)} compiled")


if __name__ == "__main__":
    main()
