#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the includes of the sources with what the READMEs allow.

src/README.md has a row for each component: the components whose headers it may include. A folder's
own README may narrow that: "May include: `a/b`, `c/*`", where `c/*` is c and everything below it. A
folder may always include itself. Within src/engine/compiler each folder has such a README.
"""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src"
COMPILER = SOURCES / "engine" / "compiler"


def quoted(text):
    return re.findall(r"`([^`]+)`", text)


def components(text):
    """component -> what it may include, from the table of src/README.md."""
    rows = re.findall(r"^\| `(\w+)` \|(.*)\|$", text, flags=re.M)
    return {name: quoted(allowed) for name, allowed in rows}


def narrower(text):
    """The folders that a README's own line allows; None if it has no such line."""
    line = re.search(r"^May include:(.*)$", text, flags=re.M)
    return quoted(line[1]) if line else None


def covers(pattern, folder):
    if pattern.endswith("/*"):
        return folder == pattern[:-2] or folder.startswith(pattern[:-1])
    return folder == pattern


def included_folders(text):
    """The folders below src whose headers a text includes, with the header's name."""
    for header in re.findall(r'^#include "([^"]+)"', text, flags=re.M):
        if (SOURCES / header).is_file():
            yield str(pathlib.PurePath(header).parent), header


def problems_of(source, by_component, text=None):
    """What is wrong with a file's includes, or with another text in its place."""
    text = source.read_text(encoding="utf-8") if text is None else text
    folder = str(source.parent.relative_to(SOURCES))
    component = folder.split("/")[0]
    readme = source.parent / "README.md"
    own = narrower(readme.read_text(encoding="utf-8")) if readme.is_file() else None
    for other, header in included_folders(text):
        name = other.split("/")[0]
        if name != component and name not in by_component.get(component, []):
            yield f"{source.relative_to(ROOT)} includes {header}, but {component} may not include {name}"
        if own is not None and other != folder and not any(covers(p, other) for p in own):
            yield f"{source.relative_to(ROOT)} includes {header}, which {readme.relative_to(ROOT)} does not allow"


def all_sources(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in (".h", ".cpp"))


class Includes(unittest.TestCase):
    def setUp(self):
        self.by_component = components((SOURCES / "README.md").read_text(encoding="utf-8"))

    def test_the_sources_follow_the_readmes(self):
        found = [p for source in all_sources(SOURCES) for p in problems_of(source, self.by_component)]
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_each_component_has_a_row(self):
        folders = {path.name for path in SOURCES.iterdir() if path.is_dir()}
        self.assertEqual(folders, set(self.by_component))

    def test_each_folder_of_the_compiler_says_what_lives_there(self):
        for folder in {source.parent for source in all_sources(COMPILER)}:
            readme = folder / "README.md"
            with self.subTest(folder=folder):
                self.assertTrue(readme.is_file())
                self.assertIsNotNone(narrower(readme.read_text(encoding="utf-8")))

    def test_a_wrong_include_is_found(self):
        shapes = COMPILER / "simd" / "analysis" / "shapes.cpp"
        found = list(problems_of(shapes, self.by_component,
                                 '#include "engine/compiler/simd/widen/widen.h"\n'))
        self.assertIn("simd/analysis/README.md does not allow", found[0])


class Patterns(unittest.TestCase):
    def test_a_star_covers_what_is_below(self):
        self.assertTrue(covers("engine/*", "engine/simd"))
        self.assertTrue(covers("engine/*", "engine"))
        self.assertFalse(covers("engine/*", "engines"))
        self.assertFalse(covers("engine", "engine/simd"))


if __name__ == "__main__":
    unittest.main()
