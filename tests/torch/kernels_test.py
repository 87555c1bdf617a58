#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of users beside PyTorch's tensors: extensions, Triton, torch.compile; what heddle check says of them."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import environment

environment.enter()

import torch

EXTENSION = r"""
#include <torch/extension.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/cuda/CUDAException.h>
template <typename T> __global__ void axpy(const T *x, T *y, T a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n + EXTRA) y[i] = a * x[i] + y[i];
}
torch::Tensor axpyOnDevice(torch::Tensor x, torch::Tensor y, double a) {
  auto out = y.clone();
  int n = x.numel();
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "axpy", ([&] {
    axpy<scalar_t><<<(n + 255) / 256, 256, 0, c10::cuda::getCurrentCUDAStream()>>>(x.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), scalar_t(a), n);
  }));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}
"""

TRITON = """
import torch, triton, triton.language as tl
@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n + EXTRA
    tl.store(out + i, tl.load(x + i, mask=inside) + tl.sin(tl.load(y + i, mask=inside)), mask=inside)  # the line
x, y = torch.randn(1000, device="cuda"), torch.randn(1000, device="cuda")
out = torch.empty_like(x)
add[(4,)](x, y, out, 1000, BLOCK=256)
print(torch.allclose(out, x + y.sin(), atol=1e-6))
"""


class Kernels(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heddle torch test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, text, *before):
        (self.folder / "program.py").write_text(text, encoding="utf-8")
        return subprocess.run([*before, sys.executable, "program.py"], cwd=self.folder, capture_output=True, text=True, check=False,
                              env=dict(os.environ, TRITON_CACHE_DIR=str(self.folder / "triton")), timeout=600)

    def test_extension(self):
        from torch.utils.cpp_extension import load_inline

        module = load_inline("heddle_axpy", "torch::Tensor axpyOnDevice(torch::Tensor x, torch::Tensor y, double a);",
                             EXTENSION.replace("EXTRA", "0"), functions=["axpyOnDevice"], build_directory=str(self.folder))
        x, y = torch.randn(1000, device="cuda"), torch.randn(1000, device="cuda")
        torch.testing.assert_close(module.axpyOnDevice(x, y, 2.0), 2 * x + y)

    def test_triton(self):
        done = self.run_program(TRITON.replace("EXTRA", "0"))
        self.assertEqual((done.returncode, done.stdout), (0, "True\n"), done.stderr)

    def test_check_is_quiet_about_what_is_right(self):
        done = self.run_program(TRITON.replace("EXTRA", "0"), environment.BUILD / "bin" / "heddle", "check")
        self.assertEqual((done.returncode, done.stdout), (0, "True\n"), done.stderr)

    def test_check_names_the_line_of_a_wrong_access(self):
        done = self.run_program(TRITON.replace("EXTRA", "1"), environment.BUILD / "bin" / "heddle", "check")
        line = next(i for i, text in enumerate(TRITON.splitlines(), 1) if "# the line" in text)
        self.assertNotEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"program.py:{line}", done.stderr)

    def test_profile_shows_lines_and_launches(self):
        done = self.run_program(TRITON.replace("EXTRA", "0"), environment.BUILD / "bin" / "heddle", "profile", "--lines")
        self.assertEqual((done.returncode, done.stdout), (0, "True\n"), done.stderr)
        call = next(i for i, text in enumerate(TRITON.splitlines(), 1) if text.startswith("add[(4,)]"))
        self.assertIn(f"  launched in <module> at program.py:{call}: 1 launch, ", done.stderr)
        counted = next(line for line in done.stderr.splitlines() if line.endswith("# the line"))
        # Two loads and a store, each of two elements a thread, one request for every second element: each of the two
        # touches all of the 125 sectors.
        self.assertEqual(counted.split("|")[0].split()[-4:-1], ["64", "500", "250"], done.stderr)

    def test_compile(self):
        def call(x, y):
            return torch.nn.functional.gelu(x @ y) + x.sin()

        x, y = torch.randn(64, 64, device="cuda", requires_grad=True), torch.randn(64, 64, device="cuda")
        expected = call(x, y)
        wanted = torch.autograd.grad(expected.sum(), x)[0]
        found = torch.compile(call)(x, y)
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(torch.autograd.grad(found.sum(), x)[0], wanted, atol=1e-4, rtol=1e-4)

    def test_profiler(self):
        kernel = torch.cuda._compile_kernel('extern "C" __global__ void twice(float *x) { x[threadIdx.x] *= 2; }', "twice")
        x = torch.ones(32, device="cuda")
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]) as profile:
            kernel(grid=(1, 1, 1), block=(32, 1, 1), args=(x,))
            torch.cuda.synchronize()
        self.assertIn("twice", [event.key for event in profile.key_averages()])


if __name__ == "__main__":
    unittest.main(verbosity=2)
