// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error check that course material wraps around calls: it prints the text, file and line, and
// ends the program with the error's number.
// exit: 1
// stderr-contains: GPUassert: invalid argument error_check_macro.cu
#include "check.h"

#define gpuErrchk(ans)                                                                             \
  {                                                                                                \
    gpuAssert((ans), __FILE__, __LINE__);                                                          \
  }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true) {
  if (code != cudaSuccess) {
    const char *name = strrchr(file, '/');
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), name ? name + 1 : file,
            line);
    if (abort)
      exit(code);
  }
}

int main() {
  DeviceBuffer<int> *data = new DeviceBuffer<int>(4);
  int host[8] = {};
  gpuErrchk(cudaMemcpy(data->data(), host, 4 * sizeof(int), cudaMemcpyHostToDevice));
  gpuErrchk(cudaMemcpy(data->data(), host, size_t(1) << 40, cudaMemcpyHostToDevice));
  return 0;
}
