// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMemset in one, two and three dimensions, blocking and asynchronous: only the low byte of
// the value counts, and only the box is written.
#include "check.h"

int main() {
  DeviceBuffer<unsigned char> bytes(1000);
  CHECK_CUDA(cudaMemset(bytes, 0x1234, 1000)); // its low byte: 0x34
  CHECK_CUDA(cudaMemset(bytes.data() + 3, -1, 5));
  CHECK_CUDA(cudaMemsetAsync(bytes.data() + 900, 7, 50, 0));
  CHECK_CUDA(cudaMemset(bytes, 9, 0));
  const std::vector<unsigned char> line = bytes.download();
  for (int i = 0; i < 1000; ++i)
    CHECK_EQ(line[i], i >= 3 && i < 8 ? 0xff : i >= 900 && i < 950 ? 7 : 0x34);

  const int pitch = 50, rows = 20;
  CHECK_CUDA(cudaMemset2D(bytes.data() + 2, pitch, 1, 10, rows));
  CHECK_CUDA(cudaMemset2DAsync(bytes.data() + 20, pitch, 2, 5, 3, 0));
  const std::vector<unsigned char> plane = bytes.download();
  for (int y = 0; y < rows; ++y) {
    CHECK_EQ(plane[y * pitch + 1], line[y * pitch + 1]);
    CHECK_EQ(plane[y * pitch + 2], 1);
    CHECK_EQ(plane[y * pitch + 11], 1);
    CHECK_EQ(plane[y * pitch + 12], line[y * pitch + 12]);
    CHECK_EQ(plane[y * pitch + 24], y < 3 ? 2 : line[y * pitch + 24]);
  }

  cudaPitchedPtr box;
  CHECK_CUDA(cudaMalloc3D(&box, make_cudaExtent(12, 6, 4)));
  CHECK_CUDA(cudaMemset3D(box, 0x11, make_cudaExtent(12, 6, 4)));
  CHECK_CUDA(cudaMemset3DAsync(box, 0x22, make_cudaExtent(5, 3, 2), 0));
  std::vector<unsigned char> back(12 * 6 * 4);
  CHECK_CUDA(cudaMemcpy2D(back.data(), 12, box.ptr, box.pitch, 12, 6 * 4, cudaMemcpyDeviceToHost));
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 6; ++y)
      for (int x = 0; x < 12; ++x)
        CHECK_EQ(back[(z * 6 + y) * 12 + x], x < 5 && y < 3 && z < 2 ? 0x22 : 0x11);
  CHECK_CUDA(cudaFree(box.ptr));
  RETURN_RESULT();
}
