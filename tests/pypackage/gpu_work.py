# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Python program that uses CUDA by ctypes alone: an allocation of 400 bytes, and a kernel that fills it.

    gpu_work.py COUNT [twice]    so many elements are written; the memory is freed twice
"""

import ctypes
import functools
import sys

SOURCE = rb"""extern "C" __global__ void fill(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 2; // wrong if n > 100
}
"""


def check(code):
    if code:
        raise SystemExit(f"error {code}")


@functools.lru_cache(maxsize=None)
def kernel():
    cuda, rtc = ctypes.CDLL("libcuda.so.1"), ctypes.CDLL("libnvrtc.so.12")
    context, program, module, function = (ctypes.c_void_p() for _ in range(4))
    check(cuda.cuInit(0))
    check(cuda.cuCtxCreate_v2(ctypes.byref(context), 0, 0))
    check(rtc.nvrtcCreateProgram(ctypes.byref(program), SOURCE, b"fill.cu", 0, None, None))
    check(rtc.nvrtcCompileProgram(program, 1, (ctypes.c_char_p * 1)(b"-lineinfo")))
    size = ctypes.c_size_t()
    check(rtc.nvrtcGetPTXSize(program, ctypes.byref(size)))
    ptx = ctypes.create_string_buffer(size.value)
    check(rtc.nvrtcGetPTX(program, ptx))
    check(cuda.cuModuleLoadData(ctypes.byref(module), ptx))
    check(cuda.cuModuleGetFunction(ctypes.byref(function), module, b"fill"))
    return cuda, function


class Work:
    def run(self, count):
        cuda, function = kernel()
        memory = ctypes.c_void_p()
        check(cuda.cuMemAlloc_v2(ctypes.byref(memory), 400))  # allocated
        pointer, number = ctypes.c_uint64(memory.value), ctypes.c_int(count)
        arguments = (ctypes.c_void_p * 2)(ctypes.addressof(pointer), ctypes.addressof(number))
        check(cuda.cuLaunchKernel(function, 4, 1, 1, 32, 1, 1, 0, None, arguments, None))  # launched
        check(cuda.cuCtxSynchronize())
        check(cuda.cuMemFree_v2(memory))
        return memory


if __name__ == "__main__":
    memory = Work().run(int(sys.argv[1]))  # the first
    if sys.argv[2:] == ["twice"]:
        kernel()[0].cuMemFree_v2(memory)  # freed again
    print("done", *sys.argv[1:])
