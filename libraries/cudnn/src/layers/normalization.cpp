// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batch normalisation, by cudnnBatchNormalization… and by cudnnNormalization….
#include "normalization.h"

#include "parallel.h"

#include <cmath>

namespace heddle::cudnn {

NormSets batchSets(const Tensor &xt, bool by_channel) {
  const int64_t channels = xt.dim[1], spatial = xt.spatial();
  if (by_channel)
    return {channels, xt.dim[0], spatial, spatial, channels * spatial};
  return {channels * spatial, xt.dim[0], 1, 1, channels * spatial};
}

template <typename T>
void meanAndVariance(const NormSets &s, const T *x, int64_t set, double &mean, double &variance) {
  double sum = 0, squares = 0;
  for (int64_t r = 0; r < s.runs; ++r)
    for (int64_t i = 0; i < s.length; ++i)
      sum += double(x[r * s.run_step + set * s.set_step + i]);
  mean = sum / double(s.size());
  for (int64_t r = 0; r < s.runs; ++r)
    for (int64_t i = 0; i < s.length; ++i) {
      const double d = double(x[r * s.run_step + set * s.set_step + i]) - mean;
      squares += d * d;
    }
  variance = squares / double(s.size());
}

template <typename T>
void normalize(const NormSets &s, const T *x, const T *scale, const T *bias, const T *mean,
               const T *inverse_deviation, T *y) {
  parallelEach(s.sets, std::max<int64_t>(1, 8192 / s.size()), [&](int64_t set) {
    for (int64_t r = 0; r < s.runs; ++r)
      for (int64_t i = 0; i < s.length; ++i) {
        const int64_t k = r * s.run_step + set * s.set_step + i;
        y[k] = scale[set] * ((x[k] - mean[set]) * inverse_deviation[set]) + bias[set];
      }
  });
}

template <typename T>
void normalizeBackward(const NormSets &s, const T *x, const T *dy, const T *scale, const T *mean,
                       const T *inverse_deviation, T *dx, T *d_scale, T *d_bias) {
  parallelEach(s.sets, std::max<int64_t>(1, 8192 / s.size()), [&](int64_t set) {
    const double m = double(mean[set]), inverse = double(inverse_deviation[set]);
    double sum = 0, product = 0;
    for (int64_t r = 0; r < s.runs; ++r)
      for (int64_t i = 0; i < s.length; ++i) {
        const int64_t k = r * s.run_step + set * s.set_step + i;
        sum += double(dy[k]);
        product += double(dy[k]) * (double(x[k]) - m) * inverse;
      }
    const double factor = double(scale[set]) * inverse, number = double(s.size());
    for (int64_t r = 0; r < s.runs; ++r)
      for (int64_t i = 0; i < s.length; ++i) {
        const int64_t k = r * s.run_step + set * s.set_step + i;
        const double normal = (double(x[k]) - m) * inverse;
        dx[k] = T(factor * (double(dy[k]) - sum / number - normal * product / number));
      }
    d_scale[set] = T(product);
    d_bias[set] = T(sum);
  });
}

#define INSTANTIATE(T)                                                                             \
  template void meanAndVariance(const NormSets &, const T *, int64_t, double &, double &);         \
  template void normalize(const NormSets &, const T *, const T *, const T *, const T *, const T *, \
                          T *);                                                                    \
  template void normalizeBackward(const NormSets &, const T *, const T *, const T *, const T *,    \
                                  const T *, T *, T *, T *);
INSTANTIATE(float)
INSTANTIATE(double)

template <typename T> void normForwardTraining(const NormKind &kind, const NormTraining &t) {
  const NormSets s = batchSets(t.xt, kind.by_channel);
  const In<T> x(t.xt, t.x), scale(t.pt, t.scale), bias(t.pt, t.bias);
  Out<T> y(t.yt, t.y, t.blend);
  const Buffer<T> mean(s.sets), inverse(s.sets), variance(s.sets);
  parallelEach(s.sets, std::max<int64_t>(1, 8192 / s.size()), [&](int64_t set) {
    double m, v;
    meanAndVariance(s, x.data(), set, m, v);
    mean[set] = T(m);
    inverse[set] = T(1 / std::sqrt(v + kind.epsilon));
    const double n = double(s.size());
    variance[set] = T(n > 1 ? v * n / (n - 1) : v); // the running one is the unbiased estimate
  });
  normalize(s, x.data(), scale.data(), bias.data(), mean.data(), inverse.data(), y.data());
  if (kind.ops != 0) {
    auto *const mask = static_cast<bool *>(t.reserve);
    const In<T> z(kind.ops == 2 ? t.zt : packedTensor(typeOf<T>(), {0}), t.z);
    parallelEach(t.yt.count(), 8192, [&](int64_t i) {
      const T v = y[i] + (kind.ops == 2 ? z[i] : T(0));
      mask[i] = v > 0;
      y[i] = activate(kind.activation, v);
    });
  }
  y.finish();
  const Blend running(t.factor, t.factor == 1 ? 0 : 1 - t.factor);
  if (t.running_mean) {
    writeElements(t.pt, t.running_mean, mean.data(), running);
    writeElements(t.pt, t.running_variance, variance.data(), running);
  }
  if (t.saved_mean) {
    writeElements(t.pt, t.saved_mean, mean.data(), {});
    writeElements(t.pt, t.saved_inverse, inverse.data(), {});
  }
}

template <typename T> void normBackward(const NormKind &kind, const NormBackward &t) {
  const NormSets s = batchSets(t.xt, kind.by_channel);
  const In<T> x(t.xt, t.x), dy(t.dyt, t.dy), scale(t.pt, t.scale);
  const Buffer<T> mean(s.sets), inverse(s.sets), above(kind.ops ? t.dyt.count() : 0);
  if (t.saved_mean) {
    readElements(t.pt, t.saved_mean, mean.data());
    readElements(t.pt, t.saved_inverse, inverse.data());
  } else {
    parallelEach(s.sets, std::max<int64_t>(1, 8192 / s.size()), [&](int64_t set) {
      double m, v;
      meanAndVariance(s, x.data(), set, m, v);
      mean[set] = T(m);
      inverse[set] = T(1 / std::sqrt(v + kind.epsilon));
    });
  }
  if (kind.ops) {
    const auto *const mask = static_cast<const bool *>(t.reserve);
    parallelEach(t.dyt.count(), 8192, [&](int64_t i) { above[i] = mask[i] ? dy[i] : T(0); });
    if (kind.ops == 2)
      writeElements(t.dzt, t.dz, above.data(), {});
  }
  Out<T> dx(t.dxt, t.dx, t.data, {t.x});
  Out<T> d_scale(t.pt, t.d_scale, t.parameters), d_bias(t.pt, t.d_bias, t.parameters);
  normalizeBackward(s, x.data(), kind.ops ? above.data() : dy.data(), scale.data(), mean.data(),
                    inverse.data(), dx.data(), d_scale.data(), d_bias.data());
  dx.finish();
  d_scale.finish();
  d_bias.finish();
}

template <typename T> void normInference(const NormKind &kind, const NormInference &t) {
  const NormSets s = batchSets(t.xt, kind.by_channel);
  const In<T> x(t.xt, t.x), scale(t.pt, t.scale), bias(t.pt, t.bias), mean(t.mt, t.mean),
      variance(t.mt, t.variance);
  const Buffer<T> inverse(s.sets);
  for (int64_t i = 0; i < s.sets; ++i)
    inverse[i] = T(1 / std::sqrt(double(variance[i]) + kind.epsilon));
  Out<T> y(t.yt, t.y, t.blend);
  normalize(s, x.data(), scale.data(), bias.data(), mean.data(), inverse.data(), y.data());
  if (kind.ops != 0) {
    const In<T> z(kind.ops == 2 ? t.zt : packedTensor(typeOf<T>(), {0}), t.z);
    parallelEach(t.yt.count(), 8192, [&](int64_t i) {
      y[i] = activate(kind.activation, y[i] + (kind.ops == 2 ? z[i] : T(0)));
    });
  }
  y.finish();
}

#define INSTANTIATE_CALLS(T)                                                                       \
  template void normForwardTraining<T>(const NormKind &, const NormTraining &);                    \
  template void normBackward<T>(const NormKind &, const NormBackward &);                           \
  template void normInference<T>(const NormKind &, const NormInference &);
INSTANTIATE_CALLS(float)
INSTANTIATE_CALLS(double)

} // namespace heddle::cudnn
