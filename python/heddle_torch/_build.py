# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The library of kernels, compiled for the PyTorch that is installed, and kept in Heddle's cache.

It is C++ on PyTorch's own headers, whose classes change with every release: it cannot come ready in a wheel.
"""

import concurrent.futures
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import List

import torch

from heddle import HeddleError, root

_SOURCES = pathlib.Path(__file__).resolve().parent / "csrc"
_NAME = "libheddle_torch.so"
_LIBRARIES = ("torch_cuda", "torch_cpu", "c10_cuda", "c10")
_HEADER = "headers.h"


def cuda_release() -> str:
    """The release of CUDA that PyTorch was built for: "12" or "13"."""
    return (torch.version.cuda or "12").split(".")[0]


def _flags() -> List[str]:
    package = pathlib.Path(torch.__file__).resolve().parent
    return [
        "-std=c++20",
        f"-D__HEDDLE_CUDA__={cuda_release()}",
        "-O2",
        "-g0",
        "-fPIC",
        "-w",
        "-fvisibility=hidden",
        f"-D_GLIBCXX_USE_CXX11_ABI={int(torch.compiled_with_cxx11_abi())}",
        f"-I{package / 'include'}",
        f"-I{package / 'include' / 'torch' / 'csrc' / 'api' / 'include'}",
        "-isystem",
        str(root() / "include"),
    ]


def _sources() -> List[pathlib.Path]:
    return sorted(_SOURCES.rglob("*.cpp"))


def _key() -> str:
    """What the library depends on. Not where PyTorch lies: virtual environments share it."""
    options = [flag for flag in _flags() if not flag.startswith(("-I", "/"))]
    digest = hashlib.sha256("\n".join([torch.__version__, torch.version.git_version or "", *options]).encode())
    for path in sorted([*_SOURCES.rglob("*.cpp"), *_SOURCES.rglob("*.h")]):
        digest.update(path.relative_to(_SOURCES).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:24]


def _cache() -> pathlib.Path:
    """The folder of Heddle's cache (src/support/paths.cpp)."""
    chosen = os.environ.get("HEDDLE_CACHE")
    if chosen:
        return pathlib.Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    if base:
        return pathlib.Path(base) / "heddle"
    home = os.environ.get("HOME")
    if home:
        return pathlib.Path(home) / ".cache" / "heddle"
    return pathlib.Path(tempfile.gettempdir()) / f"heddle-{os.getuid()}"


def _run(command: List[str]) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        text = done.stdout.decode(errors="replace").strip()
        raise HeddleError(f"its kernels for PyTorch {torch.__version__} do not compile: {text[:2000]}")


def _compile(folder: pathlib.Path) -> None:
    """Makes the library in `folder`."""
    compiler = str(root() / "libexec" / "heddle" / "host-c++")
    flags = _flags()
    headers = folder / "headers.pch"
    _run([compiler, *flags, "-x", "c++", "-Xclang", "-emit-pch", "-c", str(_SOURCES / _HEADER), "-o", str(headers)])

    def compile_one(source: pathlib.Path) -> str:
        target = folder / (source.relative_to(_SOURCES).as_posix().replace("/", "-") + ".o")
        _run([compiler, *flags, "-include-pch", str(headers), "-c", str(source), "-o", str(target)])
        return str(target)

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        objects = list(pool.map(compile_one, _sources()))
    own = pathlib.Path(torch.__file__).resolve().parent / "lib"
    _run(
        [
            compiler,
            "-shared",
            *objects,
            "-o",
            str(folder / _NAME),
            f"-L{own}",
            *(f"-l{name}" for name in _LIBRARIES),
            str(root() / "lib" / f"libcudart.so.{cuda_release()}"),
        ]
    )


def library() -> pathlib.Path:
    """The library's path; compiled first, if it is not in the cache, by one of the processes that ask at once.

    Raises HeddleError if it cannot be compiled or kept.
    """
    folder = _cache() / "torch" / _key()
    made = folder / _NAME
    if made.is_file():
        return made
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if made.is_file():
                return made
            print(
                f"heddle: compiling the kernels for PyTorch {torch.__version__}, once (about half a minute)",
                file=sys.stderr,
                flush=True,
            )
            scratch = pathlib.Path(tempfile.mkdtemp(prefix="new-", dir=folder))
            try:
                _compile(scratch)
                os.replace(scratch / _NAME, made)
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
    except OSError as error:
        raise HeddleError(f"cannot keep the kernels for PyTorch in {folder}: {error} (HEDDLE_CACHE chooses another place)") from error
    return made
