// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints small_float_expected.h. Not part of the build: with a GPU and NVIDIA's compiler,
//   nvcc -std=c++17 -arch=sm_90 small_float_gpu.cu -o gpu && ./gpu > small_float_expected.h
#include "small_float_digests.h"

#include <cstdio>

#define F(text, T, function) text,
static const char *names[] = {ALL_FUNCTIONS};
#undef F

__global__ void compute(uint64_t *out) {
  int index = 0;
  const int mine = blockIdx.x;
#define F(text, T, function)                                                                       \
  if (index++ == mine)                                                                             \
    out[mine] = digests::digest<T>(digests::function());
  ALL_FUNCTIONS
#undef F
}

int main() {
  constexpr int count = sizeof names / sizeof *names;
  uint64_t *out = nullptr;
  cudaMallocManaged(&out, sizeof(uint64_t) * count);
  compute<<<count, 1>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::fprintf(stderr, "%s\n", cudaGetErrorString(error)), 1;
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  std::printf("// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
              "// Made by small_float_gpu.cu on an %s with CUDA %d.%d.\n"
              "struct Expected {\n  const char *name;\n  unsigned long long digest;\n};\n"
              "static const Expected expected[] = {\n",
              properties.name, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
  for (int i = 0; i < count; ++i)
    std::printf("    {\"%s\", 0x%016llxull},\n", names[i], (unsigned long long)out[i]);
  std::printf("};\n");
}
