// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What goes with convolutions: bias and activation in one call, the bias's gradient, im2col.
#include "activation.h"
#include "convolution.h"
#include "parallel.h"
#include "reduce.h"

#include <cstring>

using namespace heddle::cudnn;

namespace {

/// y = act(alpha1 * conv(x, w) + alpha2 * z + bias), as the result of a convolution stands in y.
template <typename T>
void addAndActivate(const Activation &a, const Tensor &yt, T *y, T alpha2, const T *z,
                    const T *bias) {
  const int64_t channels = yt.dim[1], plane = yt.spatial();
  parallelEach(yt.dim[0] * channels, std::max<int64_t>(1, 8192 / plane), [&](int64_t i) {
    const T b = bias[i % channels];
    for (int64_t k = i * plane; k < (i + 1) * plane; ++k)
      y[k] = activate(a, y[k] + (alpha2 == 0 ? T(0) : alpha2 * z[k]) + b);
  });
}

} // namespace

cudnnStatus_t cudnnConvolutionBiasActivationForward(
    cudnnHandle_t handle, const void *alpha1, const cudnnTensorDescriptor_t x_desc, const void *x,
    const cudnnFilterDescriptor_t w_desc, const void *w,
    const cudnnConvolutionDescriptor_t convolution, cudnnConvolutionFwdAlgo_t algorithm, void *,
    size_t, const void *alpha2, const cudnnTensorDescriptor_t z_desc, const void *z,
    const cudnnTensorDescriptor_t bias_desc, const void *bias,
    const cudnnActivationDescriptor_t activation, const cudnnTensorDescriptor_t y_desc, void *y) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Convolution c = live(convolution);
    const Activation a = live(activation);
    const ConvolutionTensors t{contents(x_desc), contents(w_desc), contents(y_desc)};
    const Tensor zt = contents(z_desc), bt = contents(bias_desc);
    checkConvolution(c, t);
    needSameShape(zt, t.y);
    need(bt.count() == t.y.dim[1] && bt.n > 1 && bt.dim[1] == bt.count(),
         "the bias has not one element a channel");
    need(unsigned(algorithm) < CUDNN_CONVOLUTION_FWD_ALGO_COUNT, "there is no such algorithm");
    needPointers(x, w, y, bias);
    const double first = scalar(alpha1, t.y.type), second = scalar(alpha2, t.y.type);
    need(second == 0 || z, "a pointer is null");
    run(handle, name, [=] {
      byWidth(isWide(t.x.type) || isWide(t.y.type), [&]<typename T>() {
        const Tensor packed = packedLike(t.y, std::is_same_v<T, double>);
        const In<T> b(bt, bias), add(second == 0 ? packedTensor(typeOf<T>(), {0}) : zt, z);
        Out<T> out(t.y, y, {}, {x, w, z});
        convolve(Pass::forward, c, {t.x, t.w, packed}, const_cast<void *>(x), const_cast<void *>(w),
                 out.data(), {first, 0});
        addAndActivate<T>(a, packed, out.data(), T(second), add.data(), b.data());
        out.finish();
      });
    });
  });
}

cudnnStatus_t cudnnConvolutionBackwardBias(cudnnHandle_t handle, const void *alpha,
                                           const cudnnTensorDescriptor_t dy_desc, const void *dy,
                                           const void *beta, const cudnnTensorDescriptor_t db_desc,
                                           void *db) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Tensor yt = contents(dy_desc), bt = contents(db_desc);
    need(yt.n > 1 && bt.n == yt.n && bt.dim[1] == yt.dim[1] && bt.count() == bt.dim[1],
         "the bias has not one element a channel");
    needPointers(dy, db);
    const Blend blend(alpha, beta, bt.type);
    run(handle, name, [=] {
      byWidth(isWide(yt.type) || isWide(bt.type), [&]<typename T>() {
        const In<T> above(yt, dy);
        Out<T> out(bt, db, blend);
        reduceTensor<T>(CUDNN_REDUCE_TENSOR_ADD, true, yt, above.data(), bt, out.data());
        out.finish();
      });
    });
  });
}

cudnnStatus_t cudnnIm2Col(cudnnHandle_t handle, const cudnnTensorDescriptor_t x_desc, const void *x,
                          const cudnnFilterDescriptor_t w_desc,
                          const cudnnConvolutionDescriptor_t convolution, void *columns) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Convolution c = live(convolution);
    const Tensor xt = contents(x_desc), wt = contents(w_desc);
    const Dims out = convolutionOutput(c, xt, wt);
    supported(c.n == 2, "im2col is for two spatial dimensions");
    needPointers(x, columns);
    // A row for each channel and tap, a column for each output of each image.
    const int64_t taps = wt.dim[2] * wt.dim[3], plane = out[2] * out[3];
    const Tensor ct = packedTensor(xt.type, {xt.dim[1] * taps, xt.dim[0] * plane});
    run(handle, name, [=] {
      byWidth(isWide(xt.type), [&]<typename T>() {
        const In<T> in(xt, x);
        Out<T> to(ct, columns);
        parallelEach(ct.dim[0], 1, [&](int64_t row) {
          const int64_t channel = row / taps, kh = row % taps / wt.dim[3], kw = row % wt.dim[3];
          for (int64_t i = 0; i < ct.dim[1]; ++i) {
            const int64_t image = i / plane, oh = i % plane / out[3], ow = i % out[3];
            const int64_t h = oh * c.stride[0] - c.pad[0] + kh * c.dilation[0],
                          w = ow * c.stride[1] - c.pad[1] + kw * c.dilation[1];
            const bool inside = h >= 0 && h < xt.dim[2] && w >= 0 && w < xt.dim[3];
            const int64_t from = ((image * xt.dim[1] + channel) * xt.dim[2] + h) * xt.dim[3] + w;
            to[row * ct.dim[1] + i] = inside ? in[from] : T(0);
          }
        });
        to.finish();
      });
    });
  });
}

cudnnStatus_t cudnnReorderFilterAndBias(cudnnHandle_t handle, const cudnnFilterDescriptor_t w_desc,
                                        cudnnReorderType_t reorder, const void *w, void *reordered,
                                        int has_bias, const void *bias, void *reordered_bias) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Tensor wt = contents(w_desc);
    need(unsigned(reorder) <= CUDNN_NO_REORDER, "there is no such order");
    needPointers(w, reordered);
    need(!has_bias || (bias && reordered_bias), "a pointer is null");
    // The order is the library's own affair; this library's is the program's.
    const size_t bytes = wt.bytes(), bias_bytes = has_bias ? size_t(wt.dim[0]) * sizeof(float) : 0;
    run(handle, name, [=] {
      std::memcpy(reordered, w, bytes);
      if (bias_bytes)
        std::memcpy(reordered_bias, bias, bias_bytes);
    });
  });
}
