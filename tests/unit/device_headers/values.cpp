// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the intrinsics of include/__heddle, compiled as plain C++, with what a GPU gave.
//
// Built by Clang, whose builtins the headers use, with -D__OPENMP_NVPTX__: that lets its list of
// device library functions (declared, not called here) be read outside a .cu file.
#include <vector_types.h>

#include <__clang_cuda_libdevice_declares.h>

#include <__heddle/intrinsics.h>
#include <__heddle/simd.h>

#include "values.h"
#include "values_expected.h"

#include <cstdio>
#include <cstring>

int main() {
  static values::u64 digests[values::count];
  values::digests(digests);
  if (sizeof expected / sizeof *expected != values::count)
    return std::puts("values_expected.h is out of date"), 1;
  int wrong = 0;
  for (int i = 0; i < values::count; ++i)
    if (std::strcmp(values::names[i], expected[i].name) || digests[i] != expected[i].digest) {
      std::printf("__%s differs from the GPU's\n", values::names[i]);
      ++wrong;
    }
  std::printf("%d of %d intrinsics agree with the GPU\n", values::count - wrong, values::count);
  return wrong != 0;
}
