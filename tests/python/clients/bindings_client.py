# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuda.bindings and cuda.core: NVRTC, modules, launches and errors."""
import ctypes
import unittest

import numpy as np
from cuda.bindings import driver, nvrtc
from cuda.core import Device, LaunchConfig, LegacyPinnedMemoryResource, Program, ProgramOptions, launch

SOURCE = b'extern "C" __global__ void scale(float a, float *x, int n) { int i = threadIdx.x; if (i < n) x[i] *= a; }'
TEMPLATE = """template <typename T> __global__ void add(const T *a, const T *b, T *c, size_t n) {
  for (size_t i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x)
    c[i] = a[i] + b[i];
}"""


def checked(result):
    code, *values = result
    assert code == 0, code
    return values[0] if len(values) == 1 else values


class Bindings(unittest.TestCase):
    def setUp(self):
        checked(driver.cuInit(0))
        self.device = checked(driver.cuDeviceGet(0))
        checked(driver.cuCtxSetCurrent(checked(driver.cuDevicePrimaryCtxRetain(self.device))))
        self.addCleanup(lambda: checked(driver.cuDevicePrimaryCtxRelease(self.device)))
        self.addCleanup(lambda: checked(driver.cuCtxSetCurrent(driver.CUcontext(0))))  # cuda.core takes what is current

    def run_kernel(self, architecture, size_of, read):
        program = checked(nvrtc.nvrtcCreateProgram(SOURCE, b"scale.cu", 0, [], []))
        checked(nvrtc.nvrtcCompileProgram(program, 1, [b"--gpu-architecture=" + architecture]))
        image = bytes(checked(size_of(program)))
        checked(read(program, image))
        kernel = checked(driver.cuModuleGetFunction(checked(driver.cuModuleLoadData(image)), b"scale"))
        x = np.arange(100, dtype=np.float32)
        memory = checked(driver.cuMemAlloc(x.nbytes))
        checked(driver.cuMemcpyHtoD(memory, x.ctypes.data, x.nbytes))
        values = [np.array(3, np.float32), np.array(int(memory), np.uint64), np.array(50, np.int32)]
        addresses = np.array([v.ctypes.data for v in values], np.uint64)
        checked(driver.cuLaunchKernel(kernel, 1, 1, 1, 128, 1, 1, 0, 0, addresses.ctypes.data, 0))
        out = np.empty_like(x)
        checked(driver.cuMemcpyDtoH(out.ctypes.data, memory, out.nbytes))
        checked(driver.cuMemFree(memory))
        np.testing.assert_array_equal(out, np.where(np.arange(100) < 50, 3 * x, x))

    def test_ptx(self):
        self.run_kernel(b"compute_75", nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX)

    def test_cubin(self):
        self.run_kernel(b"sm_75", nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN)

    def test_events(self):
        first, last = (checked(driver.cuEventCreate(0)) for _ in range(2))
        checked(driver.cuEventRecord(first, 0))
        checked(driver.cuEventRecord(last, 0))
        checked(driver.cuEventSynchronize(last))
        self.assertGreaterEqual(checked(driver.cuEventElapsedTime(first, last)), 0)
        by_name, milliseconds = ctypes.CDLL("libcuda.so.1").cuEventElapsedTime_v2, ctypes.c_float(-1)  # as XLA finds it
        self.assertEqual(by_name(ctypes.byref(milliseconds), ctypes.c_void_p(int(first)), ctypes.c_void_p(int(last))), 0)
        self.assertGreaterEqual(milliseconds.value, 0)

    def test_errors(self):
        program = checked(nvrtc.nvrtcCreateProgram(b"__global__ void f() { nonsense; }", b"f.cu", 0, [], []))
        self.assertEqual(nvrtc.nvrtcCompileProgram(program, 0, [])[0], nvrtc.nvrtcResult.NVRTC_ERROR_COMPILATION)
        log = bytes(checked(nvrtc.nvrtcGetProgramLogSize(program)))
        checked(nvrtc.nvrtcGetProgramLog(program, log))
        self.assertIn(b"nonsense", log)
        self.assertEqual(driver.cuModuleLoadData(b"not a module\0")[0], driver.CUresult.CUDA_ERROR_INVALID_IMAGE)


class Core(unittest.TestCase):
    def test_program_and_launch(self):
        device = Device()
        device.set_current()
        stream = device.create_stream()
        options = ProgramOptions(std="c++17", arch=f"sm_{device.arch}")
        n = 50_000
        memory = LegacyPinnedMemoryResource()
        buffers = [memory.allocate(n * 4) for _ in range(3)]
        a, b, c = (np.from_dlpack(buffer).view(np.float32) for buffer in buffers)
        a[:], b[:] = np.arange(n), 1
        for kind in "cubin", "ptx":
            code = Program(TEMPLATE, code_type="c++", options=options).compile(kind, name_expressions=("add<float>",))
            c[:] = 0
            kernel = code.get_kernel("add<float>")
            launch(stream, LaunchConfig(grid=(n + 255) // 256, block=256), kernel, *buffers, np.uint64(n))
            stream.sync()
            np.testing.assert_array_equal(c, a + 1)


if __name__ == "__main__":
    unittest.main()
