# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in Python: Numba compiles them while the program runs.

    eval "$(heddle env)"     # Numba looks for libNVVM and libdevice where CUDA_HOME says
    python3 examples/13-python-numba/kernels.py     # after: pip install numba-cuda==0.30.4 cuda-bindings==12.9.*

A function under @cuda.jit is a kernel; kernel[blocks, threads](arguments) launches it. What examples 02, 04,
05 and 08 say of threads, blocks, shared memory and atomics holds here, too.
"""
import numpy as np
from numba import cuda, float32

TILE = 16


@cuda.jit
def add(a, b, out):
    i = cuda.grid(1)  # blockIdx.x * blockDim.x + threadIdx.x
    if i < out.size:  # the last block may have threads without an element
        out[i] = a[i] + b[i]


@cuda.jit
def multiply(a, b, out):
    """Each block computes a tile of the product; its threads load tiles of a and b for each other."""
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    column, row = cuda.grid(2)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for first in range(0, a.shape[1], TILE):
        tile_a[y, x] = a[row, first + x]
        tile_b[y, x] = b[first + y, column]
        cuda.syncthreads()  # both tiles are complete
        for k in range(TILE):
            total += tile_a[y, k] * tile_b[k, x]
        cuda.syncthreads()  # all have read them
    out[row, column] = total


@cuda.jit
def histogram(values, bins):
    i = cuda.grid(1)
    if i < values.size:
        cuda.atomic.add(bins, values[i], 1)


@cuda.reduce
def total_of(a, b):
    return a + b


def main():
    n = 100_000
    a, b = np.arange(n, dtype=np.float64), np.ones(n)
    out = cuda.device_array(n)  # memory of the device: to_device() and copy_to_host() copy
    add[(n + 255) // 256, 256](cuda.to_device(a), cuda.to_device(b), out)
    assert np.array_equal(out.copy_to_host(), a + b)
    print("add: 100000 sums are right")

    size = 64
    left = np.arange(size * size, dtype=np.float32).reshape(size, size) % 7
    right = np.arange(size * size, dtype=np.float32).reshape(size, size) % 5
    product = np.zeros((size, size), np.float32)  # arrays of the host are copied to the device and back
    multiply[(size // TILE, size // TILE), (TILE, TILE)](left, right, product)
    assert np.array_equal(product, left @ right)
    print("multiply: a product of 64 x 64 is right")

    values = np.arange(n) % 10
    bins = np.zeros(10, np.int64)
    histogram[(n + 255) // 256, 256](values, bins)
    assert np.array_equal(bins, np.bincount(values))
    print("histogram:", *bins)

    print("total_of:", int(total_of(a)))
    assert total_of(a) == a.sum()


main()
