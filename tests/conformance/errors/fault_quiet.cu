// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_QUIET=1: faults are told by error codes only, stderr stays empty.
// env: HEDDLE_QUIET=1
// hardware: skip about Heddle's own messages
#include "check.h"
#include <unistd.h>

__global__ void writeTo(int *p) { *p = 1; }

int main() {
  char name[] = "stderr-XXXXXX";
  const int file = mkstemp(name), saved = dup(2);
  CHECK(file >= 0);
  dup2(file, 2);
  writeTo<<<1, 1>>>(nullptr);
  const cudaError_t error = cudaDeviceSynchronize();
  fflush(stderr);
  dup2(saved, 2);
  CHECK_EQ(lseek(file, 0, SEEK_END), 0);
  close(file);
  unlink(name);
  CHECK_EQ(error, cudaErrorIllegalAddress);
  RETURN_RESULT();
}
