// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcuda
// CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE, as an H200 answers, which has no engine for it:
// yes for cudaMalloc's memory and for that of pools that are made for it, and no for all other.
#include "../check.h"

#include <cuda.h>

static int capable(const void *memory) {
  bool value = false;
  const CUresult error = cuPointerGetAttribute(
      &value, CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE, reinterpret_cast<CUdeviceptr>(memory));
  return error == CUDA_SUCCESS ? int(value) : -1;
}

// Of memory from a pool that is made with this usage; -2 if it cannot be made.
static int capableFrom(unsigned short usage) {
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 0};
  props.usage = usage;
  cudaMemPool_t pool = nullptr;
  if (cudaMemPoolCreate(&pool, &props) != cudaSuccess)
    return -2;
  void *memory = nullptr;
  CHECK_CUDA(cudaMallocFromPoolAsync(&memory, 256, pool, nullptr));
  const int result = capable(memory);
  CHECK_CUDA(cudaFreeAsync(memory, nullptr));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaMemPoolDestroy(pool));
  return result;
}

int main() {
  void *memory = nullptr;
  CHECK_CUDA(cudaMalloc(&memory, 256));
  CHECK_EQ(capable(memory), 1);
  CHECK_CUDA(cudaFree(memory));
  CHECK_CUDA(cudaMallocAsync(&memory, 256, nullptr));
  CHECK_EQ(capable(memory), 0);
  CHECK_CUDA(cudaFreeAsync(memory, nullptr));
  CHECK_CUDA(cudaMallocHost(&memory, 256));
  CHECK_EQ(capable(memory), 0);
  CHECK_CUDA(cudaFreeHost(memory));
  CHECK_CUDA(cudaMallocManaged(&memory, 256));
  CHECK_EQ(capable(memory), 0);
  CHECK_CUDA(cudaFree(memory));
  CHECK_EQ(capableFrom(0), 0);
  CHECK_EQ(capableFrom(cudaMemPoolCreateUsageHwDecompress), 1);
  CHECK_EQ(capableFrom(64), 0);
  RETURN_RESULT();
}
