// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing beats the OpenMP variant: common/reduce_omp.h says why.
#include "omp.cpp"
