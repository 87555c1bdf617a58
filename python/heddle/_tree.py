# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where Heddle lies: bin/, lib/, libexec/, include/, share/heddle/ below one folder.

In the wheel that is _tree/ beside this file; elsewhere the package is in the folder's own share/heddle/python/, which
heddle env puts before PYTHONPATH. HEDDLE_HOME names another one.
"""

import os
import pathlib

from ._errors import HeddleError

_INSIDE = pathlib.Path(__file__).resolve().parent / "_tree"
# In a build folder the package is a link to the sources: it must not be followed.
_AROUND = pathlib.Path(os.path.abspath(__file__)).parents[4]


def root() -> pathlib.Path:
    """The folder of Heddle's bin/, lib/ and share/. Raises HeddleError if there is none."""
    home = os.environ.get("HEDDLE_HOME", "")
    if home:
        folder = pathlib.Path(os.path.abspath(os.path.expanduser(home)))
    elif (_AROUND / "share" / "heddle" / "python" / "heddle").is_dir():
        folder = _AROUND
    else:
        folder = _INSIDE
    if (folder / "share" / "heddle").is_dir():
        return folder
    if home:
        raise HeddleError(f"HEDDLE_HOME is {home}, but there is no Heddle in it (no share/heddle)")
    raise HeddleError(
        f"this installation of the Python package has no Heddle in it ({folder} is missing): "
        "install the wheel with pip, or set HEDDLE_HOME to the folder of a Heddle that is built or installed"
    )


def settle() -> None:
    """Makes HEDDLE_HOME, if there is one, mean the same folder to children wherever they run."""
    if os.environ.get("HEDDLE_HOME"):
        os.environ["HEDDLE_HOME"] = str(root())


def program(name: str) -> pathlib.Path:
    """The path of bin/NAME. Raises HeddleError if it cannot be run."""
    path = root() / "bin" / name
    if not path.is_file():
        raise HeddleError(f"{path} is missing: install Heddle again")
    if not os.access(path, os.X_OK):
        raise HeddleError(f"{path} is not executable (chmod +x, or install Heddle again)")
    return path
