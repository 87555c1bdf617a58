// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

inline __device__ int &calls() {
  static int count = 100;
  return count;
}

template <class T> __device__ T *used() {
  static T count = 7;
  return &count;
}

inline __device__ int shared_by_all = 60;

template <int n> __device__ int power(int base) {
  if constexpr (n == 0)
    return 1;
  else
    return base * power<n - 1>(base);
}

void useThere(int *out);
