// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extensions of nvcc's language for libraries; there are none that programs see.
#ifndef HEDDLE_CRT_CUDACC_EXT_H
#define HEDDLE_CRT_CUDACC_EXT_H
#endif
