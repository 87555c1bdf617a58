# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What stands behind %%cuda: [run | check | profile] [--name FILE] [options] [-- arguments of the program]"""

import re
import shlex
from typing import List, NamedTuple

from IPython.core.error import UsageError

MODES = ("run", "check", "profile")
_NAME = re.compile(r"[\w.+-]+\.(cu|cuh|c|cc|cpp|cxx|h|hh|hpp|hxx|inl)\Z")


class CellOptions(NamedTuple):
    mode: str
    name: str  # of the cell's file
    words: List[str]  # for heddle: nvcc's options, other files, options of the mode
    arguments: List[str]  # for the program


def file_name(name: str) -> str:
    """The name if it is one for a source file, without a folder. Raises UsageError."""
    if not _NAME.match(name) or name.startswith("-"):
        raise UsageError(f"{name!r} is no name for a cell's file: a plain one is needed, such as reduce.cu or tile.cuh")
    return name


def words_of(line: str) -> List[str]:
    """As a shell would split them. Raises UsageError."""
    try:
        return shlex.split(line)
    except ValueError as error:
        raise UsageError(f"{line}: {error}") from None


def parse(line: str) -> CellOptions:
    """Raises UsageError."""
    words = words_of(line)
    arguments: List[str] = []
    if "--" in words:
        at = words.index("--")
        words, arguments = words[:at], words[at + 1 :]
    mode = words.pop(0) if words and words[0] in MODES else "run"
    name, rest = "cell.cu", []
    following = iter(words)
    for word in following:
        if word == "--name":
            name = next(following, "")
        elif word.startswith("--name="):
            name = word[len("--name=") :]
        else:
            rest.append(word)
    return CellOptions(mode, file_name(name), rest, arguments)
