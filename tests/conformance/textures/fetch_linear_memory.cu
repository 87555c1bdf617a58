// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tex1Dfetch reads linear memory by index; outside it there is 0.
#include "texture.h"

template <class T> __global__ void fetch(cudaTextureObject_t texture, const int *index, T *out) {
  out[threadIdx.x] = tex1Dfetch<T>(texture, index[threadIdx.x]);
}

template <class T> static cudaResourceDesc linear(T *memory, size_t count) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<T>();
  resource.res.linear.sizeInBytes = count * sizeof(T);
  return resource;
}

int main() {
  constexpr int count = 100;
  std::vector<float> values(2 * count);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = float(i) * 0.25f + 1;
  DeviceBuffer<float> memory(values);
  const std::vector<int> index = {0, 1, 99, 100, 101, 150, -1, 1 << 28, -2147483647 - 1, 50};
  DeviceBuffer<int> places(index);
  DeviceBuffer<float> out(index.size());
  cudaTextureObject_t texture = makeTexture(linear(memory.data(), count));
  fetch<<<1, int(index.size())>>>(texture, places.data(), out.data());
  const std::vector<float> got = out.download();
  for (size_t i = 0; i < index.size(); ++i)
    CHECK_EQ(got[i], index[i] >= 0 && index[i] < count ? values[index[i]] : 0.0f);
  CHECK_CUDA(cudaDestroyTextureObject(texture));

  // Bytes as numbers from 0 to 1.
  std::vector<unsigned char> bytes(256);
  for (int i = 0; i < 256; ++i)
    bytes[i] = static_cast<unsigned char>(i);
  DeviceBuffer<unsigned char> byte_memory(bytes);
  std::vector<int> all(256);
  for (int i = 0; i < 256; ++i)
    all[i] = i;
  DeviceBuffer<int> all_places(all);
  DeviceBuffer<float> numbers(256);
  Modes modes;
  modes.read = cudaReadModeNormalizedFloat;
  texture = makeTexture(linear(byte_memory.data(), 256), modes);
  fetch<<<1, 256>>>(texture, all_places.data(), numbers.data());
  const std::vector<float> fractions = numbers.download();
  for (int i = 0; i < 256; ++i)
    CHECK_EQ(fractions[i], float(i) / 255.0f);
  CHECK_CUDA(cudaDestroyTextureObject(texture));
  RETURN_RESULT();
}
