// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maximum of the next D elements in 1-D and in 3-D: the trip count depends on the thread near
// the end of the array and at the box's faces.
#include "check.h"

__global__ void maxAhead1d(const float *in, float *out, int n, int look) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float largest = in[i];
  for (int j = 1; j < look && i + j < n; ++j)
    largest = in[i + j] > largest ? in[i + j] : largest;
  out[i] = largest;
}

__host__ __device__ float maxOfBox(const float *in, int x, int y, int z, int n, int look) {
  float largest = in[(z * n + y) * n + x];
  for (int w = z; w < n && w < z + look; ++w)
    for (int v = y; v < n && v < y + look; ++v)
      for (int u = x; u < n && u < x + look; ++u)
        if (in[(w * n + v) * n + u] > largest)
          largest = in[(w * n + v) * n + u];
  return largest;
}

__global__ void maxAhead3d(const float *in, float *out, int n, int look) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < n && y < n && z < n)
    out[(z * n + y) * n + x] = maxOfBox(in, x, y, z, n, look);
}

int main() {
  const int n = 1024, look = 16;
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = float(i * 7919 % 1031) - 500;
  DeviceBuffer<float> in(values), out(n);
  maxAhead1d<<<4, 256>>>(in, out, n, look);
  const std::vector<float> result = out.download();
  for (int i = 0; i < n; ++i) {
    float largest = values[i];
    for (int j = i; j < n && j < i + look; ++j)
      largest = std::max(largest, values[j]);
    CHECK_EQ(result[i], largest);
  }
  const int edge = 36, look3 = 5;
  std::vector<float> box(edge * edge * edge);
  for (size_t i = 0; i < box.size(); ++i)
    box[i] = float(i * 31337 % 65521);
  DeviceBuffer<float> in3(box), out3(box.size());
  maxAhead3d<<<dim3(2, 9, 9), dim3(32, 4, 4)>>>(in3, out3, edge, look3);
  const std::vector<float> result3 = out3.download();
  int wrong = 0;
  for (int z = 0; z < edge; ++z)
    for (int y = 0; y < edge; ++y)
      for (int x = 0; x < edge; ++x)
        wrong += result3[(z * edge + y) * edge + x] != maxOfBox(box.data(), x, y, z, edge, look3);
  CHECK_EQ(wrong, 0);
  RETURN_RESULT();
}
