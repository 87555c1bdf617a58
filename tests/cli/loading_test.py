# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Heddle's libraries opened by dlopen, as Python's packages open them, in a program that has no other C++ library."""

import sys

from cli import BUILD, CliTest, main

OPEN_BOTH = """\
import ctypes, sys
first, second = (ctypes.CDLL(path) for path in sys.argv[1:])
"""

WRONG_PTX = """
text = b".version 7.0\\n.target sm_75\\n.address_size 64\\n.visible .entry k() { no_such.x32 %r1; }\\n\\0"
driver = first if hasattr(first, "cuInit") else second
context, module, device = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int()
assert driver.cuInit(0) == 0
assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device) == 0
assert driver.cuCtxSetCurrent(context) == 0
print(driver.cuModuleLoadData(ctypes.byref(module), text))
"""

# Memory of which there is too little is an exception in the core, too; 2 is cudaErrorMemoryAllocation.
TOO_MUCH = """
pointer = ctypes.c_void_p()
print(first.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(1 << 62)))
"""


class Loading(CliTest):
    def expect_prints(self, program, libraries, out):
        paths = [f"{BUILD}/lib/{library}" for library in libraries]
        done = self.command(sys.executable, "-c", OPEN_BOTH + program, *paths)
        self.assertEqual((done.code, done.out), (0, out), str(done))

    def test_exceptions_are_caught(self):
        invalid_ptx = "218\n"
        for libraries in (["libcuda.so.1"] * 2, ["libcudart.so.12", "libcuda.so.1"], ["libcublas.so.12", "libcuda.so.1"],
                          ["libcuda.so.1", "libcudart.so.12"]):
            with self.subTest(libraries):
                self.expect_prints(WRONG_PTX, libraries, invalid_ptx)
        self.expect_prints(TOO_MUCH, ["libcudart.so.12"] * 2, "2\n")


if __name__ == "__main__":
    main()
