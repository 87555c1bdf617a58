// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batch normalisation, by cudnnBatchNormalization… and by cudnnNormalization….
#include "normalization.h"

#include "activation.h"
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

namespace {

/// A call's kind: which sets, and what follows the normalisation.
struct Kind {
  bool by_channel;
  int ops; // 0, 1: activation, 2: addition and activation
  double epsilon;
  Activation activation;
};

/// What a training call has beside the tensors.
struct Training {
  Tensor xt, zt, yt, pt;
  const void *x, *z;
  void *y;
  const void *scale, *bias;
  double factor;
  void *running_mean, *running_variance, *saved_mean, *saved_inverse;
  void *reserve;
  Blend blend;
};

template <typename T> void forwardTraining(const Kind &kind, const Training &t) {
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

struct Backward {
  Tensor xt, dyt, dzt, dxt, pt;
  const void *x, *dy;
  void *dz, *dx;
  const void *scale;
  void *d_scale, *d_bias;
  const void *saved_mean, *saved_inverse;
  const void *reserve;
  Blend data, parameters;
};

template <typename T> void backward(const Kind &kind, const Backward &t) {
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

struct Inference {
  Tensor xt, zt, yt, pt, mt;
  const void *x, *z;
  void *y;
  const void *scale, *bias, *mean, *variance;
  Blend blend;
};

template <typename T> void inference(const Kind &kind, const Inference &t) {
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

// Batch normalisation's and the general one's modes and operations have the same values, but for
// the persistent mode, which computes what the spatial one does.
bool byChannel(cudnnBatchNormMode_t mode) {
  need(unsigned(mode) <= CUDNN_BATCHNORM_SPATIAL_PERSISTENT, "there is no such mode");
  return mode != CUDNN_BATCHNORM_PER_ACTIVATION;
}
bool byChannel(cudnnNormMode_t mode) {
  need(unsigned(mode) <= CUDNN_NORM_PER_CHANNEL, "there is no such mode");
  return mode == CUDNN_NORM_PER_CHANNEL;
}

Kind kindOf(bool by_channel, int ops, double epsilon, const cudnnActivationStruct *activation) {
  need(ops >= 0 && ops <= 2, "there is no such operation");
  need(epsilon >= CUDNN_BN_MIN_EPSILON, "epsilon is negative");
  Kind k{by_channel, ops, epsilon, {}};
  if (ops != 0) {
    k.activation = live(activation);
    supported(k.activation.mode == CUDNN_ACTIVATION_RELU,
              "the fused activation must be CUDNN_ACTIVATION_RELU");
  }
  return k;
}

void checkParameters(const Tensor &xt, const Tensor &pt, bool by_channel) {
  need(xt.n >= 2 && pt.n == xt.n && pt.dim[0] == 1 && pt.dim[1] == xt.dim[1],
       "the parameters have not the dimensions that go with the mode");
  for (int i = 2; i < xt.n; ++i)
    need(pt.dim[size_t(i)] == (by_channel ? 1 : xt.dim[size_t(i)]),
         "the parameters have not the dimensions that go with the mode");
}

void derive(cudnnTensorDescriptor_t to, const Tensor &xt, bool by_channel) {
  need(xt.n >= 4, "the tensor has fewer than 4 dimensions");
  Tensor t = xt;
  t.dim[0] = 1;
  for (int i = 2; i < xt.n && by_channel; ++i)
    t.dim[size_t(i)] = 1;
  t = packedLike(t, xt.type == CUDNN_DATA_DOUBLE);
  static_cast<Tensor &>(live(to)) = t;
  to->format = CUDNN_TENSOR_NCHW;
}

bool wide(const Tensor &a, const Tensor &b) { return isWide(a.type) || isWide(b.type); }

void train(cudnnHandle_t handle, const char *name, const Kind &kind, const Training &t,
           size_t reserve_bytes) {
  live(handle);
  checkParameters(t.xt, t.pt, kind.by_channel);
  needSameShape(t.xt, t.yt);
  needPointers(t.x, t.y, t.scale, t.bias);
  need(t.factor >= 0 && t.factor <= 1, "the factor of the running averages is not in 0 to 1");
  need(!t.running_mean == !t.running_variance && !t.saved_mean == !t.saved_inverse,
       "of two pointers that go together, one is null");
  if (kind.ops == 2) {
    needSameShape(t.zt, t.yt);
    needPointers(t.z);
  }
  if (kind.ops != 0)
    need(t.reserve && reserve_bytes >= size_t(t.xt.count()), "the reserve space is too small");
  run(handle, name, [=] {
    byWidth(wide(t.xt, t.yt), [&]<typename T>() { forwardTraining<T>(kind, t); });
  });
}

void differentiate(cudnnHandle_t handle, const char *name, const Kind &kind, const Backward &t,
                   size_t reserve_bytes) {
  live(handle);
  checkParameters(t.xt, t.pt, kind.by_channel);
  needSameShape(t.xt, t.dyt);
  needSameShape(t.xt, t.dxt);
  needPointers(t.x, t.dy, t.dx, t.scale, t.d_scale, t.d_bias);
  need(!t.saved_mean == !t.saved_inverse, "of two pointers that go together, one is null");
  if (kind.ops == 2) {
    needSameShape(t.dzt, t.dyt);
    needPointers(t.dz);
  }
  if (kind.ops != 0)
    need(t.reserve && reserve_bytes >= size_t(t.xt.count()), "the reserve space is too small");
  run(handle, name,
      [=] { byWidth(wide(t.xt, t.dxt), [&]<typename T>() { backward<T>(kind, t); }); });
}

void infer(cudnnHandle_t handle, const char *name, const Kind &kind, const Inference &t) {
  live(handle);
  checkParameters(t.xt, t.pt, kind.by_channel);
  checkParameters(t.xt, t.mt, kind.by_channel);
  needSameShape(t.xt, t.yt);
  needPointers(t.x, t.y, t.scale, t.bias, t.mean, t.variance);
  if (kind.ops == 2) {
    needSameShape(t.zt, t.yt);
    needPointers(t.z);
  }
  run(handle, name,
      [=] { byWidth(wide(t.xt, t.yt), [&]<typename T>() { inference<T>(kind, t); }); });
}

void needOneGroup(int groups) { supported(groups == 1, "normalisation by groups is not supported"); }

Tensor contentsIf(bool wanted, const cudnnTensorStruct *descriptor) {
  return wanted ? contents(descriptor) : Tensor();
}

} // namespace
} // namespace heddle::cudnn

using namespace heddle::cudnn;
#include "normalization_api.inc"
