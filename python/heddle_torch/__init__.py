# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's CUDA tensors on Heddle: torch.device("cuda") without a GPU.

`import torch` loads this by itself (entry point torch.backends). Where CUDA's runtime is Heddle's, each operation on
CUDA tensors is then computed by ATen's CPU kernel, in the tensors' own memory; elsewhere nothing happens.
"""

import ctypes
import os
import sys
import warnings

from heddle import HeddleError
from heddle._enable import use_release

from ._build import cuda_release, library

__all__ = ["enabled"]

# Others most likely work, and are told once that they were not tried.
TRIED = ("2.10", "2.15")

_kernels = 0


def enabled() -> bool:
    """Whether operations on CUDA tensors run on the CPU in this process."""
    return _kernels > 0


def _runs_on_heddle() -> bool:
    """Whether the CUDA runtime that PyTorch has loaded is Heddle's."""
    for name in ("libcudart.so.12", "libcudart.so.13"):
        try:
            runtime = ctypes.CDLL(name, mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
        except OSError:  # a PyTorch for another release, or without CUDA
            continue
        if hasattr(runtime, "__heddleLaunchTask"):
            return True
    return False


def _autoload() -> None:
    """What import torch calls. It must not raise: PyTorch could then not be imported."""
    global _kernels
    if enabled() or not _runs_on_heddle():
        return
    import torch

    if not torch.__version__.startswith(TRIED):
        warnings.warn(
            f"heddle: PyTorch {torch.__version__} was not tried with this Heddle (tried: {', '.join(TRIED)}); going on",
            stacklevel=2,
        )
    try:
        use_release(cuda_release())
        kernels = ctypes.CDLL(str(library()))
    except (HeddleError, OSError) as error:
        print(f"heddle: operations on CUDA tensors will fail: {error}", file=sys.stderr)
        return
    _kernels = max(0, int(kernels.heddleTorchEnable()))
