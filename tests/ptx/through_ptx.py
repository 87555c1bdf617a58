#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddlecc, but device code takes the way through PTX text.

Takes heddlecc's arguments for building a program. Each .cu file is compiled by heddlecc; then the same
device code is compiled once more by plain Clang, to PTX, and heddle-jit's image of that takes the place
of heddlecc's in the object file. Where that cannot be done (Clang does not compile what heddlecc
mends, or device code is linked later) it says why and exits with 86.

    HEDDLECC=build/bin/heddlecc tests/ptx/through_ptx.py program.cu -o program

THROUGH_PTX_CC1 has more options for Clang's run that makes PTX.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

SKIPPED = 86
# What device code cannot be without, or what PTX text cannot say: relocatable code, -G's two images.
NOT_HERE = {"-rdc=true", "-dc", "--device-c", "-G", "--device-debug", "-dlink", "-lib", "-cubin",
            "-fatbin", "-rdc", "--relocatable-device-code=true"}


class Skip(Exception):
    """Why a program cannot go through PTX."""


def run(command, **more):
    result = subprocess.run(command, capture_output=True, text=True, errors="replace", **more)
    if result.returncode:
        sys.stderr.write(result.stderr + result.stdout)
        sys.exit(result.returncode if result.returncode > 0 else 1)
    return result


def device_command(printed):
    """Clang's own command for the device, out of what heddlecc -v prints."""
    for line in printed.splitlines():
        if "-cc1" in line and "-fcuda-is-device" in line:
            return shlex.split(line)
    return None


def ptx_command(command, output):
    """The same, for optimised PTX instead of unoptimised IR."""
    dropped = {"-emit-llvm-bc", "-emit-llvm-uselists", "-disable-llvm-passes"}
    # With lines, LLVM 19 crashes over functions that are inlined into ones without.
    words = [word for word in command if word not in dropped
             and not word.startswith("-debug-info-kind")]
    words[words.index("-o") + 1] = output
    return words[:2] + ["-S"] + os.environ.get("THROUGH_PTX_CC1", "").split() + words[2:]


def pack(name, text):
    parts = [part.encode() if isinstance(part, str) else part for part in (name, text)]
    return b"".join(str(len(part)).encode() + b"\n" + part for part in parts)


def image_of(root, ptx, name, folder):
    """The file of the image that heddle-jit makes of a PTX file."""
    packed, image = folder / "packed", folder / "image"
    packed.write_bytes(pack(name, ptx.read_bytes()))
    run([str(root / "libexec/heddle/heddle-jit"), "ptx", str(packed), str(image)])
    return image


def compile_one(heddlecc, root, source, arguments, folder):
    """Compiles one .cu file; returns its object."""
    folder.mkdir()
    object_file = folder / (source.stem + ".o")
    printed = run([heddlecc, "-v", "-c", str(source), "-o", str(object_file)] + arguments)
    command = device_command(printed.stderr + printed.stdout)
    sections = run(["readelf", "-SW", str(object_file)]).stdout
    if ".nv_fatbin" not in sections:
        return object_file
    ptx = folder / "device.ptx"
    compiled = subprocess.run(ptx_command(command, str(ptx)), capture_output=True, text=True,
                              errors="replace", check=False)
    if compiled.returncode:
        raise Skip("plain Clang: " + compiled.stderr.strip().split("\n")[0][:200])
    image = image_of(root, ptx, str(source), folder)
    run(["objcopy", "--update-section", f".nv_fatbin={image}", str(object_file)])
    return object_file


def split_arguments(words):
    """Sources, other inputs and what is for the link, the output, and the rest."""
    sources, linked, rest, output = [], [], [], "a.out"
    words = list(words)
    while words:
        word = words.pop(0)
        if word == "-o":
            output = words.pop(0)
        elif word.endswith(".cu"):
            sources.append(pathlib.Path(word))
        elif re.search(r"\.(o|a|so|cpp|c|cc)$", word) or word.startswith(("-l", "-L")):
            linked.append(word)
        elif word in ("-x", "-I", "-D", "-arch", "-Xcompiler", "-Xptxas", "-gencode", "-include"):
            rest += [word, words.pop(0)]
        else:
            rest.append(word)
    return sources, linked, rest, output


def main():
    heddlecc = os.environ["HEDDLECC"]
    root = pathlib.Path(heddlecc).resolve().parent.parent
    sources, linked, rest, output = split_arguments(sys.argv[1:])
    try:
        if NOT_HERE & set(rest) or not sources:
            raise Skip("options for which there is no way through PTX: " + " ".join(rest))
        with tempfile.TemporaryDirectory() as scratch:
            objects = [compile_one(heddlecc, root, source, rest, pathlib.Path(scratch) / str(i))
                       for i, source in enumerate(sources)]
            run([heddlecc] + [str(name) for name in objects] + linked + rest + ["-o", output])
    except Skip as why:
        print(f"skipped: {why}")
        sys.exit(SKIPPED)


if __name__ == "__main__":
    main()
