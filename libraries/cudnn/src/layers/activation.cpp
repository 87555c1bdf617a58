// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activations and softmax.
#include "activation.h"

#include "parallel.h"

using namespace heddle::cudnn;

HEDDLE_CUDNN_DESCRIPTOR(ActivationDescriptor, cudnnActivationStruct)

cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t descriptor,
                                           cudnnActivationMode_t mode, cudnnNanPropagation_t nan,
                                           double coef) {
  return call(__func__, [&] {
    need(unsigned(mode) <= CUDNN_ACTIVATION_SWISH && unsigned(nan) <= CUDNN_PROPAGATE_NAN,
         "there is no such mode or rule for NaN");
    // For RELU, the coefficient has no effect.
    live(descriptor) = {mode, nan, coef, 1};
  });
}

cudnnStatus_t cudnnGetActivationDescriptor(const cudnnActivationDescriptor_t descriptor,
                                           cudnnActivationMode_t *mode, cudnnNanPropagation_t *nan,
                                           double *coef) {
  return call(__func__, [&] {
    const auto &a = live(descriptor);
    give(mode, a.mode);
    give(nan, a.nan);
    give(coef, a.coef);
  });
}

cudnnStatus_t cudnnSetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t descriptor,
                                                    double beta) {
  return call(__func__, [&] { live(descriptor).swish_beta = beta; });
}

cudnnStatus_t cudnnGetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t descriptor,
                                                    double *beta) {
  return call(__func__, [&] {
    needPointers(beta);
    *beta = live(descriptor).swish_beta;
  });
}

cudnnStatus_t cudnnActivationForward(cudnnHandle_t handle, cudnnActivationDescriptor_t descriptor,
                                     const void *alpha, const cudnnTensorDescriptor_t x_desc,
                                     const void *x, const void *beta,
                                     const cudnnTensorDescriptor_t y_desc, void *y) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Activation a = live(descriptor);
    const Tensor xt = contents(x_desc), yt = contents(y_desc);
    needSameShape(xt, yt);
    needPointers(x, y);
    const Blend blend(alpha, beta, yt.type);
    run(handle, name, [=] {
      byWidth(isWide(xt.type) || isWide(yt.type), [&]<typename T>() {
        const In<T> in(xt, x);
        Out<T> out(yt, y, blend);
        parallelEach(xt.count(), 4096, [&](int64_t i) { out[i] = activate(a, in[i]); });
        out.finish();
      });
    });
  });
}

cudnnStatus_t cudnnActivationBackward(cudnnHandle_t handle, cudnnActivationDescriptor_t descriptor,
                                      const void *alpha, const cudnnTensorDescriptor_t y_desc,
                                      const void *y, const cudnnTensorDescriptor_t dy_desc,
                                      const void *dy, const cudnnTensorDescriptor_t x_desc,
                                      const void *x, const void *beta,
                                      const cudnnTensorDescriptor_t dx_desc, void *dx) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Activation a = live(descriptor);
    const Tensor yt = contents(y_desc), dyt = contents(dy_desc), xt = contents(x_desc),
                 dxt = contents(dx_desc);
    needSameShape(yt, dyt);
    needSameShape(yt, xt);
    needSameShape(yt, dxt);
    needPointers(y, dy, x, dx);
    const Blend blend(alpha, beta, dxt.type);
    run(handle, name, [=] {
      byWidth(isWide(xt.type) || isWide(dxt.type), [&]<typename T>() {
        const In<T> in(xt, x), out(yt, y), above(dyt, dy);
        Out<T> below(dxt, dx, blend);
        parallelEach(xt.count(), 4096,
                     [&](int64_t i) { below[i] = above[i] * slope(a, in[i], out[i]); });
        below.finish();
      });
    });
  });
}

namespace {

/// The sets of numbers that softmax normalises: `length` numbers with `step` between them.
struct Sets {
  int64_t outer, length, step;
  Sets(const Tensor &t, cudnnSoftmaxMode_t mode) {
    const int64_t spatial = t.spatial(), channels = t.n > 1 ? t.dim[1] : 1;
    outer = t.dim[0];
    length = mode == CUDNN_SOFTMAX_MODE_CHANNEL ? channels : channels * spatial;
    step = mode == CUDNN_SOFTMAX_MODE_CHANNEL ? spatial : 1;
  }
  template <typename F> void each(const F &f) const {
    parallelEach(outer * step, std::max<int64_t>(1, 2048 / length),
                 [&](int64_t i) { f(i / step * step * length + i % step); });
  }
};

void checkSoftmax(cudnnSoftmaxAlgorithm_t algorithm, cudnnSoftmaxMode_t mode) {
  need(unsigned(algorithm) <= CUDNN_SOFTMAX_LOG && unsigned(mode) <= CUDNN_SOFTMAX_MODE_CHANNEL,
       "there is no such algorithm or mode");
}

template <typename T>
void softmax(cudnnSoftmaxAlgorithm_t algorithm, const Sets &sets, int64_t at, const T *x, T *y) {
  const int64_t n = sets.length, step = sets.step;
  T most = x[at];
  for (int64_t i = 1; i < n; ++i)
    most = std::max(most, x[at + i * step]);
  // The fast algorithm does not shift by the maximum, so it may overflow (as documented).
  if (algorithm == CUDNN_SOFTMAX_FAST)
    most = 0;
  double sum = 0;
  for (int64_t i = 0; i < n; ++i)
    sum += double(std::exp(x[at + i * step] - most));
  const T log_sum = T(std::log(sum)), scale = T(1 / sum);
  for (int64_t i = 0; i < n; ++i) {
    const T shifted = x[at + i * step] - most;
    y[at + i * step] =
        algorithm == CUDNN_SOFTMAX_LOG ? shifted - log_sum : std::exp(shifted) * scale;
  }
}

template <typename T>
void softmaxBackward(bool log, const Sets &sets, int64_t at, const T *y, const T *dy, T *dx) {
  double sum = 0;
  for (int64_t i = 0; i < sets.length; ++i) {
    const int64_t k = at + i * sets.step;
    sum += double(log ? dy[k] : dy[k] * y[k]);
  }
  for (int64_t i = 0; i < sets.length; ++i) {
    const int64_t k = at + i * sets.step;
    dx[k] = log ? dy[k] - std::exp(y[k]) * T(sum) : y[k] * (dy[k] - T(sum));
  }
}

} // namespace

cudnnStatus_t cudnnSoftmaxForward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algorithm,
                                  cudnnSoftmaxMode_t mode, const void *alpha,
                                  const cudnnTensorDescriptor_t x_desc, const void *x,
                                  const void *beta, const cudnnTensorDescriptor_t y_desc, void *y) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    checkSoftmax(algorithm, mode);
    const Tensor xt = contents(x_desc), yt = contents(y_desc);
    needSameShape(xt, yt);
    needPointers(x, y);
    const Blend blend(alpha, beta, yt.type);
    run(handle, name, [=] {
      byWidth(isWide(xt.type) || isWide(yt.type), [&]<typename T>() {
        const In<T> in(xt, x);
        Out<T> out(yt, y, blend);
        const Sets sets(xt, mode);
        sets.each([&](int64_t at) { softmax(algorithm, sets, at, in.data(), out.data()); });
        out.finish();
      });
    });
  });
}

cudnnStatus_t cudnnSoftmaxBackward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algorithm,
                                   cudnnSoftmaxMode_t mode, const void *alpha,
                                   const cudnnTensorDescriptor_t y_desc, const void *y,
                                   const cudnnTensorDescriptor_t dy_desc, const void *dy,
                                   const void *beta, const cudnnTensorDescriptor_t dx_desc,
                                   void *dx) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    checkSoftmax(algorithm, mode);
    const Tensor yt = contents(y_desc), dyt = contents(dy_desc), dxt = contents(dx_desc);
    needSameShape(yt, dyt);
    needSameShape(yt, dxt);
    needPointers(y, dy, dx);
    const Blend blend(alpha, beta, dxt.type);
    run(handle, name, [=] {
      byWidth(isWide(yt.type) || isWide(dxt.type), [&]<typename T>() {
        const In<T> out(yt, y), above(dyt, dy);
        Out<T> below(dxt, dx, blend);
        const Sets sets(yt, mode);
        sets.each([&](int64_t at) {
          softmaxBackward(algorithm == CUDNN_SOFTMAX_LOG, sets, at, out.data(), above.data(),
                          below.data());
        });
        below.finish();
      });
    });
  });
}
