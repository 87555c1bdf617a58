# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Seconds that a Python program takes from its first import to its last result, the start of Python left out.

    LD_LIBRARY_PATH=$(heddle env --lib) python3 bench/libraries/first_result.py examples/14-python-nvrtc/saxpy.py

With an empty HEDDLE_CACHE the first run compiles; later ones do not. On a GPU, the driver's cache is CUDA_CACHE_PATH's.
"""
import runpy
import sys
import time

begin = time.perf_counter()
runpy.run_path(sys.argv[1], run_name="__main__")
print(f"first result after {time.perf_counter() - begin:.2f} s")
