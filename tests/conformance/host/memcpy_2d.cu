// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pitched memory: rows of different pitches on host and device, in both directions and on the
// device, also asynchronously; bytes between the rows stay as they are.
#include "check.h"

const int width = 37, height = 21, hostPitch = 40 * sizeof(int);

__global__ void addRow(char *base, size_t pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    reinterpret_cast<int *>(base + y * pitch)[x] += 1000 * y;
}

int main() {
  std::vector<int> in(40 * height), out(width * height, -1);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = int(i);
  char *a, *b;
  size_t pitch = 0, pitchB = 0;
  CHECK_CUDA(cudaMallocPitch(&a, &pitch, width * sizeof(int), height));
  CHECK_CUDA(cudaMallocPitch(&b, &pitchB, 2 * width * sizeof(int), height));
  CHECK(pitch >= width * sizeof(int));
  CHECK_EQ(pitch % 32, 0);
  CHECK_EQ(reinterpret_cast<size_t>(a) % 256, 0);
  CHECK_CUDA(cudaMemset2D(b, pitchB, 0xee, 2 * width * sizeof(int), height));
  CHECK_CUDA(cudaMemcpy2D(a, pitch, in.data(), hostPitch, width * sizeof(int), height,
                          cudaMemcpyHostToDevice));
  addRow<<<dim3(2, 2), dim3(32, 16)>>>(a, pitch);
  CHECK_CUDA(
      cudaMemcpy2D(b + 4, pitchB, a, pitch, width * sizeof(int), height, cudaMemcpyDeviceToDevice));
  CHECK_CUDA(cudaMemcpy2D(out.data(), width * sizeof(int), b + 4, pitchB, width * sizeof(int),
                          height, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      CHECK_EQ(out[y * width + x], y * 40 + x + 1000 * y);
  // Columns 1 and `width` + 1 of b frame what was copied.
  unsigned frame[2];
  for (int y = 0; y < height; ++y) {
    CHECK_CUDA(cudaMemcpy2D(frame, 4, b + y * pitchB, (width + 1) * 4, 4, 2, cudaMemcpyDefault));
    CHECK_EQ(frame[0], 0xeeeeeeeeu);
    CHECK_EQ(frame[1], 0xeeeeeeeeu);
  }
  std::vector<int> column(height);
  CHECK_CUDA(cudaMemcpy2DAsync(column.data(), 4, b + 4 + 5 * 4, pitchB, 4, height,
                               cudaMemcpyDeviceToHost, 0));
  CHECK_CUDA(cudaStreamSynchronize(0));
  for (int y = 0; y < height; ++y)
    CHECK_EQ(column[y], y * 40 + 5 + 1000 * y);

  // One row: what an H200 says of pitches that are smaller.
  std::vector<char> row(64, 5);
  CHECK_CUDA(cudaMemcpy2D(b, 0, row.data(), 0, 64, 1, cudaMemcpyHostToDevice));
  CHECK_EQ(cudaMemcpy2D(b, 8, row.data(), 8, 64, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_EQ(cudaMemcpy2D(b, 64, row.data(), 8, 64, 2, cudaMemcpyHostToDevice),
           cudaErrorInvalidPitchValue);
  CHECK_CUDA(cudaMemset2D(b + 4, 8, 6, 32, 1));
  CHECK_EQ(cudaMemset2D(b, 8, 6, 64, 2), cudaErrorInvalidValue);
  CHECK_CUDA(cudaMemcpy(row.data(), b, 64, cudaMemcpyDeviceToHost));
  CHECK(row[3] == 5 && row[4] == 6 && row[35] == 6 && row[36] == 5);
  CHECK_CUDA(cudaFree(a));
  CHECK_CUDA(cudaFree(b));
  RETURN_RESULT();
}
