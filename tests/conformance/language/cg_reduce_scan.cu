// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cooperative_groups reduce (plus, less, greater, bit_and, bit_or, bit_xor) and inclusive and
// exclusive scans over tiles.
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

template <int size> __global__ void useTile(int *out) {
  const cg::thread_block_tile<size> tile = cg::tiled_partition<size>(cg::this_thread_block());
  const int t = threadIdx.x, value = t * 37 % 50;
  int *own = out + 8 * t;
  own[0] = cg::reduce(tile, value, cg::plus<int>());
  own[1] = cg::reduce(tile, value, cg::less<int>());
  own[2] = cg::reduce(tile, value, cg::greater<int>());
  own[3] = cg::reduce(tile, 1u << t % 32, cg::bit_or<unsigned>());
  own[4] = cg::reduce(tile, ~(1u << t % 32), cg::bit_and<unsigned>());
  own[5] = int(cg::reduce(tile, 0.5 * value, cg::plus<double>()) * 2);
  own[6] = cg::inclusive_scan(tile, value, cg::plus<int>());
  own[7] = cg::exclusive_scan(tile, value, cg::plus<int>());
}

template <int size> static void checkSize() {
  DeviceBuffer<int> out(8 * 64);
  useTile<size><<<1, 64>>>(out);
  const std::vector<int> result = out.download();
  for (int t = 0; t < 64; ++t) {
    const int first = t / size * size;
    int sum = 0, least = 1000, largest = -1, inclusive = 0;
    unsigned bits = 0;
    for (int i = first; i < first + size; ++i) {
      const int value = i * 37 % 50;
      sum += value;
      least = std::min(least, value);
      largest = std::max(largest, value);
      bits |= 1u << i % 32;
      inclusive += i <= t ? value : 0;
    }
    const int *own = &result[8 * t];
    CHECK_EQ(own[0], sum);
    CHECK_EQ(own[1], least);
    CHECK_EQ(own[2], largest);
    CHECK_EQ(unsigned(own[3]), bits);
    CHECK_EQ(unsigned(own[4]), ~bits);
    CHECK_EQ(own[5], sum);
    CHECK_EQ(own[6], inclusive);
    CHECK_EQ(own[7], inclusive - t * 37 % 50);
  }
}

int main() {
  checkSize<32>();
  checkSize<16>();
  checkSize<4>();
  RETURN_RESULT();
}
