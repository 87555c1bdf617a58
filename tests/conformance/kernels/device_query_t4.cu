// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The virtual Tesla T4 has the published figures of the real one.
// env: HEDDLE_GPU=t4
// hardware: skip asks for a T4
#include "check.h"

int main() {
  cudaDeviceProp t4;
  CHECK_CUDA(cudaGetDeviceProperties(&t4, 0));
  CHECK_EQ(t4.major, 7);
  CHECK_EQ(t4.minor, 5);
  CHECK_EQ(t4.totalGlobalMem, 15828320256);
  CHECK_EQ(t4.sharedMemPerMultiprocessor, 65536);
  CHECK_EQ(t4.regsPerMultiprocessor, 65536);
  CHECK_EQ(t4.multiProcessorCount, 40);
  CHECK_EQ(t4.maxThreadsPerMultiProcessor, 1024);
  CHECK_EQ(t4.maxBlocksPerMultiProcessor, 16);
  RETURN_RESULT();
}
