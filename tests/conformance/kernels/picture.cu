// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Doubling the pixels of an 800x600 and a 799x599 picture with 16x16 blocks: threads outside
// must not write into the next row or past the end.
#include "check.h"

__global__ void doublePixels(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[y * width + x] += 2.0f * in[y * width + x];
}

static void checkPicture(int width, int height) {
  const int guard = 64;
  std::vector<float> in(width * height);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = float(i % 1009);
  DeviceBuffer<float> deviceIn(in), deviceOut(in.size() + guard);
  const dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  doublePixels<<<grid, block>>>(deviceIn, deviceOut, width, height);
  const std::vector<float> out = deviceOut.download();
  int wrong = 0;
  for (size_t i = 0; i < out.size(); ++i)
    wrong += out[i] != (i < in.size() ? 2.0f * in[i] : 0.0f);
  CHECK_EQ(wrong, 0);
}

int main() {
  checkPicture(800, 600);
  checkPicture(799, 599);
  checkPicture(1, 1);
  RETURN_RESULT();
}
