// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduction in shared memory: interleaved with % and with &, strided index, sequential
// addressing, first add on load, grid-stride and four loads a thread all give the host's sum; a
// barrier that lets one warp run ahead breaks it.
#include "check.h"
#include "random_floats.h"

const int blockSize = 256;

__device__ void finish(float *out, const float *shared) {
  if (threadIdx.x == 0)
    out[blockIdx.x] = shared[0];
}

__device__ void addSequential(float *shared) {
  const int t = threadIdx.x;
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride)
      shared[t] += shared[t + stride];
  }
}

__global__ void interleavedModulo(const float *in, float *out, int) {
  __shared__ float shared[blockSize];
  const int t = threadIdx.x;
  shared[t] = in[blockIdx.x * blockDim.x + t];
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if (t % (2 * stride) == 0)
      shared[t] += shared[t + stride];
  }
  finish(out, shared);
}

__global__ void interleavedMask(const float *in, float *out, int) {
  __shared__ float shared[blockSize];
  const int t = threadIdx.x;
  shared[t] = in[blockIdx.x * blockDim.x + t];
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if ((t & (2 * stride - 1)) == 0)
      shared[t] += shared[t + stride];
  }
  finish(out, shared);
}

__global__ void stridedIndex(const float *in, float *out, int) {
  __shared__ float shared[blockSize];
  const int t = threadIdx.x;
  shared[t] = in[blockIdx.x * blockDim.x + t];
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    const int i = 2 * stride * t;
    if (i < blockDim.x)
      shared[i] += shared[i + stride];
  }
  finish(out, shared);
}

__global__ void sequential(const float *in, float *out, int) {
  __shared__ float shared[blockSize];
  shared[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  addSequential(shared);
  finish(out, shared);
}

__global__ void firstAddOnLoad(const float *in, float *out, int) {
  __shared__ float shared[blockSize];
  const int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  shared[threadIdx.x] = in[i] + in[i + blockDim.x];
  addSequential(shared);
  finish(out, shared);
}

__global__ void gridStride(const float *in, float *out, int n) {
  __shared__ float shared[blockSize];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  shared[threadIdx.x] = sum;
  addSequential(shared);
  finish(out, shared);
}

__global__ void fourLoads(const float *in, float *out, int) {
  __shared__ float shared[blockSize];
  const float4 four = reinterpret_cast<const float4 *>(in)[blockIdx.x * blockDim.x + threadIdx.x];
  shared[threadIdx.x] = (four.x + four.y) + (four.z + four.w);
  addSequential(shared);
  finish(out, shared);
}

typedef void Kernel(const float *, float *, int);

static void checkKernel(Kernel *kernel, int elementsPerThread, const DeviceBuffer<float> &in, int n,
                        double expected) {
  const int blocks = n / blockSize / elementsPerThread;
  DeviceBuffer<float> partial(blocks), total(1);
  kernel<<<blocks, blockSize>>>(in, partial, n);
  gridStride<<<1, blockSize>>>(partial, total, blocks);
  CHECK_NEAR(total.download()[0], expected, 1e-5 * expected);
}

int main() {
  const int n = 1 << 20;
  const std::vector<float> values = randomFloats(n);
  const double expected = sumOf(values);
  const DeviceBuffer<float> in(values);
  checkKernel(interleavedModulo, 1, in, n, expected);
  checkKernel(interleavedMask, 1, in, n, expected);
  checkKernel(stridedIndex, 1, in, n, expected);
  checkKernel(sequential, 1, in, n, expected);
  checkKernel(firstAddOnLoad, 2, in, n, expected);
  checkKernel(gridStride, 16, in, n, expected);
  checkKernel(fourLoads, 4, in, n, expected);
  RETURN_RESULT();
}
