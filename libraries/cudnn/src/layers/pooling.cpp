// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pooling.
#include "pooling.h"

#include "parallel.h"

#include <cmath>
#include <limits>

using namespace heddle::cudnn;

HEDDLE_CUDNN_DESCRIPTOR(PoolingDescriptor, cudnnPoolingStruct)

namespace heddle::cudnn {
namespace {

/// The sizes of a pooling, as of three spatial dimensions; those that are not there are 1.
struct Windows {
  int64_t in[3] = {1, 1, 1}, out[3] = {1, 1, 1}, window[3] = {1, 1, 1}, pad[3] = {0, 0, 0},
          stride[3] = {1, 1, 1};

  Windows(const Pooling &p, const Tensor &xt, const Tensor &yt) {
    for (int i = 0; i < p.n; ++i) {
      const int to = 3 - p.n + i;
      in[to] = xt.dim[size_t(i + 2)];
      out[to] = yt.dim[size_t(i + 2)];
      window[to] = p.window[i];
      pad[to] = p.pad[i];
      stride[to] = p.stride[i];
    }
  }
  int64_t inputs() const { return in[0] * in[1] * in[2]; }
  int64_t outputs() const { return out[0] * out[1] * out[2]; }
  int64_t windowSize() const { return window[0] * window[1] * window[2]; }

  /// The part of output o's window that is inside of the input.
  struct Range {
    int64_t begin[3], end[3];
    int64_t size() const { return (end[0] - begin[0]) * (end[1] - begin[1]) * (end[2] - begin[2]); }
  };
  Range range(int64_t o) const {
    const int64_t at[3] = {o / (out[1] * out[2]), o / out[2] % out[1], o % out[2]};
    Range r;
    for (int i = 0; i < 3; ++i) {
      const int64_t from = at[i] * stride[i] - pad[i];
      r.begin[i] = std::max<int64_t>(from, 0);
      r.end[i] = std::max(r.begin[i], std::min(from + window[i], in[i]));
    }
    return r;
  }
  template <typename F> void each(const Range &r, const F &f) const {
    for (int64_t d = r.begin[0]; d < r.end[0]; ++d)
      for (int64_t h = r.begin[1]; h < r.end[1]; ++h)
        for (int64_t w = r.begin[2]; w < r.end[2]; ++w)
          f((d * in[1] + h) * in[2] + w);
  }
};

bool isMax(const Pooling &p) {
  return p.mode == CUDNN_POOLING_MAX || p.mode == CUDNN_POOLING_MAX_DETERMINISTIC;
}

/// The place of the first maximum in the window, or -1 if there is no input in it. A NaN counts as
/// the maximum if it is to be propagated.
template <typename T>
int64_t placeOfMax(const Windows &s, const Windows::Range &r, const T *x, bool propagate_nan) {
  int64_t best = -1;
  s.each(r, [&](int64_t i) {
    if (best < 0 || x[i] > x[best] || (propagate_nan && std::isnan(x[i]) && !std::isnan(x[best])) ||
        (!propagate_nan && std::isnan(x[best])))
      best = i;
  });
  return best;
}

double divisor(const Pooling &p, const Windows &s, const Windows::Range &r) {
  return double(p.mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING
                    ? s.windowSize()
                    : std::max<int64_t>(r.size(), 1));
}

} // namespace

template <typename T>
void poolForward(const Pooling &p, const Tensor &xt, const T *x, const Tensor &yt, T *y) {
  const Windows s(p, xt, yt);
  const int64_t inputs = s.inputs(), outputs = s.outputs();
  parallelEach(xt.dim[0] * xt.dim[1], std::max<int64_t>(1, 8192 / (outputs * s.windowSize())),
               [&](int64_t plane) {
                 const T *from = x + plane * inputs;
                 T *to = y + plane * outputs;
                 for (int64_t o = 0; o < outputs; ++o) {
                   const auto r = s.range(o);
                   if (isMax(p)) {
                     const int64_t best = placeOfMax(s, r, from, p.nan == CUDNN_PROPAGATE_NAN);
                     to[o] = best < 0 ? -std::numeric_limits<T>::infinity() : from[best];
                     continue;
                   }
                   double sum = 0;
                   s.each(r, [&](int64_t i) { sum += double(from[i]); });
                   to[o] = T(sum / divisor(p, s, r));
                 }
               });
}

template <typename T>
void poolBackward(const Pooling &p, const Tensor &xt, const T *x, const Tensor &yt, const T *dy,
                  T *dx) {
  const Windows s(p, xt, yt);
  const int64_t inputs = s.inputs(), outputs = s.outputs();
  parallelEach(xt.dim[0] * xt.dim[1], std::max<int64_t>(1, 8192 / (outputs * s.windowSize())),
               [&](int64_t plane) {
                 const T *from = x + plane * inputs, *above = dy + plane * outputs;
                 T *to = dx + plane * inputs;
                 std::fill_n(to, inputs, T(0));
                 for (int64_t o = 0; o < outputs; ++o) {
                   const auto r = s.range(o);
                   if (isMax(p)) {
                     const int64_t best = placeOfMax(s, r, from, p.nan == CUDNN_PROPAGATE_NAN);
                     if (best >= 0)
                       to[best] += above[o];
                     continue;
                   }
                   const T share = T(double(above[o]) / divisor(p, s, r));
                   s.each(r, [&](int64_t i) { to[i] += share; });
                 }
               });
}

#define INSTANTIATE(T)                                                                             \
  template void poolForward(const Pooling &, const Tensor &, const T *, const Tensor &, T *);      \
  template void poolBackward(const Pooling &, const Tensor &, const T *, const Tensor &,           \
                             const T *, T *);
INSTANTIATE(float)
INSTANTIATE(double)

namespace {

void setPooling(cudnnPoolingDescriptor_t descriptor, cudnnPoolingMode_t mode,
                cudnnNanPropagation_t nan, int n, const int *window, const int *pad,
                const int *stride) {
  auto &d = live(descriptor);
  need(unsigned(mode) <= CUDNN_POOLING_MAX_DETERMINISTIC && unsigned(nan) <= CUDNN_PROPAGATE_NAN,
       "there is no such mode or rule for NaN");
  needPointers(window, pad, stride);
  need(n > 0 && n <= max_dims - 2, "the number of dimensions is out of range");
  supported(n <= 3, "pooling of more than three spatial dimensions is not supported");
  Pooling p;
  p.mode = mode;
  p.nan = nan;
  p.n = n;
  for (int i = 0; i < n; ++i) {
    need(window[i] > 0 && stride[i] > 0 && pad[i] >= 0,
         "a window or stride is not positive, or a padding is negative");
    need(pad[i] < window[i], "a padding is as large as its window");
    p.window[i] = window[i];
    p.pad[i] = pad[i];
    p.stride[i] = stride[i];
  }
  d = p;
}

Pooling poolingOf(const cudnnPoolingStruct *descriptor) {
  const Pooling p = live(descriptor);
  need(p.n > 0, "a pooling descriptor was not set");
  return p;
}

Dims outputDims(const Pooling &p, const Tensor &xt) {
  need(xt.n == p.n + 2, "the tensor and the pooling have different numbers of dimensions");
  Dims out = xt.dim;
  for (int i = 0; i < p.n; ++i) {
    const int64_t room = xt.dim[size_t(i + 2)] + 2 * p.pad[i] - p.window[i];
    need(room >= 0, "a window is larger than the padded input");
    out[size_t(i + 2)] = 1 + room / p.stride[i];
  }
  return out;
}

void checkPooling(const Pooling &p, const Tensor &xt, const Tensor &yt) {
  need(xt.n == yt.n && xt.n == p.n + 2, "the numbers of dimensions do not go together");
  const Dims out = outputDims(p, xt);
  need(std::equal(out.begin(), out.begin() + xt.n, yt.dim.begin()),
       "the output has not the dimensions of the pooled input");
}

} // namespace
} // namespace heddle::cudnn

cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t descriptor,
                                          cudnnPoolingMode_t mode, cudnnNanPropagation_t nan,
                                          int height, int width, int vertical_padding,
                                          int horizontal_padding, int vertical_stride,
                                          int horizontal_stride) {
  return call(__func__, [&] {
    const int window[] = {height, width}, pad[] = {vertical_padding, horizontal_padding},
              stride[] = {vertical_stride, horizontal_stride};
    setPooling(descriptor, mode, nan, 2, window, pad, stride);
  });
}

cudnnStatus_t cudnnGetPooling2dDescriptor(const cudnnPoolingDescriptor_t descriptor,
                                          cudnnPoolingMode_t *mode, cudnnNanPropagation_t *nan,
                                          int *height, int *width, int *vertical_padding,
                                          int *horizontal_padding, int *vertical_stride,
                                          int *horizontal_stride) {
  return call(__func__, [&] {
    const Pooling p = poolingOf(descriptor);
    need(p.n == 2, "the pooling has not 2 dimensions");
    give(mode, p.mode);
    give(nan, p.nan);
    give(height, p.window[0]);
    give(width, p.window[1]);
    give(vertical_padding, p.pad[0]);
    give(horizontal_padding, p.pad[1]);
    give(vertical_stride, p.stride[0]);
    give(horizontal_stride, p.stride[1]);
  });
}

cudnnStatus_t cudnnSetPoolingNdDescriptor(cudnnPoolingDescriptor_t descriptor,
                                          const cudnnPoolingMode_t mode,
                                          const cudnnNanPropagation_t nan, int n,
                                          const int window[], const int pad[], const int stride[]) {
  return call(__func__, [&] { setPooling(descriptor, mode, nan, n, window, pad, stride); });
}

cudnnStatus_t cudnnGetPoolingNdDescriptor(const cudnnPoolingDescriptor_t descriptor, int requested,
                                          cudnnPoolingMode_t *mode, cudnnNanPropagation_t *nan,
                                          int *n, int window[], int pad[], int stride[]) {
  return call(__func__, [&] {
    const Pooling p = poolingOf(descriptor);
    need(requested >= 0, "the requested dimensions are negative");
    give(mode, p.mode);
    give(nan, p.nan);
    give(n, p.n);
    for (int i = 0; i < std::min(requested, p.n); ++i) {
      give(window ? window + i : nullptr, p.window[i]);
      give(pad ? pad + i : nullptr, p.pad[i]);
      give(stride ? stride + i : nullptr, p.stride[i]);
    }
  });
}

cudnnStatus_t cudnnGetPoolingNdForwardOutputDim(const cudnnPoolingDescriptor_t descriptor,
                                                const cudnnTensorDescriptor_t x_desc, int n,
                                                int dims[]) {
  return call(__func__, [&] {
    needPointers(dims);
    const Tensor xt = contents(x_desc);
    const Dims out = outputDims(poolingOf(descriptor), xt);
    need(n == xt.n, "the number of dimensions is not the tensor's");
    for (int i = 0; i < n; ++i)
      dims[i] = int(out[size_t(i)]);
  });
}

cudnnStatus_t cudnnGetPooling2dForwardOutputDim(const cudnnPoolingDescriptor_t descriptor,
                                                const cudnnTensorDescriptor_t x_desc, int *n,
                                                int *c, int *h, int *w) {
  return call(__func__, [&] {
    const Tensor xt = contents(x_desc);
    need(xt.n == 4, "the tensor has not 4 dimensions");
    const Dims out = outputDims(poolingOf(descriptor), xt);
    int *const to[] = {n, c, h, w};
    for (size_t i = 0; i < 4; ++i)
      give(to[i], out[i]);
  });
}

cudnnStatus_t cudnnPoolingForward(cudnnHandle_t handle, const cudnnPoolingDescriptor_t descriptor,
                                  const void *alpha, const cudnnTensorDescriptor_t x_desc,
                                  const void *x, const void *beta,
                                  const cudnnTensorDescriptor_t y_desc, void *y) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Pooling p = poolingOf(descriptor);
    const Tensor xt = contents(x_desc), yt = contents(y_desc);
    checkPooling(p, xt, yt);
    needPointers(x, y);
    const Blend blend(alpha, beta, yt.type);
    run(handle, name, [=] {
      byWidth(isWide(xt.type) || isWide(yt.type), [&]<typename T>() {
        const In<T> in(xt, x);
        Out<T> out(yt, y, blend, {x});
        poolForward<T>(p, xt, in.data(), yt, out.data());
        out.finish();
      });
    });
  });
}

cudnnStatus_t cudnnPoolingBackward(cudnnHandle_t handle, const cudnnPoolingDescriptor_t descriptor,
                                   const void *alpha, const cudnnTensorDescriptor_t y_desc,
                                   const void *y, const cudnnTensorDescriptor_t dy_desc,
                                   const void *dy, const cudnnTensorDescriptor_t x_desc,
                                   const void *x, const void *beta,
                                   const cudnnTensorDescriptor_t dx_desc, void *dx) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Pooling p = poolingOf(descriptor);
    const Tensor yt = contents(y_desc), dyt = contents(dy_desc), xt = contents(x_desc),
                 dxt = contents(dx_desc);
    checkPooling(p, xt, yt);
    needSameShape(yt, dyt);
    needSameShape(xt, dxt);
    needPointers(y, dy, x, dx);
    const Blend blend(alpha, beta, dxt.type);
    run(handle, name, [=] {
      byWidth(isWide(xt.type) || isWide(dxt.type), [&]<typename T>() {
        const In<T> in(xt, x), above(dyt, dy);
        Out<T> below(dxt, dx, blend, {x, dy});
        poolBackward<T>(p, xt, in.data(), yt, above.data(), below.data());
        below.finish();
      });
    });
  });
}
