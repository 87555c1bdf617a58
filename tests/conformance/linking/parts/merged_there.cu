// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merged.h"

namespace {

__global__ void use(int *out) {
  out[0] = ++calls();
  out[1] = ++*used<int>();
  out[2] = ++shared_by_all;
  out[4] = power<4>(3);
}

} // namespace

void useThere(int *out) { use<<<1, 1>>>(out); }
