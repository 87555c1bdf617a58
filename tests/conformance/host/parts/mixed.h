// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the sources of mixed_sources.cu have of each other.
#pragma once

void launchAddOne(int *data, int n);   // mixed_sources.cu
void launchDoubling(int *data, int n); // mixed_kernels.cu
int runInCpp(int n);                   // mixed_host.cpp
