// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device printf of a pointer with %p gives the same text for the same address, and differs from
// another's.
#include "check.h"
#include <string>
#include <unistd.h>

__global__ void show(int *pointer) { printf("%p %p\n", pointer, pointer + 4); }

int main() {
  char name[] = "printf_pointer_XXXXXX";
  const int file = mkstemp(name), terminal = dup(1);
  CHECK(file >= 0);
  unlink(name);
  dup2(file, 1);
  DeviceBuffer<int> buffer(8);
  show<<<1, 1>>>(buffer);
  CHECK_CUDA(cudaDeviceSynchronize());
  fflush(stdout);
  dup2(terminal, 1);
  char text[200] = {}, expected[200];
  CHECK(pread(file, text, sizeof text - 1, 0) > 0);
  snprintf(expected, sizeof expected, "%p %p\n", static_cast<void *>(buffer.data()),
           static_cast<void *>(buffer.data() + 4));
  CHECK(std::string(text) == expected);
  RETURN_RESULT();
}
