// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.h: nvcuda::wmma, products of matrices by the tensor cores (CUDA C++ Programming Guide, "Warp
// Matrix Functions").
//
//   wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
//   wmma::load_matrix_sync(a, pointer, leading_dimension);
//   wmma::mma_sync(d, a, b, c);
//
// Fragments lie in the threads' registers as the mma instruction has them (PTX ISA, "Matrix
// Fragments for mma.m16n8k16" and its kin), so a product is one or more of those.
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#if defined(__cplusplus) && defined(__CUDACC__)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700

#include "__heddle_tensor/fragment.h"

#include "__heddle_tensor/memory.h"

#include "__heddle_tensor/product.h"

#endif
#endif
#endif
