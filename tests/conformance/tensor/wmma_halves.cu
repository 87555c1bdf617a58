// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcuda::wmma: halves in each shape, and each pair of layouts.
// flags: -arch=sm_80 -std=c++17
// env: HEDDLE_GPU=a100
#include "wmma_product.h"

int main() {
  checkShapes<half, float>();
  checkProduct<16, 16, 16, half, half, wmma::row_major, wmma::row_major, float>(true, true);
  checkProduct<16, 16, 16, half, half, wmma::col_major, wmma::col_major, float>(false, false);
  RETURN_RESULT();
}
