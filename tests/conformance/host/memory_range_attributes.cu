// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Advice about managed memory, told again for ranges with one or several answers.
#include "check.h"

static char *memory;
constexpr size_t half = 2 << 20;

static int ask(cudaMemRangeAttribute attribute, size_t offset, size_t bytes) {
  int value = -99;
  CHECK_CUDA(cudaMemRangeGetAttribute(&value, sizeof value, attribute, memory + offset, bytes));
  return value;
}

template <class Place>
static void advise(size_t offset, size_t bytes, cudaMemoryAdvise advice, Place device) {
#if CUDART_VERSION >= 13000
  const cudaMemLocation place = {device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
                                 device < 0 ? 0 : device};
  CHECK_CUDA(cudaMemAdvise(memory + offset, bytes, advice, place));
#else
  CHECK_CUDA(cudaMemAdvise(memory + offset, bytes, advice, device));
#endif
}

int main() {
  CHECK_CUDA(cudaMallocManaged(&memory, 2 * half));
  CHECK_EQ(ask(cudaMemRangeAttributeReadMostly, 0, 2 * half), 0);
  CHECK_EQ(ask(cudaMemRangeAttributePreferredLocation, 0, half), cudaInvalidDeviceId);

  advise(0, half, cudaMemAdviseSetReadMostly, 0);
  CHECK_EQ(ask(cudaMemRangeAttributeReadMostly, 0, half), 1);
  CHECK_EQ(ask(cudaMemRangeAttributeReadMostly, half, half), 0);
  CHECK_EQ(ask(cudaMemRangeAttributeReadMostly, 0, 2 * half), 0);
  advise(0, half, cudaMemAdviseUnsetReadMostly, 0);
  CHECK_EQ(ask(cudaMemRangeAttributeReadMostly, 0, half), 0);

  advise(0, half, cudaMemAdviseSetPreferredLocation, 0);
  advise(half, half, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
  CHECK_EQ(ask(cudaMemRangeAttributePreferredLocation, 0, half), 0);
  CHECK_EQ(ask(cudaMemRangeAttributePreferredLocation, half, half), cudaCpuDeviceId);
  CHECK_EQ(ask(cudaMemRangeAttributePreferredLocation, 0, 2 * half), cudaInvalidDeviceId);

  advise(0, 2 * half, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId);
  int places[3] = {5, 5, 5};
  CHECK_CUDA(cudaMemRangeGetAttribute(places, sizeof places, cudaMemRangeAttributeAccessedBy,
                                      memory, 2 * half));
  CHECK_EQ(places[0], cudaCpuDeviceId);
  CHECK_EQ(places[1], cudaInvalidDeviceId);

  int mostly = -1, preferred = -1;
  void *results[] = {&mostly, &preferred};
  size_t sizes[] = {sizeof mostly, sizeof preferred};
  cudaMemRangeAttribute both[] = {cudaMemRangeAttributeReadMostly,
                                  cudaMemRangeAttributePreferredLocation};
  CHECK_CUDA(cudaMemRangeGetAttributes(results, sizes, both, 2, memory, half));
  CHECK_EQ(mostly, 0);
  CHECK_EQ(preferred, 0);

  int value;
  CHECK_EQ(cudaMemRangeGetAttribute(&value, 8, cudaMemRangeAttributeReadMostly, memory, half),
           cudaErrorInvalidValue);
  CHECK_EQ(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeReadMostly, memory, 0),
           cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK_CUDA(cudaFree(memory));
  RETURN_RESULT();
}
