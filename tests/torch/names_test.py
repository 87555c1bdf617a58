#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What libraries in Python's packages need of CUDA's is there: each name, with the version it is asked for by, in a library of a
name that they need.

    names_test.py [FOLDER …] [--asked-for]     site-packages, or a package in it; else PyTorch's in the tests' environment

What a program looks up by name when it runs is not a need. --asked-for lists what is asked for in vain: names of CUDA's functions that a
library holds as strings (among them words that are none, such as enumerators), and what cuda-bindings knows of itself.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

import environment

# Names with a hash (libcudart.3eda8113.so.13) are of libraries that a wheel brings with it.
CUDA_LIBRARY = re.compile(r"lib(cu|nccl|nv)\w*\.so\.\d+$")
CUDA_NAME = re.compile(r"_*(cu|nccl|nv)[A-Za-z]\w*$")
FUNCTION = re.compile(
    rb"(?<=\0)((?:cublas(?:Lt)?|cudnn|cufft|cuFile|cupti|curand|cusolver(?:Dn|Mg|Rf|Sp)?|cusparse(?:Lt)?|nccl|nvJitLink|nvml|nvrtc|nvvm|cuda|cu)"
    rb"[A-Z]\w+)(?=\0)"
)
# cuda.bindings looks all functions of a library up at once, and says so.
BINDINGS = """
import importlib, json
found = {}
for name in ("driver", "runtime", "nvrtc", "nvjitlink", "nvvm", "nvml", "cufile", "nvfatbin"):
    try:
        pointers = importlib.import_module("cuda.bindings._internal." + name)._inspect_function_pointers()
    except Exception:
        continue
    found[name] = [len(pointers), sorted(each.strip("_") for each, address in pointers.items() if not address)]
print(json.dumps(found))
"""


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


def libraries(folder: pathlib.Path) -> list[pathlib.Path]:
    files = sorted(path for path in folder.rglob("*.so*") if path.is_file() and not path.is_symlink())
    return [path for path in files if is_elf(path)]


def is_elf(path: pathlib.Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


class Names(unittest.TestCase):
    folders: list[pathlib.Path] = []
    least = 1
    heddle: pathlib.Path = pathlib.Path()

    def test_are_there(self):
        every = [library for folder in self.folders for library in libraries(folder)]
        for library in [library for library in every if self.is_for_another_release(library)]:
            print(f"left out, for another release of CUDA: {library.name}")
            every.remove(library)
        wanted = {library: [name for name in needed(library) if CUDA_LIBRARY.match(name)] for library in every}
        self.assertTrue(any(wanted.values()), "nothing there was built for CUDA")
        own = {library.name: Library(library) for library in wanted}
        there = {name: Library(self.heddle / name) for names in wanted.values() for name in names if (self.heddle / name).exists()}
        missing = {f"{library.name} needs {name}" for library, names in wanted.items() for name in names if name not in there}
        checked = 0
        for library, sonames in wanted.items():
            brought = [own[name] for name in needed(library) if name in own]  # such as torchvision.libs
            # The loader looks among all that is loaded for what the library's own needs do not give.
            for letter, name in symbols(library, "--undefined-only"):
                version = name.partition("@")[2]
                if letter != "U" or not CUDA_NAME.match(name.split("@")[0]):
                    continue
                if any(each.offers(name) for each in (brought if version else own.values())):
                    continue
                checked += 1
                candidates = [version] if CUDA_LIBRARY.match(version) else there
                if not any(there[each].offers(name) for each in candidates if each in there):
                    missing.add(f"{library.name} needs {name}")
        print(f"{checked} names")
        self.assertGreaterEqual(checked, self.least)
        self.assertEqual(len(missing), 0, "\n" + "\n".join(sorted(missing)))

    def is_for_another_release(self, library: pathlib.Path) -> bool:
        """Packages such as bitsandbytes bring a library for each release of CUDA, and load one."""
        runtimes = [name for name in needed(library) if name.startswith("libcudart.so.")]
        return any(not (self.heddle / name).exists() for name in runtimes)


def list_asked_for(folders: list[pathlib.Path], heddle: pathlib.Path) -> None:
    offered: set[str] = set()
    for path in heddle.glob("*.so.*"):
        offered |= {name.split("@")[0] for _, name in symbols(path, "--defined-only")}
    for library in (library for folder in folders for library in libraries(folder)):
        names = {match.decode() for match in FUNCTION.findall(library.read_bytes())}
        if len(names) < 20:
            continue
        print(f"{library.name}: {len(names & offered)} of {len(names)} names")
        groups: dict[str, list[str]] = collections.defaultdict(list)
        for name in sorted(names - offered):
            groups[re.match(r"[a-z]+", name)[0]].append(name)
        for prefix, group in groups.items():
            print(f"  {prefix}: {' '.join(group)}")
    python = next((folder.parents[2] / "bin" / "python3" for folder in folders if (folder / "cuda" / "bindings").exists()), None)
    if python is not None:
        env = dict(os.environ, LD_LIBRARY_PATH=str(heddle), CUDA_HOME=str(environment.BUILD / "share/heddle/toolkit"))
        done = subprocess.run([python, "-c", BINDINGS], env=env, capture_output=True, text=True, check=True)
        for name, (count, absent) in json.loads(done.stdout).items():
            print(f"cuda.bindings {name}: {count - len(absent)} of {count} functions\n  {' '.join(absent)}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="*", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--asked-for", action="store_true")
    options = parser.parse_args()
    Names.folders = options.folders
    if not options.folders:
        packages = sorted(environment.ENVIRONMENT.glob("lib/python3*/site-packages/torch"))
        if not packages:
            print(f"skipped: PyTorch is not in {environment.ENVIRONMENT}; ./dev test --python fetches it")
            sys.exit(environment.SKIPPED)
        Names.folders, Names.least = [packages[0] / "lib"], 500
    Names.heddle = pathlib.Path(lines(environment.BUILD / "bin" / "heddle", "env", "--lib")[0])
    if options.asked_for:
        list_asked_for(Names.folders, Names.heddle)
    else:
        unittest.main(argv=sys.argv[:1])


if __name__ == "__main__":
    main()
