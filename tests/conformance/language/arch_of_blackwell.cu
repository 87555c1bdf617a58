// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for sm_100a sees the macros of that GPU and of its family, and the device is such a GPU.
// flags: -arch=sm_100a
// env: HEDDLE_GPU=b200
// hardware: skip needs a GPU of compute capability 10.0
#include "check.h"

#if defined(__CUDA_ARCH_SPECIFIC__) && !defined(__CUDA_ARCH__)
#error "features of device code are none of the host's"
#endif

enum Seen { Arch, Specific, Family, Feature, Known, OfFamily, OfAnotherFamily, Count };

__global__ void look(int *seen) {
#ifdef __CUDA_ARCH__
  seen[Arch] = __CUDA_ARCH__;
  seen[Specific] = __CUDA_ARCH_SPECIFIC__;
  seen[Family] = __CUDA_ARCH_FAMILY_SPECIFIC__;
  seen[Feature] = __CUDA_ARCH_HAS_FEATURE__(SM100_ALL);
  seen[Known] = __CUDA_HAS_ARCH_SPECIFIC(100);
  seen[OfFamily] = __CUDA_HAS_ARCH_FAMILY_SPECIFIC(100);
  seen[OfAnotherFamily] = __CUDA_HAS_ARCH_FAMILY_SPECIFIC(120);
#endif
}

// What every GPU since sm_90 has is there.
__global__ void highest(const int *in, int *out) {
  const int value = in[threadIdx.x];
#if __CUDA_ARCH__ >= 1000
  *out = __reduce_max_sync(~0u, value);
#endif
}

int main() {
  DeviceBuffer<int> out(Count);
  look<<<1, 1>>>(out.data());
  CHECK(out.download() == (std::vector<int>{1000, 1000, 1000, 1, 1, 1, 0}));

  std::vector<int> numbers(32);
  for (int i = 0; i < 32; ++i)
    numbers[i] = (i * 11) % 32;
  DeviceBuffer<int> in(numbers), most(1);
  highest<<<1, 32>>>(in.data(), most.data());
  CHECK_EQ(most.download()[0], 31);

  cudaFuncAttributes attributes;
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, look));
  CHECK_EQ(attributes.binaryVersion, 100);
  CHECK_EQ(attributes.ptxVersion, 100);
  cudaDeviceProp properties;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  CHECK_EQ(properties.major, 10);
  CHECK_EQ(properties.maxThreadsPerMultiProcessor, 2048);
  RETURN_RESULT();
}
