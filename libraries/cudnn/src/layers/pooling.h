// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pooling by windows over up to three spatial dimensions.
#pragma once

#include "tensor.h"

struct cudnnPoolingStruct {
  cudnnPoolingMode_t mode = CUDNN_POOLING_MAX;
  cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
  int n = 0; // spatial dimensions
  int window[CUDNN_DIM_MAX] = {}, pad[CUDNN_DIM_MAX] = {}, stride[CUDNN_DIM_MAX] = {};
};

namespace heddle::cudnn {

using Pooling = cudnnPoolingStruct;

template <typename T>
void poolForward(const Pooling &p, const Tensor &xt, const T *x, const Tensor &yt, T *y);
template <typename T>
void poolBackward(const Pooling &p, const Tensor &xt, const T *x, const Tensor &yt, const T *dy,
                  T *dx);

} // namespace heddle::cudnn
