// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions: forward, with respect to the data, with respect to the filter.
#pragma once

#include "tensor.h"

struct cudnnConvolutionStruct {
  int n = 0; // spatial dimensions
  int pad[CUDNN_DIM_MAX] = {}, stride[CUDNN_DIM_MAX] = {}, dilation[CUDNN_DIM_MAX] = {};
  cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
  int groups = 1;
  cudnnReorderType_t reorder = CUDNN_DEFAULT_REORDER;
  int after[CUDNN_DIM_MAX] = {}; // padding behind, where it differs; the backend API's
};

namespace heddle::cudnn {

using Convolution = cudnnConvolutionStruct;

enum class Pass { forward, data, filter };

/// The three tensors of a convolution y = x * w. The pass computes one of them from the others.
struct ConvolutionTensors {
  Tensor x, w, y;
};

Dims convolutionOutput(const Convolution &c, const Tensor &x, const Tensor &w);
/// Refuses what does not go together.
void checkConvolution(const Convolution &c, const ConvolutionTensors &t);

/// Computes what `pass` says of the three.
void convolve(Pass pass, const Convolution &c, const ConvolutionTensors &t, void *x, void *w,
              void *y, const Blend &blend);

/// The same on packed float by oneDNN (and on any strides, where the types are float).
void convolveByOneDnn(Pass pass, const Convolution &c, const ConvolutionTensors &t, float *x,
                      float *w, float *y);
/// The same on packed double.
void convolveDouble(Pass pass, const Convolution &c, const ConvolutionTensors &t, double *x,
                    double *w, double *y);

} // namespace heddle::cudnn
