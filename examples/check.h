// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CHECK(call): every CUDA function says whether it worked, and a program that does not look goes on
// with wrong data. CHECK looks, and ends the program with the place and the reason if it did not.
// (07-errors shows what is behind it.)
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t status_of_call = (call);                                                           \
    if (status_of_call != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                           \
                   cudaGetErrorString(status_of_call));                                            \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (false)
