// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

__global__ void here(int *out);
extern __global__ void there(int *out, int offset);
extern "C" __global__ void withShared(int *out);

template <class T> __global__ void fill(int *out, T value) { *out = int(value * 10); }

const void *kernelThere();
void launchHere(int *out);
void fillThere(int *out);
