// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Braced lists as a launch's arguments.
#include "check.h"

#include <algorithm>

// 0: blocks, 1: threads, 2: the product of all six sizes, 3: bytes of shared memory
__global__ void count(unsigned *n) {
  unsigned bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0)
    atomicAdd(n, 1u);
  atomicAdd(n + 1, 1u);
  n[2] = gridDim.x + 10 * gridDim.y + 100 * gridDim.z + 1000 * blockDim.x + 100000 * blockDim.y +
         1000000 * blockDim.z;
  n[3] = bytes;
}

template <class T, int threads> void launchTemplate(T *n, int size) {
  count<<<{unsigned(size + threads - 1) / threads, 2}, {threads, threads / 2}>>>(n);
}

int up(int a, int b) { return (a + b - 1) / b; }

struct Result {
  unsigned blocks, threads, sizes, bytes;
};

template <class F> void expect(int line, const Result &expected, F launch) {
  DeviceBuffer<unsigned> n(4);
  launch(n.data());
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaDeviceSynchronize());
  const std::vector<unsigned> values = n.download();
  const bool same = values[0] == expected.blocks && values[1] == expected.threads &&
                    values[2] == expected.sizes && values[3] == expected.bytes;
  if (!same)
    std::printf("line %d: %u %u %u %u\n", line, values[0], values[1], values[2], values[3]);
  CHECK(same);
}

// clang-format off
int main() {
  dim3 grid(2, 3);
  unsigned x = 32, y = 2;
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  expect(__LINE__, {6, 384, 1232132, 0}, [&](unsigned *n) { count<<<grid, {x, y, 1}, 0, stream>>>(n); });
  expect(__LINE__, {6, 384, 1232132, 16}, [&](unsigned *n) { count<<<{2, 3}, {32, 2}, {16}>>>(n); });
  expect(__LINE__, {1, 1, 1101111, 0}, [&](unsigned *n) { count<<<{}, {}, {}, {}>>>(n); });
  expect(__LINE__, {2, 2, 1101112, 0}, [&](unsigned *n) { count << < {2}, 1, 0, {} >> > (n); });
  expect(__LINE__, {4, 32, 1204122, 0}, [](unsigned *n) { launchTemplate<unsigned, 4>(n, 7); });
  expect(__LINE__, {12, 36, 1103223, 0}, [&](unsigned *n) {
    count<<<{unsigned(up(9, 3)), std::max(1u, y), [&] { return y; }()},
            {[](unsigned a, unsigned b) { return a + b; }(1, 2)}>>>(n);
  });
  expect(__LINE__, {6, 12, 1102132, 0}, [&](unsigned *n) { count<<<{dim3{2, 3}}, {dim3(2)}>>>(n); });
  CHECK_CUDA(cudaStreamDestroy(stream));
  RETURN_RESULT();
}
