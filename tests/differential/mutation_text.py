# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the text is that a mutation replaces (mutations.py here and in tests/conformance)."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def find_file(source, name):
    """A file may move; what is after its folder's name stays."""
    found = [p for p in (source / "src").rglob(pathlib.PurePath(name).name)]
    exact = [p for p in found if str(p).endswith("/" + name)]
    return (exact or found or [None])[0]


def stale(name, file, text, source=ROOT):
    """What is wrong with a mutation's text, or None: it must be there once."""
    path = find_file(source, file)
    count = path.read_text(encoding="utf-8").count(text) if path else 0
    return None if count == 1 else f"STALE      {name}: text found {count} times in {file}"
