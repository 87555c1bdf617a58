// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with one mistake each, in the line that says which, and without it (Wrong = false).
#include <c10/cuda/CUDAException.h>
#include <torch/types.h>

// Threads behind the last element.
template <bool Wrong> __global__ void past_end(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n + Wrong)
    y[i] = 2 * x[i]; // heddle: out-of-bounds
}

// The first element's neighbour.
template <bool Wrong> __global__ void before_start(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[Wrong || i > 0 ? i - 1 : 0]; // heddle: out-of-bounds
}

// A view has as many elements as its own size says, not as the tensor behind it.
template <bool Wrong> __global__ void through_view(float *view, int size, int stride, int base) {
  for (int i = threadIdx.x; i < (Wrong ? base : size); i += blockDim.x)
    view[i * stride] = i; // heddle: out-of-bounds
}

// All of the block's threads, on a tensor of fewer elements that has neighbours in memory.
template <bool Wrong> __global__ void inside_segment(float *x, int n) {
  if (Wrong || threadIdx.x < n)
    x[threadIdx.x] += 1; // heddle: out-of-bounds
}

// Others' elements of shared memory are read without a barrier.
template <bool Wrong> __global__ void shared_race(const float *x, float *y) {
  __shared__ float tile[128];
  tile[threadIdx.x] = x[threadIdx.x]; // heddle: race
  if (!Wrong)
    __syncthreads();
  y[threadIdx.x] = tile[127 - threadIdx.x]; // heddle: uninitialised
}

// Blocks add to one place.
template <bool Wrong> __global__ void lost_updates(const float *x, float *sum) {
  if (!Wrong)
    atomicAdd(sum, x[blockIdx.x]);
  else
    *sum += x[blockIdx.x]; // heddle: race
}

// Adds to what torch.empty gave.
template <bool Wrong> __global__ void unset_sums(const float *x, float *sums) {
  sums[threadIdx.x] = x[threadIdx.x] + (Wrong ? sums[threadIdx.x] : 0); // heddle: uninitialised
}

// Threads without an element do not come to the barrier.
template <bool Wrong> __global__ void left_barrier(float *x, int n) {
  __shared__ float first;
  if (Wrong && threadIdx.x >= n)
    return;
  if (threadIdx.x == 0)
    first = x[0];
  __syncthreads(); // heddle: barrier-not-reached
  if (threadIdx.x < n)
    x[threadIdx.x] -= first;
}

#define LAUNCH(kernel, blocks, threads, ...)                                                       \
  (wrong ? kernel<true><<<blocks, threads>>>(__VA_ARGS__)                                          \
         : kernel<false><<<blocks, threads>>>(__VA_ARGS__))

// `x` and `y`: 1000 elements.
void run(const std::string &name, bool wrong, torch::Tensor x, torch::Tensor y) {
  const float *from = x.data_ptr<float>();
  float *to = y.data_ptr<float>();
  const int n = int(x.numel());
  if (name == "past_end")
    LAUNCH(past_end, 8, 128, from, to, n);
  else if (name == "before_start")
    LAUNCH(before_start, 8, 128, from, to, n);
  else if (name == "shared_race")
    LAUNCH(shared_race, 1, 128, from, to);
  else if (name == "lost_updates")
    LAUNCH(lost_updates, 16, 1, from, to);
  else if (name == "unset_sums")
    LAUNCH(unset_sums, 1, 128, from, to);
  else if (name == "left_barrier")
    LAUNCH(left_barrier, 1, 128, to, 100);
  else
    TORCH_CHECK(false, name);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void runOn(const std::string &name, bool wrong, torch::Tensor view, int64_t base) {
  float *to = view.data_ptr<float>();
  if (name == "through_view")
    LAUNCH(through_view, 1, 128, to, int(view.size(0)), int(view.stride(0)), int(base));
  else if (name == "inside_segment")
    LAUNCH(inside_segment, 1, 128, to, int(view.size(0)));
  else
    TORCH_CHECK(false, name);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}
