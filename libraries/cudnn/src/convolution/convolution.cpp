// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors of convolutions, and their algorithms. All algorithms of NVIDIA's library are
// accepted and compute the same; how the work is done is oneDNN's choice.
#include "convolution.h"

#include <chrono>
#include <cstring>
#include <cuda_runtime_api.h>

using namespace heddle::cudnn;

HEDDLE_CUDNN_DESCRIPTOR(ConvolutionDescriptor, cudnnConvolutionStruct)

namespace {

void setConvolution(cudnnConvolutionDescriptor_t descriptor, int n, const int *pad,
                    const int *stride, const int *dilation, cudnnConvolutionMode_t mode,
                    cudnnDataType_t type) {
  auto &d = live(descriptor);
  needPointers(pad, stride, dilation);
  need(n > 0 && n <= max_dims - 2, "the number of dimensions is out of range");
  supported(n <= 3, "convolutions of more than three spatial dimensions are not supported");
  need(unsigned(mode) <= CUDNN_CROSS_CORRELATION && isKnown(type), "there is no such mode or type");
  Convolution c;
  c.n = n;
  c.mode = mode;
  c.type = type;
  for (int i = 0; i < n; ++i) {
    need(pad[i] >= 0 && stride[i] > 0 && dilation[i] > 0,
         "a padding is negative, or a stride or dilation is not positive");
    c.pad[i] = c.after[i] = pad[i];
    c.stride[i] = stride[i];
    c.dilation[i] = dilation[i];
  }
  d = c;
}

Convolution convolutionOf(const cudnnConvolutionStruct *descriptor) {
  const Convolution c = live(descriptor);
  need(c.n > 0, "a convolution descriptor was not set");
  return c;
}

} // namespace

cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t descriptor, int pad_h,
                                              int pad_w, int u, int v, int dilation_h,
                                              int dilation_w, cudnnConvolutionMode_t mode,
                                              cudnnDataType_t type) {
  return call(__func__, [&] {
    const int pad[] = {pad_h, pad_w}, stride[] = {u, v}, dilation[] = {dilation_h, dilation_w};
    setConvolution(descriptor, 2, pad, stride, dilation, mode, type);
  });
}

cudnnStatus_t cudnnGetConvolution2dDescriptor(const cudnnConvolutionDescriptor_t descriptor,
                                              int *pad_h, int *pad_w, int *u, int *v,
                                              int *dilation_h, int *dilation_w,
                                              cudnnConvolutionMode_t *mode, cudnnDataType_t *type) {
  return call(__func__, [&] {
    const Convolution c = convolutionOf(descriptor);
    need(c.n == 2, "the convolution has not 2 dimensions");
    give(pad_h, c.pad[0]);
    give(pad_w, c.pad[1]);
    give(u, c.stride[0]);
    give(v, c.stride[1]);
    give(dilation_h, c.dilation[0]);
    give(dilation_w, c.dilation[1]);
    give(mode, c.mode);
    give(type, c.type);
  });
}

cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t descriptor, int n,
                                              const int pad[], const int stride[],
                                              const int dilation[], cudnnConvolutionMode_t mode,
                                              cudnnDataType_t type) {
  return call(__func__, [&] { setConvolution(descriptor, n, pad, stride, dilation, mode, type); });
}

cudnnStatus_t cudnnGetConvolutionNdDescriptor(const cudnnConvolutionDescriptor_t descriptor,
                                              int requested, int *n, int pad[], int stride[],
                                              int dilation[], cudnnConvolutionMode_t *mode,
                                              cudnnDataType_t *type) {
  return call(__func__, [&] {
    const Convolution c = convolutionOf(descriptor);
    need(requested >= 0, "the requested dimensions are negative");
    give(n, c.n);
    give(mode, c.mode);
    give(type, c.type);
    for (int i = 0; i < std::min(requested, c.n); ++i) {
      give(pad ? pad + i : nullptr, c.pad[i]);
      give(stride ? stride + i : nullptr, c.stride[i]);
      give(dilation ? dilation + i : nullptr, c.dilation[i]);
    }
  });
}

#define SETTING(Type, Name, member, valid)                                                         \
  cudnnStatus_t cudnnSetConvolution##Name(cudnnConvolutionDescriptor_t descriptor, Type value) {   \
    return call(__func__, [&] {                                                                    \
      auto &c = live(descriptor);                                                                  \
      need(valid, "there is no such value");                                                       \
      c.member = value;                                                                            \
    });                                                                                            \
  }                                                                                                \
  cudnnStatus_t cudnnGetConvolution##Name(cudnnConvolutionDescriptor_t descriptor, Type *value) {  \
    return call(__func__, [&] {                                                                    \
      needPointers(value);                                                                         \
      *value = live(descriptor).member;                                                            \
    });                                                                                            \
  }
SETTING(cudnnMathType_t, MathType, math, unsigned(value) <= CUDNN_FMA_MATH)
SETTING(int, GroupCount, groups, value > 0)
SETTING(cudnnReorderType_t, ReorderType, reorder, unsigned(value) <= CUDNN_NO_REORDER)

cudnnStatus_t cudnnGetConvolutionNdForwardOutputDim(const cudnnConvolutionDescriptor_t descriptor,
                                                    const cudnnTensorDescriptor_t x_desc,
                                                    const cudnnFilterDescriptor_t w_desc, int n,
                                                    int dims[]) {
  return call(__func__, [&] {
    needPointers(dims);
    const Tensor xt = contents(x_desc);
    need(n == xt.n, "the number of dimensions is not the tensor's");
    const Dims out = convolutionOutput(convolutionOf(descriptor), xt, contents(w_desc));
    for (int i = 0; i < n; ++i)
      dims[i] = int(out[size_t(i)]);
  });
}

cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(const cudnnConvolutionDescriptor_t descriptor,
                                                    const cudnnTensorDescriptor_t x_desc,
                                                    const cudnnFilterDescriptor_t w_desc, int *n,
                                                    int *c, int *h, int *w) {
  return call(__func__, [&] {
    const Tensor xt = contents(x_desc);
    need(xt.n == 4, "the tensor has not 4 dimensions");
    const Dims out = convolutionOutput(convolutionOf(descriptor), xt, contents(w_desc));
    int *const to[] = {n, c, h, w};
    for (size_t i = 0; i < 4; ++i)
      give(to[i], out[i]);
  });
}

cudnnStatus_t cudnnGetFoldedConvBackwardDataDescriptors(
    const cudnnHandle_t handle, const cudnnFilterDescriptor_t, const cudnnTensorDescriptor_t,
    const cudnnConvolutionDescriptor_t, const cudnnTensorDescriptor_t, const cudnnTensorFormat_t,
    cudnnFilterDescriptor_t, cudnnTensorDescriptor_t, cudnnConvolutionDescriptor_t,
    cudnnTensorDescriptor_t, cudnnTensorTransformDescriptor_t, cudnnTensorTransformDescriptor_t,
    cudnnTensorTransformDescriptor_t, cudnnTensorTransformDescriptor_t) {
  return call(__func__, [&] {
    live(handle);
    supported(false, "folded convolutions are not supported; they are no faster on a CPU");
  });
}

namespace heddle::cudnn {
namespace {

// What the three passes' algorithms have in common, in the order in which they are proposed.
struct Forward {
  using Algorithm = cudnnConvolutionFwdAlgo_t;
  using Preference = cudnnConvolutionFwdPreference_t;
  using Performance = cudnnConvolutionFwdAlgoPerf_t;
  static constexpr Pass pass = Pass::forward;
  static constexpr int count = CUDNN_CONVOLUTION_FWD_ALGO_COUNT;
  static constexpr int order[] = {1, 0, 2, 6, 7, 4, 5, 3};
  static constexpr int missing = CUDNN_CONVOLUTION_FWD_ALGO_DIRECT; // NVIDIA has it only as a name
};
struct Data {
  using Algorithm = cudnnConvolutionBwdDataAlgo_t;
  using Preference = cudnnConvolutionBwdDataPreference_t;
  using Performance = cudnnConvolutionBwdDataAlgoPerf_t;
  static constexpr Pass pass = Pass::data;
  static constexpr int count = CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT;
  static constexpr int order[] = {1, 0, 4, 5, 2, 3};
  static constexpr int missing = -1;
};
struct Filter {
  using Algorithm = cudnnConvolutionBwdFilterAlgo_t;
  using Preference = cudnnConvolutionBwdFilterPreference_t;
  using Performance = cudnnConvolutionBwdFilterAlgoPerf_t;
  static constexpr Pass pass = Pass::filter;
  static constexpr int count = CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT;
  static constexpr int order[] = {1, 0, 3, 5, 2, 6, 4};
  static constexpr int missing = CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD; // as above
};

/// Algorithm 0 of each pass needs no workspace, by NVIDIA's documentation. For the others the
/// filter's size is asked for: programs check that something is.
size_t workspaceOf(int algorithm, const ConvolutionTensors &t) {
  return algorithm == 0 ? 0 : t.w.bytes();
}

template <typename K> void checkAlgorithm(int algorithm) {
  need(algorithm >= 0 && algorithm < K::count, "there is no such algorithm");
  supported(algorithm != K::missing, "the algorithm is not supported, as in NVIDIA's library");
}

template <typename K>
size_t workspaceSize(int algorithm, const Convolution &c, const ConvolutionTensors &t) {
  checkConvolution(c, t);
  checkAlgorithm<K>(algorithm);
  return workspaceOf(algorithm, t);
}

template <typename K>
void propose(const Convolution &c, const ConvolutionTensors &t, int requested, int *returned,
             typename K::Performance *results, float milliseconds) {
  needPointers(returned, results);
  need(requested > 0, "no algorithm was requested");
  checkConvolution(c, t);
  *returned = std::min(requested, K::count);
  for (int i = 0; i < *returned; ++i) {
    const bool missing = K::order[i] == K::missing;
    typename K::Performance p = {};
    p.algo = typename K::Algorithm(K::order[i]);
    p.status = missing ? CUDNN_STATUS_NOT_SUPPORTED : CUDNN_STATUS_SUCCESS;
    p.time = missing ? -1 : milliseconds;
    p.memory = workspaceOf(K::order[i], t);
    p.determinism = CUDNN_DETERMINISTIC;
    p.mathType = c.math;
    results[i] = p;
  }
}

/// The first algorithm whose workspace the program allows.
template <typename K>
typename K::Algorithm preferred(const Convolution &c, const ConvolutionTensors &t, int preference,
                                size_t limit) {
  need(preference >= 0 && preference <= 2, "there is no such preference");
  checkConvolution(c, t);
  const size_t allowed = preference == 0 ? 0 : (preference == 1 ? SIZE_MAX : limit);
  for (const int algorithm : K::order)
    if (algorithm != K::missing && workspaceOf(algorithm, t) <= allowed)
      return typename K::Algorithm(algorithm);
  refuse(CUDNN_STATUS_NOT_SUPPORTED, "no algorithm needs as little memory");
}

/// Runs a convolution once on data that the caller has, or on zeros, and says how long it took.
template <typename K>
float measure(cudnnHandle_t handle, const Convolution &c, const ConvolutionTensors &t, void *x,
              void *w, void *y) {
  need(cudaStreamSynchronize(handle->stream) == cudaSuccess, "the stream has failed",
       CUDNN_STATUS_EXECUTION_FAILED);
  std::vector<char> zeros[3];
  const auto memory = [&](void *given, const Tensor &tensor, int i) {
    if (given)
      return given;
    zeros[i].resize(tensor.bytes());
    return static_cast<void *>(zeros[i].data());
  };
  void *const a = memory(x, t.x, 0), *const b = memory(w, t.w, 1), *const r = memory(y, t.y, 2);
  convolve(K::pass, c, t, a, b, r, {}); // the first run also prepares
  const auto start = std::chrono::steady_clock::now();
  convolve(K::pass, c, t, a, b, r, {});
  const std::chrono::duration<float, std::milli> time = std::chrono::steady_clock::now() - start;
  return time.count();
}

template <typename K>
void convolveOnStream(cudnnHandle_t handle, const char *name, const Convolution &c, int algorithm,
                      const ConvolutionTensors &t, const void *x, const void *w, const void *y,
                      const void *workspace, size_t bytes, const Blend &blend) {
  checkConvolution(c, t);
  checkAlgorithm<K>(algorithm);
  needPointers(x, w, y);
  const size_t wanted = workspaceOf(algorithm, t);
  need(bytes >= wanted && (workspace || !wanted),
       "the workspace is smaller than the algorithm was said to need");
  run(handle, name, [=] {
    convolve(K::pass, c, t, const_cast<void *>(x), const_cast<void *>(w), const_cast<void *>(y),
             blend);
  });
}

} // namespace
} // namespace heddle::cudnn

#define MAX_COUNT(Name, K)                                                                         \
  cudnnStatus_t cudnnGetConvolution##Name##AlgorithmMaxCount(cudnnHandle_t handle, int *count) {   \
    return call(__func__, [&] {                                                                    \
      live(handle);                                                                                \
      needPointers(count);                                                                         \
      *count = K::count;                                                                           \
    });                                                                                            \
  }
MAX_COUNT(Forward, Forward)
MAX_COUNT(BackwardData, Data)
MAX_COUNT(BackwardFilter, Filter)

// The three passes name their tensors in different orders: A, B and C are the parameters as they
// stand, X, W and Y which of them is what.
#define ALGORITHMS(Name, K, A, a, B, b, C, c, X, W, Y, x, w, y)                                    \
  cudnnStatus_t cudnnGetConvolution##Name##Algorithm_v7(                                           \
      cudnnHandle_t handle, const A a##_desc, const B b##_desc,                                    \
      const cudnnConvolutionDescriptor_t convolution, const C c##_desc, const int requested,       \
      int *returned, K::Performance *results) {                                                    \
    return call(__func__, [&] {                                                                    \
      live(handle);                                                                                \
      propose<K>(convolutionOf(convolution), {contents(X), contents(W), contents(Y)}, requested,   \
                 returned, results, -1);                                                           \
    });                                                                                            \
  }                                                                                                \
  cudnnStatus_t cudnnGetConvolution##Name##Algorithm(                                              \
      cudnnHandle_t handle, const A a##_desc, const B b##_desc,                                    \
      const cudnnConvolutionDescriptor_t convolution, const C c##_desc, K::Preference preference,  \
      size_t limit, K::Algorithm *algorithm) {                                                     \
    return call(__func__, [&] {                                                                    \
      live(handle);                                                                                \
      needPointers(algorithm);                                                                     \
      *algorithm = preferred<K>(convolutionOf(convolution),                                        \
                                {contents(X), contents(W), contents(Y)}, preference, limit);       \
    });                                                                                            \
  }                                                                                                \
  cudnnStatus_t cudnnFindConvolution##Name##Algorithm(                                             \
      cudnnHandle_t handle, const A a##_desc, const B b##_desc,                                    \
      const cudnnConvolutionDescriptor_t convolution, const C c##_desc, const int requested,       \
      int *returned, K::Performance *results) {                                                    \
    return call(__func__, [&] {                                                                    \
      live(handle);                                                                                \
      const Convolution d = convolutionOf(convolution);                                            \
      const ConvolutionTensors t{contents(X), contents(W), contents(Y)};                           \
      checkConvolution(d, t);                                                                      \
      propose<K>(d, t, requested, returned, results,                                               \
                 measure<K>(handle, d, t, nullptr, nullptr, nullptr));                             \
    });                                                                                            \
  }                                                                                                \
  cudnnStatus_t cudnnGetConvolution##Name##WorkspaceSize(                                          \
      cudnnHandle_t handle, const A a##_desc, const B b##_desc,                                    \
      const cudnnConvolutionDescriptor_t convolution, const C c##_desc, K::Algorithm algorithm,    \
      size_t *bytes) {                                                                             \
    return call(__func__, [&] {                                                                    \
      live(handle);                                                                                \
      needPointers(bytes);                                                                         \
      *bytes = workspaceSize<K>(algorithm, convolutionOf(convolution),                             \
                                {contents(X), contents(W), contents(Y)});                          \
    });                                                                                            \
  }                                                                                                \
  cudnnStatus_t cudnnFindConvolution##Name##AlgorithmEx(                                           \
      cudnnHandle_t handle, const A a##_desc, const void *a, const B b##_desc, const void *b,      \
      const cudnnConvolutionDescriptor_t convolution, const C c##_desc, void *c,                   \
      const int requested, int *returned, K::Performance *results, void *, size_t) {               \
    return call(__func__, [&] {                                                                    \
      live(handle);                                                                                \
      needPointers(a, b, c);                                                                       \
      const Convolution d = convolutionOf(convolution);                                            \
      const ConvolutionTensors t{contents(X), contents(W), contents(Y)};                           \
      checkConvolution(d, t);                                                                      \
      propose<K>(d, t, requested, returned, results,                                               \
                 measure<K>(handle, d, t, const_cast<void *>(x), const_cast<void *>(w),            \
                            const_cast<void *>(y)));                                               \
    });                                                                                            \
  }                                                                                                \
  cudnnStatus_t cudnnConvolution##Name(                                                            \
      cudnnHandle_t handle, const void *alpha, const A a##_desc, const void *a, const B b##_desc,  \
      const void *b, const cudnnConvolutionDescriptor_t convolution, K::Algorithm algorithm,       \
      void *workspace, size_t bytes, const void *beta, const C c##_desc, void *c) {                \
    return call(__func__, [&, name = __func__] {                                                   \
      live(handle);                                                                                \
      const ConvolutionTensors t{contents(X), contents(W), contents(Y)};                           \
      convolveOnStream<K>(handle, name, convolutionOf(convolution), algorithm, t, x, w, y,         \
                          workspace, bytes, Blend(alpha, beta, contents(c##_desc).type));          \
    });                                                                                            \
  }
#define T cudnnTensorDescriptor_t
#define F cudnnFilterDescriptor_t
ALGORITHMS(Forward, Forward, T, x, F, w, T, y, x_desc, w_desc, y_desc, x, w, y)
ALGORITHMS(BackwardData, Data, F, w, T, dy, T, dx, dx_desc, w_desc, dy_desc, dx, w, dy)
ALGORITHMS(BackwardFilter, Filter, T, x, T, dy, F, dw, x_desc, dw_desc, dy_desc, x, dw, dy)
#undef T
#undef F
