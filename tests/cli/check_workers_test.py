# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle check: reports do not depend on how many threads run the program, byte for byte."""

from cli import CliTest, main

# Programs with findings of every kind that depends on threads, in many blocks: by --only.
PROGRAMS = {
    "memory": """\
__global__ void past(int *p, int n) {
  __shared__ int s[32];
  int own[4] = {};
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x + (blockIdx.x == 5)] = own[i % 4];
  own[i % 7] = s[0];
  if (i <= n + (i & 1)) p[i] = own[1];
  *(int *)((char *)p + 1) = i;
}
__global__ void freed(int *p) { p[threadIdx.x] = blockIdx.x; }
__global__ void host(int *p) { atomicAdd(p, 1); }
int main() {
  int *p, *q, *h = new int(0);
  cudaMalloc(&p, 4000);
  cudaMalloc(&q, 4000);
  past<<<40, 32>>>(p, 1000);
  cudaFree(q);
  freed<<<16, 32>>>(q);
  host<<<16, 32>>>(h);
  cudaDeviceSynchronize();
  cudaFree(q);
  cudaMemcpy(p, h, 8000, cudaMemcpyHostToDevice);
  return 0;
}
""",
    "init": """\
__global__ void twice(const int *x, int *y) {
  __shared__ int s[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 3) s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = 2 * x[i] + 3 * s[63 - threadIdx.x];
}
int main() {
  int *x, *y;
  cudaMalloc(&x, 4096 * 4);
  cudaMalloc(&y, 4096 * 4);
  cudaMemset(x, 0, 4096 * 2);
  twice<<<64, 64>>>(x, y);
  return cudaDeviceSynchronize();
}
""",
    "race": """\
#include <cuda_runtime.h>
__device__ int count, flag, data[64];
__global__ void blocks(int *p) {
  __shared__ int s[64];
  count += 1;
  atomicAdd_block(&flag, 1);
  s[threadIdx.x] = threadIdx.x;
  p[threadIdx.x] = s[63 - threadIdx.x];
  data[blockIdx.x % 64] = 1;
}
__global__ void other(int *p) { p[63 - threadIdx.x] += blockIdx.x; }
int main() {
  int *p;
  cudaMalloc(&p, 4096);
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  blocks<<<80, 64, 0, a>>>(p);
  other<<<20, 64, 0, b>>>(p);
  cudaMemsetAsync(p, 0, 128, a);
  return cudaDeviceSynchronize();
}
""",
    "sync": """\
__global__ void barriers(int *p) {
  if (threadIdx.x < 32) __syncthreads();
  else __syncthreads();
  if (threadIdx.x == 63) return;
  __syncthreads();
  p[threadIdx.x] = 1;
}
__global__ void masks(int *p, unsigned mask) {
  if (threadIdx.x < 16) p[threadIdx.x] = __shfl_down_sync(0xffff, int(threadIdx.x), 8);
  p[threadIdx.x] += __any_sync(mask, threadIdx.x == 3);
}
int main() {
  int *p;
  cudaMalloc(&p, 4096);
  barriers<<<40, 64>>>(p);
  masks<<<40, 32>>>(p, 0xffff);
  return cudaDeviceSynchronize();
}
""",
    "leak,unused,api": """\
__global__ void set(int *p) { p[blockIdx.x] = threadIdx.x; }
int main() {
  int *p, *none;
  for (int i = 1; i < 5; ++i) {
    cudaMalloc(&p, 4096 * i);
    set<<<100 * i, 32>>>(p);
  }
  cudaDeviceSynchronize();
  cudaMalloc(&none, size_t(1) << 60);
  set<<<1, 4096>>>(nullptr);
  cudaStream_t a;
  cudaStreamCreate(&a);
  set<<<16, 1, 0, a>>>(p); // what has been written already: whether it still happens is luck
  return 0;
}
""",
}


class Workers(CliTest):
    def test_the_same_report_from_any_number(self):
        for only, text in PROGRAMS.items():
            self.write("program.cu", text)
            self.expect(self.heddlecc("-g", "program.cu", "-o", "program"))
            for form in ([], ["--json"]):
                with self.subTest(only=only, form=form):
                    first, *others = [self.heddle("check", "--only", only, *form, "./program", env={"HEDDLE_WORKERS": workers})
                                      for workers in ("1", "2", "16", "16")]
                    self.assertEqual(first.code, 1, first)
                    for other in others:
                        self.expect(other, 1, first.out, first.err)


if __name__ == "__main__":
    main()
