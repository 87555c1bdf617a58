# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Something to be done once a module has been imported."""

import importlib.abc
import importlib.machinery
import sys
import types
from typing import Callable, Dict, Optional, Sequence

Action = Callable[[types.ModuleType], None]


class _Loader(importlib.abc.Loader):
    """Another loader, and the action behind it."""

    def __init__(self, other: importlib.abc.Loader, action: Action) -> None:
        self._other = other
        self._action = action

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Optional[types.ModuleType]:
        return self._other.create_module(spec)

    def exec_module(self, module: types.ModuleType) -> None:
        self._other.exec_module(module)
        self._action(module)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self) -> None:
        self.actions: Dict[str, Action] = {}

    def find_spec(
        self, name: str, path: Optional[Sequence[str]], target: Optional[types.ModuleType] = None
    ) -> Optional[importlib.machinery.ModuleSpec]:
        action = self.actions.pop(name, None)
        return None if action is None else find(name, path, target, action)


def find(
    name: str, path: Optional[Sequence[str]], target: Optional[types.ModuleType], action: Action
) -> Optional[importlib.machinery.ModuleSpec]:
    """For a finder that answers None when it is asked again: the module's spec, with the action behind it."""
    for finder in sys.meta_path:  # a package's own may be among them: numba-cuda has one
        spec = finder.find_spec(name, path, target)
        if spec is not None:
            if spec.loader is not None:
                spec.loader = _Loader(spec.loader, action)
            return spec
    return None


_finder = _Finder()


def after_import(name: str, action: Action) -> None:
    """Calls action(module): now, if it has been imported, or when it is."""
    if name in sys.modules:
        action(sys.modules[name])
        return
    _finder.actions[name] = action
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
