#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What PyTorch's libraries need of CUDA's is there: each name, with the version it is asked for by, in a library of a name that they need."""

import pathlib
import re
import subprocess
import sys
import unittest

import environment

# Names with a hash (libcudart.3eda8113.so.13) are of libraries that a wheel brings with it.
CUDA_LIBRARY = re.compile(r"lib(cu|nccl|nv)\w*\.so\.\d+$")
CUDA_NAME = re.compile(r"_*(cu|nccl|nv)[A-Za-z]\w*$")


def lines(*command: object) -> list[str]:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def symbols(library: pathlib.Path, which: str) -> list[tuple[str, str]]:
    """The dynamic symbols as (letter, name@version)."""
    found = (re.match(r"[0-9a-f ]*\b([A-Za-z]) (\S+)$", line) for line in lines("nm", "-D", which, library))
    return [(match[1], match[2]) for match in found if match]


class Library:
    """What a library offers to the loader: each name with its versions; any version of it if the library has none at all."""

    def __init__(self, path: pathlib.Path):
        names = {name for _, name in symbols(path, "--defined-only")}
        self.names = {name.replace("@@", "@") for name in names} | {name.split("@@")[0] for name in names}
        self.has_versions = any("@" in name for name in names)

    def offers(self, name: str) -> bool:
        return name in self.names or (not self.has_versions and name.split("@")[0] in self.names)


def needed(library: pathlib.Path) -> list[str]:
    entries = (re.search(r"\(NEEDED\).*\[(.+)\]", line) for line in lines("readelf", "-Wd", library))
    return [entry[1] for entry in entries if entry]


class Names(unittest.TestCase):
    torch: list[pathlib.Path] = []
    heddle: pathlib.Path = pathlib.Path()

    def test_are_there(self):
        wanted = {library: [name for name in needed(library) if CUDA_LIBRARY.match(name)] for library in self.torch}
        self.assertTrue(any(wanted.values()), "PyTorch was built without CUDA")
        own = [Library(library) for library in self.torch]
        there = {name: Library(self.heddle / name) for names in wanted.values() for name in names if (self.heddle / name).exists()}
        missing = {f"{library.name} needs {name}" for library, names in wanted.items() for name in names if name not in there}
        checked = 0
        for library, sonames in wanted.items():
            # The loader looks among all that is loaded for what the library's own needs do not give.
            for letter, name in symbols(library, "--undefined-only"):
                version = name.partition("@")[2]
                if letter != "U" or not CUDA_NAME.match(name.split("@")[0]) or (not version and any(each.offers(name) for each in own)):
                    continue
                checked += 1
                candidates = [version] if CUDA_LIBRARY.match(version) else there
                if not any(there[each].offers(name) for each in candidates if each in there):
                    missing.add(f"{library.name} needs {name}")
        print(f"{checked} names")
        self.assertGreater(checked, 500)
        self.assertEqual(len(missing), 0, "\n" + "\n".join(sorted(missing)))


def main() -> None:
    torch = sorted(environment.ENVIRONMENT.glob("lib/python3*/site-packages/torch/lib/*.so*"))
    if not torch:
        print(f"skipped: PyTorch is not in {environment.ENVIRONMENT}; ./dev test --python fetches it")
        sys.exit(environment.SKIPPED)
    Names.torch = torch
    Names.heddle = pathlib.Path(lines(environment.BUILD / "bin" / "heddle", "env", "--lib")[0])
    unittest.main()


if __name__ == "__main__":
    main()
