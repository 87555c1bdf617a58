// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data goes into CUDA arrays and out of them in every form of copy, to any place in them.
#include "texture.h"

constexpr int width = 37, height = 19;

static std::vector<float> numbers(int count, float first) {
  std::vector<float> values(count);
  for (int i = 0; i < count; ++i)
    values[i] = first + float(i);
  return values;
}

static std::vector<float> contents(cudaArray_t array) {
  std::vector<float> values(width * height);
  CHECK_CUDA(cudaMemcpy2DFromArray(values.data(), width * 4, array, 0, 0, width * 4, height,
                                   cudaMemcpyDeviceToHost));
  return values;
}

static void rectangles() {
  const std::vector<float> all = numbers(width * height, 1);
  cudaArray_t array = makeArray(all, width, height);
  CHECK(contents(array) == all);
  // A rectangle of 5 by 3 at (7, 4).
  const std::vector<float> part = numbers(8 * 3, 1000);
  CHECK_CUDA(
      cudaMemcpy2DToArray(array, 7 * 4, 4, part.data(), 8 * 4, 5 * 4, 3, cudaMemcpyHostToDevice));
  std::vector<float> expected = all;
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x)
      expected[(4 + y) * width + 7 + x] = part[8 * y + x];
  CHECK(contents(array) == expected);
  // From array to array.
  cudaArray_t other = makeArray(all, width, height);
  CHECK_CUDA(cudaMemcpy2DArrayToArray(other, 0, 1, array, 7 * 4, 4, 5 * 4, 3));
  std::vector<float> moved = all;
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x)
      moved[(1 + y) * width + x] = part[8 * y + x];
  CHECK(contents(other) == moved);
  CHECK_CUDA(cudaFreeArray(array));
  CHECK_CUDA(cudaFreeArray(other));
}

static void inStreams() {
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  const std::vector<float> all = numbers(width * height, 5);
  float *pinned;
  CHECK_CUDA(cudaMallocHost(&pinned, all.size() * 4));
  std::copy(all.begin(), all.end(), pinned);
  cudaArray_t array = makeArray(numbers(width * height, -1), width, height);
  CHECK_CUDA(cudaMemcpy2DToArrayAsync(array, 0, 0, pinned, width * 4, width * 4, height,
                                      cudaMemcpyHostToDevice, stream));
  float *back;
  CHECK_CUDA(cudaMallocHost(&back, all.size() * 4));
  CHECK_CUDA(cudaMemcpy2DFromArrayAsync(back, width * 4, array, 0, 0, width * 4, height,
                                        cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK(std::equal(all.begin(), all.end(), back));
  CHECK_CUDA(cudaFreeArray(array));
  CHECK_CUDA(cudaFreeHost(pinned));
  CHECK_CUDA(cudaFreeHost(back));
  CHECK_CUDA(cudaStreamDestroy(stream));
}

// Bytes that go on from row to row.
static void runs() {
  const std::vector<float> all = numbers(width * height, 1);
  cudaArray_t array = makeArray(all, width, height);
  const std::vector<float> run = numbers(100, 500);
  CHECK_CUDA(cudaMemcpyToArray(array, 30 * 4, 2, run.data(), 100 * 4, cudaMemcpyHostToDevice));
  std::vector<float> expected = all;
  std::copy(run.begin(), run.end(), expected.begin() + 2 * width + 30);
  CHECK(contents(array) == expected);
  std::vector<float> back(90);
  CHECK_CUDA(cudaMemcpyFromArray(back.data(), array, 33 * 4, 2, 90 * 4, cudaMemcpyDeviceToHost));
  CHECK(std::equal(back.begin(), back.end(), run.begin() + 3));
  CHECK_CUDA(cudaFreeArray(array));
}

static void volumes() {
  constexpr int w = 9, h = 5, d = 4;
  const std::vector<float> all = numbers(w * h * d, 0);
  cudaArray_t array = makeArray(all, w, h, d);
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaArray_t other;
  CHECK_CUDA(cudaMalloc3DArray(&other, &desc, make_cudaExtent(w, h, d)));
  cudaMemcpy3DParms copy = {};
  copy.srcArray = array;
  copy.dstArray = other;
  copy.extent = make_cudaExtent(w, h, d);
  copy.kind = cudaMemcpyDeviceToDevice;
  CHECK_CUDA(cudaMemcpy3D(&copy));
  // Elements, not bytes, as an array takes part.
  cudaMemcpy3DParms part = {};
  std::vector<float> box(4 * 3 * 2);
  part.srcArray = other;
  part.srcPos = make_cudaPos(3, 1, 2);
  part.dstPtr = make_cudaPitchedPtr(box.data(), 4 * 4, 4, 3);
  part.extent = make_cudaExtent(4, 3, 2);
  part.kind = cudaMemcpyDeviceToHost;
  CHECK_CUDA(cudaMemcpy3D(&part));
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 4; ++x)
        CHECK_EQ(box[(z * 3 + y) * 4 + x], all[((2 + z) * h + 1 + y) * w + 3 + x]);
  // Outside.
  part.srcPos = make_cudaPos(6, 1, 2);
  CHECK_EQ(cudaMemcpy3D(&part), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeArray(array));
  CHECK_CUDA(cudaFreeArray(other));
}

int main() {
  rectangles();
  inStreams();
#if CUDART_VERSION < 13000
  runs();
#endif
  volumes();
  RETURN_RESULT();
}
