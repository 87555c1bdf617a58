// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where each of many lists begins that lie one behind another.
#pragma once

namespace heddle::npp {

constexpr unsigned sum_threads = 256;

/// For one block of sum_threads threads: calls put(i, the sum of get(0) to get(i - 1)) for each i
/// below `count`; each get(i) comes before put(i). Gives the last thread the sum of all. `sums`:
/// shared memory for a number of each thread.
template <class Get, class Put>
__device__ unsigned putSumsBefore(unsigned count, unsigned *sums, Get get, Put put) {
  const unsigned share = (count + sum_threads - 1) / sum_threads;
  const unsigned begin = min(threadIdx.x * share, count), end = min(begin + share, count);
  unsigned sum = 0;
  for (unsigned i = begin; i < end; ++i)
    sum += get(i);
  sums[threadIdx.x] = sum;
  __syncthreads();
  unsigned before = 0;
  for (unsigned t = 0; t < threadIdx.x; ++t)
    before += sums[t];
  for (unsigned i = begin; i < end; ++i) {
    const unsigned number = get(i);
    put(i, before);
    before += number;
  }
  return before;
}

} // namespace heddle::npp
