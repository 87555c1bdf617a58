// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "callbacks.h"

#include <algorithm>
#include <cuComplex.h>

namespace heddle::cufft {
namespace {

using Index = long long;

__device__ size_t offsetOf(const Elements &elements, Index which) {
  Index offset = 0;
  for (int i = elements.count; i-- > 0; which /= elements.sizes[i])
    offset += which % elements.sizes[i] * elements.steps[i];
  return size_t(offset);
}

template <typename T>
__global__ void load(T (*function)(void *, size_t, void *, void *), Elements from, void *in,
                     T *dense, void *info) {
  extern __shared__ double memory[];
  for (Index i = blockIdx.x * Index(blockDim.x) + threadIdx.x; i < from.total;
       i += Index(gridDim.x) * blockDim.x)
    dense[i] = function(in, offsetOf(from, i), info, memory);
}

template <typename T>
__global__ void store(void (*function)(void *, size_t, T, void *, void *), Elements to,
                      const T *dense, void *out, void *info) {
  extern __shared__ double memory[];
  for (Index i = blockIdx.x * Index(blockDim.x) + threadIdx.x; i < to.total;
       i += Index(gridDim.x) * blockDim.x)
    function(out, offsetOf(to, i), dense[i], info, memory);
}

constexpr unsigned block = 256;
unsigned blocks(const Elements &elements) {
  return unsigned(std::clamp<Index>((elements.total + block - 1) / block, 1, 1 << 16));
}

cudaError_t launchLinked(const Callback &callback, const Elements &elements, const void *data,
                         const void *dense, cudaStream_t stream) {
  Elements own = elements;
  void *info = callback.info;
  void *arguments[] = {&own, &data, &dense, &info};
  return cudaLaunchKernel(callback.kernel, dim3(blocks(elements)), dim3(block), arguments,
                          callback.shared_bytes, stream);
}

template <typename T>
void launchLoad(const Callback &callback, const Elements &from, const void *in, void *dense,
                cudaStream_t stream) {
  load<T><<<blocks(from), block, callback.shared_bytes, stream>>>(
      reinterpret_cast<T (*)(void *, size_t, void *, void *)>(callback.function), from,
      const_cast<void *>(in), static_cast<T *>(dense), callback.info);
}

template <typename T>
void launchStore(const Callback &callback, const Elements &to, const void *dense, void *out,
                 cudaStream_t stream) {
  store<T><<<blocks(to), block, callback.shared_bytes, stream>>>(
      reinterpret_cast<void (*)(void *, size_t, T, void *, void *)>(callback.function), to,
      static_cast<const T *>(dense), out, callback.info);
}

} // namespace

cudaError_t loadElements(const Callback &callback, ElementType type, const Elements &from,
                         const void *in, void *dense, cudaStream_t stream) {
  if (callback.kernel)
    return launchLinked(callback, from, in, dense, stream);
  constexpr decltype(&launchLoad<float>) launch[] = {
      launchLoad<cuComplex>, launchLoad<cuDoubleComplex>, launchLoad<float>, launchLoad<double>};
  launch[int(type)](callback, from, in, dense, stream);
  return cudaGetLastError();
}

cudaError_t storeElements(const Callback &callback, ElementType type, const Elements &to,
                          const void *dense, void *out, cudaStream_t stream) {
  if (callback.kernel)
    return launchLinked(callback, to, out, dense, stream);
  constexpr decltype(&launchStore<float>) launch[] = {launchStore<cuComplex>,
                                                      launchStore<cuDoubleComplex>,
                                                      launchStore<float>, launchStore<double>};
  launch[int(type)](callback, to, dense, out, stream);
  return cudaGetLastError();
}

} // namespace heddle::cufft
