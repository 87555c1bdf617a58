# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Numba compiles for CUDA, a feature a test; what comes out is compared with NumPy."""

import math
import pathlib
import tempfile
import unittest

import numpy as np
from numba import cuda, float32, guvectorize, int32, vectorize
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32


class Numba(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)

    def test_vector_add(self):
        @cuda.jit
        def f(a, b, c):
            i = cuda.grid(1)
            if i < c.size:
                c[i] = a[i] + b[i]

        n = 100000
        a = np.random.rand(n)
        b = np.random.rand(n)
        c = np.zeros(n)
        f[(n + 127) // 128, 128](a, b, c)
        assert np.array_equal(c, a + b)
        f.forall(n)(cuda.to_device(a), cuda.to_device(b), c)

    def test_matmul(self):
        TPB = 16

        @cuda.jit
        def fast_matmul(A, B, C):
            sA = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
            sB = cuda.shared.array(shape=(TPB, TPB), dtype=float32)
            x, y = cuda.grid(2)
            tx = cuda.threadIdx.x
            ty = cuda.threadIdx.y
            bpg = cuda.gridDim.x
            tmp = float32(0.0)
            for i in range(bpg):
                sA[ty, tx] = 0
                sB[ty, tx] = 0
                if y < A.shape[0] and (tx + i * TPB) < A.shape[1]:
                    sA[ty, tx] = A[y, tx + i * TPB]
                if x < B.shape[1] and (ty + i * TPB) < B.shape[0]:
                    sB[ty, tx] = B[ty + i * TPB, x]
                cuda.syncthreads()
                for j in range(TPB):
                    tmp += sA[ty, j] * sB[j, tx]
                cuda.syncthreads()
            if y < C.shape[0] and x < C.shape[1]:
                C[y, x] = tmp

        a = np.random.rand(70, 65).astype(np.float32)
        b = np.random.rand(65, 80).astype(np.float32)
        da, db = cuda.to_device(a), cuda.to_device(b)
        dc = cuda.device_array((70, 80), np.float32)
        fast_matmul[(5, 5), (16, 16)](da, db, dc)
        assert np.allclose(dc.copy_to_host(), a @ b, rtol=1e-4)

    def test_atomics(self):
        @cuda.jit
        def h(x, bins, mx, cs):
            i = cuda.grid(1)
            if i < x.size:
                cuda.atomic.add(bins, x[i], 1)
                cuda.atomic.max(mx, 0, float(i))
                cuda.atomic.cas(cs, 0, 0, i + 1)
                cuda.atomic.add(cs, 1, i)

        x = np.random.randint(0, 16, 10000).astype(np.int32)
        bins = np.zeros(16, np.int32)
        mx = np.zeros(1)
        cs = np.zeros(2, np.int64)
        h[100, 128](x, bins, mx, cs)
        assert np.array_equal(bins, np.bincount(x, minlength=16))
        assert mx[0] == 9999 and cs[0] > 0 and cs[1] == sum(range(10000))

    def test_wrapping_atomics(self):  # intrinsics of NVVM IR, in LTO-IR
        @cuda.jit
        def f(up, down):
            cuda.atomic.inc(up, 0, 6)
            cuda.atomic.dec(down, 0, 9)

        up, down = np.zeros(1, np.uint32), np.zeros(1, np.uint32)
        f[2, 50](up, down)
        assert up[0] == 100 % 7 and down[0] == 0, (up, down)

    def test_reduce(self):
        @cuda.reduce
        def s(a, b):
            return a + b

        A = np.arange(123456, dtype=np.float64) + 1
        assert s(A) == A.sum()

    def test_vectorize(self):
        @vectorize(['float32(float32,float32)'], target='cuda')
        def add(a, b):
            return a + b * math.sin(a)

        x = np.linspace(0, 1, 1000).astype(np.float32)
        assert np.allclose(add(x, x), x + x * np.sin(x))

        @guvectorize(['void(float32[:],float32[:],float32[:])'], '(n),(n)->(n)', target='cuda')
        def g(a, b, c):
            for i in range(a.shape[0]):
                c[i] = a[i] * b[i]

        m = np.ones((5, 7), np.float32) * 3
        assert (g(m, m) == 9).all()

    def test_mathfns(self):
        @cuda.jit
        def f(x, o):
            i = cuda.grid(1)
            if i < x.size:
                v = x[i]
                o[i, 0] = math.exp(v)
                o[i, 1] = math.log(v + 1)
                o[i, 2] = math.sqrt(v)
                o[i, 3] = math.pow(v, 2.5)
                o[i, 4] = math.atan2(v, 2.0)
                o[i, 5] = math.erf(v)
                o[i, 6] = math.floor(v)
                o[i, 7] = v % 0.3

        x = np.random.rand(333) * 5
        o = np.zeros((333, 8))
        f[3, 128](x, o)
        assert np.allclose(o[:, 0], np.exp(x)) and np.allclose(o[:, 3], x**2.5) and np.allclose(o[:, 7], x % 0.3)

    def test_device_fn_const_local(self):
        T = np.arange(10.0)

        @cuda.jit(device=True)
        def sq(x):
            return x * x

        @cuda.jit
        def f(o):
            c = cuda.const.array_like(T)
            l = cuda.local.array(4, int32)
            i = cuda.grid(1)
            for k in range(4):
                l[k] = k * i
            if i < o.size:
                o[i] = sq(c[i % 10]) + l[3]

        o = np.zeros(64)
        f[2, 32](o)
        i = np.arange(64)
        assert np.array_equal(o, (i % 10) ** 2.0 + 3 * i)

    def test_warp(self):
        @cuda.jit
        def f(o, v):
            i = cuda.threadIdx.x
            x = i
            for d in (16, 8, 4, 2, 1):
                x += cuda.shfl_down_sync(0xFFFFFFFF, x, d)
            if i == 0:
                o[0] = x
            v[i] = cuda.ballot_sync(0xFFFFFFFF, i % 2 == 0)
            cuda.syncwarp()
            v[i] += cuda.popc(i)

        o = np.zeros(1, np.int64)
        v = np.zeros(32, np.uint32)
        f[1, 32](o, v)
        assert o[0] == 496 and v[0] == 0x55555555

    def test_streams_events(self):
        @cuda.jit
        def inc(a):
            i = cuda.grid(1)
            if i < a.size:
                a[i] += 1

        s = cuda.stream()
        e0, e1 = cuda.event(), cuda.event()
        with cuda.pinned(np.zeros(10)):
            pass
        a = np.zeros(1000)
        d = cuda.to_device(a, stream=s)
        e0.record(s)
        inc[8, 128, s](d)
        e1.record(s)
        r = d.copy_to_host(stream=s)
        s.synchronize()
        assert (r == 1).all() and cuda.event_elapsed_time(e0, e1) >= 0
        m = cuda.managed_array(100, dtype=np.float64)
        m[:] = 0
        inc[1, 128](m)
        cuda.synchronize()
        assert (m == 1).all()
        mm = cuda.mapped_array(100)
        mm[:] = 0
        inc[1, 128](mm)
        cuda.synchronize()
        assert (mm == 1).all()

    def test_coop(self):
        @cuda.jit
        def f(a):
            g = cuda.cg.this_grid()
            i = cuda.grid(1)
            for r in range(3):
                nxt = a[(i + 1) % a.size]
                g.sync()
                a[i] = nxt + 1
                g.sync()

        a = np.arange(128, dtype=np.int32)
        f[2, 64](a)
        assert np.array_equal(a, (np.arange(128) + 3) % 128 + 3)

    def test_printing(self):
        @cuda.jit
        def f():
            print("thread", cuda.threadIdx.x, 1.5)

        f[1, 2]()
        cuda.synchronize()

    def test_errors_debug(self):
        @cuda.jit(debug=True, opt=False)
        def f(a):
            i = cuda.grid(1)
            a[i] = 1 // a[i] if True else 0

        a = np.zeros(4, np.int64)
        try:
            f[1, 4](a)
        except ZeroDivisionError:
            pass
        else:
            raise AssertionError("no error")

    def test_rng(self):
        @cuda.jit
        def pi(states, iters, out):
            i = cuda.grid(1)
            n = 0
            for k in range(iters):
                x = xoroshiro128p_uniform_float32(states, i)
                y = xoroshiro128p_uniform_float32(states, i)
                if x * x + y * y <= 1:
                    n += 1
            out[i] = 4.0 * n / iters

        st = create_xoroshiro128p_states(64 * 24, seed=1)
        out = np.zeros(64 * 24, np.float32)
        pi[24, 64](st, 1000, out)
        assert abs(out.mean() - 3.14159) < 0.01

    def test_dyn_shared_structs_fp16(self):
        rec = np.dtype([('a', np.int32), ('b', np.float64)], align=True)

        @cuda.jit
        def f(r, o):
            s = cuda.shared.array(0, float32)
            i = cuda.threadIdx.x
            s[i] = r[i].b
            cuda.syncthreads()
            o[i] = s[31 - i] + r[i].a

        r = np.zeros(32, rec)
        r['a'] = np.arange(32)
        r['b'] = np.arange(32) * 0.5
        o = np.zeros(32, np.float32)
        f[1, 32, 0, 128](r, o)
        assert np.allclose(o, (31 - np.arange(32)) * 0.5 + np.arange(32))

        @cuda.jit
        def h(a, b):
            i = cuda.grid(1)
            if i < a.size:
                b[i] = cuda.fp16.hfma(a[i], a[i], a[i])

        a = np.arange(32).astype(np.float16) / 8
        b = np.zeros_like(a)
        h[1, 32](a, b)
        assert np.allclose(b, (a * a + a), rtol=1e-2)

    def test_fp16_to_bytes(self):  # inline PTX with LLVM's constraint for 8 bits
        @cuda.jit
        def f(a, signed, unsigned):
            i = cuda.grid(1)
            if i < a.size:
                signed[i] = np.int8(a[i])
                unsigned[i] = np.uint8(a[i])

        a = np.array([0, 1.25, 12.25, 100], np.float16)
        signed, unsigned = np.zeros(4, np.int8), np.zeros(4, np.uint8)
        f[1, 4](a, signed, unsigned)
        assert list(signed) == list(unsigned) == [0, 1, 12, 100], (signed, unsigned)

    def test_complex_and_ptx_sass(self):
        @cuda.jit('void(complex128[:])')
        def f(a):
            i = cuda.grid(1)
            if i < a.size:
                a[i] = a[i] * a[i]

        a = np.arange(9) * (1 + 1j)
        b = a.copy()
        f[1, 32](b)
        assert np.allclose(b, a * a)
        ptx = next(iter(f.inspect_asm().values()))
        assert '.entry' in ptx

    def test_linkcu(self):
        source = pathlib.Path(self.folder.name) / 'l.cu'
        source.write_text('extern "C" __device__ int bar(int*o,int a){*o=a*2;return 0;}')
        bar = cuda.declare_device('bar', 'int32(int32)')

        @cuda.jit(link=[str(source)])
        def f(a):
            i = cuda.grid(1)
            if i < a.size:
                a[i] = bar(a[i])

        a = np.arange(10, dtype=np.int32)
        f[1, 32](a)
        assert np.array_equal(a, np.arange(10) * 2)

    def test_link_barrier_of_libcudacxx(self):  # a constant offset told by hand, for NVRTC only
        source = pathlib.Path(self.folder.name) / 'barrier.cu'
        source.write_text('''#include <cuda/barrier>
extern "C" __device__ int arrive(int *result, int threads) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, threads);
  __syncthreads();
  barrier.arrive_and_wait();
  *result = threads;
  return 0;
}
''')
        arrive = cuda.declare_device('arrive', 'int32(int32)')

        @cuda.jit(link=[str(source)])
        def f(a):
            a[cuda.threadIdx.x] = arrive(cuda.blockDim.x)

        a = np.zeros(64, np.int32)
        f[1, 64](a)
        assert (a == 64).all()


if __name__ == "__main__":
    unittest.main()
