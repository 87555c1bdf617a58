// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures with arrays as kernel parameters: read in place, copied, walked by pointers, changed
// by each thread for itself, and shared by all threads where __grid_constant__ says so.
#include "check.h"

struct Filter {
  int *out;
  int taps;
  int weights[225];
  __host__ __device__ int weight(int i) const { return weights[i % 225]; }
  __device__ int sum(int factor) const {
    int result = 0;
    for (int i = 0; i < taps; ++i)
      result += weights[i] * factor;
    return result;
  }
};

__device__ int thread() { return int(blockIdx.x * blockDim.x + threadIdx.x); }

template <class F> __global__ void reads(F filter) {
  const int t = thread();
  filter.out[t] = filter.sum(t) + filter.weight(t * 7);
}

__global__ void copies(Filter filter) {
  const int t = thread();
  const Filter own = filter;
  own.out[t] = own.sum(t) + own.weight(t * 7);
}

__global__ void walks(Filter filter) {
  const int t = thread(), *weight = filter.weights;
  int result = 0;
  while (weight != filter.weights + filter.taps)
    result += *weight++ * t;
  filter.out[t] = result + filter.weight(t * 7);
}

// Each thread writes its own copy, which no other thread sees.
__global__ void writes(Filter filter) {
  const int t = thread();
  filter.weights[t % 225] += t;
  __syncthreads();
  filter.out[t] = filter.sum(1) + filter.weight(t + 1);
}

__global__ void copiesAndWrites(Filter filter) {
  const int t = thread();
  Filter own = filter;
  own.weights[t % 225] = -t;
  __syncthreads();
  own.out[t] = own.sum(1) + filter.weight(t);
}

__device__ __noinline__ void change(Filter &filter, int t) {
  filter.weights[(t * 3) % 225] = t;
  filter.taps = t % 5;
}

// Only some threads write.
__global__ void someWrite(Filter filter, int limit) {
  const int t = thread();
  if (t % limit == 0)
    change(filter, t);
  filter.out[t] = filter.sum(2) + filter.weight(t * 3);
}

// Which of two is written is known only at run time.
__global__ void choosesWhatItWrites(Filter one, Filter two, int first) {
  const int t = thread();
  Filter &written = (t + first) % 2 ? one : two;
  written.weights[t % 225] = 1000 + t;
  one.out[t] = one.sum(1) - two.sum(1);
}

struct __align__(64) Aligned {
  double values[16];
};

__global__ void aligned(char, Aligned a, int *out) {
  const int t = thread();
  out[t] = int(a.values[t % 16]) + int(reinterpret_cast<size_t>(&a) % 64);
}

__global__ void sharesAddress(const __grid_constant__ Filter filter, const Filter **where) {
  const int t = thread();
  where[t] = &filter;
  filter.out[t] = filter.sum(t) + filter.weight(t);
}

const int threads = 512, per_block = 128, blocks = threads / per_block;

template <class Launch, class Expected>
void expect(DeviceBuffer<int> &out, Launch launch, Expected expected) {
  launch();
  CHECK_CUDA(cudaGetLastError());
  const std::vector<int> got = out.download();
  for (int t = 0; t < threads; ++t)
    CHECK_EQ(got[t], expected(t));
}

int sum(const Filter &filter, int factor) {
  int result = 0;
  for (int i = 0; i < filter.taps; ++i)
    result += filter.weights[i] * factor;
  return result;
}

int main() {
  DeviceBuffer<int> out(threads);
  Filter filter = {out, 200, {}};
  for (int i = 0; i < 225; ++i)
    filter.weights[i] = 3 * i + 1;
  const auto plain = [&](int t) { return sum(filter, t) + filter.weight(t * 7); };
  expect(out, [&] { reads<<<blocks, per_block>>>(filter); }, plain);
  expect(out, [&] { copies<<<blocks, per_block>>>(filter); }, plain);
  expect(out, [&] { walks<<<blocks, per_block>>>(filter); }, plain);
  expect(
      out, [&] { writes<<<blocks, per_block>>>(filter); },
      [&](int t) {
        Filter own = filter;
        own.weights[t % 225] += t;
        return sum(own, 1) + own.weight(t + 1);
      });
  expect(
      out, [&] { copiesAndWrites<<<blocks, per_block>>>(filter); },
      [&](int t) {
        Filter own = filter;
        own.weights[t % 225] = -t;
        return sum(own, 1) + filter.weight(t);
      });
  expect(
      out, [&] { someWrite<<<blocks, per_block>>>(filter, 7); },
      [&](int t) {
        Filter own = filter;
        if (t % 7 == 0) {
          own.weights[(t * 3) % 225] = t;
          own.taps = t % 5;
        }
        return sum(own, 2) + own.weight(t * 3);
      });
  expect(
      out, [&] { choosesWhatItWrites<<<blocks, per_block>>>(filter, filter, 1); },
      [&](int t) {
        Filter one = filter, two = filter;
        ((t + 1) % 2 ? one : two).weights[t % 225] = 1000 + t;
        return sum(one, 1) - sum(two, 1);
      });
  Aligned values;
  for (int i = 0; i < 16; ++i)
    values.values[i] = 5 * i;
  expect(
      out, [&] { aligned<<<blocks, per_block>>>('x', values, out); },
      [&](int t) { return 5 * (t % 16); });
  DeviceBuffer<const Filter *> where(threads);
  expect(
      out, [&] { sharesAddress<<<blocks, per_block>>>(filter, where); },
      [&](int t) { return sum(filter, t) + filter.weight(t); });
  const std::vector<const Filter *> addresses = where.download();
  for (const Filter *address : addresses)
    CHECK_EQ(address == addresses[0], true);
  RETURN_RESULT();
}
