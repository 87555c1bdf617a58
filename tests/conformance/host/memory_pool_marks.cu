// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a pool has in use, and the most it has had; who may use it.
#include "check.h"

#include <cstdint>

static uint64_t ask(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  uint64_t value = 0;
  CHECK_CUDA(cudaMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

int main() {
  constexpr size_t size = 4 << 20;
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool;
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaMemPoolCreate(&pool, &properties));
  CHECK_EQ(ask(pool, cudaMemPoolAttrUsedMemHigh), 0);

  void *first, *second;
  CHECK_CUDA(cudaMallocFromPoolAsync(&first, size, pool, stream));
  CHECK_CUDA(cudaMallocFromPoolAsync(&second, size, pool, stream));
  CHECK_CUDA(cudaFreeAsync(first, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(ask(pool, cudaMemPoolAttrUsedMemCurrent), size);
  CHECK_EQ(ask(pool, cudaMemPoolAttrUsedMemHigh), 2 * size);
  CHECK_EQ(ask(pool, cudaMemPoolAttrReservedMemHigh) >= 2 * size, true);
  CHECK_EQ(ask(pool, cudaMemPoolAttrReservedMemCurrent) >= size, true);

  uint64_t value = 1;
  CHECK_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value),
           cudaErrorInvalidValue);
  value = 0;
  CHECK_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value));
  CHECK_EQ(ask(pool, cudaMemPoolAttrUsedMemHigh), size);
  CHECK_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value),
           cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeAsync(second, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(ask(pool, cudaMemPoolAttrUsedMemCurrent), 0);

  cudaMemAccessDesc access = {};
  access.location.type = cudaMemLocationTypeDevice;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  CHECK_CUDA(cudaMemPoolSetAccess(pool, &access, 1));
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  CHECK_CUDA(cudaMemPoolGetAccess(&flags, pool, &access.location));
  CHECK_EQ(flags, cudaMemAccessFlagsProtReadWrite);
  access.flags = cudaMemAccessFlagsProtNone;
  CHECK_EQ(cudaMemPoolSetAccess(pool, &access, 1) != cudaSuccess, true); // its own device
  access.location.id = 1000;
  CHECK_EQ(cudaMemPoolSetAccess(pool, &access, 1) != cudaSuccess, true);
  CHECK_CUDA(cudaMemPoolDestroy(pool));
  CHECK_CUDA(cudaStreamDestroy(stream));
  RETURN_RESULT();
}
