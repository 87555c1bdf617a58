// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

__global__ void rotateKernel(float *result, cudaTextureObject_t image, int width, int height,
                             float cosine, float sine) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const float u = float(x - width / 2) + 0.5f, v = float(y - height / 2) + 0.5f;
  result[y * width + x] = tex2D<float>(image, u * cosine - v * sine + float(width / 2),
                                       u * sine + v * cosine + float(height / 2));
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const image_rotation::Problem problem(options);
  const int width = problem.width, height = problem.height;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  cudaMallocArray(&array, &format, width, height);
  cudaMemcpy2DToArray(array, 0, 0, problem.image.data(), width * sizeof(float),
                      width * sizeof(float), height, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc desc = {};
  desc.filterMode = cudaFilterModeLinear;
  desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t image = 0;
  cudaCreateTextureObject(&image, &resource, &desc, nullptr);
  float *result = bench::onDevice<float>(problem.image.size());

  return bench::measure(
      options, image_rotation::name, problem.bytes(), problem.flops(),
      [&] {
        const dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
        rotateKernel<<<grid, block>>>(result, image, width, height, problem.cosine, problem.sine);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(result, problem.image.size())); });
}
