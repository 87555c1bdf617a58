// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

__device__ int *makeList(int count);
__device__ void checkPositive(int value);
__device__ void addTo(int *sum, int value);
__device__ int laneThrice();
__device__ void tell(int thread, int value);
