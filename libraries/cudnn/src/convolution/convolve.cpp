// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which way a convolution goes: floats, halves and bfloat16 by oneDNN in float; doubles and
// integers by plain loops in double, which is exact for 8-bit integers.
#include "convolution.h"
#include "parallel.h"

namespace heddle::cudnn {
namespace {

/// A convolution's sizes as of three spatial dimensions.
struct Sizes {
  int64_t images, groups, inputs, outputs; // channels of a group
  int64_t in[3] = {1, 1, 1}, out[3] = {1, 1, 1}, window[3] = {1, 1, 1}, pad[3] = {0, 0, 0},
          stride[3] = {1, 1, 1}, dilation[3] = {1, 1, 1};

  Sizes(const Convolution &c, const ConvolutionTensors &t)
      : images(t.x.dim[0]), groups(c.groups), inputs(t.w.dim[1]), outputs(t.w.dim[0] / c.groups) {
    for (int i = 0; i < c.n; ++i) {
      const int to = 3 - c.n + i;
      const size_t d = size_t(i + 2);
      in[to] = t.x.dim[d];
      out[to] = t.y.dim[d];
      window[to] = t.w.dim[d];
      pad[to] = c.pad[i];
      stride[to] = c.stride[i];
      dilation[to] = c.dilation[i];
    }
  }
  static int64_t product(const int64_t *v) { return v[0] * v[1] * v[2]; }

  /// f(input, tap, output) of all places in a plane that meet.
  template <typename F> void each(const F &f) const {
    for (int64_t k = 0; k < product(window); ++k) {
      const int64_t tap[3] = {k / (window[1] * window[2]), k / window[2] % window[1],
                              k % window[2]};
      for (int64_t o = 0; o < product(out); ++o) {
        const int64_t place[3] = {o / (out[1] * out[2]), o / out[2] % out[1], o % out[2]};
        int64_t i = 0;
        bool inside = true;
        for (int d = 0; d < 3; ++d) {
          const int64_t at = place[d] * stride[d] - pad[d] + tap[d] * dilation[d];
          inside = inside && at >= 0 && at < in[d];
          i = i * in[d] + at;
        }
        if (inside)
          f(i, k, o);
      }
    }
  }
};

} // namespace

void convolveDouble(Pass pass, const Convolution &c, const ConvolutionTensors &t, double *x,
                    double *w, double *y) {
  const Sizes s(c, t);
  const int64_t plane_in = Sizes::product(s.in), plane_out = Sizes::product(s.out),
                taps = Sizes::product(s.window);
  const auto planes = [&](int64_t image, int64_t group, int64_t i, int64_t o) {
    struct {
      double *x, *w, *y;
    } p{x + ((image * s.groups + group) * s.inputs + i) * plane_in,
        w + ((group * s.outputs + o) * s.inputs + i) * taps,
        y + ((image * s.groups + group) * s.outputs + o) * plane_out};
    return p;
  };
  if (pass == Pass::forward)
    parallelEach(s.images * s.groups * s.outputs, 1, [&](int64_t item) {
      const int64_t o = item % s.outputs, g = item / s.outputs % s.groups,
                    image = item / s.outputs / s.groups;
      std::fill_n(planes(image, g, 0, o).y, plane_out, 0.0);
      for (int64_t i = 0; i < s.inputs; ++i) {
        const auto p = planes(image, g, i, o);
        s.each([&](int64_t a, int64_t b, int64_t r) { p.y[r] += p.x[a] * p.w[b]; });
      }
    });
  else if (pass == Pass::data)
    parallelEach(s.images * s.groups * s.inputs, 1, [&](int64_t item) {
      const int64_t i = item % s.inputs, g = item / s.inputs % s.groups,
                    image = item / s.inputs / s.groups;
      std::fill_n(planes(image, g, i, 0).x, plane_in, 0.0);
      for (int64_t o = 0; o < s.outputs; ++o) {
        const auto p = planes(image, g, i, o);
        s.each([&](int64_t a, int64_t b, int64_t r) { p.x[a] += p.y[r] * p.w[b]; });
      }
    });
  else
    parallelEach(s.groups * s.outputs * s.inputs, 1, [&](int64_t item) {
      const int64_t i = item % s.inputs, o = item / s.inputs % s.outputs,
                    g = item / s.inputs / s.outputs;
      std::fill_n(planes(0, g, i, o).w, taps, 0.0);
      for (int64_t image = 0; image < s.images; ++image) {
        const auto p = planes(image, g, i, o);
        s.each([&](int64_t a, int64_t b, int64_t r) { p.w[b] += p.x[a] * p.y[r]; });
      }
    });
}

Dims convolutionOutput(const Convolution &c, const Tensor &x, const Tensor &w) {
  need(c.n > 0, "a convolution descriptor was not set");
  need(x.n == c.n + 2 && w.n == x.n, "the numbers of dimensions do not go together");
  need(x.dim[1] == w.dim[1] * c.groups,
       "the input's channels are not the filter's times the groups");
  need(w.dim[0] % c.groups == 0, "the filter's outputs are no multiple of the groups");
  Dims out = {x.dim[0], w.dim[0]};
  for (int i = 0; i < c.n; ++i) {
    const size_t d = size_t(i + 2);
    const int64_t room =
        x.dim[d] + c.pad[i] + c.after[i] - ((w.dim[d] - 1) * int64_t(c.dilation[i]) + 1);
    need(room >= 0, "the filter is larger than the padded input");
    out[d] = 1 + room / c.stride[i];
  }
  return out;
}

void checkConvolution(const Convolution &c, const ConvolutionTensors &t) {
  const Dims out = convolutionOutput(c, t.x, t.w);
  need(t.y.n == t.x.n && std::equal(out.begin(), out.begin() + t.y.n, t.y.dim.begin()),
       "the output has not the dimensions of the convolution");
}

namespace {

/// A filter's taps in reverse, which makes a cross-correlation of a convolution.
template <typename T> void flip(const Tensor &wt, T *w) {
  const int64_t taps = wt.spatial();
  for (int64_t i = 0; i < wt.dim[0] * wt.dim[1]; ++i)
    std::reverse(w + i * taps, w + (i + 1) * taps);
}

template <typename T>
void convolvePacked(Pass pass, const Convolution &c, const ConvolutionTensors &t, T *x, T *w,
                    T *y) {
  if constexpr (std::is_same_v<T, double>)
    convolveDouble(pass, c, t, x, w, y);
  else
    convolveByOneDnn(pass, c, t, x, w, y);
}

/// A tensor that the pass reads or writes, in a packed copy where it has another form.
template <typename T> class Operand {
public:
  Operand(const Tensor &t, void *data, bool is_output, bool own, const Blend &blend)
      : tensor_(t), data_(static_cast<T *>(data)), to_(data), blend_(blend), output_(is_output) {
    const bool direct =
        !own && t.type == typeOf<T>() && t.vect == 1 && (std::is_same_v<T, float> || t.isPacked());
    if (direct)
      return;
    tensor_ = packedLike(t, std::is_same_v<T, double>);
    program_ = t;
    own_.emplace_back(t.count());
    data_ = own_.back().data();
    if (!is_output)
      readElements(t, data, data_);
  }
  void finish() {
    if (output_ && !own_.empty())
      writeElements(program_, to_, data_, blend_);
  }
  bool isCopy() const { return !own_.empty(); }
  const Tensor &tensor() const { return tensor_; }
  T *data() const { return data_; }

private:
  Tensor tensor_, program_;
  T *data_;
  void *to_;
  Blend blend_;
  bool output_;
  std::vector<Buffer<T>> own_;
};

} // namespace

void convolve(Pass pass, const Convolution &c, const ConvolutionTensors &t, void *x, void *w,
              void *y, const Blend &blend) {
  const bool wide = isWide(t.x.type) || isWide(t.w.type) || isWide(t.y.type);
  const bool plain = blend.alpha == 1 && blend.beta == 0, flipped = c.mode == CUDNN_CONVOLUTION;
  byWidth(wide, [&]<typename T>() {
    const bool to_x = pass == Pass::data, to_w = pass == Pass::filter, to_y = pass == Pass::forward;
    Operand<T> ox(t.x, x, to_x, to_x && !plain, blend), oy(t.y, y, to_y, to_y && !plain, blend),
        ow(t.w, w, to_w, flipped || (to_w && !plain), blend);
    if (flipped && !to_w)
      flip(t.w, ow.data());
    convolvePacked<T>(pass, c, {ox.tensor(), ow.tensor(), oy.tensor()}, ox.data(), ow.data(),
                      oy.data());
    if (flipped && to_w)
      flip(t.w, ow.data());
    ox.finish();
    ow.finish();
    oy.finish();
  });
}

} // namespace heddle::cudnn
