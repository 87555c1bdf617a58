// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of batch normalisation, and the general ones, which do the same.
#include "normalization.h"

namespace heddle::cudnn {
namespace {

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

NormKind kindOf(bool by_channel, int ops, double epsilon, const cudnnActivationStruct *activation) {
  need(ops >= 0 && ops <= 2, "there is no such operation");
  need(epsilon >= CUDNN_BN_MIN_EPSILON, "epsilon is negative");
  NormKind k{by_channel, ops, epsilon, {}};
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

void train(cudnnHandle_t handle, const char *name, const NormKind &kind, const NormTraining &t,
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
  run(handle, name,
      [=] { byWidth(wide(t.xt, t.yt), [&]<typename T>() { normForwardTraining<T>(kind, t); }); });
}

void differentiate(cudnnHandle_t handle, const char *name, const NormKind &kind,
                   const NormBackward &t, size_t reserve_bytes) {
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
      [=] { byWidth(wide(t.xt, t.dxt), [&]<typename T>() { normBackward<T>(kind, t); }); });
}

void infer(cudnnHandle_t handle, const char *name, const NormKind &kind, const NormInference &t) {
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
      [=] { byWidth(wide(t.xt, t.yt), [&]<typename T>() { normInference<T>(kind, t); }); });
}

void needOneGroup(int groups) {
  supported(groups == 1, "normalisation by groups is not supported");
}

Tensor contentsIf(bool wanted, const cudnnTensorStruct *descriptor) {
  return wanted ? contents(descriptor) : Tensor();
}

} // namespace
} // namespace heddle::cudnn

using namespace heddle::cudnn;

#define TENSOR const cudnnTensorDescriptor_t

cudnnStatus_t cudnnDeriveBNTensorDescriptor(cudnnTensorDescriptor_t derived, TENSOR x_desc,
                                            cudnnBatchNormMode_t mode) {
  return call(__func__, [&] { derive(derived, contents(x_desc), byChannel(mode)); });
}

cudnnStatus_t cudnnDeriveNormTensorDescriptor(cudnnTensorDescriptor_t scale_bias,
                                              cudnnTensorDescriptor_t mean_variance, TENSOR x_desc,
                                              cudnnNormMode_t mode, int groups) {
  return call(__func__, [&] {
    needOneGroup(groups);
    derive(scale_bias, contents(x_desc), byChannel(mode));
    derive(mean_variance, contents(x_desc), byChannel(mode));
  });
}

cudnnStatus_t cudnnBatchNormalizationForwardInference(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha, const void *beta,
    TENSOR x_desc, const void *x, TENSOR y_desc, void *y, TENSOR p_desc, const void *scale,
    const void *bias, const void *mean, const void *variance, double epsilon) {
  return call(__func__, [&, name = __func__] {
    const Tensor yt = contents(y_desc), pt = contents(p_desc);
    infer(handle, name, kindOf(byChannel(mode), 0, epsilon, nullptr),
          {contents(x_desc),
           {},
           yt,
           pt,
           pt,
           x,
           nullptr,
           y,
           scale,
           bias,
           mean,
           variance,
           Blend(alpha, beta, yt.type)});
  });
}

cudnnStatus_t cudnnNormalizationForwardInference(
    cudnnHandle_t handle, cudnnNormMode_t mode, cudnnNormOps_t ops, cudnnNormAlgo_t,
    const void *alpha, const void *beta, TENSOR x_desc, const void *x, TENSOR p_desc,
    const void *scale, const void *bias, TENSOR m_desc, const void *mean, const void *variance,
    TENSOR z_desc, const void *z, cudnnActivationDescriptor_t activation, TENSOR y_desc, void *y,
    double epsilon, int groups) {
  return call(__func__, [&, name = __func__] {
    needOneGroup(groups);
    const Tensor yt = contents(y_desc);
    infer(handle, name, kindOf(byChannel(mode), ops, epsilon, activation),
          {contents(x_desc), contentsIf(ops == 2, z_desc), yt, contents(p_desc), contents(m_desc),
           x, z, y, scale, bias, mean, variance, Blend(alpha, beta, yt.type)});
  });
}

cudnnStatus_t cudnnBatchNormalizationForwardTraining(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha, const void *beta,
    TENSOR x_desc, const void *x, TENSOR y_desc, void *y, TENSOR p_desc, const void *scale,
    const void *bias, double factor, void *running_mean, void *running_variance, double epsilon,
    void *saved_mean, void *saved_inverse) {
  return call(__func__, [&, name = __func__] {
    const Tensor yt = contents(y_desc);
    train(handle, name, kindOf(byChannel(mode), 0, epsilon, nullptr),
          {contents(x_desc),
           {},
           yt,
           contents(p_desc),
           x,
           nullptr,
           y,
           scale,
           bias,
           factor,
           running_mean,
           running_variance,
           saved_mean,
           saved_inverse,
           nullptr,
           Blend(alpha, beta, yt.type)},
          0);
  });
}

cudnnStatus_t cudnnBatchNormalizationForwardTrainingEx(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t ops, const void *alpha,
    const void *beta, TENSOR x_desc, const void *x, TENSOR z_desc, const void *z, TENSOR y_desc,
    void *y, TENSOR p_desc, const void *scale, const void *bias, double factor, void *running_mean,
    void *running_variance, double epsilon, void *saved_mean, void *saved_inverse,
    cudnnActivationDescriptor_t activation, void *, size_t, void *reserve, size_t reserve_bytes) {
  return call(__func__, [&, name = __func__] {
    const Tensor yt = contents(y_desc);
    train(handle, name, kindOf(byChannel(mode), ops, epsilon, activation),
          {contents(x_desc), contentsIf(ops == 2, z_desc), yt, contents(p_desc), x, z, y, scale,
           bias, factor, running_mean, running_variance, saved_mean, saved_inverse, reserve,
           Blend(alpha, beta, yt.type)},
          reserve_bytes);
  });
}

cudnnStatus_t cudnnNormalizationForwardTraining(
    cudnnHandle_t handle, cudnnNormMode_t mode, cudnnNormOps_t ops, cudnnNormAlgo_t,
    const void *alpha, const void *beta, TENSOR x_desc, const void *x, TENSOR p_desc,
    const void *scale, const void *bias, double factor, TENSOR m_desc, void *running_mean,
    void *running_variance, double epsilon, void *saved_mean, void *saved_inverse,
    cudnnActivationDescriptor_t activation, TENSOR z_desc, const void *z, TENSOR y_desc, void *y,
    void *, size_t, void *reserve, size_t reserve_bytes, int groups) {
  return call(__func__, [&, name = __func__] {
    needOneGroup(groups);
    const Tensor yt = contents(y_desc), pt = contents(p_desc);
    needSameShape(pt, contents(m_desc));
    train(handle, name, kindOf(byChannel(mode), ops, epsilon, activation),
          {contents(x_desc), contentsIf(ops == 2, z_desc), yt, pt, x, z, y, scale, bias, factor,
           running_mean, running_variance, saved_mean, saved_inverse, reserve,
           Blend(alpha, beta, yt.type)},
          reserve_bytes);
  });
}

cudnnStatus_t
cudnnBatchNormalizationBackward(cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha,
                                const void *beta, const void *parameter_alpha,
                                const void *parameter_beta, TENSOR x_desc, const void *x,
                                TENSOR dy_desc, const void *dy, TENSOR dx_desc, void *dx,
                                TENSOR p_desc, const void *scale, void *d_scale, void *d_bias,
                                double epsilon, const void *saved_mean, const void *saved_inverse) {
  return call(__func__, [&, name = __func__] {
    const Tensor dxt = contents(dx_desc);
    differentiate(handle, name, kindOf(byChannel(mode), 0, epsilon, nullptr),
                  {contents(x_desc),
                   contents(dy_desc),
                   {},
                   dxt,
                   contents(p_desc),
                   x,
                   dy,
                   nullptr,
                   dx,
                   scale,
                   d_scale,
                   d_bias,
                   saved_mean,
                   saved_inverse,
                   nullptr,
                   Blend(alpha, beta, dxt.type),
                   Blend(parameter_alpha, parameter_beta, dxt.type)},
                  0);
  });
}

cudnnStatus_t cudnnBatchNormalizationBackwardEx(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t ops, const void *alpha,
    const void *beta, const void *parameter_alpha, const void *parameter_beta, TENSOR x_desc,
    const void *x, TENSOR, const void *, TENSOR dy_desc, const void *dy, TENSOR dz_desc, void *dz,
    TENSOR dx_desc, void *dx, TENSOR p_desc, const void *scale, const void *, void *d_scale,
    void *d_bias, double epsilon, const void *saved_mean, const void *saved_inverse,
    cudnnActivationDescriptor_t activation, void *, size_t, void *reserve, size_t reserve_bytes) {
  return call(__func__, [&, name = __func__] {
    const Tensor dxt = contents(dx_desc);
    differentiate(handle, name, kindOf(byChannel(mode), ops, epsilon, activation),
                  {contents(x_desc), contents(dy_desc), contentsIf(ops == 2, dz_desc), dxt,
                   contents(p_desc), x, dy, dz, dx, scale, d_scale, d_bias, saved_mean,
                   saved_inverse, reserve, Blend(alpha, beta, dxt.type),
                   Blend(parameter_alpha, parameter_beta, dxt.type)},
                  reserve_bytes);
  });
}

cudnnStatus_t cudnnNormalizationBackward(
    cudnnHandle_t handle, cudnnNormMode_t mode, cudnnNormOps_t ops, cudnnNormAlgo_t,
    const void *alpha, const void *beta, const void *parameter_alpha, const void *parameter_beta,
    TENSOR x_desc, const void *x, TENSOR, const void *, TENSOR dy_desc, const void *dy,
    TENSOR dz_desc, void *dz, TENSOR dx_desc, void *dx, TENSOR p_desc, const void *scale,
    const void *, void *d_scale, void *d_bias, double epsilon, TENSOR m_desc,
    const void *saved_mean, const void *saved_inverse, cudnnActivationDescriptor_t activation,
    void *, size_t, void *reserve, size_t reserve_bytes, int groups) {
  return call(__func__, [&, name = __func__] {
    needOneGroup(groups);
    const Tensor dxt = contents(dx_desc), pt = contents(p_desc);
    needSameShape(pt, contents(m_desc));
    differentiate(handle, name, kindOf(byChannel(mode), ops, epsilon, activation),
                  {contents(x_desc), contents(dy_desc), contentsIf(ops == 2, dz_desc), dxt, pt, x,
                   dy, dz, dx, scale, d_scale, d_bias, saved_mean, saved_inverse, reserve,
                   Blend(alpha, beta, dxt.type), Blend(parameter_alpha, parameter_beta, dxt.type)},
                  reserve_bytes);
  });
}

// No workspace is needed. The reserve space notes which outputs the activation has let pass.
static void noWorkspace(cudnnHandle_t handle, TENSOR x_desc, size_t *bytes) {
  live(handle);
  needPointers(bytes);
  (void)contents(x_desc);
  *bytes = 0;
}
static void reserveSize(cudnnHandle_t handle, int ops, TENSOR x_desc, size_t *bytes) {
  noWorkspace(handle, x_desc, bytes);
  need(ops >= 0 && ops <= 2, "there is no such operation");
  *bytes = ops == 0 ? 0 : size_t(contents(x_desc).count());
}

cudnnStatus_t cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
    cudnnHandle_t handle, cudnnBatchNormMode_t, cudnnBatchNormOps_t, TENSOR x_desc, TENSOR, TENSOR,
    TENSOR, const cudnnActivationDescriptor_t, size_t *bytes) {
  return call(__func__, [&] { noWorkspace(handle, x_desc, bytes); });
}
cudnnStatus_t cudnnGetBatchNormalizationBackwardExWorkspaceSize(
    cudnnHandle_t handle, cudnnBatchNormMode_t, cudnnBatchNormOps_t, TENSOR x_desc, TENSOR, TENSOR,
    TENSOR, TENSOR, TENSOR, const cudnnActivationDescriptor_t, size_t *bytes) {
  return call(__func__, [&] { noWorkspace(handle, x_desc, bytes); });
}
cudnnStatus_t cudnnGetBatchNormalizationTrainingExReserveSpaceSize(
    cudnnHandle_t handle, cudnnBatchNormMode_t, cudnnBatchNormOps_t ops,
    const cudnnActivationDescriptor_t, TENSOR x_desc, size_t *bytes) {
  return call(__func__, [&] { reserveSize(handle, ops, x_desc, bytes); });
}
cudnnStatus_t cudnnGetNormalizationForwardTrainingWorkspaceSize(
    cudnnHandle_t handle, cudnnNormMode_t, cudnnNormOps_t, cudnnNormAlgo_t, TENSOR x_desc, TENSOR,
    TENSOR, TENSOR, const cudnnActivationDescriptor_t, TENSOR, size_t *bytes, int groups) {
  return call(__func__, [&] {
    needOneGroup(groups);
    noWorkspace(handle, x_desc, bytes);
  });
}
cudnnStatus_t cudnnGetNormalizationBackwardWorkspaceSize(cudnnHandle_t handle, cudnnNormMode_t,
                                                         cudnnNormOps_t, cudnnNormAlgo_t,
                                                         TENSOR x_desc, TENSOR, TENSOR, TENSOR,
                                                         TENSOR, TENSOR,
                                                         const cudnnActivationDescriptor_t, TENSOR,
                                                         size_t *bytes, int groups) {
  return call(__func__, [&] {
    needOneGroup(groups);
    noWorkspace(handle, x_desc, bytes);
  });
}
cudnnStatus_t cudnnGetNormalizationTrainingReserveSpaceSize(cudnnHandle_t handle, cudnnNormMode_t,
                                                            cudnnNormOps_t ops, cudnnNormAlgo_t,
                                                            const cudnnActivationDescriptor_t,
                                                            TENSOR x_desc, size_t *bytes,
                                                            int groups) {
  return call(__func__, [&] {
    needOneGroup(groups);
    reserveSize(handle, ops, x_desc, bytes);
  });
}
