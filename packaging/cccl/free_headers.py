#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a copy of CCCL's headers fit to be handed on: free_headers.py INCLUDE_FOLDER.

Nearly all of CCCL is under open licences. A few headers of the PyPI package are under NVIDIA's software licence,
which allows their use with NVIDIA GPUs only, so they are not handed on with Heddle. Each is replaced by one
that says so when it is included. Fails if there are more or fewer than are known: then CCCL has changed,
and its licences have to be read again."""
import argparse
import pathlib
import sys

# What only NVIDIA's own licence says; compared without regard to case, line breaks and comment marks.
OWN_LICENCE = ("nvidia software license", "only for use in systems with nvidia gpus", "licenseref-nvidiaproprietary")

INSTEAD = """// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In the place of CCCL's <{name}>, which is under NVIDIA's software licence and no part of Heddle's packages.
#error "<{name}> is under NVIDIA's own licence, so this package of Heddle is without it. If you may use it: \
pip download --no-deps nvidia-cuda-cccl-cu12, unpack it, and compile with -I FOLDER/nvidia/cuda_cccl/include"
"""


def is_restricted(text):
    plain = " ".join(text.lower().replace("*", " ").replace("//", " ").split())
    return any(mark in plain for mark in OWN_LICENCE)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--expect", type=int, default=4, help="how many such headers there are (CCCL 12.9.27: 4)")
    parser.add_argument("include", type=pathlib.Path)
    options = parser.parse_args()
    if not (options.include / "cuda").is_dir():
        sys.exit(f"free_headers.py: {options.include} has no CCCL")
    replaced = []
    for header in sorted(path for path in options.include.rglob("*") if path.is_file()):
        if is_restricted(header.read_text(encoding="utf-8", errors="replace")):
            name = header.relative_to(options.include).as_posix()
            header.unlink()  # may be a hard link to the fetched file
            header.write_text(INSTEAD.format(name=name), encoding="utf-8")
            replaced.append(name)
    print("Without, for their licence:", ", ".join(replaced))
    if len(replaced) != options.expect:
        sys.exit(f"free_headers.py: {len(replaced)} headers instead of {options.expect} are under NVIDIA's own licence: "
                 "has CCCL changed? Read its licences, and packaging/deb/copyright")


if __name__ == "__main__":
    main()
