# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Numba kernel: seconds from import to its first result, and for a launch. The peer is Numba's own
simulator: NUMBA_ENABLE_CUDASIM=1.

    LD_LIBRARY_PATH=$(heddle env --lib) CUDA_HOME=… python3 bench/libraries/numba_kernel.py 2560
"""
import sys
import time

begin = time.time()
import numpy as np
from numba import cuda


@cuda.jit
def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        for _ in range(8):
            y[i] = a * x[i] + y[i]


n = int(sys.argv[1])
x, y = cuda.to_device(np.ones(n)), cuda.to_device(np.zeros(n))


def launch():
    start = time.perf_counter()
    saxpy[(n + 255) // 256, 256](2.0, x, y)
    cuda.synchronize()
    return time.perf_counter() - start


launch()
print(f"import to first result {time.time() - begin:.2f} s")
print(f"{n} threads: {min(launch() for _ in range(5)) * 1e6:.1f} us a launch")
