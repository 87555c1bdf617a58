// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuDNN's convolutions, and those of one channel each, by ATen's convolution (oneDNN).
#include "kernels.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/relu.h>

namespace heddle::aten {
namespace {

using at::IntArrayRef;
using at::Tensor;
using MaybeTensor = std::optional<Tensor>;

std::vector<int64_t> zeros(IntArrayRef Like) { return std::vector<int64_t>(Like.size(), 0); }

Tensor forward(const Tensor &Input, const Tensor &Weight, const MaybeTensor &Bias,
               IntArrayRef Stride, IntArrayRef Padding, IntArrayRef Dilation, int64_t Groups) {
  return at::convolution(Input, Weight, Bias, Stride, Padding, Dilation, /*transposed=*/false,
                         zeros(Padding), Groups);
}

Tensor cudnnConvolution(const Tensor &Input, const Tensor &Weight, IntArrayRef Padding,
                        IntArrayRef Stride, IntArrayRef Dilation, int64_t Groups, bool, bool,
                        bool) {
  return forward(Input, Weight, {}, Stride, Padding, Dilation, Groups);
}

Tensor &cudnnConvolutionOut(const Tensor &Input, const Tensor &Weight, IntArrayRef Padding,
                            IntArrayRef Stride, IntArrayRef Dilation, int64_t Groups, bool, bool,
                            bool, Tensor &Out) {
  const Tensor Result = forward(Input, Weight, {}, Stride, Padding, Dilation, Groups);
  Out.resize_(Result.sizes());
  return Out.copy_(Result);
}

Tensor cudnnConvolutionTranspose(const Tensor &Input, const Tensor &Weight, IntArrayRef Padding,
                                 IntArrayRef OutputPadding, IntArrayRef Stride,
                                 IntArrayRef Dilation, int64_t Groups, bool, bool, bool) {
  return at::convolution(Input, Weight, {}, Stride, Padding, Dilation, /*transposed=*/true,
                         OutputPadding, Groups);
}

Tensor cudnnConvolutionRelu(const Tensor &Input, const Tensor &Weight, const MaybeTensor &Bias,
                            IntArrayRef Stride, IntArrayRef Padding, IntArrayRef Dilation,
                            int64_t Groups) {
  return forward(Input, Weight, Bias, Stride, Padding, Dilation, Groups).relu_();
}

Tensor cudnnConvolutionAddRelu(const Tensor &Input, const Tensor &Weight, const Tensor &Z,
                               const std::optional<at::Scalar> &Alpha, const MaybeTensor &Bias,
                               IntArrayRef Stride, IntArrayRef Padding, IntArrayRef Dilation,
                               int64_t Groups) {
  return forward(Input, Weight, Bias, Stride, Padding, Dilation, Groups)
      .add_(Z, Alpha.value_or(1))
      .relu_();
}

Tensor depthwise(const Tensor &Input, const Tensor &Weight, IntArrayRef, const MaybeTensor &Bias,
                 IntArrayRef Stride, IntArrayRef Padding, IntArrayRef Dilation) {
  return forward(Input, Weight, Bias, Stride, Padding, Dilation, Input.size(1));
}

} // namespace

OnlyCudaKernels convolutionKernels() {
  return {
      {"aten::cudnn_convolution", onlyCuda<&cudnnConvolution>()},
      {"aten::cudnn_convolution.out", onlyCuda<&cudnnConvolutionOut>()},
      {"aten::cudnn_convolution_transpose", onlyCuda<&cudnnConvolutionTranspose>()},
      {"aten::cudnn_convolution_relu", onlyCuda<&cudnnConvolutionRelu>()},
      {"aten::cudnn_convolution_add_relu", onlyCuda<&cudnnConvolutionAddRelu>()},
      {"aten::_conv_depthwise2d", onlyCuda<&depthwise>()},
      {"aten::conv_depthwise3d", onlyCuda<&depthwise>()},
  };
}

} // namespace heddle::aten
