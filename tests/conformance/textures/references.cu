// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface references, as programs for CUDA 11 and older have them.
// hardware: skip CUDA 12 and newer have no references
#include "texture.h"

texture<float, cudaTextureType1D, cudaReadModeElementType> numbers;
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
texture<float, 2> plane;
static texture<int2> pairs;
surface<void, cudaSurfaceType2D> target;

__global__ void readNumbers(float *out) {
  out[threadIdx.x] = tex1Dfetch(numbers, int(threadIdx.x));
}
__global__ void readPairs(int2 *out) { out[threadIdx.x] = tex1Dfetch(pairs, int(threadIdx.x)); }
__global__ void readColours(float4 *out) {
  out[threadIdx.x] = tex2D(colours, float(threadIdx.x), 1.0f);
}
__global__ void readPlane(float *out) {
  out[threadIdx.x] = tex2D(plane, float(threadIdx.x) * 0.5f, 2.0f);
}
__global__ void writeTarget() {
  surf2Dwrite(float(threadIdx.x) + 100.0f, target, int(threadIdx.x) * 4, 3);
}

int main() {
  constexpr int count = 32;
  std::vector<float> values(4 * count);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = float(i);
  DeviceBuffer<float> memory(values), out(count);

  CHECK_CUDA(cudaBindTexture(nullptr, numbers, memory.data(), count * 4));
  readNumbers<<<1, count>>>(out.data());
  for (int i = 0; i < count; ++i)
    CHECK_EQ(out.download()[i], values[i]);
  // Bound again: kernels launched later see the new memory.
  size_t offset = 1;
  CHECK_CUDA(cudaBindTexture(&offset, numbers, memory.data() + 3, count * 4));
  CHECK_EQ(offset, size_t(12));
  size_t asked = 0;
  CHECK_CUDA(cudaGetTextureAlignmentOffset(&asked, numbers));
  CHECK_EQ(asked, size_t(12));
  CHECK_EQ(cudaBindTexture(nullptr, numbers, memory.data() + 3, count * 4), cudaErrorInvalidValue);
  CHECK_CUDA(cudaUnbindTexture(numbers));
  CHECK_EQ(cudaGetTextureAlignmentOffset(&asked, numbers), cudaErrorInvalidTextureBinding);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidTextureBinding);

  std::vector<int2> two(count);
  for (int i = 0; i < count; ++i)
    two[i] = make_int2(i, -i);
  DeviceBuffer<int2> pair_memory(two), pair_out(count);
  CHECK_CUDA(cudaBindTexture(0, pairs, pair_memory.data()));
  readPairs<<<1, count>>>(pair_out.data());
  for (int i = 0; i < count; ++i)
    CHECK_EQ(pair_out.download()[i].y, -i);

  std::vector<uchar4> pixels(2 * 64);
  for (int i = 0; i < 128; ++i)
    pixels[i] = make_uchar4(static_cast<unsigned char>(i), 255, 0, 51);
  DeviceBuffer<uchar4> image(pixels);
  DeviceBuffer<float4> colour_out(count);
  CHECK_CUDA(cudaBindTexture2D(nullptr, colours, image.data(), cudaCreateChannelDesc<uchar4>(), 64,
                               2, 256));
  readColours<<<1, count>>>(colour_out.data());
  for (int i = 0; i < count; ++i) {
    CHECK_EQ(colour_out.download()[i].x, float(64 + i) / 255.0f);
    CHECK_EQ(colour_out.download()[i].w, 51 / 255.0f);
  }

  cudaArray_t array = makeArray(values, 16, 8, 0, cudaArraySurfaceLoadStore);
  plane.filterMode = cudaFilterModeLinear;
  plane.addressMode[0] = cudaAddressModeClamp;
  CHECK_CUDA(cudaBindTextureToArray(plane, array));
  readPlane<<<1, count>>>(out.data());
  for (int i = 0; i < count; ++i) {
    const float x = std::min(std::max(float(i) * 0.5f - 0.5f, 0.0f), 15.0f);
    CHECK_EQ(out.download()[i], x + 24.0f); // between the rows that begin with 16 and 32
  }
  const textureReference *reference = nullptr;
  CHECK_CUDA(cudaGetTextureReference(&reference, &plane));
  CHECK_EQ(int(reference->filterMode), int(cudaFilterModeLinear));

  CHECK_CUDA(cudaBindSurfaceToArray(target, array));
  writeTarget<<<1, 16>>>();
  std::vector<float> row(16);
  CHECK_CUDA(cudaMemcpy2DFromArray(row.data(), 64, array, 0, 3, 64, 1, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 16; ++i)
    CHECK_EQ(row[i], float(i) + 100);
  CHECK_CUDA(cudaFreeArray(array));
  RETURN_RESULT();
}
