#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes Joe and Kuo's numbers out of SciPy's wheel: extract.py WHEEL FOLDER.

Writes FOLDER/numbers.bin, 19 words of 32 bits for each of the dimensions 2 to 20,000: the primitive
polynomial with all its coefficients, and the first direction numbers m, as many as its degree."""
import ast
import io
import pathlib
import struct
import sys
import zipfile

DIMENSIONS = 20000
NUMBERS = 18


def array(data):
    """The numbers of a .npy file of 64-bit integers, and its shape; always row by row."""
    if data[:8] != b"\x93NUMPY\x01\x00":
        raise ValueError("not a .npy file of version 1")
    (length,) = struct.unpack_from("<H", data, 8)
    head = ast.literal_eval(data[10 : 10 + length].decode())
    if head["descr"] != "<i8":
        raise ValueError("not 64-bit integers")
    numbers = struct.unpack_from(f"<{(len(data) - 10 - length) // 8}q", data, 10 + length)
    shape = head["shape"]
    if head["fortran_order"] and len(shape) == 2:
        rows, columns = shape
        numbers = [numbers[column * rows + row] for row in range(rows) for column in range(columns)]
    return numbers, shape


def main(wheel, folder):
    folder = pathlib.Path(folder)
    with zipfile.ZipFile(wheel) as package:
        names = package.namelist()
        licence = next(n for n in names if n.endswith("LICENSE.txt"))
        (folder / "License.txt").write_bytes(package.read(licence))
        inner = package.read("scipy/stats/_sobol_direction_numbers.npz")
    with zipfile.ZipFile(io.BytesIO(inner)) as arrays:
        polynomials, _ = array(arrays.read("poly.npy"))
        first, shape = array(arrays.read("vinit.npy"))
    if shape[0] < DIMENSIONS or shape[1] != NUMBERS:
        raise ValueError("the arrays have other shapes")
    with open(folder / "numbers.bin", "wb") as out:
        for row in range(1, DIMENSIONS):
            m = first[row * NUMBERS : (row + 1) * NUMBERS]
            out.write(struct.pack(f"<{NUMBERS + 1}I", polynomials[row], *m))


main(*sys.argv[1:])
