# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels for Numba with one mistake each, in the line that says which, and without it:
numba_kernels.py wrong|right [kernel …]. Without names, all of them."""

import sys

import numpy as np
from numba import cuda, float32

WRONG = sys.argv[1] == "wrong"  # a constant in kernels


@cuda.jit
def past_end(x, y):
    """Threads behind the last element."""
    i = cuda.grid(1)
    if i < x.size + WRONG:
        y[i] = 2  # heddle: out-of-bounds


@cuda.jit
def other_way_round(x, y):
    """Rows and columns of a matrix that is not square."""
    i, j = cuda.grid(2)
    if i < x.shape[0] and j < x.shape[1]:
        if WRONG:
            x[j, i] = 1  # heddle: out-of-bounds
        else:
            x[i, j] = 1


@cuda.jit
def before_start(x, y):
    """Behind the end of a view that runs backwards lies what is before the array."""
    i = cuda.grid(1)
    if i < x.size + WRONG:
        x[i] = 3  # heddle: out-of-bounds


@cuda.jit
def shared_race(x, y):
    """Others' elements of shared memory are read without a barrier."""
    tile = cuda.shared.array(128, float32)
    i = cuda.threadIdx.x
    tile[i] = x[i]  # heddle: race
    if not WRONG:
        cuda.syncthreads()
    y[i] = tile[127 - i]  # heddle: uninitialised


@cuda.jit
def lost_updates(x, y):
    """Blocks add to one place."""
    if WRONG:
        y[0] += x[cuda.blockIdx.x]  # heddle: race
    else:
        cuda.atomic.add(y, 0, x[cuda.blockIdx.x])


@cuda.jit
def unset_array(x, y):
    """Adds to what cuda.device_array gave."""
    i = cuda.threadIdx.x
    if WRONG:
        y[i] += x[i]  # heddle: uninitialised
    else:
        y[i] = x[i]


@cuda.jit
def unset_shared(x, y):
    """The middle of shared memory has no owner."""
    tile = cuda.shared.array(129, float32)
    i = cuda.threadIdx.x
    tile[i + (WRONG and i >= 64)] = x[i]
    cuda.syncthreads()
    y[i] = 2 * tile[i]  # heddle: uninitialised


@cuda.jit
def left_barrier(x, y):
    """Threads without an element do not come to the barrier."""
    i = cuda.threadIdx.x
    if WRONG and i >= 100:
        return
    first = x[0]
    cuda.syncthreads()  # heddle: barrier-not-reached
    if i < 100:
        x[i] -= first


def call(name):
    kernel = globals()[name]
    x = cuda.to_device(np.arange(1000, dtype=np.float32))
    y = cuda.device_array(1000, np.float32) if name == "unset_array" else cuda.to_device(np.zeros(1000, np.float32))
    if name == "other_way_round":
        kernel[(4, 5), (8, 8)](cuda.to_device(np.zeros((25, 40), np.float32)), y)
    elif name == "before_start":
        kernel[8, 128](x[::-1], y)
    elif name == "lost_updates":
        kernel[16, 1](x, y)
    else:
        kernel[8 if name == "past_end" else 1, 128](x, y)
    cuda.synchronize()


NAMES = ("past_end", "other_way_round", "before_start", "shared_race", "lost_updates", "unset_array", "unset_shared", "left_barrier")

if __name__ == "__main__":
    for each in sys.argv[2:] or NAMES:
        call(each)
    print("done")
