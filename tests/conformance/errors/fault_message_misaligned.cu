// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The message for a misaligned access names the address and, with -g, the source line of the
// device function that made it.
// flags: -g
// stderr-contains: misaligned address
// stderr-contains: outer
// stderr-contains: thread (7,0,0)
// stderr-contains: fault_message_misaligned.cu:12
// hardware: skip a GPU does not say where
#include "check.h"

__device__ __noinline__ void inner(char *p) { *reinterpret_cast<volatile short *>(p) = 3; }

__global__ void outer(char *memory) { inner(memory + (threadIdx.x == 7 ? 1 : 0)); }

int main() {
  char *memory;
  CHECK_CUDA(cudaMalloc(&memory, 100));
  outer<<<1, 8>>>(memory);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorMisalignedAddress);
  RETURN_RESULT();
}
