# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The console scripts: each becomes the program of the same name in Heddle's bin/.

What keeps it from starting is told in a sentence, with the exit code of a shell: 126 if the program is there and
cannot be run, 127 if it is not there.
"""

import errno
import os
import sys
from typing import List, NoReturn, Optional

from . import _machine, _tree
from ._errors import HeddleError


def _fail(name: str, message: str, code: int) -> NoReturn:
    print(f"{name}: {message}", file=sys.stderr)
    raise SystemExit(code)


def _why(error: OSError) -> str:
    # The kernel says this of a program whose loader is missing: a system without glibc.
    if error.errno == errno.ENOENT:
        return "its loader /lib64/ld-linux-x86-64.so.2 is missing: Heddle needs a Linux with glibc"
    if error.errno == errno.EACCES:
        return "permission denied (is its file system mounted noexec?)"
    return error.strerror or str(error)


def execute(name: str, arguments: List[str]) -> NoReturn:
    """Replaces this process by bin/NAME with these arguments."""
    try:
        _tree.settle()
        _tree.root()
    except HeddleError as error:
        _fail(name, str(error), 127)
    complaint = _machine.complaint()
    if complaint:
        _fail(name, complaint, 126)
    try:
        path = _tree.program(name)
    except HeddleError as error:
        _fail(name, str(error), 126 if "not executable" in str(error) else 127)
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        # By its whole path: the program finds the others from it.
        os.execv(path, [str(path), *arguments])
    except OSError as error:
        _fail(name, f"cannot run {path}: {_why(error)}", 126)


def heddle(arguments: Optional[List[str]] = None) -> NoReturn:
    """The console script heddle."""
    execute("heddle", sys.argv[1:] if arguments is None else arguments)


def heddlecc(arguments: Optional[List[str]] = None) -> NoReturn:
    """The console script heddlecc."""
    execute("heddlecc", sys.argv[1:] if arguments is None else arguments)
