// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints values_expected.h. Build with nvcc and run on a GPU:
//   nvcc -arch=sm_90 -std=c++17 values_gpu.cu -o values_gpu && ./values_gpu > values_expected.h
#include "values.h"

#include <cstdio>

__global__ void compute(values::u64 *out) { values::digests(out); }

int main() {
  values::u64 *out;
  if (cudaMallocManaged(&out, values::count * sizeof *out) != cudaSuccess)
    return 1;
  compute<<<1, 1>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  int runtime;
  cudaRuntimeGetVersion(&runtime);
  printf("// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
         "// Written by values_gpu.cu on an %s with CUDA %d.%d.\n#pragma once\n\n"
         "struct Expected {\n  const char *name;\n  unsigned long long digest;\n};\n\n"
         "const Expected expected[] = {\n",
         device.name, runtime / 1000, runtime % 1000 / 10);
  for (int i = 0; i < values::count; ++i)
    printf("    {\"%s\", 0x%016llxull},\n", values::names[i], out[i]);
  printf("};\n");
}
