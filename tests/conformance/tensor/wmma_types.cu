// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcuda::wmma: bfloat16, tf32 and doubles, and sums that are halves.
// flags: -arch=sm_80 -std=c++17
// env: HEDDLE_GPU=a100
#include "wmma_product.h"

int main() {
  checkShapes<__nv_bfloat16, float>();
  checkLayouts<16, 16, 16, half, half, half>();
  checkLayouts<16, 16, 8, wmma::precision::tf32, float, float>();
  checkLayouts<8, 8, 4, double, double, double>();
  RETURN_RESULT();
}
