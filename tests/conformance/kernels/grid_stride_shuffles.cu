// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles of what threads have summed up in steps of the grid: fails if a value comes from the
// lane of another warp, however many warps run together, or from a warp that is elsewhere.
#include "check.h"

#include <algorithm>

enum class Way { Down, UpOfEight, Xor, Index, IndexOfSixteen, Count };
enum class Where { Always, FirstWarp, OddWarps, FirstOfWarps, LowHalf, AfterReturn, Count };

// Which lane of its warp gives its value to this lane.
unsigned sourceLane(Way way, unsigned lane, unsigned value) {
  switch (way) {
  case Way::Down:
    return lane + 3 < 32 ? lane + 3 : lane;
  case Way::UpOfEight:
    return lane % 8 >= 2 ? lane - 2 : lane;
  case Way::Xor:
    return lane ^ 5;
  case Way::Index:
    return value % 32;
  default:
    return lane / 16 * 16 + value % 16;
  }
}

template <Way way> __device__ unsigned shuffled(unsigned value) {
  switch (way) {
  case Way::Down:
    return __shfl_down_sync(0xffffffff, value, 3);
  case Way::UpOfEight:
    return __shfl_up_sync(0xffffffff, value, 2, 8);
  case Way::Xor:
    return __shfl_xor_sync(0xffffffff, value, 5);
  case Way::Index:
    return __shfl_sync(0xffffffff, value, value % 32);
  default:
    return __shfl_sync(0xffffffff, value, value % 16, 16);
  }
}

// Lanes of one warp part in LowHalf and AfterReturn; there, a lane that comes alone to the shuffle
// may only read its own value.
__host__ __device__ bool comes(Where where, unsigned thread) {
  switch (where) {
  case Where::FirstWarp:
    return thread / 32 == 0;
  case Where::OddWarps:
    return thread / 32 % 2 == 1;
  case Where::LowHalf:
    return thread % 32 < 16;
  case Where::AfterReturn:
    return thread < 77;
  default:
    return true;
  }
}

template <Way way, Where where>
__global__ void shuffles(int n, const unsigned *data, unsigned *results, unsigned *ofWarps) {
  const unsigned place = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
  for (int i = place; i < n; i += blockDim.x * gridDim.x)
    sum += data[i];
  if (where == Where::AfterReturn && !comes(where, threadIdx.x))
    return;
  if (comes(where, threadIdx.x)) {
    const bool whole = where != Where::LowHalf && where != Where::AfterReturn;
    sum = whole ? shuffled<way>(sum) : __shfl_sync(__activemask(), sum, threadIdx.x % 32);
  }
  if (where == Where::FirstOfWarps) {
    if (threadIdx.x % 32 == 0)
      ofWarps[place / 32] = sum;
    __syncwarp();
    if (threadIdx.x % 32 == 7)
      atomicAdd(&ofWarps[place / 32], sum);
  }
  results[place] = sum;
}

// As most programs add up: the warps' sums meet in shared memory, and the first warp adds them up.
__global__ void total(int n, const unsigned *data, unsigned *result) {
  __shared__ unsigned ofWarps[32];
  unsigned sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += data[i];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (lane == 0)
    ofWarps[warp] = sum;
  __syncthreads();
  if (warp != 0)
    return;
  sum = lane < blockDim.x / 32 ? ofWarps[lane] : 0;
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, distance);
  __syncwarp();
  if (lane == 0)
    atomicAdd(result, sum);
}

struct Launch {
  unsigned blocks;
  dim3 threads;
  unsigned all() const { return blocks * threads.x; }
};

template <Way way, Where where>
void checkOne(Launch launch, int n, const std::vector<unsigned> &numbers, const unsigned *data) {
  const unsigned all = launch.all(), none = 0xdeadu;
  std::vector<unsigned> sums(all, 0), expected(all, none), expectedOfWarps(all / 32, none);
  for (int i = 0; i < n; ++i)
    sums[unsigned(i) % all] += numbers[i];
  for (unsigned place = 0; place < all; ++place) {
    const unsigned thread = place % launch.threads.x, lane = thread % 32;
    const bool here = comes(where, thread);
    const bool whole = where != Where::LowHalf && where != Where::AfterReturn;
    if (here || where != Where::AfterReturn)
      expected[place] =
          sums[here && whole ? place - lane + sourceLane(way, lane, sums[place]) : place];
    if (where == Where::FirstOfWarps && lane == 0)
      expectedOfWarps[place / 32] = expected[place];
    if (where == Where::FirstOfWarps && lane == 7)
      expectedOfWarps[place / 32] += expected[place];
  }
  DeviceBuffer<unsigned> results(std::vector<unsigned>(all, none));
  DeviceBuffer<unsigned> ofWarps(std::vector<unsigned>(all / 32, none));
  shuffles<way, where><<<launch.blocks, launch.threads>>>(n, data, results, ofWarps);
  CHECK_EQ(results.download() == expected, true);
  CHECK_EQ(ofWarps.download() == expectedOfWarps, true);
}

template <int combination = 0>
void checkAll(Launch launch, int n, const std::vector<unsigned> &numbers, const unsigned *data) {
  constexpr int places = int(Where::Count);
  checkOne<Way(combination / places), Where(combination % places)>(launch, n, numbers, data);
  if constexpr (combination + 1 < int(Way::Count) * places)
    checkAll<combination + 1>(launch, n, numbers, data);
}

int main() {
  for (const unsigned threads : {32u, 64u, 96u, 128u, 256u, 384u})
    for (const int n : {0, 127, 12345}) {
      const Launch launch{3, threads};
      std::vector<unsigned> numbers(size_t(n) + 1);
      unsigned sum = 0;
      for (int i = 0; i < n; ++i)
        sum += numbers[i] = unsigned(i) * 2654435761u >> 5;
      const DeviceBuffer<unsigned> data(numbers);
      checkAll(launch, n, numbers, data);
      DeviceBuffer<unsigned> result(std::vector<unsigned>{0});
      total<<<launch.blocks, launch.threads>>>(n, data, result);
      CHECK_EQ(result.download()[0], sum);
    }
  RETURN_RESULT();
}
