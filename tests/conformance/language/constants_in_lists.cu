// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's constants in lists of device code are their values: in arrays, structures, vectors and
// static
// __constant__ variables.
#include "../check.h"

static const unsigned short half = 0x7eff;
static const unsigned pair = (unsigned(half) << 16) | half;
const int rest = 3;

struct Two {
  unsigned first, second;
};

__device__ unsigned sum(int i) {
  static __constant__ uint4 four = {pair, pair, pair, pair};
  static __constant__ Two two = {pair, pair};
  static __constant__ unsigned array[2] = {pair, rest};
  static __constant__ unsigned one = pair;
  unsigned own[4] = {pair, rest};
  const Two mine = {.first = rest, .second = pair};
  const uint2 nested[2] = {{pair, rest}, {rest, pair}};
  return four.w + two.second + array[i] + one + own[i] + own[i + 2] + mine.first + nested[i].y;
}

__global__ void sums(unsigned *results) { results[threadIdx.x] = sum(int(threadIdx.x)); }

int main() {
  DeviceBuffer<unsigned> results(2);
  sums<<<1, 2>>>(results);
  CHECK_CUDA(cudaDeviceSynchronize());
  const auto found = results.download();
  CHECK_EQ(found[0], 5 * pair + 2 * rest);
  CHECK_EQ(found[1], 4 * pair + 3 * rest);
  RETURN_RESULT();
}
