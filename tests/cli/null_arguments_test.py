#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls every function that a CUDA library exports with nothing but zeros, and again with a handle
where it takes one first. Each call runs in a process of its own, which may not die nor hang.
Of NPP's ten thousand functions, which come from one table, every sixteenth is called.
"""

import ctypes
import os
import pathlib
import signal
import subprocess
import sys

# A library, and for functions whose names start so, what makes their handle: the first that fits.
LIBRARIES = {
    "libcublas.so": [("cublasXt", "cublasXtCreate"), ("cublas", "cublasCreate_v2")],
    "libcublasLt.so": [("cublasLt", "cublasLtCreate")],
    "libcufft.so": [("cufft", "cufftCreate")],
    "libcufftw.so": [],
    "libcurand.so": [("curand", "curandCreateGenerator")],
    "libcusparse.so": [("cusparse", "cusparseCreate")],
    "libcusolver.so": [("cusolverDn", "cusolverDnCreate"), ("cusolverSp", "cusolverSpCreate"),
                       ("cusolverRf", "cusolverRfCreate")],
    "libcusolverMg.so": [("cusolverMg", "cusolverMgCreate")],
    "libcudnn.so": [("cudnn", "cudnnCreate")],
    "libnccl.so": [("nccl", "ncclCommInitAll")],
    "libcufile.so": [],
    "libcusparseLt.so": [],
    "libnvfatbin.so": [],
    "libnvjpeg.so": [("nvjpeg", "nvjpegCreateSimple")],
    "libnvrtc.so": [],
    "libnvvm.so": [("nvvm", "nvvmCreateProgram")],
    "libnvJitLink.so": [],
    **{f"libnpp{part}.so": [] for part in ("c", "ial", "icc", "idei", "if", "ig", "im", "ist", "isu",
                                           "itc", "s")},
}
# Their first argument is an address, though the handle is a number.
ADDRESSES = {"cufftCreate", "cufftGetVersion"}
SECONDS = 20
WORDS = 40  # more than any function takes


def exported(path):
    """The functions that a library exports."""
    listed = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True,
                            check=True).stdout
    symbols = (line.split() for line in listed.splitlines())
    return sorted({name.split("@")[0] for _, kind, name in symbols
                   if kind in "TW" and not name.startswith("_")})


def make_handle(library, create):
    """A handle, as what is passed for it."""
    handle = ctypes.c_void_p(0)
    more = {"curandCreateGenerator": [100], "ncclCommInitAll": [1, None]}.get(create, [])
    if getattr(library, create)(ctypes.byref(handle), *more) != 0:
        os._exit(3)
    return handle


def call(library, runtime, name, create):
    """The body of the process that makes one call."""
    signal.alarm(SECONDS)
    quiet = os.open("/dev/null", os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(quiet, stream)
    first = make_handle(library, create) if create else ctypes.c_void_p(0)
    getattr(library, name)(first, *[ctypes.c_void_p(0)] * (WORDS - 1), *[ctypes.c_double(0)] * 8)
    runtime.cudaDeviceSynchronize()
    os._exit(0)


def outcome(library, runtime, name, create):
    """What went wrong, or nothing."""
    child = os.fork()
    if child == 0:
        call(library, runtime, name, create)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return "hangs" if number == signal.SIGALRM else f"dies of {signal.Signals(number).name}"
    return f"exits with {os.WEXITSTATUS(status)}" if status else None


def main():
    folder = pathlib.Path(os.environ["HEDDLE_BUILD"]) / "lib"
    runtime = ctypes.CDLL(str(folder / "libcudart.so.12"))
    calls, failures = 0, []
    for file, handles in LIBRARIES.items():
        path = folder / file
        if not path.exists():
            continue
        library = ctypes.CDLL(str(path))
        for name in exported(path)[::16 if file.startswith("libnpp") else 1]:
            create = next((make for start, make in handles
                           if name.startswith(start) and name not in ADDRESSES), None)
            for handle in {None, create}:
                calls += 1
                if wrong := outcome(library, runtime, name, handle):
                    failures.append(f"{file}: {name}({'handle, ' if handle else ''}0, …) {wrong}")
    print(f"{calls} calls, {len(failures)} failures", *failures, sep="\n")
    sys.exit(1 if failures or not calls else 0)


if __name__ == "__main__":
    main()
