# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the try.sh of each package does with an installed Heddle, as an ordinary user, in an empty folder. The
# first failure ends it.
#
#   try_as_user.sh EXAMPLES
set -euo pipefail
examples=$1
step() { printf '\n== %s\n' "$*"; }
folder=$(mktemp -d "$HOME/try XXXX")
cd "$folder"

step "hello"
cat >hello.cu <<'TEXT'
#include <cstdio>
__global__ void hello() { printf("Hello from thread %d\n", threadIdx.x); }
int main() { hello<<<1, 2>>>(); return cudaDeviceSynchronize(); }
TEXT
[ "$(heddle run hello.cu)" = $'Hello from thread 0\nHello from thread 1' ]

step "examples"
for name in 01-hello/hello 05-reduction/reduction 07-errors/errors; do
  heddlecc -O2 "$examples/$name.cu" -o program
  ./program >out 2>err
  diff "$(dirname "$examples/$name")/expected.txt" out
  echo "$name: as expected"
done

step "heddle doctor"
heddle doctor >doctor.txt || { cat doctor.txt; exit 1; }
tail -n 1 doctor.txt

step "heddle check finds a race"
cat >race.cu <<'TEXT'
__global__ void race(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
  int *p;
  cudaMalloc(&p, 64 * sizeof(int));
  race<<<1, 64>>>(p);
  return cudaDeviceSynchronize();
}
TEXT
code=0
heddle check --sarif race.sarif race.cu >check.txt 2>&1 || code=$?
[ $code = 1 ] && grep '^heddle check: race' check.txt
grep -q '"uri": *"race.cu"' race.sarif

step "heddle profile --html"
heddle profile --html page.html "$examples/05-reduction/reduction.cu" >/dev/null 2>&1
grep -q '</html>' page.html && du -h page.html

step "cuBLAS, cuFFT, cuDNN"
cat >libraries.cu <<'TEXT'
#include <cstdio>
#include <cublas_v2.h>
#include <cudnn.h>
#include <cufft.h>
int main() {
  float *m, host[4];
  cudaMallocManaged(&m, 12 * sizeof(float));
  for (int i = 0; i < 8; ++i)
    m[i] = i + 1; // A = [1 3; 2 4], B = [5 7; 6 8] in columns
  cublasHandle_t blas;
  const float one = 1, zero = 0;
  if (cublasCreate(&blas) || cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, m, 2, m + 4, 2, &zero, m + 8, 2))
    return 1;
  cudaMemcpy(host, m + 8, sizeof host, cudaMemcpyDefault);
  if (host[0] != 23 || host[1] != 34 || host[2] != 31 || host[3] != 46)
    return 2;
  cufftHandle plan;
  cufftComplex *signal;
  cudaMallocManaged(&signal, 8 * sizeof *signal);
  for (int i = 0; i < 8; ++i)
    signal[i] = {1, 0};
  if (cufftPlan1d(&plan, 8, CUFFT_C2C, 1) || cufftExecC2C(plan, signal, signal, CUFFT_FORWARD) || cudaDeviceSynchronize())
    return 3;
  if (signal[0].x != 8 || signal[1].x != 0)
    return 4;
  cudnnHandle_t dnn;
  cudnnTensorDescriptor_t x, y;
  cudnnFilterDescriptor_t w;
  cudnnConvolutionDescriptor_t convolution;
  cudnnCreate(&dnn), cudnnCreateTensorDescriptor(&x), cudnnCreateTensorDescriptor(&y);
  cudnnCreateFilterDescriptor(&w), cudnnCreateConvolutionDescriptor(&convolution);
  cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 2, 2);
  cudnnSetTensor4dDescriptor(y, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, 1);
  cudnnSetFilter4dDescriptor(w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 1, 1, 2, 2);
  cudnnSetConvolution2dDescriptor(convolution, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
  if (cudnnConvolutionForward(dnn, &one, x, m, w, m + 4, convolution, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0,
                              &zero, y, m + 8) ||
      cudaDeviceSynchronize() || m[8] != 1 * 5 + 2 * 6 + 3 * 7 + 4 * 8)
    return 5;
  puts("right");
}
TEXT
heddlecc -O2 libraries.cu -o libraries -lcublas -lcufft -lcudnn
./libraries
heddlecc -O2 "$examples/11-lenet/lenet.cu" -o lenet -lcudnn -lcublas
./lenet >out
diff "$examples/11-lenet/expected.txt" out && echo "11-lenet: as expected"

step "Thrust; what may not be handed on says so"
cat >thrust.cu <<'TEXT'
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
int main() {
  thrust::device_vector<int> v(1000, 3);
  printf("%d\n", thrust::reduce(v.begin(), v.end()));
}
TEXT
[ "$(heddle run thrust.cu)" = 3000 ]
echo '#include <cuda/pipeline>' >pipeline.cu
code=0
heddlecc -c pipeline.cu >pipeline.txt 2>&1 || code=$?
[ $code != 0 ] && grep -q "NVIDIA's own licence" pipeline.txt

step "the places of a CUDA toolkit"
eval "$(heddle env)"
nvcc --version | sed -n 4p
nvcc hello.cu -o hello && ./hello >/dev/null

step "nothing was written beside the user's own files"
[ "$(find / -xdev -user user -not -path '/proc/*' -not -path "$HOME/*" -not -path "$HOME" -not -path '/dev/*' 2>/dev/null | head -5)" = "" ]
cd && rm -rf "$folder" && echo "all of it works"
