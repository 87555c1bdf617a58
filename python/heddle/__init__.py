# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA without NVIDIA hardware or software, from Python.

    import heddle
    heddle.enable()             # before numba, cuda.bindings, … are imported: they find Heddle's libraries
    heddle.root()               # the folder of Heddle's bin/, lib/ and include/

In a notebook, %load_ext heddle does the first, and adds %%cuda, which compiles and runs a cell.
"""

from typing import TYPE_CHECKING

from ._enable import enable
from ._errors import HeddleError
from ._tree import root

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

__all__ = ["HeddleError", "enable", "root"]


def load_ipython_extension(shell: "InteractiveShell") -> None:
    """%load_ext heddle."""
    from .magic import load  # IPython is there; elsewhere it need not be

    load(shell)
