// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normalisation by means and variances over sets of elements, of which batch normalisation is one.
#pragma once

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

} // namespace heddle::cudnn
