# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What %load_ext heddle adds to IPython and notebooks: %%cuda and %%cuda_file."""

from typing import TYPE_CHECKING

from .._enable import enable
from .cuda import CudaMagics

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


def load(shell: "InteractiveShell") -> None:
    """Makes !nvcc, !nvidia-smi and CUDA's Python packages work in the notebook, and adds the magics."""
    enable()
    shell.register_magics(CudaMagics)
