// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcuda::wmma: signed and unsigned bytes in each shape.
// flags: -arch=sm_80 -std=c++17
// env: HEDDLE_GPU=a100
#include "wmma_product.h"

int main() {
  checkShapes<signed char, int>();
  checkLayouts<16, 16, 16, unsigned char, unsigned char, int>();
  RETURN_RESULT();
}
