#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors on device cuda, from PyTorch's unmodified wheel: what programs rely on beside the operations' values."""

import copy
import os
import subprocess
import sys
import unittest
import warnings

import environment

environment.enter()

import torch
import torch.nn as nn


def tensor(*values, **more):
    return torch.tensor(values, device="cuda", **more)


class Device(unittest.TestCase):
    def test_is_there(self):
        import heddle_torch

        self.assertTrue(torch.cuda.is_available())
        self.assertTrue(heddle_torch.enabled())
        self.assertEqual(torch.cuda.get_device_capability(), (7, 5))  # a T4, unless HEDDLE_GPU says otherwise

    def test_cudnn_is_not_older_than_pytorchs(self):
        self.assertGreaterEqual(torch._C._cudnn.getRuntimeVersion()[:2], torch._C._cudnn.getCompileVersion()[:2])
        self.assertGreaterEqual(torch.backends.cudnn.version(), 91000)

    def test_several(self):
        code = ("import torch; a = torch.ones(3, device='cuda:1') * 2; b = a.to('cuda:0') + 1\n"
                "print(a.device, b.device, b.tolist(), torch.cuda.device_count())\n"
                "try: a + b\nexcept RuntimeError as e: print('refused:', 'cuda:0' in str(e) and 'cuda:1' in str(e))")
        done = subprocess.run([sys.executable, "-c", code], env=dict(os.environ, HEDDLE_DEVICES="2"), capture_output=True, text=True)
        self.assertEqual(done.stdout, "cuda:1 cuda:0 [3.0, 3.0, 3.0] 2\nrefused: True\n", done.stderr)

    def test_memory_is_limited(self):
        with self.assertRaises(torch.cuda.OutOfMemoryError):
            torch.empty(1 << 40, device="cuda")
        self.assertGreater(torch.cuda.mem_get_info()[1], 1 << 33)

    def test_results_count_as_device_memory(self):
        before = torch.cuda.memory_allocated()
        kept = torch.ones(1 << 18, device="cuda") + 1
        self.assertEqual(torch.cuda.memory_allocated() - before, 1 << 20)
        del kept
        self.assertEqual(torch.cuda.memory_allocated(), before)

    def test_fork_after_use(self):
        code = ("import os, torch; torch.ones(1, device='cuda')\npid = os.fork()\n"
                "if pid == 0:\n  try: torch.ones(1, device='cuda')\n"
                "  except RuntimeError as e: os._exit(3 if 'initializ' in str(e) else 4)\n  os._exit(0)\n"
                "print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual(done.stdout, "3\n", done.stderr)


class Tensors(unittest.TestCase):
    def test_views_and_outputs_are_the_callers(self):
        x = torch.arange(12, device="cuda").reshape(3, 4)
        row = x[1]
        row += 100
        self.assertEqual(x[1].tolist(), [104, 105, 106, 107])
        self.assertEqual(x.diagonal().data_ptr(), x.data_ptr())
        out = torch.empty(0, device="cuda")
        self.assertIs(torch.add(tensor(1.0), 1, out=out), out)
        self.assertEqual((out.tolist(), out.is_cuda), ([2.0], True))
        self.assertEqual(torch.cat([x, x], out=torch.empty(0, dtype=torch.long, device="cuda")).shape, (6, 4))

    def test_in_place_changes_are_noticed_by_autograd(self):
        x = tensor(2.0, requires_grad=True)
        y = x.exp()
        y.mul_(2)
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
            y.sum().backward()

    def test_copies(self):
        pinned = torch.arange(6.0).pin_memory()
        self.assertEqual(pinned.to("cuda", non_blocking=True).view(2, 3).t().half().cpu().tolist(), [[0, 3], [1, 4], [2, 5]])
        x = torch.zeros(4, device="cuda")
        x[::2] = torch.tensor([1, 2])
        self.assertEqual(x.tolist(), [1, 0, 2, 0])

    def test_cpu_tensors_are_refused_as_on_a_gpu(self):
        with self.assertRaisesRegex(RuntimeError, "same device"):
            tensor(1.0, 2.0) + torch.ones(2)
        self.assertEqual((tensor(1.0, 2.0) + torch.tensor(1.0)).tolist(), [2, 3])  # a number is none
        self.assertEqual(tensor(1, 2, 3)[torch.tensor([2])].tolist(), [3])

    def test_types_that_only_gpus_have(self):
        self.assertEqual(torch.trace(torch.ones(3, 3, device="cuda", dtype=torch.half)).dtype, torch.half)
        soft = torch.softmax(torch.zeros(2, device="cuda", dtype=torch.half), 0, dtype=torch.float32)
        self.assertEqual((soft.dtype, soft.tolist()), (torch.float32, [0.5, 0.5]))
        eighth = tensor(0.0, 0.0, 0.0).to(torch.float8_e4m3fn)
        eighth.scatter_(0, tensor(2, 0), tensor(0.5, 240.0).to(torch.float8_e4m3fn))
        self.assertEqual((eighth.dtype, eighth.float().tolist()), (torch.float8_e4m3fn, [240, 0, 0.5]))
        pattern = torch.eye(2, device="cuda", dtype=torch.bfloat16).to_sparse_csr()
        a = tensor([1.0, 2.0], [3.0, 4.0], dtype=torch.bfloat16)
        product = torch.sparse.sampled_addmm(pattern, a, a)
        self.assertEqual((product.dtype, product.values().tolist()), (torch.bfloat16, [8, 23]))

    @unittest.skipUnless(hasattr(torch, "bcomplex32"), "this PyTorch has no complex numbers of bfloat16")
    def test_complex_bfloat16(self):
        warnings.simplefilter("ignore")  # PyTorch calls them experimental
        x = torch.fft.fft(tensor(1.0, 2.0, 3.0, 4.0, dtype=torch.bfloat16))
        self.assertEqual((x.dtype, x.to(torch.complex64).tolist()), (torch.bcomplex32, [10, -2 + 2j, -2, -2 - 2j]))
        self.assertEqual(torch.fft.ifft(x.conj()).to(torch.complex64).tolist(), [1, 4, 3, 2])

    def test_powers_of_two(self):
        self.assertEqual(torch.ldexp(tensor(1.0, 3.0), tensor(2, -1)).tolist(), [4, 1.5])
        self.assertEqual(tensor(1.0, 3.0).ldexp_(tensor(1, 1)).tolist(), [2, 6])

    def test_integers_divided_by_zero(self):
        x, zero = tensor(5, -7, dtype=torch.int32), tensor(0, 0, dtype=torch.int32)
        found = [x % zero, x // zero, torch.fmod(x, zero), torch.div(x, zero, rounding_mode="trunc"), x.clone().remainder_(0)]
        self.assertEqual([t.tolist() for t in found], [[-1, -1], [-1, -2], [-1, -1], [-1, -1], [-1, -1]])
        self.assertEqual((x % tensor(3, 0, dtype=torch.int32)).tolist(), [2, -1])

    def test_sparse(self):
        s = torch.tensor([[0, 1], [2, 0]], device="cuda", dtype=torch.float).to_sparse()
        self.assertTrue(s.is_cuda and s.indices().is_cuda)
        self.assertEqual((s @ torch.ones(2, 1, device="cuda")).tolist(), [[1], [2]])
        self.assertEqual((s.to_sparse_csr() @ torch.ones(2, device="cuda")).tolist(), [1, 2])

    def test_what_is_not_there_is_named(self):
        with self.assertRaisesRegex(NotImplementedError, "heddle: .*miopen_batch_norm"):
            torch.miopen_batch_norm(torch.ones(1, 1, 1, 1, device="cuda"), tensor(1.0), None, None, None, True, 0.1, 1e-5)


class RandomNumbers(unittest.TestCase):
    """The numbers that a GPU gives. Those of rand and randn with seed 0 are widely published."""

    def setUp(self):
        torch.manual_seed(0)

    def test_uniform(self):
        torch.testing.assert_close(torch.rand(5, device="cuda").cpu(), torch.tensor([0.3990, 0.5167, 0.0249, 0.9401, 0.9459]), atol=5e-5, rtol=0)

    def test_normal(self):
        torch.testing.assert_close(torch.randn(5, device="cuda").cpu(), torch.tensor([-0.9247, -0.4253, -2.6438, 0.1452, -0.1209]), atol=5e-5, rtol=0)

    def test_dependent_distributions(self):
        """What an H200 gave (PyTorch 2.11), each after the same seed, and the uniform number that follows."""
        p = tensor(0.1, 0.2, 0.3, 0.4, 0, 0.5)
        means = tensor(0.5, 2, 10, 30, 70, 100, 3000, 5000)
        cases = [
            (lambda: torch.empty(6, device="cuda").exponential_(), None, 0.9722),
            (lambda: torch.bernoulli(torch.linspace(0, 1, 64, device="cuda"))[:20],
             [0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 1], 0.7874),
            (lambda: torch.empty(6, 4, device="cuda").t().bernoulli_(torch.linspace(0, 1, 24, device="cuda").view(6, 4).t())[0],
             [0, 0, 1, 0, 0, 1], 0.7874),
            (lambda: torch.multinomial(p, 4), [3, 5, 1, 0], 0.9722),
            (lambda: torch.multinomial(p.expand(8, 6), 1).flatten(), [3, 3, 1, 2, 5, 3, 1, 2], 0.9722),
            (lambda: torch.multinomial(p, 12, True), [2, 3, 0, 5, 5, 5, 3, 5, 2, 5, 1, 1], 0.9722),
            (lambda: torch.multinomial(p.expand(3, 6), 5, True)[2], [1, 3, 5, 3, 1], 0.9722),
            (lambda: torch.randperm(10, device="cuda"), [0, 1, 9, 5, 7, 8, 6, 3, 4, 2], 0.9345),
            (lambda: torch.poisson(means), [0, 2, 7, 28, 85, 108, 2986, 5069], 0.4503),
            (lambda: torch._standard_gamma(tensor(0.1, 0.5, 1, 2, 10, 50)),
             [0.0024912706, 0.3060636, 0.274482, 1.8612123, 9.295727, 45.692074], 0.7874),
            (lambda: torch.binomial(torch.full((20,), 30.0, device="cuda"), torch.linspace(0, 1, 20, device="cuda")),
             [0, 1, 2, 8, 5, 10, 8, 10, 14, 18, 18, 17, 17, 21, 26, 26, 28, 27, 29, 30], 0.6288),
        ]
        for draw, expected, after in cases:
            torch.manual_seed(0)
            found = draw()
            if expected:
                torch.testing.assert_close(found.cpu().double(), torch.tensor(expected, dtype=torch.double), atol=1e-5, rtol=1e-5)
            self.assertAlmostEqual(torch.rand(3, device="cuda")[0].item(), after, delta=5e-5)

    def test_complex_numbers_are_two(self):
        parts = torch.empty(8, device="cuda").uniform_()
        torch.manual_seed(0)
        self.assertEqual(torch.view_as_real(torch.empty(4, dtype=torch.complex64, device="cuda").uniform_()).flatten().tolist(), parts.tolist())
        x = torch.randn(1 << 16, dtype=torch.complex64, device="cuda")
        self.assertAlmostEqual(x.abs().square().mean().item(), 1, delta=0.02)

    def test_seeds_and_states(self):
        first = torch.randn(1000, device="cuda")
        state = torch.cuda.get_rng_state()
        second = torch.randn(1000, device="cuda")
        torch.cuda.set_rng_state(state)
        self.assertTrue(torch.equal(second, torch.randn(1000, device="cuda")))
        self.assertFalse(torch.equal(first, second))
        before = torch.get_rng_state()
        torch.randperm(9, device="cuda")
        self.assertTrue(torch.equal(before, torch.get_rng_state()))  # the CPU's generator is another one

    def test_distributions(self):
        n = 1 << 16
        x = torch.empty(n, device="cuda")
        self.assertAlmostEqual(x.exponential_(2).mean().item(), 0.5, delta=0.01)
        self.assertAlmostEqual(x.bernoulli_(0.25).mean().item(), 0.25, delta=0.01)
        self.assertAlmostEqual(x.cauchy_().median().item(), 0, delta=0.03)
        self.assertAlmostEqual(x.geometric_(0.25).mean().item(), 4, delta=0.1)
        self.assertAlmostEqual(x.log_normal_(0, 0.5).log().std().item(), 0.5, delta=0.01)
        self.assertAlmostEqual(torch.randint(10, (n,), device="cuda").double().mean().item(), 4.5, delta=0.05)
        kept = nn.functional.dropout(torch.ones(n, device="cuda"), 0.25)
        self.assertAlmostEqual(kept.mean().item(), 1, delta=0.01)
        self.assertEqual(kept.unique().tolist(), [0, torch.tensor(4 / 3).item()])


class Order(unittest.TestCase):
    def test_streams_and_events(self):
        stream = torch.cuda.Stream()
        x = torch.zeros(1 << 20, device="cuda")
        with torch.cuda.stream(stream):
            x.add_(1)
            event = stream.record_event()
        torch.cuda.current_stream().wait_event(event)
        self.assertEqual(x.sum().item(), 1 << 20)
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        x.mul_(2)
        end.record()
        end.synchronize()
        self.assertGreaterEqual(begin.elapsed_time(end), 0)

    def test_an_operation_waits_for_a_kernel(self):
        """Of NVRTC, by torch.cuda._compile_kernel: it is slow, and its stream's next operation needs it."""
        kernel = torch.cuda._compile_kernel(
            'extern "C" __global__ void slow(float *x) { for (int i = 0; i < 1000000; ++i) x[0] += 1.0f; }', "slow")
        x = torch.zeros(1, device="cuda")
        kernel(grid=(1, 1, 1), block=(1, 1, 1), args=(x,))
        self.assertEqual((x + 1).item(), 1000001)

    def test_graphs(self):
        graph = torch.cuda.CUDAGraph()
        x = torch.ones(4, device="cuda")
        with torch.cuda.graph(graph):
            total = (x * 2 + 1).sum()
            x.add_(1)
            noise = torch.rand(4, device="cuda")
        self.assertEqual(x.tolist(), [1, 1, 1, 1])  # captured, not run
        graph.replay()
        first = (total.item(), x.tolist(), noise.tolist())
        graph.replay()
        self.assertEqual(first[:2], (12, [2, 2, 2, 2]))
        self.assertEqual((total.item(), x.tolist()), (20, [3, 3, 3, 3]))
        self.assertNotEqual(first[2], noise.tolist())

    def test_graphs_share_a_pool_and_draw_in_order(self):
        pool, x = torch.cuda.graph_pool_handle(), torch.ones(4, device="cuda")
        first, second = torch.cuda.CUDAGraph(), torch.cuda.CUDAGraph()
        with torch.cuda.graph(first, pool=pool):
            doubled = x * 2
        with torch.cuda.graph(second, pool=pool):
            total = doubled + 1
            noise, chosen = torch.rand(4, device="cuda"), torch.multinomial(torch.ones(5, device="cuda"), 3)
        x.fill_(3)
        torch.manual_seed(0)
        first.replay()
        second.replay()
        self.assertEqual(total.tolist(), [7] * 4)
        torch.manual_seed(0)
        self.assertEqual(noise.tolist(), torch.rand(4, device="cuda").tolist())
        self.assertEqual(chosen.tolist(), torch.multinomial(torch.ones(5, device="cuda"), 3).tolist())

    def test_graphed_callables(self):
        torch.manual_seed(0)
        module = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)).cuda()
        plain = copy.deepcopy(module)
        graphed = torch.cuda.make_graphed_callables(module, (torch.randn(3, 4, device="cuda", requires_grad=True),))
        for _ in range(2):
            x = torch.randn(3, 4, device="cuda", requires_grad=True)
            results = []
            for call in (graphed, plain):
                y = call(x)
                results.append([y.detach().clone(), torch.autograd.grad(y.square().sum(), x)[0].clone()])
            for f, e in zip(*results):
                torch.testing.assert_close(f, e)


class Memory(unittest.TestCase):
    def test_statistics_and_limits(self):
        torch.cuda.memory._record_memory_history(max_entries=100)
        kept = torch.ones(1 << 20, device="cuda")
        self.assertTrue(torch.cuda.memory._snapshot()["device_traces"][0])
        torch.cuda.memory._record_memory_history(enabled=None)
        self.assertGreaterEqual(torch.cuda.memory_stats()["allocated_bytes.all.peak"], 4 << 20)
        del kept
        torch.cuda.empty_cache()
        self.assertLess(torch.cuda.memory_reserved(), torch.cuda.max_memory_reserved())
        torch.cuda.set_per_process_memory_fraction(0.001)
        try:
            with self.assertRaises(torch.cuda.OutOfMemoryError):
                torch.empty(1 << 28, device="cuda")
        finally:
            torch.cuda.set_per_process_memory_fraction(1.0)

    def test_loaders_pin_what_their_workers_read(self):
        data = torch.utils.data.TensorDataset(torch.arange(64.0).view(32, 2))
        batches = [x for x, in torch.utils.data.DataLoader(data, batch_size=4, num_workers=2, pin_memory=True)]
        self.assertTrue(all(x.is_pinned() for x in batches))
        self.assertEqual(sum(x.to("cuda", non_blocking=True).sum().item() for x in batches), sum(range(64)))


class Networks(unittest.TestCase):
    def same(self, module, *inputs):
        """Values and gradients are the CPU's."""
        results = []
        for device in ("cpu", "cuda"):
            own = copy.deepcopy(module).to(device)
            given = [i.detach().to(device).requires_grad_(i.is_floating_point()) for i in inputs]
            out = own(*given)
            out = out[0] if isinstance(out, tuple) else out
            out.square().sum().backward()
            results.append([out, *(g.grad for g in given if g.grad is not None), *(p.grad for p in own.parameters())])
        for f, e in zip(results[1], results[0]):
            self.assertTrue(f.is_cuda)
            torch.testing.assert_close(f.cpu(), e, atol=1e-4, rtol=1e-4)

    def test_convolutions(self):
        torch.manual_seed(0)
        self.same(nn.Sequential(nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.ConvTranspose2d(8, 4, 3)),
                  torch.randn(2, 3, 9, 9))
        self.same(nn.Conv2d(8, 8, 3, groups=8), torch.randn(1, 8, 5, 5))

    def test_recurrent_networks(self):
        torch.manual_seed(0)
        for kind in (nn.LSTM, nn.GRU, nn.RNN):
            self.same(kind(4, 5, 2, bidirectional=True), torch.randn(7, 3, 4))
            self.same(kind(4, 5, batch_first=True), torch.randn(3, 7, 4))
        self.same(nn.LSTMCell(4, 5), torch.randn(3, 4))
        self.same(nn.GRUCell(4, 5), torch.randn(3, 4))

    def test_attention(self):
        torch.manual_seed(0)
        for causal in (False, True):
            q, k, v = (torch.randn(2, 4, 16, 8, device="cuda", requires_grad=True) for _ in range(3))
            out = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
            grads = torch.autograd.grad(out.square().sum(), (q, k, v))
            with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
                plain = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
            for f, e in zip((out, *grads), (plain, *torch.autograd.grad(plain.square().sum(), (q, k, v)))):
                torch.testing.assert_close(f, e, atol=1e-5, rtol=1e-4)

    def test_attention_of_sequences_side_by_side(self):
        torch.manual_seed(0)
        q, k, v = (torch.randn(10, 2, 16, device="cuda", dtype=torch.half) for _ in range(3))
        starts = tensor(0, 4, 10, dtype=torch.int32)
        found = torch.ops.aten._flash_attention_forward(q, k, v, starts, starts, 6, 6, 0.0, True, False)[0]
        for part in (slice(0, 4), slice(4, 10)):
            own = (t[part].transpose(0, 1).float() for t in (q, k, v))
            plain = nn.functional.scaled_dot_product_attention(*own, is_causal=True).transpose(0, 1)
            torch.testing.assert_close(found[part].float(), plain, atol=2e-3, rtol=2e-3)
        into = getattr(torch.ops.aten, "_flash_attention_forward_no_dropout_inplace", None)
        if into is not None:
            out = torch.empty_like(q)
            into(out, q, k, v, starts, starts, 6, 6, 0.0, True, False)
            torch.testing.assert_close(out, found, atol=0, rtol=0)

    def test_ctc_loss(self):
        torch.manual_seed(0)
        rows, targets = torch.randn(12, 2, 5).log_softmax(2), torch.randint(1, 5, (2, 4))
        lengths = torch.tensor([12, 9]), torch.tensor([4, 2])  # on the CPU, as ATen takes them
        own = rows.cuda().requires_grad_()
        found, expected = (nn.functional.ctc_loss(r, t, *lengths) for r, t in ((own, targets.cuda()), (rows, targets)))
        torch.testing.assert_close(found.detach().cpu(), expected)
        self.assertTrue(torch.autograd.grad(found, own)[0].abs().sum().item() > 0)

    def test_mixed_precision(self):
        torch.manual_seed(0)
        model, x = nn.Linear(8, 8).cuda(), torch.randn(4, 8, device="cuda")
        optimizer, scaler = torch.optim.AdamW(model.parameters()), torch.amp.GradScaler()
        with torch.autocast("cuda"):
            y = model(x)
            self.assertEqual(y.dtype, torch.half)
            loss = y.float().square().mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        self.assertLess(model(x).square().mean().item(), loss.item())


if __name__ == "__main__":
    unittest.main(verbosity=2)
