# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX asks CUDA for devices only if it sees a device file of NVIDIA's driver (/dev/nvidia0 and the like), and has no
switch for that. Where there is none, heddle.enable() answers in its place.
"""

import types

from ._after_import import after_import

# The module whose function of this name looks for the files.
_MODULE = "jax._src.hardware_utils"
_FUNCTION = "has_visible_nvidia_gpu"


def _answer(module: types.ModuleType) -> None:
    if hasattr(module, _FUNCTION):  # other versions of JAX may look elsewhere, or not at all
        setattr(module, _FUNCTION, lambda: True)


def answer_for_device_files() -> None:
    """In this process, whether JAX has been imported or will be."""
    after_import(_MODULE, _answer)
