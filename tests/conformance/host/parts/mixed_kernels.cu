// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of mixed_sources.cu.
#include "mixed.h"

__global__ static void twice(int *data) { data[threadIdx.x] *= 2; }

void launchDoubling(int *data, int n) { twice<<<1, n>>>(data); }
