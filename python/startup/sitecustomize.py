# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Python loads as it starts after eval "$(heddle env)", and under heddle run, check and profile.

It waits for imports of packages that do not find Heddle by the environment alone; heddle._startup knows how they do.
Another sitecustomize that Python would have loaded is loaded, too.
"""

import importlib.util
import os
import sys
from importlib.machinery import PathFinder


class _Finder:
    """Tells heddle._startup, once for each, of modules that are about to be imported."""

    # Most programs import none of them, and are not to pay for the package heddle.
    _WAITED_FOR = {"torch", "numba.cuda.dispatcher", "jax"}

    def find_spec(self, name, path=None, target=None):
        if name in self._WAITED_FOR:
            self._WAITED_FOR.discard(name)
            try:
                from heddle import _startup
            except ImportError:  # a wheel's folder, in a Python that has no such package
                return None
            return _startup.about_to_import(name, path, target)
        return None


def _load_the_next(seen):
    """`seen`: folders of files like this one, of several Heddles."""
    others = [folder for folder in sys.path if os.path.abspath(folder) not in seen]
    spec = PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


_seen = sys.__dict__.setdefault("_heddle_startup", [])
_seen.append(os.path.dirname(os.path.abspath(__file__)))
if len(_seen) == 1:
    sys.meta_path.insert(0, _Finder())
_load_the_next(_seen)
