# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton as PyPI has it, on Heddle's ptxas and driver: kernels of the shapes of its tutorials, against NumPy.

Triton asks PyTorch which device there is; that part is replaced here, so that the tests need no PyTorch. Its
compiler, the C files that it compiles against libcuda, and its launcher are its own.
"""
import ctypes
import functools
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

os.environ.setdefault("TRITON_HOME", tempfile.mkdtemp(prefix="heddle-triton-"))
import triton  # noqa: E402
import triton.language as tl  # noqa: E402
from triton.backends.nvidia.driver import CudaDriver, CudaLauncher, CudaUtils  # noqa: E402

_CUDA = ctypes.CDLL("libcuda.so.1")


def call(name, *arguments):
    if error := getattr(_CUDA, name)(*arguments):
        raise RuntimeError(f"{name}: error {error}")


@functools.cache
def begin():
    context = ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    call("cuCtxSetCurrent", context)


class Driver(CudaDriver):
    """Without PyTorch."""

    def __init__(self):  # pylint: disable=super-init-not-called
        begin()
        self.utils, self.launcher_cls = CudaUtils(), CudaLauncher
        self.get_current_device = lambda: 0
        self.set_current_device = lambda _: None
        self.get_current_stream = lambda _: 0

    def get_device_capability(self, _=0):
        both = []
        for attribute in (75, 76):
            value = ctypes.c_int()
            call("cuDeviceGetAttribute", ctypes.byref(value), attribute, 0)
            both.append(value.value)
        return tuple(both)


triton.runtime.driver.set_active(Driver())
_MAJOR, _MINOR = triton.runtime.driver.active.get_device_capability()
CAPABILITY = 10 * _MAJOR + _MINOR


class Array:
    """A NumPy array's values in device memory; Triton asks for data_ptr() and dtype."""

    NAMES = {"float32": "fp32", "float16": "fp16", "int32": "i32", "int64": "i64", "int8": "i8", "uint8": "u8",
             "uint16": "u16"}

    def __init__(self, values, dtype=None):
        values = np.ascontiguousarray(values)
        self.like, self.dtype = np.empty_like(values), dtype or self.NAMES[str(values.dtype)]
        self.memory = ctypes.c_uint64()
        call("cuMemAlloc_v2", ctypes.byref(self.memory), ctypes.c_size_t(values.nbytes))
        call("cuMemcpyHtoD_v2", self.memory, values.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(values.nbytes))

    def data_ptr(self):
        return self.memory.value

    def values(self):
        call("cuMemcpyDtoH_v2", self.like.ctypes.data_as(ctypes.c_void_p), self.memory, ctypes.c_size_t(self.like.nbytes))
        return self.like.copy()


def bfloats(values):
    bits = np.asarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def widened(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


@triton.jit
def add(x, y, z, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(z + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


@triton.jit
def functions(x, z, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    v = tl.load(x + i, mask=m, other=1.0)
    tl.store(z + i, tl.sin(v), mask=m)
    tl.store(z + n + i, tl.cos(v), mask=m)
    tl.store(z + 2 * n + i, tl.exp(-tl.abs(v)), mask=m)
    tl.store(z + 3 * n + i, tl.log(tl.abs(v) + 1), mask=m)
    tl.store(z + 4 * n + i, tl.rsqrt(v * v + 1), mask=m)


@triton.jit
def softmax(out, x, rows, cols, B: tl.constexpr):
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=2):
        c = tl.arange(0, B)
        v = tl.load(x + row * cols + c, mask=c < cols, other=-float("inf"))
        e = tl.exp(v - tl.max(v, axis=0))
        tl.store(out + row * cols + c, e / tl.sum(e, axis=0), mask=c < cols)


@triton.jit
def matmul(a, b, c, M, N, K, TYPE: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=TYPE)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        x = tl.load(a + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0)
        y = tl.load(b + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0)
        acc = tl.dot(x, y, acc, out_dtype=TYPE)
    tl.store(c + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def dropout(x, out, n, p, seed, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, tl.where(tl.rand(seed, i) > p, v / (1 - p), 0.0), mask=i < n)


@triton.jit
def column_sums(x, sums, lock, rows, cols, G: tl.constexpr, B: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, B)
    v = tl.load(x + row * cols + c, mask=c < cols)
    group = row % G
    while tl.atomic_cas(lock + group, 0, 1) == 1:
        pass
    place = sums + group * cols + c
    tl.store(place, v + tl.load(place, mask=c < cols), mask=c < cols)
    tl.debug_barrier()
    tl.atomic_xchg(lock + group, 0)


@triton.jit
def attention(q, k, v, out, scale, N, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    off = tl.program_id(1) * N * D
    x = tl.load(q + off + m[:, None] * D + d[None, :])
    best = tl.zeros([BM], dtype=tl.float32) - float("inf")
    total = tl.zeros([BM], dtype=tl.float32)
    acc = tl.zeros([BM, D], dtype=tl.float32)
    for s in range(0, (tl.program_id(0) + 1) * BM, BN):
        n = s + tl.arange(0, BN)
        qk = tl.dot(x, tl.load(k + off + n[None, :] * D + d[:, None])) * scale * 1.44269504
        qk = tl.where(m[:, None] >= n[None, :], qk, -1.0e6)
        new = tl.maximum(best, tl.max(qk, 1))
        p = tl.math.exp2(qk - new[:, None])
        alpha = tl.math.exp2(best - new)
        y = tl.load(v + off + n[:, None] * D + d[None, :])
        acc = tl.dot(p.to(y.dtype), y, acc * alpha[:, None])
        total = total * alpha + tl.sum(p, 1)
        best = new
    tl.store(out + off + m[:, None] * D + d[None, :], acc / total[:, None])


@triton.jit
def orders(x, sorted_, summed, picked, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    tl.store(sorted_ + i, tl.sort(v))
    tl.store(summed + i, tl.cumsum(v, 0))
    tl.store(picked + i, tl.gather(v, B - 1 - i, 0))


@triton.jit
def too_far(x, z, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i * 64)
    tl.store(z + i, v)


class Kernels(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(1)

    def close(self, got, wanted, tolerance):
        got, wanted = np.asarray(got, float), np.asarray(wanted, float)
        self.assertLessEqual(np.max(np.abs(got - wanted) / (np.abs(wanted) + 1)), tolerance)

    def test_tools_are_heddles(self):
        self.assertIn("Heddle", subprocess.run([triton.knobs.nvidia.ptxas.path, "--version"], check=True,
                                               capture_output=True, text=True).stdout)

    def test_add(self):
        a, b = self.random.random((2, 10000), dtype=np.float32)
        z = Array(np.zeros_like(a))
        kernel = add[(triton.cdiv(len(a), 1024),)](Array(a), Array(b), z, len(a), B=1024)
        np.testing.assert_array_equal(z.values(), a + b)
        self.assertIn(".entry add", kernel.asm["ptx"])

    def test_functions(self):
        # Large arguments take the way over an array in local memory.
        x = (self.random.standard_normal(2000) * 10.0 ** self.random.integers(-3, 30, 2000)).astype(np.float32)
        z = Array(np.zeros((5, 2000), np.float32))
        functions[(8,)](Array(x), z, 2000, B=256)
        d = x.astype(float)
        wanted = np.sin(d), np.cos(d), np.exp(-abs(d)), np.log(abs(d) + 1), 1 / np.sqrt(d * d + 1)
        with np.errstate(over="ignore"):
            small = np.abs(d) < 1e18  # v * v is finite
            for got, want in zip(z.values(), wanted):
                self.close(got[small], want[small], 3e-6)
            for got, want in zip(z.values()[:4], wanted[:4]):
                self.close(got, want, 3e-6)

    def test_softmax(self):
        x = self.random.standard_normal((41, 781), dtype=np.float32)
        z = Array(np.zeros_like(x))
        softmax[(8,)](z, Array(x), *x.shape, B=1024, num_warps=8)
        e = np.exp(x - x.max(1, keepdims=True))
        self.close(z.values(), e / e.sum(1, keepdims=True), 1e-6)

    def product(self, a, b, dtype, kind, like, tolerance):
        (m, k), n = a.shape, b.shape[1]
        z = Array(np.zeros((m, n), like))
        matmul[(triton.cdiv(m, 64), triton.cdiv(n, 64))](Array(a, dtype), Array(b, dtype), z, m, n, k, kind, BM=64,
                                                         BN=64, BK=32, num_stages=3)
        wide = widened if dtype == "bf16" else lambda x: x
        self.close(z.values(), wide(a).astype(float) @ wide(b).astype(float), tolerance)

    def test_matmul(self):
        a, b = self.random.standard_normal((100, 136)), self.random.standard_normal((136, 90))
        self.product(a.astype(np.float16), b.astype(np.float16), None, tl.float32, np.float32, 1e-4)
        self.product(a.astype(np.float32), b.astype(np.float32), None, tl.float32, np.float32, 2e-2)  # tf32
        if CAPABILITY >= 80:  # Triton's compiler fails at these for sm_75
            self.product(bfloats(a), bfloats(b), "bf16", tl.float32, np.float32, 1e-4)
            small = (self.random.integers(-100, 100, shape).astype(np.int8) for shape in ((100, 136), (136, 90)))
            self.product(*small, None, tl.int32, np.int32, 0)

    def test_dropout(self):
        x = self.random.random(10000, dtype=np.float32) + 1
        z = Array(np.zeros_like(x))
        dropout[(10,)](Array(x), z, len(x), 0.5, 123, B=1024)
        kept = z.values() != 0
        self.close(z.values()[kept], 2 * x[kept], 1e-6)
        self.assertLess(abs(kept.mean() - 0.5), 0.03)

    def test_locks(self):
        x = self.random.integers(-9, 9, (61, 200)).astype(np.float32)
        sums = Array(np.zeros((4, 200), np.float32))
        column_sums[(61,)](Array(x), sums, Array(np.zeros(4, np.int32)), 61, 200, G=4, B=256)
        np.testing.assert_array_equal(sums.values().sum(0), x.sum(0))

    def test_attention(self):
        q, k, v = (self.random.standard_normal((3, 2, 128, 64)) * 0.5).astype(np.float16)
        out = Array(np.zeros((2, 128, 64), np.float32))
        attention[(2, 2)](Array(q), Array(k), Array(v), out, 0.5, 128, D=64, BM=64, BN=32)
        s = np.where(np.tril(np.ones((128, 128))) > 0, np.einsum("zmd,znd->zmn", q.astype(float), k.astype(float)) / 2, -1e9)
        p = np.exp(s - s.max(-1, keepdims=True))
        self.close(out.values(), p / p.sum(-1, keepdims=True) @ v.astype(float), 3e-3)

    def test_orders(self):
        x = self.random.integers(-1000, 1000, 256).astype(np.int32)
        outs = [Array(np.zeros_like(x)) for _ in range(3)]
        orders[(1,)](Array(x), *outs, B=256)
        for out, wanted in zip(outs, (np.sort(x), np.cumsum(x), x[::-1])):
            np.testing.assert_array_equal(out.values(), wanted)


class Reports(unittest.TestCase):
    """heddle check and heddle profile name lines of this file."""

    def lines(self, *command):
        heddle = pathlib.Path(os.environ["CUDA_HOME"]).parents[2] / "bin" / "heddle"
        done = subprocess.run([heddle, *command, sys.executable, __file__, "--wrong"], capture_output=True, text=True,
                              timeout=200, check=False)
        return done.stdout + done.stderr

    def test_check(self):
        self.assertRegex(self.lines("check"), r"out of bounds: read of 4 bytes[^\n]*\n *at [^\n]*triton_client.py:\d+:\d+ in too_far")

    def test_profile(self):
        text = self.lines("profile", "--lines")
        self.assertRegex(text, r"\| +v = tl.load\(x \+ i \* 64\)")
        self.assertNotIn("the source cannot be read", text)


def wrong():
    too_far[(1,)](Array(np.ones(256, np.float32)), Array(np.ones(256, np.float32)), B=256)
    call("cuCtxSynchronize")


if __name__ == "__main__":
    if "--wrong" in sys.argv:
        wrong()
    else:
        unittest.main()
