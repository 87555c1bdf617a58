# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a person learns about the engine that runs his kernels: --explain-codegen, -v."""

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


class Explanation(CliTest):
    def test_accesses_and_branches(self):
        self.write("accesses.cu", ACCESSES)
        result = self.expect(self.heddle("run", "--explain-codegen", "accesses.cu"), 0, "")
        for line in ("accesses(float*, float const*, int const*, int)",
                     "32 threads at a time",
                     "accesses.cu:3  load: the same in all lanes",
                     "accesses.cu:4  load: neighbouring addresses",
                     "accesses.cu:5  load: any address (gather)",
                     "accesses.cu:6  branch: threads may part here",
                     "accesses.cu:8  store: neighbouring addresses"):
            self.assertIn(line, result.err)

    def test_only_if_asked(self):
        self.write("accesses.cu", ACCESSES)
        self.expect(self.heddle("run", "accesses.cu"), 0, "", "")


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


if __name__ == "__main__":
    main()
