# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX asks CUDA for devices only if it sees a device file of NVIDIA's driver (/dev/nvidia0 and the like), and has no
switch for that. Where there is none, heddle.enable() answers in its place.
"""

import importlib.abc
import importlib.machinery
import sys
import types
from typing import Optional, Sequence

# The module whose function of this name looks for the files.
_MODULE = "jax._src.hardware_utils"
_FUNCTION = "has_visible_nvidia_gpu"


def _answer(module: types.ModuleType) -> None:
    if hasattr(module, _FUNCTION):  # other versions of JAX may look elsewhere, or not at all
        setattr(module, _FUNCTION, lambda: True)


class _Loader(importlib.abc.Loader):
    """Another loader, and the answer behind it."""

    def __init__(self, other: importlib.abc.Loader) -> None:
        self._other = other

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Optional[types.ModuleType]:
        return self._other.create_module(spec)

    def exec_module(self, module: types.ModuleType) -> None:
        self._other.exec_module(module)
        _answer(module)


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(
        self, name: str, path: Optional[Sequence[str]], target: Optional[types.ModuleType] = None
    ) -> Optional[importlib.machinery.ModuleSpec]:
        if name != _MODULE:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)
        return spec


def answer_for_device_files() -> None:
    """In this process, whether JAX has been imported or will be."""
    if _MODULE in sys.modules:
        _answer(sys.modules[_MODULE])
    elif not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
