// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normalisation by means and variances over sets of elements, of which batch normalisation is one.
#pragma once

#include "activation.h"
#include "tensor.h"

namespace heddle::cudnn {

/// The sets of elements that are normalised together. Set s has `runs` runs of `length` elements;
/// run r begins at r * run_step + s * set_step. Parameter (scale, bias) of set s and element i of a
/// run: s itself.
struct NormSets {
  int64_t sets, runs, length, set_step, run_step;
  int64_t size() const { return runs * length; }
};

/// Batch normalisation's sets: each channel, or each place of each channel.
NormSets batchSets(const Tensor &xt, bool by_channel);

template <typename T>
void meanAndVariance(const NormSets &s, const T *x, int64_t set, double &mean, double &variance);

/// y = scale * (x - mean) * inverse_deviation + bias
template <typename T>
void normalize(const NormSets &s, const T *x, const T *scale, const T *bias, const T *mean,
               const T *inverse_deviation, T *y);

/// The gradients; sums over the sets are also d_scale and d_bias.
template <typename T>
void normalizeBackward(const NormSets &s, const T *x, const T *dy, const T *scale, const T *mean,
                       const T *inverse_deviation, T *dx, T *d_scale, T *d_bias);

/// A call's kind: which sets, and what follows the normalisation.
struct NormKind {
  bool by_channel;
  int ops; // 0, 1: activation, 2: addition and activation
  double epsilon;
  Activation activation;
};

/// What a training call has beside the tensors.
struct NormTraining {
  Tensor xt, zt, yt, pt;
  const void *x, *z;
  void *y;
  const void *scale, *bias;
  double factor;
  void *running_mean, *running_variance, *saved_mean, *saved_inverse;
  void *reserve;
  Blend blend;
};

struct NormBackward {
  Tensor xt, dyt, dzt, dxt, pt;
  const void *x, *dy;
  void *dz, *dx;
  const void *scale;
  void *d_scale, *d_bias;
  const void *saved_mean, *saved_inverse;
  const void *reserve;
  Blend data, parameters;
};

struct NormInference {
  Tensor xt, zt, yt, pt, mt;
  const void *x, *z;
  void *y;
  const void *scale, *bias, *mean, *variance;
  Blend blend;
};

template <typename T> void normForwardTraining(const NormKind &kind, const NormTraining &t);
template <typename T> void normBackward(const NormKind &kind, const NormBackward &t);
template <typename T> void normInference(const NormKind &kind, const NormInference &t);

} // namespace heddle::cudnn
