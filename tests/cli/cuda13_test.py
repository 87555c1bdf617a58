# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The libraries of CUDA 13: their names, types and errors, beside CUDA 12's in one process.

A child process loads them by ctypes, as Python's packages do. Layouts are those of NVIDIA's headers.
"""

import re
import subprocess
import sys

from cli import BUILD, CliTest, main

CALLS = """\
import ctypes, sys
from ctypes import byref, c_int, c_size_t, c_void_p, create_string_buffer

old, new = ctypes.CDLL("libcudart.so.12"), ctypes.CDLL("libcudart.so.13")
for library in (old, new):
    version = c_int()
    assert library.cudaRuntimeGetVersion(byref(version)) == 0
    print(version.value, end=" ")
driver = c_int()
new.cudaDriverGetVersion(byref(driver))
print(driver.value >= 13000)

# CUDA 13's cudaDeviceProp: 1,008 bytes, without clockRate behind maxGridSize.
properties = create_string_buffer(b"\\xee" * 1100, 1100)
assert new.cudaGetDeviceProperties(properties, 0) == 0
as_int = lambda at: int.from_bytes(properties.raw[at:at + 4], "little")
print(properties.value.decode(), as_int(352 + 8), as_int(352 + 12), properties.raw[1008:] == b"\\xee" * 92)

class Location(ctypes.Structure):
    _fields_ = [("type", c_int), ("id", c_int)]

# A place by value in CUDA 13, a device in CUDA 12.
memory = c_void_p()
assert new.cudaMallocManaged(byref(memory), c_size_t(4096), 1) == 0
print(new.cudaMemPrefetchAsync(memory, c_size_t(4096), Location(1, 0), 0, None),
      old.cudaMemPrefetchAsync(memory, c_size_t(4096), 0, None),
      new.cudaMemPrefetchAsync(memory, c_size_t(4096), Location(1, 99), 0, None))

class Dim3(ctypes.Structure):
    _fields_ = [("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint)]

# What is no kernel: another error in each.
one = Dim3(1, 1, 1)
for library in (old, new):
    library.cudaLaunchKernel.argtypes = [c_void_p, Dim3, Dim3, c_void_p, c_size_t, c_void_p]
    print(library.cudaLaunchKernel(ctypes.cast(old.cudaMalloc, c_void_p), one, one, None, 0, None),
          library.cudaGetLastError(), end=" ")
print()

PTX = b'''
.version 7.8
.target sm_70
.address_size 64
.visible .global .align 4 .u32 stored;
.visible .entry store(.param .u32 value)
{
  .reg .b32 %r<2>;
  ld.param.u32 %r1, [value];
  st.global.u32 [stored], %r1;
  ret;
}
'''
library, kernel, address, size, count = c_void_p(), c_void_p(), c_void_p(), c_size_t(), ctypes.c_uint()
assert new.cudaLibraryLoadData(byref(library), PTX, None, None, 0, None, None, 0) == 0
assert new.cudaLibraryGetKernel(byref(kernel), library, b"store") == 0
assert new.cudaLibraryGetKernelCount(byref(count), library) == 0
assert new.cudaLibraryGetGlobal(byref(address), byref(size), library, b"stored") == 0
value = c_int(4711)
arguments = (c_void_p * 1)(ctypes.cast(byref(value), c_void_p))
assert new.cudaLaunchKernel(kernel, one, one, ctypes.cast(arguments, c_void_p), 0, None) == 0
found = c_int()
assert old.cudaMemcpy(byref(found), address, c_size_t(4), 2) == 0
print(found.value, count.value, size.value, new.cudaLibraryGetKernel(byref(kernel), library, b"none"),
      new.cudaLibraryLoadData(byref(library), b".version 1", None, None, 0, None, None, 0) != 0)
assert new.cudaLibraryUnload(library) == 0
"""

VERSIONS = """\
import ctypes
from ctypes import byref, c_int

def number(library, function, *arguments):
    value = c_int()
    assert getattr(ctypes.CDLL(library), function)(*arguments, byref(value)) == 0
    return value.value

def pair(library, function):
    major, minor = c_int(), c_int()
    assert getattr(ctypes.CDLL(library), function)(byref(major), byref(minor)) == 0
    return major.value, minor.value

print(*(number(f"libcublas.so.{n}", "cublasGetVersion_v2", None) // 10000 for n in (12, 13)))
print(*(ctypes.CDLL(f"libcublasLt.so.{n}").cublasLtGetCudartVersion() // 1000 for n in (12, 13)))
print(*(number(f"libcufft.so.{n}", "cufftGetVersion") // 1000 for n in (11, 12)))
print(*(number(f"libcusolver.so.{n}", "cusolverGetVersion") // 1000 for n in (11, 12)))
print(pair("libnvrtc.so.12", "nvrtcVersion"), pair("libnvrtc.so.13", "nvrtcVersion"))
print(pair("libnvJitLink.so.12", "nvJitLinkVersion"), pair("libnvJitLink.so.13", "nvJitLinkVersion"))
"""

SOURCE = """\
import ctypes, sys
from ctypes import byref, c_size_t, c_void_p
for major in (12, 13):
    nvrtc = ctypes.CDLL(f"libnvrtc.so.{major}")
    program, size = c_void_p(), c_size_t()
    text = b"static_assert(__CUDACC_VER_MAJOR__ == %d); __global__ void kernel() {}" % major
    assert nvrtc.nvrtcCreateProgram(byref(program), text, b"a.cu", 0, None, None) == 0
    print(nvrtc.nvrtcCompileProgram(program, 0, None))
"""


class Cuda13Test(CliTest):
    def python(self, program):
        result = self.command(sys.executable, "-c", program, env={"LD_LIBRARY_PATH": str(BUILD / "lib")})
        return self.expect(result).out.splitlines()

    def test_both_runtimes_in_one_process(self):
        versions, properties, prefetches, launches, library = self.python(CALLS)
        self.assertEqual(versions, "12090 13000 True")
        self.assertEqual(properties, "Tesla T4 7 5 True")
        self.assertEqual(prefetches, "0 0 101")
        self.assertEqual(launches, "98 98 400 400 ")
        self.assertEqual(library, "4711 1 4 500 True")

    def test_libraries_say_their_release(self):
        self.assertEqual(self.python(VERSIONS), ["12 13", "12 13", "11 12", "11 12", "(12, 9) (13, 0)", "(12, 9) (13, 0)"])

    def test_nvrtc_compiles_for_its_release(self):
        self.assertEqual(self.python(SOURCE), ["0", "0"])

    def test_names_are_those_of_cuda_13(self):
        names = {}
        for release in (12, 13):
            listed = subprocess.run(["nm", "-D", "--defined-only", BUILD / f"lib/libcudart.so.{release}"],
                                    capture_output=True, text=True, check=True).stdout
            names[release] = dict(re.findall(r" T (\w+)@@(\S+)", listed))
            self.assertEqual(set(names[release].values()), {f"libcudart.so.{release}"})
        self.assertIn("cudaGetDeviceProperties_v2", names[12])
        self.assertNotIn("cudaGetDeviceProperties_v2", names[13])
        self.assertFalse([name for name in names[13] if name.startswith("heddle13_")])


if __name__ == "__main__":
    main()
