// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cublasHandle_t may be used as a cublasLtHandle_t (cuBLAS documentation, "cublasLtHandle_t"), so
// libcublas tells libcublasLt of its handles.
#pragma once

#include "cublas_api.h"

extern "C" {
void CUBLASWINAPI heddleCublasLtShare(void *handle);
void CUBLASWINAPI heddleCublasLtForget(void *handle);
}
