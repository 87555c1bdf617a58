# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m heddle ARGUMENTS is heddle ARGUMENTS."""

from ._launch import heddle

heddle()
