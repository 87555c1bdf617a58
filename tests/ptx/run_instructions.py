#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each instruction of instruction_cases.py through cuModuleLoadData, and compares the results with what
a GPU gave.

    tests/ptx/run_instructions.py --libcuda build/lib/libcuda.so.1           compares (HEDDLE_ENGINE chooses)
    tests/ptx/run_instructions.py --libcuda libcuda.so.1 --record            on a machine with a GPU

Results are compared to the last bit, but for the form of NaNs; of approximations by their error. The
recorded data, instruction_results.json, has a hash for each exact case. While there is no such file, the
exact results of two engines can still be compared: --against OTHER.json, of --record --output OTHER.json.
"""
import argparse
import ctypes
import hashlib
import json
import math
import pathlib
import struct
import sys

import instruction_cases as cases

HERE = pathlib.Path(__file__).resolve().parent
SKIP = 77  # CTest's SKIP_RETURN_CODE
AT_ONCE = 150


class Cuda:
    """The few calls of the driver API that are needed."""

    def __init__(self, library):
        self.lib = ctypes.CDLL(library)
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self.input, self.output = ctypes.c_uint64(), ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(self.input), ctypes.c_size_t(cases.THREADS * 24))
        self.call("cuMemAlloc_v2", ctypes.byref(self.output), ctypes.c_size_t(cases.THREADS * 8))

    def call(self, name, *arguments):
        error = getattr(self.lib, name)(*arguments)
        if error:
            raise RuntimeError(f"{name}: error {error}")

    def load(self, text):
        module = ctypes.c_void_p()
        log = ctypes.create_string_buffer(8192)
        options = (ctypes.c_int * 2)(5, 6)  # CU_JIT_ERROR_LOG_BUFFER and its size
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        try:
            self.call("cuModuleLoadDataEx", ctypes.byref(module), text.encode(), 2, options, values)
        except RuntimeError as error:
            raise RuntimeError(f"{error}\n{log.value.decode(errors='replace')}") from error
        return module

    def run(self, module, name, data):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        self.call("cuMemcpyHtoD_v2", self.input, data, ctypes.c_size_t(len(data)))
        parameters = (ctypes.c_void_p * 2)(ctypes.addressof(self.output), ctypes.addressof(self.input))
        self.call("cuLaunchKernel", function, 1, 1, 1, cases.THREADS, 1, 1, 0, None, parameters, None)
        self.call("cuCtxSynchronize")
        result = ctypes.create_string_buffer(cases.THREADS * 8)
        self.call("cuMemcpyDtoH_v2", result, self.output, ctypes.c_size_t(len(result)))
        return struct.unpack(f"<{cases.THREADS}Q", result.raw)


def results_of(cuda, all_cases):
    """case -> the results of all threads."""
    for start in range(0, len(all_cases), AT_ONCE):
        some = all_cases[start:start + AT_ONCE]
        module = cuda.load(cases.module(some))
        for i, case in enumerate(some):
            raw = cuda.run(module, f"case{i}", cases.inputs(case))
            yield case, [cases.canonical(case[1], bits) for bits in raw]


def digest(values):
    return hashlib.sha256(struct.pack(f"<{len(values)}Q", *values)).hexdigest()[:16]


def record(cuda):
    found = {case[0]: digest(values) for case, values in results_of(cuda, cases.exact_cases())}
    approximate = [entry[0] for entry in cases.approximate_cases()]
    return {"exact": found,
            "approximate": {case[0]: values[:28] for case, values in results_of(cuda, approximate)}}


def as_float(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def first_inputs(case):
    """What each thread finds as its first operand, a float."""
    data = cases.inputs(case)
    return [struct.unpack_from("<f", data, thread * 24)[0] for thread in range(cases.THREADS)]


def close(got, expected, relative, absolute):
    if got == expected or (got & 0x7FFFFFFF) > 0x7F800000 < (expected & 0x7FFFFFFF):
        return True
    a, b = as_float(got), as_float(expected)
    if absolute == math.inf:
        return True
    return abs(a - b) <= 2 * (abs(b) * relative + absolute) or max(abs(a), abs(b)) < 2 ** -126


def as_text(got):
    """JSON with a case a line."""
    kinds = []
    for kind, found in sorted(got.items()):
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in found.items())
        kinds.append(f"{json.dumps(kind)}: {{\n{lines}\n}}")
    return "{\n" + ",\n".join(kinds) + "\n}\n"


def compare(got, expected):
    """The cases that differ."""
    wrong = [name for name, value in got["exact"].items() if expected["exact"].get(name) != value]
    for case, relative, absolute in cases.approximate_cases():
        name = case[0]
        both = zip(first_inputs(case), got["approximate"][name], expected["approximate"][name])
        if not all(close(a, b, relative, absolute(x) if callable(absolute) else absolute) for x, a, b in both):
            wrong.append(name)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--libcuda", required=True)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--output", type=pathlib.Path, default=HERE / "instruction_results.json")
    parser.add_argument("--against", type=pathlib.Path, default=HERE / "instruction_results.json")
    options = parser.parse_args()
    if not options.record and not options.against.exists():
        print(f"{options.against} has not been recorded yet")
        return SKIP
    got = record(Cuda(options.libcuda))
    count = len(got["exact"]) + len(got["approximate"])
    if options.record:
        options.output.write_text(as_text(got), encoding="utf-8")
        print(f"{count} cases recorded")
        return 0
    wrong = compare(got, json.loads(options.against.read_text(encoding="utf-8")))
    for name in wrong:
        print("differs: " + name)
    print(f"{count} cases, {len(wrong)} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
