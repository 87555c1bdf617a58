// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of a warp come together to an access of volatile shared memory also where it stands
// between two branches on one condition. A compiler that makes two copies of the access, one for
// each outcome, has lanes access it at different times. (CUDA has not promised that since Volta;
// GPUs do it, and programs from before lean on it.)
#include "check.h"

namespace {

constexpr int warp = 32;

// ---- Stores between branches: all lanes have stored before the second branch is taken ----

__global__ void storeBetween(int *out, int first) {
  __shared__ volatile int s[warp];
  const int t = threadIdx.x;
  int sum = 0;
  s[t] = t;
  if (t >= first)
    s[t - first] = 100 + t;
  s[t ^ 8] = 200 + t;
  if (t >= first)
    sum = s[t - first] + 1000 * s[(t + 3) % warp];
  out[t] = sum;
}

void stored(int first) {
  int s[warp], expected[warp] = {};
  for (int t = 0; t < warp; ++t)
    s[t ^ 8] = 200 + t; // each element is stored to once more than before
  for (int t = first; t < warp; ++t)
    expected[t] = s[t - first] + 1000 * s[(t + 3) % warp];
  DeviceBuffer<int> out(warp);
  storeBetween<<<1, warp>>>(out, first);
  const auto result = out.download();
  for (int t = 0; t < warp; ++t)
    CHECK_EQ(result[t], expected[t]);
}

// ---- Loads between branches: lanes of either kind go first in turn ----

template <int parity> __global__ void loadBetween(int *out) {
  __shared__ volatile int s[warp];
  const int t = threadIdx.x;
  s[t] = 10 * t;
  const bool own = t % 2 == parity;
  if (own)
    s[t] = 7 * t + 1;
  int got = s[t ^ 1]; // before any lane stores again
  if (own)
    s[t] = -1;
  else
    got += 100000;
  got += 1000 * (s[t ^ 1] == -1);
  out[t] = got;
}

template <int parity> void loaded() {
  DeviceBuffer<int> out(warp);
  loadBetween<parity><<<1, warp>>>(out);
  const auto result = out.download();
  for (int t = 0; t < warp; ++t) {
    const int other = t ^ 1;
    CHECK_EQ(result[t], t % 2 == parity ? 10 * other : 7 * other + 1 + 100000 + 1000);
  }
}

// ---- A machine of three states: each lane knows at the end of a round where it goes on ----

__global__ void states(int *out, int rounds) {
  __shared__ volatile int s[warp];
  const int t = threadIdx.x;
  s[t] = t;
  int state = t % 3, sum = 0;
  for (int round = 0; round < rounds; ++round) {
    switch (state) {
    case 0:
      sum += 3;
      state = 1;
      break;
    case 1:
      sum = sum * 2 + 1;
      state = 2;
      break;
    default:
      sum ^= 5;
      state = 0;
      break;
    }
    const int next = s[(t + 1) % warp];
    s[t] = next + sum;
  }
  out[t] = s[t];
}

void inStates(int rounds) {
  int s[warp], state[warp], sum[warp] = {}, next[warp];
  for (int t = 0; t < warp; ++t) {
    s[t] = t;
    state[t] = t % 3;
  }
  for (int round = 0; round < rounds; ++round) {
    for (int t = 0; t < warp; ++t) {
      sum[t] = state[t] == 0 ? sum[t] + 3 : state[t] == 1 ? sum[t] * 2 + 1 : sum[t] ^ 5;
      state[t] = (state[t] + 1) % 3;
      next[t] = s[(t + 1) % warp];
    }
    for (int t = 0; t < warp; ++t)
      s[t] = next[t] + sum[t];
  }
  DeviceBuffer<int> out(warp);
  states<<<1, warp>>>(out, rounds);
  const auto result = out.download();
  for (int t = 0; t < warp; ++t)
    CHECK_EQ(result[t], s[t]);
}

} // namespace

int main() {
  for (int first : {1, 4, 11, 24, 31})
    stored(first);
  loaded<0>();
  loaded<1>();
  for (int rounds : {1, 2, 7, 12})
    inStates(rounds);
  RETURN_RESULT();
}
