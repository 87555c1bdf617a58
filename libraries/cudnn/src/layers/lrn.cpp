// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local response normalisation across channels.
#include "parallel.h"
#include "tensor.h"

#include <cmath>

struct cudnnLRNStruct {
  unsigned n = 5;
  double alpha = 1e-4, beta = 0.75, k = 2;
};

using namespace heddle::cudnn;

HEDDLE_CUDNN_DESCRIPTOR(LRNDescriptor, cudnnLRNStruct)

cudnnStatus_t cudnnSetLRNDescriptor(cudnnLRNDescriptor_t descriptor, unsigned n, double alpha,
                                    double beta, double k) {
  return call(__func__, [&] {
    auto &d = live(descriptor);
    need(n >= CUDNN_LRN_MIN_N && n <= CUDNN_LRN_MAX_N, "the window is out of range");
    need(beta >= CUDNN_LRN_MIN_BETA && k >= CUDNN_LRN_MIN_K, "beta or k is too small");
    d = {n, alpha, beta, k};
  });
}

cudnnStatus_t cudnnGetLRNDescriptor(cudnnLRNDescriptor_t descriptor, unsigned *n, double *alpha,
                                    double *beta, double *k) {
  return call(__func__, [&] {
    const auto &d = live(descriptor);
    give(n, d.n);
    give(alpha, d.alpha);
    give(beta, d.beta);
    give(k, d.k);
  });
}

namespace {

/// A column of channels at one place of one image: element c is at base + c * step.
struct Columns {
  int64_t images, channels, step;
  explicit Columns(const Tensor &t) : images(t.dim[0]), channels(t.dim[1]), step(t.spatial()) {}
  template <typename F> void each(const F &f) const {
    parallelEach(images * step, std::max<int64_t>(1, 2048 / channels),
                 [&](int64_t i) { f(i / step * channels * step + i % step); });
  }
};

/// k + alpha / n * the sum of squares in the window around channel c (cudnnSetLRNDescriptor).
template <typename T>
double denominator(const cudnnLRNStruct &d, const Columns &c, const T *x, int64_t channel) {
  const int64_t behind = (d.n - 1) / 2, ahead = d.n - 1 - behind;
  double sum = 0;
  for (int64_t j = std::max<int64_t>(0, channel - behind);
       j <= std::min(c.channels - 1, channel + ahead); ++j)
    sum += double(x[j * c.step]) * double(x[j * c.step]);
  return d.k + d.alpha / d.n * sum;
}

template <typename T> void forward(const cudnnLRNStruct &d, const Columns &c, const T *x, T *y) {
  c.each([&](int64_t base) {
    for (int64_t i = 0; i < c.channels; ++i)
      y[base + i * c.step] =
          T(double(x[base + i * c.step]) * std::pow(denominator(d, c, x + base, i), -d.beta));
  });
}

template <typename T>
void backward(const cudnnLRNStruct &d, const Columns &c, const T *x, const T *dy, T *dx) {
  const int64_t behind = (d.n - 1) / 2, ahead = d.n - 1 - behind;
  c.each([&](int64_t base) {
    std::vector<double> s(static_cast<size_t>(c.channels));
    for (int64_t i = 0; i < c.channels; ++i)
      s[size_t(i)] = denominator(d, c, x + base, i);
    for (int64_t i = 0; i < c.channels; ++i) {
      // Channel i is in the windows of those channels that it is ahead or behind of.
      double sum = 0;
      for (int64_t j = std::max<int64_t>(0, i - ahead); j <= std::min(c.channels - 1, i + behind);
           ++j)
        sum += double(dy[base + j * c.step]) * double(x[base + j * c.step]) *
               std::pow(s[size_t(j)], -d.beta - 1);
      const int64_t at = base + i * c.step;
      dx[at] = T(double(dy[at]) * std::pow(s[size_t(i)], -d.beta) -
                 2 * d.alpha * d.beta / d.n * double(x[at]) * sum);
    }
  });
}

} // namespace

cudnnStatus_t cudnnLRNCrossChannelForward(cudnnHandle_t handle, cudnnLRNDescriptor_t descriptor,
                                          cudnnLRNMode_t mode, const void *alpha,
                                          const cudnnTensorDescriptor_t x_desc, const void *x,
                                          const void *beta, const cudnnTensorDescriptor_t y_desc,
                                          void *y) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const auto d = live(descriptor);
    const Tensor xt = contents(x_desc), yt = contents(y_desc);
    need(mode == CUDNN_LRN_CROSS_CHANNEL_DIM1, "there is no such mode");
    needSameShape(xt, yt);
    need(xt.n >= 4, "the tensor has fewer than 4 dimensions");
    needPointers(x, y);
    const Blend blend(alpha, beta, yt.type);
    run(handle, name, [=] {
      byWidth(isWide(xt.type), [&]<typename T>() {
        const In<T> in(xt, x);
        Out<T> out(yt, y, blend, {x});
        forward<T>(d, Columns(xt), in.data(), out.data());
        out.finish();
      });
    });
  });
}

cudnnStatus_t cudnnLRNCrossChannelBackward(cudnnHandle_t handle, cudnnLRNDescriptor_t descriptor,
                                           cudnnLRNMode_t mode, const void *alpha,
                                           const cudnnTensorDescriptor_t y_desc, const void *y,
                                           const cudnnTensorDescriptor_t dy_desc, const void *dy,
                                           const cudnnTensorDescriptor_t x_desc, const void *x,
                                           const void *beta, const cudnnTensorDescriptor_t dx_desc,
                                           void *dx) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const auto d = live(descriptor);
    const Tensor yt = contents(y_desc), dyt = contents(dy_desc), xt = contents(x_desc),
                 dxt = contents(dx_desc);
    need(mode == CUDNN_LRN_CROSS_CHANNEL_DIM1, "there is no such mode");
    needSameShape(xt, yt);
    needSameShape(xt, dyt);
    needSameShape(xt, dxt);
    need(xt.n >= 4, "the tensor has fewer than 4 dimensions");
    needPointers(x, y, dy, dx);
    const Blend blend(alpha, beta, dxt.type);
    run(handle, name, [=] {
      byWidth(isWide(xt.type), [&]<typename T>() {
        const In<T> in(xt, x), above(dyt, dy);
        Out<T> out(dxt, dx, blend, {x, dy});
        backward<T>(d, Columns(xt), in.data(), above.data(), out.data());
        out.finish();
      });
    });
  });
}

namespace {
constexpr const char *no_divisive = "divisive normalisation is not supported";
}

cudnnStatus_t cudnnDivisiveNormalizationForward(cudnnHandle_t handle, cudnnLRNDescriptor_t,
                                                cudnnDivNormMode_t, const void *,
                                                const cudnnTensorDescriptor_t, const void *,
                                                const void *, void *, void *, const void *,
                                                const cudnnTensorDescriptor_t, void *) {
  return call(__func__, [&] {
    live(handle);
    supported(false, no_divisive);
  });
}

cudnnStatus_t cudnnDivisiveNormalizationBackward(cudnnHandle_t handle, cudnnLRNDescriptor_t,
                                                 cudnnDivNormMode_t, const void *,
                                                 const cudnnTensorDescriptor_t, const void *,
                                                 const void *, const void *, void *, void *,
                                                 const void *, const cudnnTensorDescriptor_t,
                                                 void *, void *) {
  return call(__func__, [&] {
    live(handle);
    supported(false, no_divisive);
  });
}
