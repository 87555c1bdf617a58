// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fetches from textures and accesses to surfaces are accesses of the memory behind them.
#include <cstdio>
constexpr int n = 64;
texture<float, cudaTextureType1D> reference;

// Between streams.
__global__ void writeLinear(float *p) {
  p[threadIdx.x] = threadIdx.x; // race:a
}
__global__ void fetchLinear(cudaTextureObject_t t, float *out) {
  out[threadIdx.x] = tex1Dfetch<float>(t, n - 1 - threadIdx.x); // race:a
}
__global__ void writeArray(cudaSurfaceObject_t s) {
  surf2Dwrite(1.0f, s, threadIdx.x * 4, blockIdx.x); // race:b
}
__global__ void fetchArray(cudaTextureObject_t t, float *out) {
  out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 0.5f); // race:b
}
__global__ void fetchReference(float *out) {
  out[threadIdx.x] = tex1Dfetch(reference, int(threadIdx.x)); // race:c
}
__global__ void writeForReference(float *p) {
  p[threadIdx.x] = 2; // race:c
}
__global__ void fetchBesideCopy(cudaTextureObject_t t, float *out) {
  out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); // race:d
}
// Within a kernel, between blocks.
__global__ void writeRow(cudaSurfaceObject_t s, float *out) {
  surf2Dwrite(float(threadIdx.x), s, threadIdx.x * 4, blockIdx.x); // race:e
  out[blockIdx.x * n + threadIdx.x] =
      surf2Dread<float>(s, threadIdx.x * 4, 1 - blockIdx.x); // race:e
}
// The caches of textures do not see what the same kernel writes, barrier or not.
__global__ void fetchOwn(cudaTextureObject_t t, float *p, float *out) {
  p[threadIdx.x] = 3;                                   // race:f
  out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); // race:f
}
__global__ void fetchBehindBarrier(cudaTextureObject_t t, float *p, float *out) {
  p[threadIdx.x] = 3; // race:g
  __syncthreads();
  out[threadIdx.x] = tex1Dfetch<float>(t, n - 1 - threadIdx.x); // race:g
}
__global__ void fetchAdded(cudaTextureObject_t t, float *p, float *out) {
  atomicAdd(&p[threadIdx.x], 3.0f); // race:h
  __syncthreads();
  out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); // race:h
}

__global__ void writeRight(float *p) { p[threadIdx.x] = threadIdx.x; }
__global__ void fetchRight(cudaTextureObject_t t, float *out) {
  out[threadIdx.x] = tex1Dfetch<float>(t, n - 1 - threadIdx.x);
}
__global__ void writeArrayRight(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, threadIdx.x * 4, 0); }
__global__ void fetchArrayRight(cudaTextureObject_t t, float *out) {
  out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 0.5f);
}
// What is read first may be written: a filter gives the neighbours' texels no weight here.
__global__ void fetchThenWrite(cudaTextureObject_t t, float *p) {
  const float mine = tex2D<float>(t, threadIdx.x + 0.5f, 0.5f);
  p[threadIdx.x] = mine + 1;
}
__global__ void fetchAllThenWrite(cudaTextureObject_t t, float *p) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += tex1Dfetch<float>(t, i);
  __syncthreads();
  p[threadIdx.x] = sum;
}
// A GPU reads surfaces as it reads global memory.
__global__ void readOwn(cudaSurfaceObject_t s, float *out) {
  surf2Dwrite(float(threadIdx.x), s, threadIdx.x * 4, 0);
  out[threadIdx.x] = surf2Dread<float>(s, threadIdx.x * 4, 0);
  __syncthreads();
  out[threadIdx.x] += surf2Dread<float>(s, (n - 1 - threadIdx.x) * 4, 0);
}

cudaTextureObject_t linearTexture(float *p) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {p, cudaCreateChannelDesc<float>(), n * sizeof(float)};
  cudaTextureDesc desc = {};
  cudaTextureObject_t t = 0;
  cudaCreateTextureObject(&t, &resource, &desc, nullptr);
  return t;
}
cudaTextureObject_t pitchedTexture(float *p) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {p, cudaCreateChannelDesc<float>(), n, 1, 512};
  cudaTextureDesc desc = {};
  desc.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t t = 0;
  cudaCreateTextureObject(&t, &resource, &desc, nullptr);
  return t;
}

int main() {
  float *p, *out, host[n] = {};
  cudaMalloc(&p, 512);
  cudaMalloc(&out, 4096);
  cudaMemset(p, 0, 512);
  cudaArray_t array;
  const auto channel = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &channel, n, 2, cudaArraySurfaceLoadStore);
  cudaResourceDesc of_array = {};
  of_array.resType = cudaResourceTypeArray;
  of_array.res.array.array = array;
  cudaTextureDesc desc = {};
  desc.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t linear = linearTexture(p), pitched = pitchedTexture(p), texels;
  cudaSurfaceObject_t surface;
  cudaCreateTextureObject(&texels, &of_array, &desc, nullptr);
  cudaCreateSurfaceObject(&surface, &of_array);
  cudaStream_t one, two;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);

  writeRight<<<1, n, 0, one>>>(p);
  fetchRight<<<1, n, 0, one>>>(linear, out);
  writeArrayRight<<<1, n, 0, one>>>(surface);
  fetchArrayRight<<<1, n, 0, one>>>(texels, out);
  fetchThenWrite<<<1, n, 0, one>>>(pitched, p);
  fetchAllThenWrite<<<1, n, 0, one>>>(linear, p);
  readOwn<<<1, n, 0, one>>>(surface, out);
  cudaStreamSynchronize(one);
  fetchRight<<<1, n, 0, two>>>(linear, out);
  fetchRight<<<1, n, 0, one>>>(linear, out + n);
  cudaDeviceSynchronize();

  writeLinear<<<1, n, 0, one>>>(p);
  fetchLinear<<<1, n, 0, two>>>(linear, out);
  cudaDeviceSynchronize();
  writeArray<<<2, n, 0, one>>>(surface);
  fetchArray<<<1, n, 0, two>>>(texels, out);
  cudaDeviceSynchronize();
  cudaBindTexture(nullptr, reference, p, n * sizeof(float));
  fetchReference<<<1, n, 0, one>>>(out);
  writeForReference<<<1, n, 0, two>>>(p);
  cudaDeviceSynchronize();
  cudaMemcpyAsync(p, host, sizeof host, cudaMemcpyHostToDevice, one); // race:d
  fetchBesideCopy<<<1, n, 0, two>>>(linear, out);
  cudaDeviceSynchronize();
  writeRow<<<2, n>>>(surface, out);
  fetchOwn<<<1, n>>>(linear, p, out);
  fetchBehindBarrier<<<1, n>>>(linear, p, out);
  fetchAdded<<<1, n>>>(linear, p, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
