// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector that goes to the device, through a kernel and back in chunks over several streams, in
// both usual orders of the calls: the result is that of one piece.
#include "check.h"

__global__ void polynomial(const float *in, float *out, int offset, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[offset + i] = in[offset + i] * in[offset + i] + offset + i;
}

const int n = 1 << 20, streamCount = 4, chunk = n / streamCount;

static void depthFirst(float *host, float *in, float *out, cudaStream_t *streams) {
  for (int s = 0; s < streamCount; ++s) {
    const int offset = s * chunk;
    CHECK_CUDA(cudaMemcpyAsync(in + offset, host + offset, chunk * sizeof(float),
                               cudaMemcpyHostToDevice, streams[s]));
    polynomial<<<chunk / 256, 256, 0, streams[s]>>>(in, out, offset, chunk);
    CHECK_CUDA(cudaMemcpyAsync(host + offset, out + offset, chunk * sizeof(float),
                               cudaMemcpyDeviceToHost, streams[s]));
  }
}

static void breadthFirst(float *host, float *in, float *out, cudaStream_t *streams) {
  for (int s = 0; s < streamCount; ++s)
    CHECK_CUDA(cudaMemcpyAsync(in + s * chunk, host + s * chunk, chunk * sizeof(float),
                               cudaMemcpyHostToDevice, streams[s]));
  for (int s = 0; s < streamCount; ++s)
    polynomial<<<chunk / 256, 256, 0, streams[s]>>>(in, out, s * chunk, chunk);
  for (int s = 0; s < streamCount; ++s)
    CHECK_CUDA(cudaMemcpyAsync(host + s * chunk, out + s * chunk, chunk * sizeof(float),
                               cudaMemcpyDeviceToHost, streams[s]));
}

int main() {
  cudaStream_t streams[streamCount];
  for (cudaStream_t &stream : streams)
    CHECK_CUDA(cudaStreamCreate(&stream));
  float *host;
  CHECK_CUDA(cudaMallocHost(&host, n * sizeof(float)));
  DeviceBuffer<float> in(n), out(n);
  for (auto *pipeline : {depthFirst, breadthFirst}) {
    for (int i = 0; i < n; ++i)
      host[i] = float(i % 8);
    pipeline(host, in, out, streams);
    CHECK_CUDA(cudaDeviceSynchronize());
    long long wrong = 0;
    for (int i = 0; i < n; ++i)
      wrong += host[i] != float(i % 8 * (i % 8) + i);
    CHECK_EQ(wrong, 0);
  }
  CHECK_CUDA(cudaFreeHost(host));
  for (cudaStream_t stream : streams)
    CHECK_CUDA(cudaStreamDestroy(stream));
  RETURN_RESULT();
}
