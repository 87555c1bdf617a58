// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests of cuDNN share: memory that both sides see, descriptors that destroy themselves,
// gradients checked by finite differences.
#pragma once

#include "../check.h"

#include <algorithm>
#include <cudnn.h>
#include <functional>
#include <vector>

#define OK(call) CHECK_EQ(call, CUDNN_STATUS_SUCCESS)
/// Version 9 has several statuses of a category; both versions' are accepted.
#define BAD(call) CHECK(isBad(call))
#define UNSUPPORTED(call) CHECK(isUnsupported(call))

inline bool isBad(cudnnStatus_t status) {
#if CUDNN_MAJOR >= 9
  return status / 1000 == 2 || status == CUDNN_STATUS_NOT_INITIALIZED;
#else
  return status == CUDNN_STATUS_BAD_PARAM || status == CUDNN_STATUS_NOT_INITIALIZED;
#endif
}
inline bool isUnsupported(cudnnStatus_t status) {
#if CUDNN_MAJOR >= 9
  return status / 1000 == 3;
#else
  return status == CUDNN_STATUS_NOT_SUPPORTED;
#endif
}

/// Numbers that look random, in -1 to 1, by a formula.
inline double number(long long i, int seed = 0) {
  unsigned x = unsigned(i) * 2654435761u + unsigned(seed) * 40503u + 12345u;
  x ^= x >> 15;
  x *= 2246822519u;
  x ^= x >> 13;
  return double(x % 20001) / 10000 - 1;
}

/// Memory of the device that the host reads and writes, too, once it has waited.
template <class T> struct Array {
  T *data = nullptr;
  size_t count;
  explicit Array(size_t n, int seed = -1) : count(n) {
    CHECK_CUDA(cudaMallocManaged(&data, std::max<size_t>(n, 1) * sizeof(T)));
    for (size_t i = 0; i < n; ++i)
      data[i] = seed < 0 ? T(0) : T(number((long long)i, seed));
  }
  Array(const Array &) = delete;
  ~Array() { CHECK_CUDA(cudaFree(data)); }
  operator T *() { return data; }
  T &operator[](size_t i) { return data[i]; }
  std::vector<double> values() const {
    CHECK_CUDA(cudaDeviceSynchronize());
    return std::vector<double>(data, data + count);
  }
  void set(const std::vector<double> &v) {
    CHECK_CUDA(cudaDeviceSynchronize());
    for (size_t i = 0; i < count; ++i)
      data[i] = T(v[i]);
  }
};

#define DESCRIPTOR(Name, Type)                                                                     \
  struct Name {                                                                                    \
    Type d = nullptr;                                                                              \
    Name() { OK(cudnnCreate##Name(&d)); }                                                          \
    Name(const Name &) = delete;                                                                   \
    ~Name() { OK(cudnnDestroy##Name(d)); }                                                         \
    operator Type() const { return d; }                                                            \
  };
DESCRIPTOR(TensorDescriptor, cudnnTensorDescriptor_t)
DESCRIPTOR(FilterDescriptor, cudnnFilterDescriptor_t)
DESCRIPTOR(ConvolutionDescriptor, cudnnConvolutionDescriptor_t)
DESCRIPTOR(PoolingDescriptor, cudnnPoolingDescriptor_t)
DESCRIPTOR(ActivationDescriptor, cudnnActivationDescriptor_t)
DESCRIPTOR(OpTensorDescriptor, cudnnOpTensorDescriptor_t)
DESCRIPTOR(ReduceTensorDescriptor, cudnnReduceTensorDescriptor_t)
DESCRIPTOR(TensorTransformDescriptor, cudnnTensorTransformDescriptor_t)
DESCRIPTOR(LRNDescriptor, cudnnLRNDescriptor_t)
DESCRIPTOR(DropoutDescriptor, cudnnDropoutDescriptor_t)
DESCRIPTOR(SpatialTransformerDescriptor, cudnnSpatialTransformerDescriptor_t)
DESCRIPTOR(CTCLossDescriptor, cudnnCTCLossDescriptor_t)
DESCRIPTOR(RNNDescriptor, cudnnRNNDescriptor_t)
DESCRIPTOR(RNNDataDescriptor, cudnnRNNDataDescriptor_t)

template <class T> struct DataType;
template <> struct DataType<float> {
  static constexpr cudnnDataType_t value = CUDNN_DATA_FLOAT;
};
template <> struct DataType<double> {
  static constexpr cudnnDataType_t value = CUDNN_DATA_DOUBLE;
};

struct Tensor4 : TensorDescriptor {
  Tensor4(cudnnDataType_t type, int n, int c, int h, int w,
          cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW) {
    OK(cudnnSetTensor4dDescriptor(d, format, type, n, c, h, w));
  }
};
struct TensorN : TensorDescriptor {
  TensorN(cudnnDataType_t type, std::vector<int> dims) {
    std::vector<int> strides(dims.size(), 1);
    for (size_t i = dims.size() - 1; i > 0; --i)
      strides[i - 1] = strides[i] * dims[i];
    OK(cudnnSetTensorNdDescriptor(d, type, int(dims.size()), dims.data(), strides.data()));
  }
};

template <class T>
void compare(const Array<T> &actual, const std::vector<double> &expected, double allowed) {
  const auto v = actual.values();
  CHECK_EQ(v.size(), expected.size());
  for (size_t i = 0; i < v.size(); ++i)
    CHECK_NEAR(v[i], expected[i], allowed * std::max(1.0, std::fabs(expected[i])));
}

/// Whether `gradient` is that of the sum of y times `weights` by x, where `forward` makes y of x.
inline void checkGradient(Array<double> &x, Array<double> &y, const std::vector<double> &weights,
                          const std::vector<double> &gradient, const std::function<void()> &forward,
                          double allowed = 1e-6) {
  const auto loss = [&] {
    forward();
    const auto v = y.values();
    double sum = 0;
    for (size_t i = 0; i < v.size(); ++i)
      sum += v[i] * weights[i];
    return sum;
  };
  const size_t step = std::max<size_t>(1, x.count / 17); // a sample is enough
  for (size_t i = 0; i < x.count; i += step) {
    const double kept = x[i], h = 1e-5;
    x[i] = kept + h;
    const double above = loss();
    x[i] = kept - h;
    const double below = loss();
    x[i] = kept;
    CHECK_NEAR(gradient[i], (above - below) / (2 * h),
               allowed * std::max(1.0, std::fabs(gradient[i])));
  }
  forward();
}
