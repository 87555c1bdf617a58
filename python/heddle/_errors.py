# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The errors that this package raises by itself."""

from typing import List


class HeddleError(RuntimeError):
    """Heddle cannot do what was asked; the text says why, and what to do."""

    def _render_traceback_(self) -> List[str]:
        # IPython asks for this. How the package came to say so is of no interest in a notebook.
        return [f"{type(self).__name__}: {self}"]


class CellFailed(HeddleError):
    """A notebook cell's program does not compile, or has failed; its own words are above."""


class CellInterrupted(KeyboardInterrupt):
    """A notebook cell's program was stopped."""

    def _render_traceback_(self) -> List[str]:
        return [f"KeyboardInterrupt: {self}"]
