// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel with some thousands of divergent branches: 128 values are sorted into 32 classes by an
// unrolled ladder of comparisons each.
__constant__ double limits[32];

template <int Class> __device__ void classify(double value, unsigned &found) {
  if (value < limits[Class])
    found = found * 33 + Class;
  else if constexpr (Class > 0)
    classify<Class - 1>(value, found);
}

__global__ void ladder(const double *in, unsigned *out) {
  __shared__ double tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const double mine = in[blockIdx.x * 128 + threadIdx.x];
  unsigned found = 0;
#pragma unroll
  for (int i = 0; i < 128; ++i)
    classify<31>(mine * tile[i], found);
  out[blockIdx.x * 128 + threadIdx.x] = found;
}
