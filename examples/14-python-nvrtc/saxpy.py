# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA C++ in a Python program: compiled by NVRTC while it runs, launched by the driver API.

    pip install numpy cuda-bindings==12.9.*
    LD_LIBRARY_PATH=$(heddle env --lib) python3 examples/14-python-nvrtc/saxpy.py

The steps are those of any program that uses the driver API: source -> PTX -> module -> function -> launch.
"""
import numpy as np
from cuda.bindings import driver, nvrtc

SOURCE = b"""
extern "C" __global__ void saxpy(float a, const float *x, const float *y, float *out, size_t n) {
  const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a * x[i] + y[i];
}
"""


def checked(result):
    """Functions return an error code and then what they are asked for."""
    code, *values = result
    if code != 0:
        raise RuntimeError(str(code))
    return values[0] if len(values) == 1 else values


# The memory that is written to must be no object that Python shares: b" " * 1 is one, bytes(1) is 0 already.
def compiled(source, options):
    program = checked(nvrtc.nvrtcCreateProgram(source, b"saxpy.cu", 0, [], []))
    code, = nvrtc.nvrtcCompileProgram(program, len(options), options)
    log = bytes(checked(nvrtc.nvrtcGetProgramLogSize(program)))
    checked(nvrtc.nvrtcGetProgramLog(program, log))
    if code != 0:
        raise RuntimeError(log.decode())
    ptx = bytes(checked(nvrtc.nvrtcGetPTXSize(program)))
    checked(nvrtc.nvrtcGetPTX(program, ptx))
    return ptx


def main():
    checked(driver.cuInit(0))
    device = checked(driver.cuDeviceGet(0))
    context = checked(driver.cuDevicePrimaryCtxRetain(device))
    checked(driver.cuCtxSetCurrent(context))

    ptx = compiled(SOURCE, [b"--gpu-architecture=compute_75"])
    print("PTX:", ".visible .entry saxpy" in ptx.decode())
    module = checked(driver.cuModuleLoadData(ptx))
    kernel = checked(driver.cuModuleGetFunction(module, b"saxpy"))

    n = 10_000
    x = np.arange(n, dtype=np.float32)
    y = np.ones(n, dtype=np.float32)
    out = np.zeros(n, dtype=np.float32)
    memory = [checked(driver.cuMemAlloc(out.nbytes)) for _ in range(3)]
    checked(driver.cuMemcpyHtoD(memory[0], x.ctypes.data, x.nbytes))
    checked(driver.cuMemcpyHtoD(memory[1], y.ctypes.data, y.nbytes))

    # A launch takes the address of a list of addresses: one for each argument.
    arguments = [np.array(2, np.float32), *(np.array(int(m), np.uint64) for m in memory), np.array(n, np.uint64)]
    addresses = np.array([a.ctypes.data for a in arguments], np.uint64)
    checked(driver.cuLaunchKernel(kernel, (n + 255) // 256, 1, 1, 256, 1, 1, 0, 0, addresses.ctypes.data, 0))

    checked(driver.cuMemcpyDtoH(out.ctypes.data, memory[2], out.nbytes))  # waits for the kernel
    print("out[0..3]:", *out[:4])
    assert np.array_equal(out, 2 * x + y)

    for address in memory:
        checked(driver.cuMemFree(address))
    checked(driver.cuModuleUnload(module))
    checked(driver.cuDevicePrimaryCtxRelease(device))


main()
