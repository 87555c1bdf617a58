// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs an atomic operation many times on global and on shared memory, for the atomic programs.
//
// The operation is a functor: `T operator()(T *address, unsigned i)` performs the i-th operation
// and returns the old value. All threads of all blocks work on the same word.
#pragma once

#include "check.h"

template <class T, class F> __global__ void atomicOnGlobal(T *word, T *old, F function) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  old[i] = function(word, i);
}

template <class T, class F> __global__ void atomicOnShared(T *word, T *old, F function) {
  __shared__ T shared;
  if (threadIdx.x == 0)
    shared = *word;
  __syncthreads();
  old[threadIdx.x] = function(&shared, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0)
    *word = shared;
}

/// What a run left: the word and the old value that each operation returned.
template <class T> struct AtomicRun {
  T final;
  std::vector<T> old;
};

template <class T, class F> AtomicRun<T> runGlobal(T start, int blocks, int threads, F function) {
  DeviceBuffer<T> word(std::vector<T>{start}), old(blocks * threads);
  atomicOnGlobal<<<blocks, threads>>>(word.data(), old.data(), function);
  return {word.download()[0], old.download()};
}

template <class T, class F> AtomicRun<T> runShared(T start, int threads, F function) {
  DeviceBuffer<T> word(std::vector<T>{start}), old(threads);
  atomicOnShared<<<1, threads>>>(word.data(), old.data(), function);
  return {word.download()[0], old.download()};
}
