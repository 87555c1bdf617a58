#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's own database of operations, on device cuda against device cpu.

The database is part of PyTorch's wheel (torch.testing._internal). Each operation is called with its
sample inputs in each type that it supports on CUDA, and its gradients are compared where it has
some. An operation counts as whole if all its calls agree.

    operators.py [--only NAME] [--types float32 …] [--part 1/8 | --sample 2026:0:120] [--report FILE] [--seconds 60]

--sample is a seed and which places of the order that it gives, so that several runs go through all operations by and by.
Writes a line for each operation that is not whole (--names: for the others, too), and a total; exit code 1 below --least percent.
"""

import argparse
import json
import random
import signal
import sys
import traceback
import warnings

import environment

environment.enter()

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree as pytree

# Their results are not a function of their inputs.
RANDOM = {
    "bernoulli", "cauchy", "empty", "empty_like", "empty_permuted", "empty_strided", "exponential",
    "geometric", "log_normal", "multinomial", "new_empty", "new_empty_strided", "normal",
    "normal_in_place", "rand_like", "randint", "randint_like", "randn", "randn_like", "uniform",
    "nn.functional.alpha_dropout", "nn.functional.dropout", "nn.functional.dropout2d",
    "nn.functional.dropout3d", "nn.functional.feature_alpha_dropout",
    "nn.functional.fractional_max_pool2d", "nn.functional.fractional_max_pool3d",
    "nn.functional.rrelu", "nn.functional.multi_head_attention_forward",
    "nn.functional.scaled_dot_product_attention", "pca_lowrank", "svd_lowrank", "bfloat16.random_",
    "torch.ops.aten._efficient_attention_forward", "torch.ops.aten._flash_attention_forward",
}


class TooLong(Exception):
    pass


def too_long(*_):
    raise TooLong("took too long")


def to_cpu(value):
    """A view stays one, of a base with all of its elements, which as_strided sees."""
    base = value._base
    marks = value.is_conj() or value.is_neg() or value.layout != torch.strided
    if base is not None and base.dtype == value.dtype and base.layout == torch.strided and not marks:
        host = base.detach().cpu().as_strided(value.shape, value.stride(), value.storage_offset())
    else:
        host = value.detach().cpu()
    return host.requires_grad_(value.requires_grad)


def host_sample(sample):
    def move(value):
        if isinstance(value, torch.Tensor):
            return to_cpu(value)
        if isinstance(value, torch.device) and value.type == "cuda":
            return torch.device("cpu")
        if isinstance(value, str) and value.startswith("cuda"):
            return "cpu"
        return value

    moved = sample.transform(lambda value: value)  # a sample of its own
    moved.input, moved.args, moved.kwargs = pytree.tree_map(move, (sample.input, sample.args, sample.kwargs))
    return moved


def call(op, sample):
    return op(sample.input, *sample.args, **sample.kwargs)


def tensors(value):
    return [t for t in pytree.tree_leaves(value) if isinstance(t, torch.Tensor)]


def gradients(result, sample):
    inputs = [t for t in tensors((sample.input, sample.args, sample.kwargs)) if t.requires_grad]
    outputs = [t for t in tensors(result) if t.requires_grad and t.grad_fn is not None]
    if not inputs or not outputs:
        return []
    torch.manual_seed(1)
    seeds = [torch.randn(t.shape, dtype=torch.float64).to(t.dtype).to(t.device) for t in outputs]
    return torch.autograd.grad(outputs, inputs, seeds, allow_unused=True)


def tolerance(expected):
    """Sums in half precision lose what is small beside the largest element."""
    expected = expected.to_dense() if expected.layout != torch.strided else expected
    if expected.dtype not in (torch.float16, torch.bfloat16, torch.complex32) or not expected.numel():
        return {}
    largest = expected.to(torch.complex64 if expected.is_complex() else torch.float32).abs().nan_to_num(0, 0, 0).max().item()
    return {"rtol": 1e-3, "atol": 1e-2 * max(1.0, largest)}


def compare(found, expected, exact_shape_only):
    found, expected = tensors(found), tensors(expected)
    assert len(found) == len(expected), f"{len(found)} tensors instead of {len(expected)}"
    for f, e in zip(found, expected):
        assert f.shape == e.shape, f"shape {tuple(f.shape)} instead of {tuple(e.shape)}"
        assert f.dtype == e.dtype, f"type {f.dtype} instead of {e.dtype}"
        if not exact_shape_only:
            torch.testing.assert_close(f.cpu(), e.cpu(), equal_nan=True, **tolerance(e))


def compare_gradients(found, sample, expected, host, loose):
    try:
        expected_gradients = gradients(expected, host)
    except NotImplementedError:
        gradients(found, sample)  # nothing is to be compared, but it must run
    except RuntimeError as error:
        # PyTorch refuses some, on any device: those of complex eigenvectors, whose phase is arbitrary.
        try:
            gradients(found, sample)
        except RuntimeError as own:
            assert str(own) == str(error), f"{own} instead of {error}"
    else:
        found_gradients = gradients(found, sample)
        # The gradient of a sample that is a view may go to its base, which the copy for the CPU has not.
        both = [(f, e) for f, e in zip(found_gradients, expected_gradients) if f is not None and e is not None]
        assert len(found_gradients) == len(expected_gradients)
        compare([f for f, _ in both], [e for _, e in both], loose)


def check(op, dtype):
    """How many calls were compared. Raises what differs."""
    autograd = op.supports_autograd and dtype in op.supported_backward_dtypes("cuda")
    loose = op.name in RANDOM
    count = 0
    for sample in op.sample_inputs("cuda", dtype, requires_grad=autograd):
        host = host_sample(sample)
        try:
            torch.manual_seed(0)
            expected = call(op, host)
        except Exception:  # the CPU does not have it: then nothing is to be compared, but it must run
            call(op, sample)
            continue
        torch.manual_seed(0)
        found = call(op, sample)
        compare(found, expected, loose)
        for t in tensors(found):
            if t.device.type != "cuda" and op.name not in ("cpu",):
                assert all(e.device.type == "cpu" for e in tensors(expected))
        if autograd and dtype in (torch.float32, torch.float64, torch.complex64, torch.complex128, torch.float16, torch.bfloat16):
            compare_gradients(found, sample, expected, host, loose)
        count += 1
    return count


def choose(options):
    part, parts = map(int, options.part.split("/"))
    chosen = [op for i, op in enumerate(op_db) if i % parts == part - 1]
    if options.sample:
        seed, first, last = map(int, options.sample.split(":"))
        chosen = random.Random(seed).sample(chosen, len(chosen))[first:last]
    return [op for op in chosen if not options.only or op.name in options.only]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", action="append")
    parser.add_argument("--types", nargs="*")
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--sample")
    parser.add_argument("--names", action="store_true")
    parser.add_argument("--report")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--least", type=float, default=97)
    parser.add_argument("--trace", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, too_long)
    chosen = choose(options)
    whole, calls, failed = 0, 0, {}
    for op in chosen:
        name = op.name + ("." + op.variant_test_name if op.variant_test_name else "")
        wrong = {}
        for dtype in sorted(op.supported_dtypes("cuda"), key=str):
            if options.types and str(dtype).split(".")[1] not in options.types:
                continue
            signal.alarm(options.seconds)
            try:
                calls += check(op, dtype)
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                if options.trace:
                    traceback.print_exc()
                wrong[str(dtype).split(".")[1]] = f"{type(error).__name__}: " + " ".join(str(error).split())[:300]
            finally:
                signal.alarm(0)
        if wrong:
            failed[name] = wrong
            reason = next(iter(wrong.values()))
            print(f"{name} [{' '.join(wrong)}]: {reason}", flush=True)
        else:
            whole += 1
            if options.names:
                print(f"{name}: whole", flush=True)
    percent = 100 * whole / max(1, len(chosen))
    print(f"{whole} of {len(chosen)} operations whole ({percent:.1f} %), {calls} calls compared")
    if options.report:
        with open(options.report, "w", encoding="utf-8") as out:
            json.dump({"whole": whole, "of": len(chosen), "failed": failed}, out, indent=1)
    return 0 if percent >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
