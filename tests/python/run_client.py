#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tests of one Python client, in its environment, as docs/python.md says it is done.

    run_client.py --bin build/bin --environment .cache/python numba

numba, bindings, nvml, tinygrad, jax and triton are clients/CLIENT_client.py, which are unittest programs. examples are the Python
programs of examples/, whose output must be what their expected.txt says. Ends with 77, which CTest
calls skipped, if the environment is not there (HEDDLE_PYTHON names another one; for triton HEDDLE_TRITON).
"""
import argparse
import difflib
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
SECONDS = 250
SKIPPED = 77


def environment_of(heddle):
    """Only LD_LIBRARY_PATH and, for libNVVM and libdevice, CUDA_HOME; for Triton the places of its tools."""
    def printed(*words):
        return subprocess.run([heddle, *words], check=True, capture_output=True, text=True).stdout.strip()
    toolkit = heddle.parents[1] / "share" / "heddle" / "toolkit"
    return {**os.environ, "LD_LIBRARY_PATH": printed("env", "--lib"), "CUDA_HOME": str(toolkit),
            "TRITON_PTXAS_PATH": str(toolkit / "bin" / "ptxas"), "TRITON_LIBCUDA_PATH": str(toolkit / "lib64"),
            "TRITON_CUOBJDUMP_PATH": str(toolkit / "bin" / "cuobjdump"),
            "TRITON_NVDISASM_PATH": str(toolkit / "bin" / "nvdisasm"),
            "TRITON_PTXAS_BLACKWELL_PATH": str(toolkit / "bin" / "ptxas"),
            "PYTHONWARNINGS": "ignore", "PYTHONDONTWRITEBYTECODE": "1", "NUMBA_CUDA_WARN_ON_IMPLICIT_COPY": "0",
            "NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS": "0"}


def run_examples(python, environment):
    # Those on PyTorch are tests/torch's (fresh_test.py).
    programs = sorted(path for path in EXAMPLES.glob("*/*.py") if "import torch" not in path.read_text(encoding="utf-8"))
    if not programs:
        raise SystemExit("there are no Python programs in examples/")
    failed = 0
    for program in programs:
        result = subprocess.run([python, program], env=environment, capture_output=True, text=True, timeout=SECONDS)
        expected = (program.parent / "expected.txt").read_text(encoding="utf-8")
        good = result.returncode == 0 and result.stdout == expected
        print("ok" if good else "FAILED", program.relative_to(EXAMPLES))
        if not good:
            failed += 1
            sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), result.stdout.splitlines(True),
                                                       "expected.txt", "stdout"))
            print(f"exit code {result.returncode}\n{result.stderr}")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--environment", type=pathlib.Path, required=True)
    parser.add_argument("client")
    options = parser.parse_args()
    is_triton = options.client == "triton"  # 190 MB, so in an environment of its own
    folder = pathlib.Path(os.environ.get("HEDDLE_TRITON" if is_triton else "HEDDLE_PYTHON", options.environment))
    python = folder / "bin" / "python3"
    if not python.exists():
        maker = "tests/python/fetch.sh .cache/triton triton.txt" if is_triton else "./dev setup"
        print(f"skipped: {folder} is not there; {maker} makes it from PyPI")
        return SKIPPED
    environment = environment_of((options.bin / "heddle").resolve())
    if options.client == "examples":
        return 1 if run_examples(python, environment) else 0
    program = HERE / "clients" / f"{options.client}_client.py"
    return subprocess.run([python, program, "-v"], env=environment, timeout=SECONDS).returncode


if __name__ == "__main__":
    sys.exit(main())
