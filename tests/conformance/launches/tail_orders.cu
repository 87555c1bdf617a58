// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// The tail stream beside the others, in every order of four launches: what goes into the tail runs
// behind the grid and all its descendants, in the order of the launches, whatever comes between.
#include "../check.h"

#include <algorithm>

enum Where { tail, fired, block, named, kinds };
constexpr int launches = 4, orders = kinds * kinds * kinds * kinds, rounds = 50;

struct Log {
  int count;
  int entries[64];
};

__device__ void note(Log *log, int what) { log->entries[atomicAdd(&log->count, 1)] = what; }
__global__ void leaf(Log *log, int what) { note(log, what); }

// Each child has a child of its own, and a tail that comes before its parent's: 1xx, 2xx, 3xx.
__global__ void child(Log *log, int what) {
  __shared__ int value;
  value = what;
  __syncthreads();
  if (threadIdx.x == 1) {
    leaf<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 300 + value);
    leaf<<<1, 1, 0, cudaStreamFireAndForget>>>(log, 200 + value);
    note(log, 100 + value);
  }
}

__global__ void parent(Log *log, int order, cudaError_t *errors) {
  if (threadIdx.x + blockIdx.x)
    return;
  cudaStream_t own = nullptr;
  errors[launches] = cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  const cudaStream_t streams[kinds] = {cudaStreamTailLaunch, cudaStreamFireAndForget, nullptr, own};
  for (int i = 0; i < launches; ++i, order /= kinds) {
    child<<<1, 2, 0, streams[order % kinds]>>>(log, 10 * (order % kinds) + i);
    errors[i] = cudaGetLastError();
  }
  cudaStreamDestroy(own);
}

int placeOf(const Log &log, int what) {
  for (int i = 0; i < log.count; ++i)
    if (log.entries[i] == what)
      return i;
  return -1;
}

// A child begins before its own children and they end before its tail: its last place.
int endOf(const Log &log, int what) {
  const int own = placeOf(log, 100 + what), inner = placeOf(log, 200 + what);
  const int end = placeOf(log, 300 + what);
  CHECK(own >= 0 && inner >= 0);
  CHECK(own < end && inner < end);
  return end;
}

void checkOrder(const Log &log, int order) {
  CHECK_EQ(log.count, 3 * launches);
  int last_tail = -1, last_child = -1, first_tail = log.count;
  int last_of[kinds] = {-1, -1, -1, -1};
  for (int i = 0; i < launches; ++i, order /= kinds) {
    const int where = order % kinds, what = 10 * where + i, begin = placeOf(log, 100 + what);
    const int end = endOf(log, what);
    if (where == tail) {
      CHECK(begin > last_tail);
      last_tail = end;
      first_tail = std::min(first_tail, begin);
    } else {
      last_child = std::max(last_child, end);
      if (where != fired) // one after the other
        CHECK(begin > last_of[where]);
      last_of[where] = end;
    }
  }
  CHECK(first_tail > last_child);
}

int main() {
  DeviceBuffer<Log> log(1);
  DeviceBuffer<cudaError_t> errors(launches + 1);
  for (int order = 0; order < orders; ++order)
    for (int round = 0; round < rounds; ++round) {
      CHECK_CUDA(cudaMemset(log, 0, sizeof(Log)));
      parent<<<2, 32>>>(log, order, errors);
      CHECK_CUDA(cudaDeviceSynchronize());
      for (cudaError_t error : errors.download())
        CHECK_EQ(error, cudaSuccess);
      checkOrder(log.download()[0], order);
    }
  RETURN_RESULT();
}
