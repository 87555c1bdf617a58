// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies: from pinned memory they return before they are done; from pageable memory
// the source may be reused as soon as the call returns.
// env: CUDA_MODULE_LOADING=EAGER
#include "gate.h"

int main() {
  const int n = 1024;
  Gate gate;
  DeviceBuffer<int> a(n), b(n);
  int *pinned;
  CHECK_CUDA(cudaMallocHost(&pinned, n * sizeof(int)));
  std::vector<int> pageable(n, 7);
  {
    Stream stream(cudaStreamNonBlocking);
    CHECK_CUDA(
        cudaMemcpyAsync(a, pageable.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream));
    std::fill(pageable.begin(), pageable.end(), -1); // the copy has taken the old values
    std::fill(pinned, pinned + n, 1);
    gate.holdUp(stream);
    CHECK_CUDA(cudaMemcpyAsync(b, pinned, n * sizeof(int), cudaMemcpyHostToDevice, stream));
    CHECK_CUDA(cudaMemsetAsync(b, 0, sizeof(int), stream));
    CHECK_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
    std::fill(pinned, pinned + n, 2); // the copy has yet to read them
    gate.open();
    CHECK_CUDA(cudaStreamSynchronize(stream));
  }
  for (int value : a.download())
    CHECK_EQ(value, 7);
  const std::vector<int> result = b.download();
  CHECK_EQ(result[0], 0);
  for (int i = 1; i < n; ++i)
    CHECK_EQ(result[i], 2);
  CHECK_CUDA(cudaFreeHost(pinned));
  RETURN_RESULT();
}
