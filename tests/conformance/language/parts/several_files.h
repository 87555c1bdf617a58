// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the source files of several_files.cu share.
#pragma once

#include <cuda_runtime.h>

void launchOther(int *data, int n);
int hostOnly(const int *deviceData, int n);

#ifdef __CUDACC__
// Instantiated in both .cu files; each must be able to launch its own copy.
template <class T> __global__ void addOne(T *data) { data[threadIdx.x] += 1; }
static __global__ void otherHelper(int *data) { data[threadIdx.x] += 5; }
#endif
