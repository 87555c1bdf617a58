# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The engine that runs a program's kernels: what it compiles, and what a person learns about it."""

import platform
import shutil
import subprocess
import unittest

from cli import CliTest, main

# Line numbers matter: the explanation names them.
ACCESSES = """\
__global__ void accesses(float *out, const float *in, const int *index, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = in[0];
  sum += in[i];
  sum += in[index[i]];
  if (in[i] < 0)
    out[i + n] = sum;
  out[i] = sum;
}
int main() {
  float *data;
  int *index;
  cudaMalloc(&data, 4096);
  cudaMalloc(&index, 4096);
  cudaMemset(data, 0, 4096);
  cudaMemset(index, 0, 4096);
  accesses<<<4, 64>>>(data, data + 512, index, 256);
  return cudaDeviceSynchronize();
}
"""

# All kinds of kernels that the SIMD engine leaves to the reference engine. The goal is an empty list.
FALLBACKS = {
    "threads may meet in a function that is called through a pointer or recursively": """\
__device__ __noinline__ int down(int n) {
  __syncthreads();
  return n < 2 ? n : down(n - 1) + down(n - 2);
}
__global__ void kernel(int *out) { out[threadIdx.x] = down(4); }
""",
    "may wait for other threads": """\
__device__ __noinline__ int spin(volatile int *flag, int n) {
  while (*flag == 0) {}
  return n < 2 ? n : spin(flag, n - 1) + spin(flag, n - 2);
}
__global__ void kernel(int *out) {
  if (threadIdx.x == 0) out[40] = 1;
  __syncthreads();
  out[threadIdx.x] = spin(out + 40, 4);
}
""",
}
LAUNCH = """\
int main() {
  int *out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) out[i] = 0;
  kernel<<<1, 32>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  return out[31] == 3 ? 0 : 1;
}
"""

# The first argument says which kernels are launched. They share variables, shared memory's layout and
# the address of a function, with blocks of one class and of several.
KERNELS = """\
#include <cstdio>
#include <cstring>
typedef int (*Function)(int);
__device__ int twice(int x) { return 2 * x; }
__device__ int counter = 5;
__constant__ int table[4] = {1, 2, 3, 4};
__device__ Function stored = twice;
__device__ Function kept;
__managed__ int managed = 7;

__global__ void first(int *out) {
  __shared__ int before[100], here[64];
  before[threadIdx.x] = here[threadIdx.x] = stored(counter) + table[threadIdx.x % 4] + managed;
  __syncthreads();
  if (threadIdx.x == 0) {
    ++counter;
    ++managed;
    kept = twice;
  }
  out[threadIdx.x] = before[threadIdx.x] + here[63 - threadIdx.x];
}
__global__ void second(int *out) {
  __shared__ int here[64];
  here[threadIdx.x] = counter + managed + kept(table[3]);
  __syncthreads();
  out[threadIdx.x] = here[threadIdx.x ^ 1] + 1000 * (kept == twice) + 2000 * (kept == stored);
}
int main(int argc, char **argv) {
  int *out, host[64];
  cudaMalloc(&out, sizeof host);
  cudaMemset(out, 0, sizeof host);
  for (const char *launch = argv[1]; *launch; ++launch) {
    if (*launch == '1') first<<<1, 64>>>(out);
    if (*launch == '2') second<<<1, 40>>>(out);
    if (*launch == 'c') { int five = 50; cudaMemcpyToSymbol(counter, &five, sizeof five); }
  }
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d %s\\n", host[0], host[63], cudaGetErrorString(cudaGetLastError()));
}
"""
BOTH = "3022 39 no error\n"  # what ./kernels 12 prints
FIRST = "39 39 no error\n"


class OneKernelAtATime(CliTest):
    def setUp(self):
        super().setUp()
        self.write("kernels.cu", KERNELS)
        self.expect(self.heddlecc("kernels.cu", "-o", "kernels"), 0, "", "")
        self.ahead = [entry.read_bytes() for entry in self.entries()]
        shutil.rmtree(self.cache)

    def entries(self):
        return sorted(self.cache.rglob("*.so"))

    def kernels_in(self, code):
        return [name for name, mangled in (("first", b"_Z5firstPi"), ("second", b"_Z6secondPi"))
                if mangled in code]

    def cached(self):
        """The kernels in each file of the cache; none in what writes initial values."""
        return sorted(self.kernels_in(entry.read_bytes()) for entry in self.entries())

    def run_kernels(self, launches, output):
        self.expect(self.command("./kernels", launches), 0, output, "")
        self.expect_clean()

    def test_compiled_when_launched(self):
        self.run_kernels("1", FIRST)
        self.assertEqual(self.cached(), [[], ["first"]])
        self.run_kernels("12", BOTH)
        self.assertEqual(self.cached(), [[], ["first"], ["second"]])

    def test_variables_before_any_kernel(self):
        self.run_kernels("c", "0 0 no error\n")
        self.assertEqual(self.cached(), [[]])
        self.run_kernels("c1", "219 219 no error\n")

    def test_ahead_of_time(self):
        self.assertEqual([self.kernels_in(code) for code in self.ahead], [["first", "second"]])
        self.expect(self.heddlecc("kernels.cu", "-o", "kernels"), 0, "", "")
        self.run_kernels("1", FIRST)
        self.assertEqual(len(self.entries()), 1)
        self.run_kernels("12", BOTH)  # 40 threads are not whole warps
        self.assertEqual(self.cached(), [["first", "second"], ["second"]])

    def test_same_on_the_reference_engine(self):
        self.env["HEDDLE_ENGINE"] = "reference"
        self.run_kernels("12", BOTH)
        self.assertEqual(self.cached(), [["first", "second"]])

    def test_many_at_once(self):
        programs = [subprocess.Popen(["./kernels", "12"], cwd=self.work, env=self.env, text=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                    for _ in range(4)]
        for program in programs:
            out, err = program.communicate(timeout=120)
            self.assertEqual((program.returncode, out, err), (0, BOTH, ""))
        self.assertEqual(self.cached(), [[], ["first"], ["second"]])
        self.assertEqual(sorted(file for file in self.cache.rglob("*") if file.is_file()),
                         self.entries())
        self.expect_clean()

    def test_damaged_files(self):
        self.run_kernels("12", BOTH)
        whole = {entry: entry.read_bytes() for entry in self.entries()}
        for damage in (lambda code: b"", lambda code: code[:100], lambda code: code[:len(code) // 2],
                       lambda code: code[:-1], lambda code: bytes(len(code)),
                       lambda code: code[:5000] + bytes(100) + code[5100:]):
            for entry, code in whole.items():
                entry.write_bytes(damage(code))
            self.run_kernels("12", BOTH)
            self.assertEqual({entry: entry.read_bytes() for entry in self.entries()}, whole)

    def test_explained_when_launched(self):
        result = self.expect(self.heddle("run", "--explain-codegen", "kernels.cu", "--", "1"), 0)
        self.assertIn("first(int*)", result.err)
        self.assertNotIn("second(int*)", result.err)
        result = self.expect(self.heddle("run", "--explain-codegen", "kernels.cu", "--", "12"), 0)
        self.assertIn("first(int*)", result.err)
        self.assertIn("second(int*)", result.err)


class Explanation(CliTest):
    def test_accesses_and_branches(self):
        self.write("accesses.cu", ACCESSES)
        result = self.expect(self.heddle("run", "--explain-codegen", "accesses.cu"), 0, "")
        for line in ("accesses(float*, float const*, int const*, int)",
                     "gangs of 32 threads",
                     "accesses.cu:3  load: uniform",
                     "accesses.cu:4  load: contiguous",
                     "accesses.cu:5  load: varying address (gather)",
                     "accesses.cu:6  branch: divergent",
                     "accesses.cu:8  store: contiguous"):
            self.assertIn(line, result.err)

    def test_lines_are_the_programs(self):
        """Not those of Heddle's headers, in which atomicAdd is."""
        self.write("counts.cu", "__global__ void count(float *sums, const int *keys) {\n"
                                "  atomicAdd(&sums[keys[threadIdx.x]], 1.0f);\n}\n"
                                "int main() { float *s; int *k; cudaMalloc(&s, 4); cudaMalloc(&k, 128);\n"
                                "  cudaMemset(k, 0, 128); count<<<1, 32>>>(s, k); cudaDeviceSynchronize(); }\n")
        result = self.expect(self.heddle("run", "--explain-codegen", "counts.cu"), 0)
        self.assertIn("counts.cu:2  atomic: lane by lane", result.err)
        self.assertNotIn("atomics.h", result.err)

    def test_only_if_asked(self):
        self.write("accesses.cu", ACCESSES)
        self.expect(self.heddle("run", "accesses.cu"), 0, "", "")


class Dump(CliTest):
    """HEDDLE_SIMD_DUMP: the code after each pass, when it is compiled."""

    def test_passes(self):
        self.write("accesses.cu", ACCESSES)
        result = self.expect(self.heddle("run", "accesses.cu", env={"HEDDLE_SIMD_DUMP": "1"}), 0, "")
        self.assertIn("; ---- after ", result.err)
        self.assertIn("@llvm.nvvm.read.ptx.sreg.ctaid.x", result.err)


class Skipped(CliTest):
    """HEDDLE_SIMD_SKIP: optional passes and kinds of accesses are left out."""

    def explained(self, names):
        self.write("accesses.cu", ACCESSES)
        return self.heddle("run", "--explain-codegen", "accesses.cu", env={"HEDDLE_SIMD_SKIP": names})

    def test_a_kind_of_access(self):
        self.assertIn("contiguous", self.expect(self.explained(""), 0).err)
        self.assertNotIn("contiguous", self.expect(self.explained("contiguous,reversed,strided"), 0).err)

    def test_what_cannot_be_skipped(self):
        result = self.explained("linearize,columns,nonsense")
        self.assertNotEqual(result.code, 0)
        self.assertIn("HEDDLE_SIMD_SKIP: there is no optional pass or kind of access linearize, nonsense "
                      "(see heddle-opt --list-passes --list-accesses)", result.err)


class Fallback(CliTest):
    def test_known_cases(self):
        for reason, kernel in FALLBACKS.items():
            self.write("kernel.cu", kernel + LAUNCH)
            result = self.expect(self.heddle("run", "-v", "kernel.cu"), 0)
            self.assertIn("runs on the reference engine", result.err)
            self.assertIn(reason, result.err)

    def test_what_is_vectorised_says_nothing(self):
        self.write("accesses.cu", ACCESSES)
        result = self.expect(self.heddle("run", "-v", "accesses.cu"), 0)
        self.assertNotIn("reference engine", result.err)


class OtherCpus(CliTest):
    """HEDDLE_CPU: the host's kind of CPU decides, unless the user wants an older one."""

    def setUp(self):
        super().setUp()
        self.write("accesses.cu", ACCESSES)

    def for_cpu(self, cpu):
        return self.heddle("run", "accesses.cu", env={"HEDDLE_CPU": cpu})

    @unittest.skipUnless(platform.machine() == "x86_64", "names x86 CPUs")
    def test_an_older_one(self):
        self.expect(self.for_cpu("x86-64-v2"), 0, "", "")

    def test_one_that_does_not_exist(self):
        result = self.for_cpu("abacus")
        self.assertNotEqual(result.code, 0)
        self.assertIn("HEDDLE_CPU: there is no CPU 'abacus'", result.err)

    @unittest.skipUnless(platform.machine() == "x86_64", "names x86 CPUs")
    def test_one_that_this_machine_is_not(self):
        result = self.for_cpu("bdver4")  # no other has had its XOP since
        self.assertNotEqual(result.code, 0)
        self.assertIn("HEDDLE_CPU: code for 'bdver4' would not run here", result.err)


if __name__ == "__main__":
    main()
