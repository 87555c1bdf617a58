// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes in three dimensions: cudaMalloc3D, and cudaMemcpy3D of a part from one place to another.
#include "check.h"

const int w = 19, h = 7, d = 5;

__global__ void addOne(cudaPitchedPtr box) {
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  char *slice = static_cast<char *>(box.ptr) + z * box.pitch * h;
  reinterpret_cast<float *>(slice + y * box.pitch)[x] += 1;
}

int main() {
  std::vector<float> in(w * h * d), out(w * h * d, -1);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = float(i);
  cudaPitchedPtr box;
  CHECK_CUDA(cudaMalloc3D(&box, make_cudaExtent(w * sizeof(float), h, d)));
  CHECK(box.pitch >= w * sizeof(float));
  CHECK_EQ(box.xsize, w * sizeof(float));
  CHECK_EQ(box.ysize, size_t(h));

  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(in.data(), w * sizeof(float), w, h);
  copy.dstPtr = box;
  copy.extent = make_cudaExtent(w * sizeof(float), h, d);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK_CUDA(cudaMemcpy3D(&copy));
  addOne<<<dim3(h, d), w>>>(box);

  // The inner part, moved by one in each dimension.
  cudaMemcpy3DParms part = {};
  part.srcPtr = box;
  part.srcPos = make_cudaPos(1 * sizeof(float), 1, 1);
  part.dstPtr = make_cudaPitchedPtr(out.data(), w * sizeof(float), w, h);
  part.dstPos = make_cudaPos(2 * sizeof(float), 2, 2);
  part.extent = make_cudaExtent((w - 2) * sizeof(float), h - 2, d - 2);
  part.kind = cudaMemcpyDeviceToHost;
  CHECK_CUDA(cudaMemcpy3DAsync(&part, 0));
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int z = 0; z < d; ++z)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) {
        const bool copied = x >= 2 && y >= 2 && z >= 2;
        const int source = ((z - 1) * h + y - 1) * w + x - 1;
        CHECK_EQ(out[(z * h + y) * w + x], copied ? float(source + 1) : -1.0f);
      }
  CHECK_CUDA(cudaFree(box.ptr));
  RETURN_RESULT();
}
