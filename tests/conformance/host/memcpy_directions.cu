// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMemcpy in every direction, cudaMemcpyDefault, copies into the middle, of no bytes, and
// peer copies from a device to itself.
#include "check.h"

int main() {
  const int n = 1000;
  std::vector<int> values(n), back(n), other(n);
  for (int i = 0; i < n; ++i)
    values[i] = i * i;
  DeviceBuffer<int> a(n), b(n);
  const size_t bytes = n * sizeof(int);
  CHECK_CUDA(cudaMemcpy(a, values.data(), bytes, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice));
  CHECK_CUDA(cudaMemcpy(back.data(), b, bytes, cudaMemcpyDeviceToHost));
  CHECK(back == values);
  CHECK_CUDA(cudaMemcpy(other.data(), back.data(), bytes, cudaMemcpyHostToHost));
  CHECK(other == values);

  // Unified addressing: the pointers tell the direction.
  std::vector<int> reversed(values.rbegin(), values.rend());
  CHECK_CUDA(cudaMemcpy(a, reversed.data(), bytes, cudaMemcpyDefault));
  CHECK_CUDA(cudaMemcpy(b, a, bytes, cudaMemcpyDefault));
  CHECK_CUDA(cudaMemcpy(back.data(), b, bytes, cudaMemcpyDefault));
  CHECK(back == reversed);

  // Odd byte counts and addresses.
  CHECK_CUDA(cudaMemset(a, 0, bytes));
  CHECK_CUDA(
      cudaMemcpy(reinterpret_cast<char *>(a.data()) + 3, "unaligned", 9, cudaMemcpyHostToDevice));
  char text[16] = {};
  CHECK_CUDA(cudaMemcpy(text, a, 13, cudaMemcpyDeviceToHost));
  CHECK_EQ(memcmp(text, "\0\0\0unaligned\0", 13), 0);
  CHECK_CUDA(cudaMemcpy(a, values.data(), 0, cudaMemcpyHostToDevice));

  CHECK_CUDA(cudaMemcpy(a, values.data(), bytes, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpyPeer(b, 0, a, 0, bytes));
  CHECK_CUDA(cudaMemcpyPeerAsync(b.data() + 10, 0, a, 0, 10 * sizeof(int), 0));
  back = b.download();
  for (int i = 0; i < 20; ++i)
    CHECK_EQ(back[i], values[i % 10]);
  RETURN_RESULT();
}
