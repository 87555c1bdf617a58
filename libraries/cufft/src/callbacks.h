// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's device functions that read a plan's input and write its output, element by element
// (cuFFT's documentation, "cuFFT Callback Routines").
//
// Transforms are computed on the host, so a kernel calls the function for each element and puts
// what it gives into dense memory; another one hands the results to the function that stores them.
// Device code may call functions of another image through their addresses. A kernel that was linked
// with the function takes the place of these.
#pragma once

#include <cuda_runtime_api.h>

namespace heddle::cufft {

struct Callback {
  void *function = nullptr;      // of the program's device code
  cudaKernel_t kernel = nullptr; // or, linked with that code: what calls the function
  void *info = nullptr;          // the program's, on the device
  size_t shared_bytes = 0;       // what the function may use of its block's shared memory

  bool isSet() const { return function || kernel; }
};

/// Which elements of a side there are, and where: sizes and strides, in elements.
struct Elements {
  long long sizes[4], steps[4];
  int count = 0;
  long long total = 1;

  void add(long long size, long long step) {
    sizes[count] = size;
    steps[count++] = step;
    total *= size;
  }
};

/// What a callback is for: cufftXtCallbackType without load or store.
enum class ElementType { Complex, ComplexDouble, Real, RealDouble };

/// Puts kernels on the stream that fill dense memory with what the function gives for each element
/// of `in`, and the other way round.
cudaError_t loadElements(const Callback &callback, ElementType type, const Elements &from,
                         const void *in, void *dense, cudaStream_t stream);
cudaError_t storeElements(const Callback &callback, ElementType type, const Elements &to,
                          const void *dense, void *out, cudaStream_t stream);

} // namespace heddle::cufft
