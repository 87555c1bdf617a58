// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf, assert, malloc, atomics, inline PTX and __CUDACC_RDC__ in functions of another file.
// flags: -rdc=true
// also: parts/services_there.cu
// stdout: thread 0: 0
// stdout: thread 1: 3
// stdout: thread 2: 6
#include "check.h"
#include "parts/services.h"

#ifndef __CUDACC_RDC__
#error "__CUDACC_RDC__ is not defined"
#endif

__global__ void serve(int *out) {
  int *list = makeList(int(threadIdx.x) + 1);
  checkPositive(list[0]);
  addTo(out, list[threadIdx.x]);
  free(list);
  tell(int(threadIdx.x), laneThrice());
}

int main() {
  DeviceBuffer<int> out(std::vector<int>{100});
  serve<<<1, 3>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out.download()[0], 100 + 1 + 2 + 3);
  RETURN_RESULT();
}
