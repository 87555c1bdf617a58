// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What libheddlednn, which alone is linked with oneDNN, does for libcudnn. It is loaded when it is
// first needed, so that its own oneDNN comes first in its search: a program that has another one
// inside (PyTorch) would else give functions of that one to ours, which are not the same.
#pragma once

#include "convolution.h"

extern "C" {

/// A convolution of floats on any strides.
void heddleDnnConvolve(heddle::cudnn::Pass pass, const heddle::cudnn::Convolution &c,
                       const heddle::cudnn::ConvolutionTensors &t, float *x, float *w, float *y);
/// As cblas_sgemm with matrices in rows; false if oneDNN has refused it.
bool heddleDnnProduct(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k,
                      float alpha, const float *a, int64_t lda, const float *b, int64_t ldb,
                      float beta, float *c, int64_t ldc);
}
