// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activation functions and their derivatives.
#pragma once

#include "tensor.h"

#include <cmath>

struct cudnnActivationStruct {
  cudnnActivationMode_t mode = CUDNN_ACTIVATION_IDENTITY;
  cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
  double coef = 0;
  double swish_beta = 1;
};

namespace heddle::cudnn {

using Activation = cudnnActivationStruct;

template <typename T> T sigmoid(T x) { return 1 / (1 + std::exp(-x)); }

template <typename T> T activate(const Activation &a, T x) {
  if (std::isnan(x) && a.nan == CUDNN_PROPAGATE_NAN)
    return x;
  switch (a.mode) {
  case CUDNN_ACTIVATION_SIGMOID:
    return sigmoid(x);
  case CUDNN_ACTIVATION_RELU:
    return x > 0 ? x : T(0);
  case CUDNN_ACTIVATION_TANH:
    return std::tanh(x);
  case CUDNN_ACTIVATION_CLIPPED_RELU:
    return x > 0 ? std::min(x, T(a.coef)) : T(0);
  case CUDNN_ACTIVATION_ELU:
    return x > 0 ? x : T(a.coef) * std::expm1(x);
  case CUDNN_ACTIVATION_IDENTITY:
    return x;
  case CUDNN_ACTIVATION_SWISH:
    return x * sigmoid(T(a.swish_beta) * x);
  }
  return x;
}

/// The derivative where the input was x and the output y.
template <typename T> T slope(const Activation &a, T x, T y) {
  switch (a.mode) {
  case CUDNN_ACTIVATION_SIGMOID:
    return y * (1 - y);
  case CUDNN_ACTIVATION_RELU:
    return x > 0 ? T(1) : T(0);
  case CUDNN_ACTIVATION_TANH:
    return 1 - y * y;
  case CUDNN_ACTIVATION_CLIPPED_RELU:
    return x > 0 && x <= T(a.coef) ? T(1) : T(0);
  case CUDNN_ACTIVATION_ELU:
    return x > 0 ? T(1) : y + T(a.coef);
  case CUDNN_ACTIVATION_IDENTITY:
    return 1;
  case CUDNN_ACTIVATION_SWISH: {
    const T beta = T(a.swish_beta), s = sigmoid(beta * x);
    return s + beta * x * s * (1 - s);
  }
  }
  return 1;
}

} // namespace heddle::cudnn
