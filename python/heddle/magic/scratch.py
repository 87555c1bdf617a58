# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The folder for cells' files. People see its files by their names alone, as they have given them."""

import atexit
import pathlib
import shutil
import tempfile
from typing import List, Optional


class Scratch:
    """Made when it is first needed, and deleted when Python ends."""

    def __init__(self) -> None:
        self._folder: Optional[pathlib.Path] = None

    @property
    def folder(self) -> pathlib.Path:
        if self._folder is None or not self._folder.is_dir():
            self._folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle-notebook-")).resolve()
            atexit.register(shutil.rmtree, self._folder, ignore_errors=True)
        return self._folder

    def write(self, name: str, first_line: str, cell: str) -> pathlib.Path:
        """Writes a cell with the line of its magic as a comment, so that lines have the numbers they have there."""
        path = self.folder / name
        comment = "// " + first_line.rstrip("\\ ")
        path.write_text(f"{comment}\n{cell}", encoding="utf-8", errors="surrogateescape")
        return path

    def resolve(self, words: List[str]) -> List[str]:
        """Files that cells have written, by their whole paths; other words as they are."""
        return [
            str(self.folder / word) if not word.startswith("-") and self._is_ours(word) else word for word in words
        ]

    def _is_ours(self, word: str) -> bool:
        return "/" not in word and not pathlib.Path(word).exists() and (self.folder / word).is_file()

    def shown(self, text: str) -> str:
        """A text in which files of this folder have their names alone."""
        for prefix in self.prefixes():
            text = text.replace(prefix, "")
        return text

    def prefixes(self) -> List[str]:
        """How paths of the folder's files begin: from the root, and from the folder above it."""
        return [f"{self.folder}/", f"{self.folder.name}/"]


class PathFilter:
    """Scratch.shown for a text that comes in pieces: what may be the beginning of a path is held back."""

    def __init__(self, scratch: Scratch) -> None:
        self._scratch = scratch
        self._prefixes = scratch.prefixes()
        self._held = ""

    def feed(self, text: str) -> str:
        text = self._scratch.shown(self._held + text)
        held = max(self._beginning(text, prefix) for prefix in self._prefixes)
        self._held = text[len(text) - held :]
        return text[: len(text) - held]

    def rest(self) -> str:
        held, self._held = self._held, ""
        return held

    @staticmethod
    def _beginning(text: str, prefix: str) -> int:
        """How long the longest end of the text is that a prefix begins with."""
        for length in range(min(len(text), len(prefix) - 1), 0, -1):
            if text.endswith(prefix[:length]):
                return length
        return 0
