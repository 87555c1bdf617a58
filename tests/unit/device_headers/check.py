#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles one .cu file as the frontend does, once for each C++ standard, for host and device.

The device IR must hold no inline assembly but that of --ptx, and need no symbol that the engine or the device library
does not supply; the host object must need nothing but the CUDA runtime and the C++ library.

    check.py CLANG INCLUDE FILE.cu [--arch sm_75] [--std c++17 ...] [--flag=-x]
             [--count N REGEX] [--expect REGEX] [--forbid REGEX] [--ptx REGEX]
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

COMMON = ["-x", "cuda", "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", "-O2", "-Wall",
          "-Wno-unused-variable", "-Xclang", "-target-sdk-version=12.4"]
DEVICE = ["--cuda-device-only", "-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-Xclang",
          "-target-feature", "-Xclang", "+ptx83"]
SUPPLIED = re.compile(r"llvm\.|__nv_|__heddle_|(vprintf|malloc|free|__assertfail)$")
RUNTIME = re.compile(r"__cuda(Push|Pop)CallConfiguration$|cudaLaunchKernel|__cudaRegister")
CUDA_NAME = re.compile(r"cuda|__nv|__heddle|threadIdx|blockIdx|atomic(Add|CAS)|__shfl|__vadd")


def compile_with(arguments):
    result = subprocess.run(arguments, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(arguments)}\n{result.stderr}")
    if "warning:" in result.stderr:
        sys.exit(f"{' '.join(arguments)}\nwarns:\n{result.stderr}")


def check_device(options, standard, out):
    ir_file = out / "device.ll"
    compile_with([options.clang, *COMMON, *DEVICE, f"--cuda-gpu-arch={options.arch}",
                  *standard, *options.flag, "-isystem", options.include, "-include",
                  "__heddle/prelude.h", options.file, "-o", str(ir_file)])
    ir = ir_file.read_text()
    problems = []
    assembly = re.findall(r"\bcall\b[^\n]* asm [^\n]*", ir) + re.findall("module asm", ir)
    if any(not options.ptx or not re.search(options.ptx, text) for text in assembly):
        problems.append("inline assembly in the device code")
    needed = re.findall(r'^declare [^@]*@"?([\w.$]+)', ir, re.M)
    needed += re.findall(r'^@"?([\w.$]+)"? = (?:external|extern_weak)\b(?!.*addrspace\(3\))', ir, re.M)
    problems += [f"needs {name}" for name in needed if not SUPPLIED.match(name)]
    if "define" not in ir:
        problems.append("no code at all: the test tests nothing")
    for pattern in options.expect:
        if not re.search(pattern, ir):
            problems.append(f"nothing matches {pattern}")
    for pattern in options.forbid:
        if found := re.search(pattern, ir):
            problems.append(f"{found.group(0)} was not to appear")
    for count, pattern in options.count:
        found = len(re.findall(pattern, ir))
        if found != int(count):
            problems.append(f"{pattern} appears {found} times, not {count}")
    return problems


def check_host(options, standard, out):
    object_file = out / "host.o"
    compile_with([options.clang, *COMMON, "--cuda-host-only", "-c", *standard, *options.flag,
                  "-isystem", options.include, "-include", "__heddle/prelude.h", options.file,
                  "-o", str(object_file)])
    undefined = subprocess.run(["nm", "-u", str(object_file)], capture_output=True, text=True,
                               check=True).stdout.split()
    return [f"host object needs {name}" for name in undefined
            if CUDA_NAME.search(name) and not RUNTIME.match(name)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("clang")
    parser.add_argument("include")
    parser.add_argument("file")
    parser.add_argument("--arch", default="sm_75")
    parser.add_argument("--std", nargs="*", default=["c++11", "c++14", "c++17", "c++20"])
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--expect", action="append", default=[])
    parser.add_argument("--forbid", action="append", default=[])
    parser.add_argument("--ptx")
    parser.add_argument("--count", nargs=2, action="append", default=[])
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for standard in options.std:
            flags = [] if standard == "default" else [f"-std={standard}"]
            for side, check in (("device", check_device), ("host", check_host)):
                for problem in check(options, flags, pathlib.Path(folder)):
                    failed = True
                    print(f"{options.file} ({side}, {standard}): {problem}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
