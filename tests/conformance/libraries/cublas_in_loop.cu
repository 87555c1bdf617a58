// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -rdc=true -lcublas
// A product that is captured into the body of a loop, as XLA does with those of its loops: on a GPU
// it is kernels, which such a body may have.
#include "../graphs/conditional.h"

#include <cublas_v2.h>

__global__ void countDown(cudaGraphConditionalHandle handle, int *left) {
  *left -= 1;
  cudaGraphSetConditional(handle, *left > 0);
}

int main() {
  cublasHandle_t cublas = nullptr;
  cudaStream_t stream = nullptr;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_EQ(int(cublasCreate(&cublas)), int(CUBLAS_STATUS_SUCCESS));
  CHECK_EQ(int(cublasSetStream(cublas, stream)), int(CUBLAS_STATUS_SUCCESS));
  // c = 2 a b + c, as often as the loop runs
  DeviceBuffer<float> a(std::vector<float>{1, 2, 3, 4}), b(std::vector<float>{1, 0, 0, 1}), c(4);
  DeviceBuffer<int> left(std::vector<int>{3});
  cudaGraph_t graph = newGraph();
  cudaGraphConditionalHandle condition = newCondition(graph, 1, cudaGraphCondAssignDefault);
  cudaGraph_t body = addConditional(graph, {}, condition, cudaGraphCondTypeWhile);
  CHECK_CUDA(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0,
                                           cudaStreamCaptureModeThreadLocal));
  const float two = 2, one = 1;
  CHECK_EQ(int(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &two, a.data(), 2, b.data(),
                           2, &one, c.data(), 2)),
           int(CUBLAS_STATUS_SUCCESS));
  countDown<<<1, 1, 0, stream>>>(condition, left.data());
  CHECK_CUDA(cudaStreamEndCapture(stream, &body));
  Executable exec(graph);
  exec.run();
  CHECK_EQ(left.download()[0], 0);
  const std::vector<float> sums = c.download();
  for (int i = 0; i < 4; ++i)
    CHECK_EQ(sums[i], 6.0f * float(i + 1));
  RETURN_RESULT();
}
