// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel that ../across_files.cu launches, and one that it knows by pointer only.
__global__ void child(int *to, int value) { *to = value; }
static __global__ void hidden(int *to, int value) { *to = -value; }
__device__ void (*given())(int *, int) { return hidden; }
