# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of heddle check share."""

import json

from cli import CliTest

# Half of an array is copied, padding is copied with its structure, and what a copy of unwritten memory gives is used.
UNINITIALISED = """\
struct Padded { char letter; int number; };
__global__ void twice(const int *x, int *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 2 * x[i]; // wrong: twice
}
__global__ void fill(Padded *p) {
  p[threadIdx.x].letter = 'a';
  p[threadIdx.x].number = 1;
}
__global__ void copy(const Padded *from, Padded *to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void add(const Padded *p, int *out) { *out = p[0].letter + p[31].number; }
__global__ void words(const int *from, int *to) {
  to[threadIdx.x] = from[threadIdx.x]; // wrong: nothing has ever been written there
}
__global__ void use(const int *p, int *out) {
  out[threadIdx.x] = p[threadIdx.x] + 1; // wrong
}
__global__ void heap(int *out) {
  int *own = (int *)malloc(8);
  own[0] = threadIdx.x;
  out[threadIdx.x] = own[0] + own[1]; // wrong
  free(own);
}
__global__ void tile(int *out) {
  __shared__ int all[32];
  if (threadIdx.x < 31) all[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = 3 * all[31 - threadIdx.x]; // wrong
}
int main() {
  int host[128] = {}, *x, *y, *z, *out;
  Padded *p, *q;
  cudaMalloc(&x, 1024);
  cudaMalloc(&y, 1024);
  cudaMalloc(&z, 1024);
  cudaMalloc(&out, 1024);
  cudaMalloc(&p, 32 * sizeof(Padded));
  cudaMalloc(&q, 32 * sizeof(Padded));
  cudaMemcpy(x, host, 512, cudaMemcpyHostToDevice);
  twice<<<2, 128>>>(x, out);
  fill<<<1, 32>>>(p);
  copy<<<1, 32>>>(p, q);
  add<<<1, 1>>>(q, out);
  words<<<1, 32>>>(z, y);
  use<<<1, 32>>>(y, out);
  heap<<<1, 32>>>(out);
  tile<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}
"""


class CheckTest(CliTest):
    def report(self, *arguments, code=1, env=None):
        """The findings of a run, as JSON."""
        result = self.heddle("check", "--json", *arguments, env=env)
        self.expect(result, code)
        return json.loads(result.out.splitlines()[-1])
