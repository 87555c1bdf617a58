# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle.enable(): this process and its children find Heddle where they look for CUDA.

For children the environment is enough, as eval "$(heddle env)" sets it in a shell. The loader of a process that
runs already has read LD_LIBRARY_PATH and looks at it no more; but a later dlopen of libcuda.so.1 gets the
library of that name that is loaded, wherever it came from. So Heddle's are loaded here.
"""

import ctypes
import json
import os
import pathlib
import re
import subprocess
import sys
import warnings
from typing import Dict, Iterator, List, Tuple

from . import _jax, _machine, _tree
from ._errors import HeddleError

# Those that nothing works without; the first holds the others' code.
_LIBRARIES = (
    "libheddle_core.so.0",
    "libcudart.so.12",
    "libcuda.so.1",
    "libnvrtc.so.12",
    "libnvvm.so.4",
    "libnvJitLink.so.12",
)
# CUDA's others: cuBLAS, cuFFT, cuDNN, NCCL, NPP, CUPTI, NVML, … by the names that programs ask for.
_MORE_LIBRARIES = re.compile(r"lib(cu|nv|npp|nccl)[\w-]*\.so\.\d+\Z")
# Packages that look for CUDA's libraries when they are imported, or may have done so since.
_CLIENTS = ("torch", "cupy", "numba.cuda", "cuda.bindings", "cuda.core", "pycuda.driver", "jax", "tensorflow")

_loaded: List[ctypes.CDLL] = []


def _environment(cuda: str = "") -> Dict[str, Dict[str, str]]:
    """What heddle env says: variables to set, and folders to put before lists of them. `cuda`: "12" or "13"."""
    complaint = _machine.complaint()
    if complaint:
        raise HeddleError(complaint)
    _tree.settle()
    command = [str(_tree.program("heddle")), "env", "--json", *([f"--cuda={cuda}"] if cuda else [])]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    except OSError as error:
        raise HeddleError(f"cannot run {command[0]}: {error.strerror}") from error
    if done.returncode != 0:
        raise HeddleError(done.stderr.decode(errors="replace").strip() or f"{command[0]} env failed")
    answer: Dict[str, Dict[str, str]] = json.loads(done.stdout)
    return answer


def _set(environment: Dict[str, Dict[str, str]]) -> None:
    os.environ.update(environment["set"])
    for name, folder in environment["before"].items():
        others = [entry for entry in os.environ.get(name, "").split(os.pathsep) if entry and entry != folder]
        os.environ[name] = os.pathsep.join([folder, *others])


def _mapped() -> Iterator[pathlib.Path]:
    """The shared libraries in this process."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as lines:
        paths = {line.split(maxsplit=5)[5].rstrip("\n") for line in lines if "/" in line and ".so" in line}
    return (pathlib.Path(path) for path in sorted(paths))


def _strangers(ours: pathlib.Path) -> List[Tuple[str, pathlib.Path]]:
    """Loaded libraries that have the names of Heddle's and are not: (name, path)."""
    found = []
    for path in _mapped():
        for name in _LIBRARIES:
            # A library's file may have a longer name than the one that programs ask for: libcuda.so.550.54.
            if path.name.startswith(name.split(".so")[0] + ".so") and path.parent != ours:
                found.append((name, path))
    return found


def _check_strangers(ours: pathlib.Path) -> None:
    remedy = "restart Python, and call heddle.enable() (in a notebook: %load_ext heddle) before anything else"
    for name, path in _strangers(ours):
        if name == "libcuda.so.1":
            raise HeddleError(f"another libcuda.so.1 is in this process already: {path}; {remedy}")
        warnings.warn(f"{path} is in this process already, so it is what asks for {name} gets; {remedy}", stacklevel=3)


def _check_clients() -> None:
    early = [name for name in _CLIENTS if name in sys.modules]
    if early:
        warnings.warn(
            f"{', '.join(early)} {'was' if len(early) == 1 else 'were'} imported before heddle.enable() and may have "
            "looked for CUDA already; restart Python and call heddle.enable() first if they do not find it",
            stacklevel=3,
        )


def _load(folder: pathlib.Path) -> None:
    # RTLD_LOCAL, as when a program loads them by itself: a later dlopen finds them by name in any case, and their
    # symbols do not get in the way of others'.
    try:
        libraries = [ctypes.CDLL(str(folder / name)) for name in _LIBRARIES]
    except OSError as error:
        raise HeddleError(f"cannot load Heddle's libraries: {error}") from error
    for path in sorted(folder.iterdir()):
        if _MORE_LIBRARIES.match(path.name) and path.name not in _LIBRARIES:
            try:
                libraries.append(ctypes.CDLL(str(path)))
            except OSError:  # who needs it will be told when asking for it
                pass
    _loaded.extend(libraries)


def use_release(cuda: str) -> None:
    """Makes CUDA_HOME, where it is a toolkit of Heddle's, one of the release `cuda` ("12" or "13"), which is the one
    that a package was made for: what it builds with nvcc is linked with it. Raises HeddleError."""
    try:
        text = (pathlib.Path(os.environ["CUDA_HOME"]) / "version.json").read_text(encoding="utf-8")
        version = json.loads(text)["cuda"]["version"]
    except (KeyError, OSError, ValueError):  # none, or another toolkit
        return
    if "Heddle" in text and version.split(".")[0] != cuda and not os.environ.get("HEDDLE_CUDA"):
        _set(_environment(cuda))


def enable() -> pathlib.Path:
    """Makes what is imported later (numba, cuda.bindings, …) and what is started later (nvcc, nvidia-smi, …) find
    Heddle as CUDA; returns the folder that is now CUDA_HOME. Calling it again does nothing more.

    Raises HeddleError if Heddle cannot run here or another CUDA driver is loaded; warns if a CUDA package was
    imported before.
    """
    environment = _environment()
    home = pathlib.Path(environment["set"]["CUDA_HOME"])
    if not _loaded:
        libraries = pathlib.Path(os.path.realpath(environment["before"]["LD_LIBRARY_PATH"]))
        # A wheel's lib64 is a folder of links; the process has the files by their own places.
        _check_strangers(pathlib.Path(os.path.realpath(libraries / _LIBRARIES[0])).parent)
        _check_clients()
        _load(libraries)
        _jax.answer_for_device_files()
    _set(environment)
    return home
