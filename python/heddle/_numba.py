# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines of Python in Numba's kernels under heddle check and heddle profile. Numba leaves them out unless a program
asks for them, by @cuda.jit(lineinfo=True).
"""

import functools
import os
import types
from typing import Any, Callable

_FOLDERS = ("HEDDLE_CHECK_FOLDER", "HEDDLE_PROFILE_FOLDER")  # set by the two commands alone


def _with_lines(compile_kind: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(compile_kind)
    def compile_with_lines(self: Any, *arguments: Any, **more: Any) -> Any:
        if not self.targetoptions.get("debug"):  # which has them, and excludes lineinfo
            self.targetoptions["lineinfo"] = True
        return compile_kind(self, *arguments, **more)

    return compile_with_lines


def add_lines(dispatcher: types.ModuleType) -> None:
    """`dispatcher`: numba.cuda.dispatcher. Does nothing outside the two commands."""
    kernels = getattr(dispatcher, "CUDADispatcher", None)
    if kernels is None or not any(os.environ.get(name) for name in _FOLDERS):
        return
    for name in ("compile", "compile_device"):
        setattr(kernels, name, _with_lines(getattr(kernels, name)))
