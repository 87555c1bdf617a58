// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcublas -lcufft -lcudnn
//
// Wild pointers given to libraries: the call is taken, the next synchronisation reports an illegal
// address, and goes on reporting it, and the program lives. Each case is a process of its own,
// since a GPU's context does not come back.
#include "../check.h"

#include <cublas_v2.h>
#include <cudnn.h>
#include <cufft.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr size_t elements = 1 << 20;

float *unmapped() { return reinterpret_cast<float *>(0x123456789000); }
float *freed() {
  float *pointer;
  CHECK_CUDA(cudaMalloc(&pointer, 64 << 20));
  CHECK_CUDA(cudaFree(pointer));
  return pointer;
}
float *allocated() {
  float *pointer;
  CHECK_CUDA(cudaMalloc(&pointer, elements * sizeof(float)));
  CHECK_CUDA(cudaMemset(pointer, 0, elements * sizeof(float)));
  return pointer;
}

void axpy(float *wild) {
  cublasHandle_t handle;
  const float one = 1;
  CHECK_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
  CHECK_EQ(cublasSaxpy(handle, 1000, &one, wild, 1, allocated(), 1), CUBLAS_STATUS_SUCCESS);
}
/// Large enough for several threads.
void product(float *wild) {
  cublasHandle_t handle;
  const float one = 1;
  const int n = 700;
  CHECK_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
  CHECK_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, allocated(), n, allocated(),
                       n, &one, wild, n),
           CUBLAS_STATUS_SUCCESS);
}
void transform(float *wild) {
  cufftHandle plan;
  CHECK_EQ(cufftPlan1d(&plan, 4096, CUFFT_C2C, 64), CUFFT_SUCCESS);
  CHECK_EQ(cufftExecC2C(plan, reinterpret_cast<cufftComplex *>(wild),
                        reinterpret_cast<cufftComplex *>(allocated()), CUFFT_FORWARD),
           CUFFT_SUCCESS);
}
void convolution(float *wild) {
  cudnnHandle_t handle;
  cudnnTensorDescriptor_t x;
  cudnnFilterDescriptor_t w;
  cudnnConvolutionDescriptor_t c;
  const float one = 1, zero = 0;
  CHECK_EQ(cudnnCreate(&handle), CUDNN_STATUS_SUCCESS);
  CHECK_EQ(cudnnCreateTensorDescriptor(&x), CUDNN_STATUS_SUCCESS);
  CHECK_EQ(cudnnCreateFilterDescriptor(&w), CUDNN_STATUS_SUCCESS);
  CHECK_EQ(cudnnCreateConvolutionDescriptor(&c), CUDNN_STATUS_SUCCESS);
  CHECK_EQ(cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 4, 16, 64, 64),
           CUDNN_STATUS_SUCCESS);
  CHECK_EQ(cudnnSetFilter4dDescriptor(w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 16, 16, 3, 3),
           CUDNN_STATUS_SUCCESS);
  CHECK_EQ(cudnnSetConvolution2dDescriptor(c, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION,
                                           CUDNN_DATA_FLOAT),
           CUDNN_STATUS_SUCCESS);
  CHECK_EQ(cudnnConvolutionForward(handle, &one, x, wild, w, allocated(), c,
                                   CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &zero, x,
                                   allocated()),
           CUDNN_STATUS_SUCCESS);
}

/// In a process of its own; true if it came to its end with nothing wrong.
bool fails(void (*run)(float *), float *(*pointer)()) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(50); // a deadlock
    run(pointer());
    CHECK_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    CHECK_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    _exit(check::result());
  }
  int status = -1;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace

int main() {
  for (const auto run : {axpy, product, transform, convolution}) {
    CHECK(fails(run, unmapped));
    CHECK(fails(run, freed));
  }
  RETURN_RESULT();
}
