// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libcu++: atomics with orders and scopes, barriers, semaphores, latches and pipelines, in shared
// memory and in global, and pieces of cuda::std in device code.
// flags: -std=c++17 -arch=sm_80
// env: HEDDLE_GPU=a100
#include "../check.h"

#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <nv/target>

constexpr int threads = 128;

// Each block writes, and says so with a release; the next one waits for it with an acquire.
__global__ void chain(cuda::atomic<int, cuda::thread_scope_device> *flags, int *values) {
  if (threadIdx.x != 0)
    return;
  const int b = blockIdx.x;
  int before = 0;
  if (b > 0) {
    while (flags[b - 1].load(cuda::memory_order_acquire) == 0) {
    }
    before = values[b - 1];
  }
  values[b] = before + b;
  flags[b].store(1, cuda::memory_order_release);
  flags[b].notify_all();
}

__global__ void atomics(int *out, double *sum, unsigned long long *largest) {
  cuda::atomic_ref<int, cuda::thread_scope_device> count(*out);
  const int old = count.fetch_add(2, cuda::std::memory_order_relaxed);
  cuda::atomic_ref<double, cuda::thread_scope_device>(*sum).fetch_add(0.5);
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_system>(*largest).fetch_max(old);
  __shared__ cuda::atomic<int, cuda::thread_scope_block> shared;
  if (threadIdx.x == 0)
    new (&shared) cuda::atomic<int, cuda::thread_scope_block>(0);
  __syncthreads();
  int seen = shared.load();
  while (!shared.compare_exchange_weak(seen, seen + 3, cuda::std::memory_order_acq_rel)) {
  }
  ++shared;
  shared.fetch_xor(0);
  cuda::atomic_thread_fence(cuda::std::memory_order_seq_cst, cuda::thread_scope_block);
  __syncthreads();
  if (threadIdx.x == 0)
    out[1] = shared.exchange(0);
}

__global__ void barriers(int *out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barrier;
  __shared__ int values[threads];
  const auto group = cooperative_groups::this_thread_block();
  if (threadIdx.x == 0)
    init(&barrier, threads);
  group.sync();
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    values[threadIdx.x] = round + threadIdx.x;
    Barrier::arrival_token token = barrier.arrive();
    barrier.wait(cuda::std::move(token));
    sum += values[(threadIdx.x + 33) % threads];
    barrier.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}

// A semaphore that lets one block in at a time, and a latch that all come to.
__global__ void semaphores(cuda::counting_semaphore<cuda::thread_scope_device, 1> *gate,
                           cuda::latch<cuda::thread_scope_device> *latch, int *total, int *seen) {
  if (threadIdx.x == 0) {
    gate->acquire();
    *(volatile int *)total = *(volatile int *)total + 1;
    __threadfence();
    gate->release();
    latch->arrive_and_wait();
    seen[blockIdx.x] = *(volatile int *)total;
  }
}

// Two stages ahead from global to shared memory.
__global__ void pipeline(const int *in, int *out, int batches) {
  __shared__ int buffer[2][threads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto group = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(group, &state);
  int sum = 0, fetched = 0;
  for (int batch = 0; batch < batches; ++batch) {
    for (; fetched < batches && fetched < batch + 2; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(group, buffer[fetched % 2], in + fetched * threads,
                         cuda::aligned_size_t<4>(sizeof(int) * threads), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += buffer[batch % 2][(threadIdx.x + 1) % threads] * (batch + 1);
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

__host__ __device__ int side() { NV_IF_ELSE_TARGET(NV_IS_DEVICE, (return 1;), (return 2;)) }

__global__ void standard(int *out) {
  cuda::std::array<int, 4> values = {3, 1, 4, 1};
  int sum = 0;
  for (const int value : values)
    sum += value;
  const cuda::std::optional<int> some(sum), none;
  const auto [a, b] = cuda::std::make_tuple(some.value_or(0), none.value_or(-1));
  const cuda::std::complex<float> z = cuda::std::complex<float>(1, 2) * 2.0f;
  static_assert(cuda::std::is_same<cuda::std::remove_cv_t<const int>, int>::value, "");
  out[0] = a;
  out[1] = b;
  out[2] = int(z.imag());
  out[3] = cuda::std::popcount(0xf0fu) + cuda::std::countl_zero(1u);
  out[4] = cuda::std::numeric_limits<int>::max();
  out[5] = side();
  NV_IF_TARGET(NV_PROVIDES_SM_75, (out[6] = 75;))
}

template <class T, class... A> T *managed(A... arguments) {
  T *object;
  CHECK_CUDA(cudaMallocManaged(&object, sizeof(T)));
  return new (object) T(arguments...);
}

int main() {
  const int blocks = 40;
  DeviceBuffer<int> flags(blocks), out(threads);
  chain<<<blocks, 32>>>(
      reinterpret_cast<cuda::atomic<int, cuda::thread_scope_device> *>(flags.data()), out);
  CHECK_EQ(out.download()[blocks - 1], blocks * (blocks - 1) / 2);

  DeviceBuffer<int> counts(2);
  DeviceBuffer<double> sum(1);
  DeviceBuffer<unsigned long long> largest(1);
  atomics<<<10, threads>>>(counts, sum, largest);
  CHECK_EQ(counts.download()[0], 20 * threads);
  CHECK_EQ(counts.download()[1], 4 * threads);
  CHECK_EQ(sum.download()[0], 5.0 * threads);
  CHECK_EQ(largest.download()[0], 20ull * threads - 2);

  barriers<<<1, threads>>>(out);
  for (int i = 0; i < threads; ++i)
    CHECK_EQ(out.download()[i], 6 + 4 * ((i + 33) % threads));

  using Gate = cuda::counting_semaphore<cuda::thread_scope_device, 1>;
  using Latch = cuda::latch<cuda::thread_scope_device>;
  semaphores<<<8, 32>>>(managed<Gate>(1), managed<Latch>(8), counts.data(), out);
  for (int i = 0; i < 8; ++i)
    CHECK_EQ(out.download()[i], 20 * threads + 8);

  std::vector<int> input(5 * threads);
  for (size_t i = 0; i < input.size(); ++i)
    input[i] = int(i * i % 1000);
  DeviceBuffer<int> in(input);
  pipeline<<<1, threads>>>(in, out, 5);
  for (int i = 0; i < threads; ++i) {
    int expected = 0;
    for (int batch = 0; batch < 5; ++batch)
      expected += input[batch * threads + (i + 1) % threads] * (batch + 1);
    CHECK_EQ(out.download()[i], expected);
  }
  standard<<<1, 1>>>(out);
  const int expected[] = {9, -1, 4, 39, 2147483647, 1, 75};
  for (int i = 0; i < 7; ++i)
    CHECK_EQ(out.download()[i], expected[i]);
  CHECK_EQ(side(), 2);
  RETURN_RESULT();
}
