# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What packages need to find Heddle where the environment of heddle env is set, but a program does not call
heddle.enable(). Called by ../startup/sitecustomize.py.
"""

import importlib.machinery
import importlib.util
import warnings
from typing import Any, Optional

from . import _after_import, _jax, _numba
from ._enable import enable
from ._errors import HeddleError


def _load_libraries() -> None:
    """PyTorch's wheel finds libraries of nvidia-… packages before those of LD_LIBRARY_PATH, but none before those that
    are loaded."""
    if importlib.util.find_spec("nvidia") is None:
        return
    try:
        enable()
    except HeddleError as error:
        warnings.warn(f"PyTorch will use the libraries of the nvidia-… packages, not Heddle's: {error}", stacklevel=2)


def about_to_import(name: str, path: Any, target: Any) -> Optional[importlib.machinery.ModuleSpec]:
    """For a finder that answers None when it is asked again: does what is to be done before, and returns the module's
    spec if something is to be done behind; or None."""
    if name == "torch":
        _load_libraries()
    elif name == "jax":
        _jax.answer_for_device_files()
    elif name == "numba.cuda.dispatcher":
        return _after_import.find(name, path, target, _numba.add_lines)
    return None
