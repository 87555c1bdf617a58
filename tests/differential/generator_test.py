#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the generator promises: the same kernels for a seed, everything that a kernel may contain within
the first 1000, programs that nvcc accepts; what counts as a failure of the compiler's; and what the reducer
promises; and that each mutation has a place to be.

HEDDLE_BUILD names the build folder whose heddlecc compiles what is run.
"""

import itertools
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import execution
import mutations
import reduction
from generator.expressions import COSTLY_MATH_F32, INTRINSICS
from generator.kernel import HAND_SHAPES, SHAPES, Kernel
from generator.places import LARGE, LARGE_SHAPES, NARROW_SHAPES, STRAYS
from generator.program import PER_FILE, render_program
from generator.tree import FLOATS, INTEGERS, Block, Expr, If, Jump, Loop, Simple, Statement

HERE = pathlib.Path(__file__).resolve().parent
NVCC = pathlib.Path("/usr/local/cuda/bin/nvcc")
HEDDLECC = os.environ.get("HEDDLE_BUILD") and str(
    pathlib.Path(os.environ["HEDDLE_BUILD"]).resolve() / "bin" / "heddlecc")
# Programs that were compiled with -G run as they were written.
AS_WRITTEN = unittest.mock.patch.dict(os.environ, HEDDLE_DEBUG="1")
MASK = r"(?!0xffffffffu)\w+, "  # a variable, not the full mask

# What a kernel's text must contain somewhere for the kernel to have the feature.
FEATURES = {
    "else branch": r"\} else \{",
    "branch in a branch in a branch": r"\n(  )+if \(.*\{\n(?:(?!\n  \}).)*?\n    (  )+if \(.*\{\n"
                                      r"(?:(?!\n  \}).)*?\n      (  )+if \(",
    "for loop with a lane's trip count": r"for \(int c\d+ = 0; c\d+ < int\(.*v\d",
    "for loop with a constant trip count": r"for \(int c\d+ = 0; c\d+ < int\(\d",
    "for loop with a uniform trip count": r"for \(int c\d+ = 0; c\d+ < int\(\(.*\bq\d",
    "loop that counts down": r"for \(int c\d+ = .* - 1; c\d+ >= 0; --",
    "while loop": r"while \(turns_\d+-- > 0\) \{",
    "do loop": r"\} while \(\+\+turns",
    "unrolled loop": r"#pragma unroll",
    "loop in a loop": r"\n(  +)(?:for|while).*\{\n(?:\1  .*\n)*?\1  +(?:for|while) \(",
    "break": r"if \(.*\)\n +break;", "continue": r"if \(.*\)\n +continue;",
    "goto out of loops": r"goto done", "loop with two entrances": r"goto middle_\d+;",
    "return in the middle": r"    return;\n +\}\n", "early exit": r"if \(gid >= \d+\)\n +return;",
    "switch": r"switch \(", "switch that falls through": r"\n +\}\n +(?:case|default)",
    "loop that lanes leave one by one": r"= __ballot_sync\(mask_\d+, go_\d+\);",
    "vote before a break": r"= __ballot_sync\(mask_\d+, stay_\d+\);\n.*\n +break;",
    "vote before a continue": r"= __ballot_sync\(mask_\d+, stay_\d+\);\n.*\n +continue;",
    "barrier": r"__syncthreads\(\);",
    "barrier in a loop": r"\n(  +)(?:for|while|do).*\{\n(?:\1  .*\n)*?\1  +__syncthreads",
    "barrier in a branch": r"\n(  +)if \(.*\{\n(?:\1  .*\n)*?\1  +__syncthreads",
    **{f"__syncthreads_{n}": rf"__syncthreads_{n}\(" for n in ("count", "and", "or")},
    **{f"{n}, all lanes": rf"__{n}_sync\(0xffffffffu, "
       for n in ("ballot", "any", "all", "uni", "shfl", "match_any", "match_all")},
    **{f"{n}, some lanes": rf"__{n}_sync\({MASK}"
       for n in ("ballot", "any", "all", "uni", "shfl", "match_any", "match_all")},
    **{f"shuffle{n}, {some} lanes": rf"shuffle{n}<\d+>\({mask}"
       for n in ("Up", "Down", "Xor", "Index")
       for some, mask in (("all", "0xffffffffu"), ("some", MASK))},
    **{f"shuffle, width {w}": rf"<{w}>\(" for w in (4, 8, 16, 32)},
    **{f"__reduce_{n}_sync": rf"__reduce_{n}_sync\(" for n in ("add", "min", "max", "and", "or", "xor")},
    "reduction, some lanes": rf"__reduce_\w+\({MASK}",
    "__syncwarp": r"__syncwarp\(0xffffffffu\)", "__syncwarp, some lanes": r"__syncwarp\(mask_\d+\)",
    "shuffle in different rounds": r"if \(\(\(start \+ round\) & 3\) == 0\)",
    "load at different times": r"const u32 late = ",
    "warps at different barriers": r"if \(tid & 32\) \{",
    "tree reduction": r"half = \(size \+ 1\) / 2", "function with barriers": r"= b\d+_\d+\(sh0, tid",
    "part of an array filled": r"\ba0\[i\] = [^i].*;", "part of an array copied": r"\ba0\[i\] = in_",
    "static shared memory": r"__shared__ \w+ sh\d\[", "dynamic shared memory": r"dynamic_shared \+",
    "shared memory in rows": r"sh0\[\(tid\) / \d+ \* \d+ \+",
    "local array": r" a0\[\d+\] = \{\};", "local array by thread": r"\ba0\[.*(?:tid|v\d|lane)",
    "structure": r"struct S \{", "whole structure": r"s0 = s1;|s1 = s0;",
    "pointer to one of two variables": r"\*\(.* \? &v\d+ : &v\d+\) = ",
    "pointer to global or local memory": r"\? &in_\w+\[.*\] : \(const \w+ \*\)&a0",
    **{f"variable of type {t}": rf"\n  {t} v\d+ = " for t in INTEGERS + FLOATS + ("f16", "bool")},
    **{f"output of type {t}": rf"out_{t}\[" for t in INTEGERS + FLOATS + ("f16",)},
    **{f"{t}": rf"make_{t}\(" for t in ("float4", "int2", "uint4", "double2")},
    "load of a vector": r"\(\(const float4 \*\)in_f32\)\[",
    "division": r" / (?:v\d|in_|u|\()", "remainder": r" % (?:v\d|in_|u\d+\()",
    "division by zero, often": r"[/%] \w+\(\w+ & 3\)", "shift by any amount": r"(?:<<|>>) v\d",
    "shift by at most 63": r"(?:<<|>>) \(.* & 63u\)",
    "shift of a thread's number into the sign": r"i64\(i32\(\((?:tid|gid|lane\(\)) << 2\d\)\)\)",
    "bits of a float": r"\bbits\(",
    "float from bits": r"__uint_as_float\(", "float to int": r"\bi32\(f64\(|\bi32\(in_f32",
    "conversion of a half": r"__half2float\(", "half arithmetic": r"__hfma\(|__hmul\(",
    "fused multiply-add": r"\bfmaf\(", "square root": r"\bsqrtf?\(",
    **{f"{n}": rf"\b{n}\(" for n, _ in COSTLY_MATH_F32},
    "double mathematics": r"\b(?:sin|exp|log|pow|cbrt|atan)\(",
    **{n[0].split("(")[0]: re.escape(n[0].split("(")[0]) + r"\(" for n in INTRINSICS},
    "function that is not inlined": r"__noinline__ __device__ \w+ f\d+_1\(",
    "recursion": r"= r\d+_1\(depth - 1", "double recursion": r"= r\d+_1\(depth - 2",
    "call through a pointer": r" \? f\d+_\d+ : f\d+_\d+\)\(",
    "call through a table of pointers": r"\(\*p\d+_\d+\[2\]\)\(",
    "virtual call": r"\)->value\(", "function with warp operations": r" w\d+_\d+\(u32 mask, ",
    "call of it": r"= w\d+_\d+\((?:live|mask_\d+), ",
    "call of it by those who call the same": r"\? w\d+_\d+ : w\d+_\d+\)\(group",
    **{f"atomic{n}": rf"\batomic{n}\(&acc\d\[" for n in
       ("Add", "Sub", "Min", "Max", "And", "Or", "Xor", "Inc")},
    "ticket": r"ticket = atomicAdd\(", "atomicExch": r"old = atomicExch\(",
    "loop around atomicCAS": r"combineByCas\(&", "shared atomics": r"__shared__ \w+ acc0\[",
    "64-bit atomics": r"\bu64 \*(?:__restrict__ )?acc\d",
    "neighbours up to a border": r"in_\w+\[min\(gid \+ \d+, \d+u\)\]",
    "neighbours down to a border": r"in_\w+\[max\(int\(gid\) - \d+, \d+\)\]",
    "neighbours or a border": r"in_\w+\[\(gid < \d+ \? gid \+ \d+ : \d+\)\]",
    "one of two neighbours": r"in_\w+\[\(tid >= \d+ \? gid - \d+ : gid \+ \d+\)\]",
    "consecutive loads": r"in_\w+\[gid \+ \d", "strided loads": r"in_\w+\[gid \* [234] \+",
    "loads in reverse": r"in_\w+\[\d+ - gid\]", "gather": r"in_\w+\[v\d+ & 8191\]",
    "uniform load": r"in_u32\[.*blockIdx\.x.* & 8191\]", "loads of constants": r"constants\[",
    "stores in reverse": r"out_\w+\[\d+ - gid\] =", "strided stores": r"out_\w+\[gid \* 8 \+ \d\] =",
    "scattered stores": r"out_\w+\[\(\(gid \* \d+ \+ \d+\) & \d+\) \+ \d+\] =",
    "grid of rows": r"gridDim\.x \* blockDim\.x \* \(blockIdx\.y", "fence": r"__threadfence\(\)",
    "sum in a loop": r"for \(u32 (k\d+) = 0; \1 < .*\n +v\d = .*\(v\d\) [+*-] ",
    "sum of a shared row": r"sh\d\[\(+[^\n\]]* \* \d+ \+ u32\(k\d+\) % \d+u",
    "sum of a shared column": r"sh\d\[\(+u32\(k\d+\) % \d+u\) \* \d+ \+",
    "row of a table": r"in_\w+\[(?:int|u32|u64)\(.*threadIdx\.y.*\) \* \w+\(p4\) \+",
    "table with a row for each block of threads": r"in_\w+\[.*blockIdx\.y \* blockDim\.y.* \* p4",
    "nearest neighbour in a table": r"in_\w+\[min\(int\(.*\) \+ \d+, \d+\) \* ",
    "neighbour on the other side": r"\(int\(.*\) > 0 \? int\(.*\) - 1 : \d+\)",
    **{f"index of type {t} that may wrap": rf"u64\({t}\(.*\)\).* % 8191u"
       for t in ("u8", "i8", "u16", "i16", "u32", "i32")},
    "index that goes round": r"in_\w+\[128 \+ i8\(", "border below zero": r"in_\w+\[min\(gid - \d+u, ",
    "load of what there is": r"\(u32\(.*\) < \d+u \? in_\w+\[", "lane's register": r"laneRegister\(\)",
    "sum of bytes": r"\(int\(in_u8\[.*\]\) [+-] int\(", "byte that is clamped": r"min\(max\(.*, 0\), 255\)",
    "distance of bytes": r"abs\(.*int\(.* - ", "comparison of bytes": r"\) (?:<|==|>=) int\(in_[ui]8",
    "choice of three conditions": r"if \(\(\(\w.{,40}\) \|\| \(\(\w.* && ",
    "switch of a few instructions": r"switch \(int\(\(?v\d+ & 7\)\) \{\n +case 0: \{\n +v\d = .*\n +\}",
    **{f"{n} elements of a thread": rf"rec\d\[gid \* {n} \+ \d" for n in (2, 3, 4, 5, 8, 16)},
    "elements of 64-bit indices": r"rec\d\[u64\(gid\) \*",
    "elements behind a pointer": r"\(rec\d \+ gid \* \d",
    "members of a structure": r"= \(\(S_rec\d \*\)rec\d\)\[gid\]\.m1;",
    "structure of integers and floats": r"struct S_rec\d \{\n .*\b[ui]32 m\d; f32 m\d;",
    "structure of all sizes": r"struct S_rec\d \{\n .*\b[ui]8 m\d; [ui]32 m\d;",
    "structures of 16 bytes": r"struct alignas\(16\) P_pk\d \{\n +\w+ v\[",
    "vector of a thread's own structure": r"uint4 w = \*\(uint4 \*\)&pk\d\[",
    "structures in turn": r"uint4 w = \*\(uint4 \*\)&pk\d\[\(i \+ ",
    "member of such a structure": r"pk\d\[[^;]*\]\.v\[",
    "parts of a vector": r"\(\(\w+4 \*\)rec\d\)\[gid\]\.w = ", "all of a vector": r"\[gid\] = make_\w+[23]\(",
    "elements in shared memory": r"rec\d\[tid \* \d",
    "several pointers": r"held_.*rec0.*\n.*rec1.*\n.*rec0", "pointers that overlap": r"\(?rec\d \+ \(p1 & 1\)",
    "several elements of the input": r"in_\w+\[gid \* \d+ \+ 1\];",
    "element that is read between stores":
        r"(\(?rec\d\S*\[\w+ \* \d+ \+) \d\] = .*\n.* = \1 \d\];\n +\1 \d\] = ",
    "running sum of elements": r"for \(int m\d+ = 0.*\n.*\n +\(?rec\d",
    "column of a table": r"tab\[.*\(int\(.*threadIdx\.x\)?\) \* (?:int\()?p7\)? \+ int\(.*threadIdx\.y",
    "columns in a loop": r"for \(int (c\d+).*\n +tab\[.*\(\1 \* \d+ \+ ",
    "columns in reverse": r"tab\[.*\d - \w+\(.*threadIdx\.x\)?\)\) \* \S+ \+ \w+\(",
    "columns from below": r"tab\[.* \+ \d+ - \w+\(\S*threadIdx\.y",
    "column of the input": r"in_\w+\[\(?int\(.*threadIdx\.x\)?\)\)? \* .*p7\)? \+ int\(",
    "walk along a row": r"in_\w+\[(?:int|u64)\(.*\) \* \(p[47] & 7\) \+ c\d",
    "tree of sums": r"for \((?:u32|int) s = \d+; s > 0; s (?:>>=|/=) \d\) \{\n +if \(threadIdx\.x < s\)",
    "tree of what is left": r"tid \+ s < \d+", "tree of last threads": r"if \(\w+\S* >= s && ",
    "tree of multiples": r"% \(2 \* s\) == 0", "tree that grows": r"if \(2 \* s \* tid \+ s < \d",
    "tree with other work": r"; s > \d; .*\n +(?:v\d = .*|const \w+ mine.*)\n +if",
    "work of first threads": r"if \(\(threadIdx\.x < \d+\)\)\n.*\n +__syncthreads",
    "elements handed round": r"hand1\[tid\] = x;",
    "elements handed on by known threads": r"hand1\[tid\] = x;\n(?:.*\n)+?.*if \(tid \+ \d+ < \d+\) ",
    "elements handed round without barriers": r"step1\[tid\] = v;",
    "work of last threads": r"if \(\(threadIdx\.x >= \d+\)\)\n.*\n +__syncthreads",
    "work of threads whose numbers wrap": r"if \(\((?:tid|threadIdx\.x) - \d+ < \d+\)\)\n",
    "place in the grid": r"const u32 px = blockIdx\.x \* blockDim\.x \+ threadIdx\.x;",
    "place by a known width": r"const u32 px = blockIdx\.x \* \d+ \+ threadIdx\.x;",
    "place in planes": r"const u32 gid = px \+ u32\(p8\) \* \(py \+ u32\(p9\) \* pz\);",
    "inlined function": r"__forceinline__ __device__ \w+ f",
    "neighbour of a place": r"in_\w+\[min\(max\(int\(py\) [+-] 1, 0\), \d+\) \* \d+ \+ ",
    "neighbours in a loop": r"for \(int (d\d+) = -\d.*\n.*in_\w+\[.*int\(p[xyz]\) \+ \1, 0\)",
    "outputs with gaps": r"out_\w+\[gid \+ py \* [1-9]",
    "launch bounds": r"__launch_bounds__", "structure of parameters": r"const P\d+ parameters\)",
    "restrict": r"__restrict__",
}


class Generation(unittest.TestCase):
    def test_same_seed_same_text(self):
        command = [sys.executable, str(HERE / "run_differential.py"), "--print", "--seed", "7",
                   "--first", "40", "--count", "30"]
        texts = [subprocess.run(command, capture_output=True, text=True, check=True,
                                env=dict(os.environ, PYTHONHASHSEED=seed)).stdout
                 for seed in ("1", "2")]
        self.assertEqual(texts[0], texts[1])
        self.assertIn(Kernel(7, 69).render(), texts[0])
        self.assertEqual(Kernel(7, 69).render(), Kernel(7, 69).render())

    def test_other_seeds_other_text(self):
        texts = {Kernel(seed, 5).render().split("\n", 1)[1] for seed in range(20)}
        self.assertEqual(len(texts), 20)

    def test_features(self):
        kernels = [Kernel(1, index) for index in range(1600)]
        texts = [kernel.render() for kernel in kernels]
        missing = [name for name, pattern in FEATURES.items()
                   if not any(re.search(pattern, text) for text in texts)]
        self.assertEqual(missing, [])
        self.assertEqual({kernel.shape for kernel in kernels if not kernel.places}, set(SHAPES) | set(HAND_SHAPES))
        self.assertTrue(any(kernel.grid[1] > 1 for kernel in kernels))
        self.assertTrue(any(kernel.points and kernel.grid[0] > 4 for kernel in kernels))
        self.assertTrue(any(kernel.points and min(kernel.grid[:2]) > 1 for kernel in kernels))
        self.assertTrue(any(kernel.blocks > 2 and kernel.threads % 32 for kernel in kernels))

    def test_kernels_that_ask_for_their_place(self):
        """Most ask for nothing else that has to do with x; there are enough blocks to join some of."""
        found = [k for k in (Kernel(1, index) for index in range(3000)) if k.places]
        self.assertEqual({k.shape for k in found}, set(NARROW_SHAPES + LARGE_SHAPES))
        narrow = [k for k in found if not k.places.large]
        self.assertEqual({k.places.stray for k in narrow}, set(STRAYS) | {""})
        plain = [k for k in narrow if not k.places.stray]
        for kernel in plain:
            uses = re.findall(r"(?:threadIdx|blockIdx|gridDim)\.x|lane\w*\(\)", kernel.render())
            self.assertEqual(sorted(uses), ["blockIdx.x", "threadIdx.x"], kernel.render())
        joined = [k for k in plain if k.shape[0] <= 16 and k.grid[0] % 2 == 0 and k.blocks >= 128]
        self.assertGreater(len(joined), len(narrow) // 3)
        self.assertTrue(any(k.grid[0] % 2 and k.blocks >= 128 for k in plain))
        for kernel in found:
            if kernel.places.large:
                stores = re.findall(r"out_[a-z](\d+)\[.*\] = ", kernel.render())
                self.assertGreaterEqual(LARGE * sum(map(int, stores)) // 8, 40 << 20, kernel.render())

    def test_every_warp_operation_has_a_mask(self):
        for index in range(500):
            self.assertNotIn("None", Kernel(2, index).render())


class Check(Statement):
    """Stops the program if the mask that warp operations would name here is not that of the lanes which
    come here. (If a lane does not come, the others wait for it: a deadlock, which is an error, too.)"""

    def render(self, writer, env):
        if env.mask:
            writer.line(f"if (!({env.mask} >> lane() & 1) || "
                        f"__ballot_sync({env.operation_mask()}, 1) != {env.mask})\n  __trap();")


class Masks(unittest.TestCase):
    """Warp operations name exactly the lanes that come to them."""

    KINDS = ("masked break", "masked continue", "return", "masked branch", "plain branch")

    def jump(self, kind, counter):
        """Some lanes go, others in other rounds."""
        there = Expr("bool", f"lane() % 5 == {counter} + 1", constant=False)
        if not kind.endswith("branch"):
            return Jump(kind, there)
        leaves = Block([Jump("return", Expr("bool", f"lane() % 3 == {counter}", constant=False))])
        return If(kind.split()[0], there, leaves, Block([Simple(";")]))

    def nest(self, outer, inner, first):
        """A loop in a loop; lanes leave each in a way of its own, the outer one before or after the
        inner one."""
        def loop(counter, body):
            trip = Expr("i32", "(lane() % 4 + 1)", constant=False)
            return Loop("masked", "for", counter, trip, Block(body))

        body = [self.jump(outer, "c1"), loop("c2", [self.jump(inner, "c2")])]
        return loop("c1", body if first else body[::-1])

    def all_pass(self, kernels):
        """Do all checks hold, between all statements?"""
        def insert(block):
            block.statements = [part for s in block.statements for part in (Check(), s)] + [Check()]
            for statement in block.statements:
                for inner in statement.blocks:
                    insert(inner)

        for kernel in kernels:
            for block, _ in reduction.bodies(kernel):
                insert(block)
            self.assertIn("__trap();", kernel.render())
        side = execution.Side(HEDDLECC, "reference")
        with execution.Workshop() as workshop, AS_WRITTEN:
            results = execution.run_sides(workshop, [side], kernels, ["-G"])
        for kernel, result in zip(kernels, results):
            self.assertIsNone(execution.verdict(result), kernel.render())

    @unittest.skipUnless(HEDDLECC, "HEDDLE_BUILD is not set")
    def test_of_loops_in_loops(self):
        kernels, others = [], (Kernel(1, index) for index in itertools.count())
        for nest in itertools.product(self.KINDS, self.KINDS, (True, False)):
            kernels.append(next(k for k in others if not k.regular))
            kernels[-1].body = Block([self.nest(*nest)])
        self.all_pass(kernels)

    @unittest.skipUnless(HEDDLECC, "HEDDLE_BUILD is not set")
    def test_of_random_kernels(self):
        """Of those with loops that lanes leave one by one, for that is where masks are hard."""
        kernels = (Kernel(12, index) for index in itertools.count())
        self.all_pass(list(itertools.islice(
            (k for k in kernels if k.body.contains(Loop, lambda loop: loop.kind == "masked")), 40)))


@unittest.skipUnless(NVCC.exists(), "there is no CUDA Toolkit")
class Nvcc(unittest.TestCase):
    def test_accepts_the_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "program.cu"
            source.write_text(render_program([Kernel(1, i) for i in range(PER_FILE)]),
                              encoding="utf-8")
            result = subprocess.run(
                [str(NVCC), "-w", "-arch=sm_80", "-std=c++17", f"-I{HERE}", "-Xptxas", "-O0", "-c",
                 str(source), "-o", str(source.with_suffix(".o"))], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


class Execution(unittest.TestCase):
    def run_script(self, lines):
        """What is found in the output of a program, which is a shell script."""
        with execution.Workshop() as workshop:
            program = workshop.folder / "program"
            program.write_text("\n".join(["#!/bin/sh", *lines, "echo end"]), encoding="utf-8")
            program.chmod(0o755)
            return workshop.run_from(program, execution.Side("heddlecc", "simd"), None)

    def test_a_kernel_that_the_compiler_gives_up_has_failed(self):
        for name, title in (("k17", "k17(unsigned int*)"), ("v2", "v2::k17(P17)")):
            found, why = self.run_script([
                f"echo 'heddle: kernel {title} runs on the reference engine: internal error: broken' >&2",
                f"echo {name} inputs same", f"echo {name} out 0123", "echo k18 inputs same"])
            self.assertEqual(why, "")
            self.assertEqual(found[name], ["failed: internal error: broken"])
            self.assertEqual(found["k18"], ["inputs same"])

    def test_a_kernel_may_run_on_the_reference_engine(self):
        found, _ = self.run_script([
            "echo 'heddle: kernel k1(int) runs on the reference engine: it uses alloca' >&2",
            "test $HEDDLE_VERBOSE = 1 && echo k1 inputs same"])
        self.assertEqual(found["k1"], ["inputs same"])


class Mutations(unittest.TestCase):
    """What mutations.py breaks is there: it runs too long to notice early that it has gone stale."""

    def test_each_changes_one_place(self):
        for engine, changes in mutations.MUTATIONS.items():
            for name, (file, text, replacement) in changes.items():
                with self.subTest(engine=engine, mutation=name):
                    path = mutations.find_file(mutations.ROOT, file)
                    self.assertIsNotNone(path, file)
                    self.assertEqual(path.read_text(encoding="utf-8").count(text), 1,
                                     f"in {path}: {text}")
                    self.assertNotEqual(text, replacement)


class Reduction(unittest.TestCase):
    def reduce(self, wanted):
        """The first kernel with a text that matches, reduced to what still matches."""
        def interesting(variants):
            return [bool(re.search(wanted, variant.render())) for variant in variants]

        kernel = next(k for k in (Kernel(1, i) for i in range(3000))
                      if interesting([k])[0] and len(k.render()) > 4000)
        before = kernel.render()
        reduced = reduction.reduce_kernel(kernel, interesting, 1000)
        self.assertEqual(kernel.render(), before, "the kernel itself was changed")
        return reduced

    def test_leaves_what_matters(self):
        reduced = self.reduce(r"__match_any_sync\(")
        self.assertIn("__match_any_sync(", reduced.render())
        self.assertLess(sum(1 for _ in reduction.nodes(reduced)), 8, reduced.render())

    def test_reaches_into_functions(self):
        reduced = self.reduce(r"(?s) f(\d+)_1\(.*while \(.*__global__.*\bf\1_1\(")
        self.assertLess(sum(1 for _ in reduction.nodes(reduced)), 14, reduced.render())

    @unittest.skipUnless(HEDDLECC, "HEDDLE_BUILD is not set")
    def test_variants_are_good_programs(self):
        """What the reducer tries compiles, runs without an error, and has one meaning."""
        rng = random.Random(1)
        sides = [execution.Side(HEDDLECC, "reference"), execution.Side(HEDDLECC, "reference", True)]
        variants = []
        for index in range(8):
            kernel = Kernel(4, index)
            reduction.number(kernel)
            edits = [edit for makers in (reduction.deletions, reduction.hoists,
                                         reduction.simplifications) for edit in makers(kernel)]
            variants += [reduction.apply_edits(kernel, rng.sample(edits, 2)) for _ in range(6)]
        with execution.Workshop() as workshop, AS_WRITTEN:
            results = execution.run_sides(workshop, sides, variants, ["-G"], apart=True)
        for variant, result in zip(variants, results):
            self.assertIsNone(execution.verdict(result), variant.render())


if __name__ == "__main__":
    unittest.main()
