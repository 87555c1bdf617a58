// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors inside the library. A descriptor's contents are a value, `Tensor`, that tasks take with
// them. Operations work on rows of float or double in the order of the dimensions: `In` brings a
// tensor of any type and layout into that form and `Out` takes the result back, with cuDNN's rule
// y = alpha * result + beta * y (cuDNN Developer Guide, "Scaling Parameters"), which reads no y if
// beta is 0. Both work on the program's own memory where it already has that form.
#pragma once

#include "core.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <memory>
#include <vector>

namespace heddle::cudnn {

constexpr int max_dims = CUDNN_DIM_MAX;
using Dims = std::array<int64_t, max_dims>;

struct Tensor {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  int n = 0;
  Dims dim = {}, stride = {};
  int vect = 1; // elements of dimension 1 that lie side by side (CUDNN_TENSOR_NCHW_VECT_C)
  bool set = false;

  int64_t count() const;
  int64_t span() const; // elements from the first to the last one in memory
  size_t bytes() const;
  bool isPacked() const;
  bool sameShape(const Tensor &other) const {
    return n == other.n && std::equal(dim.begin(), dim.begin() + n, other.dim.begin());
  }
  /// Elements of one image's channel: the product of the dimensions from the third on.
  int64_t spatial() const;
};

size_t sizeOf(cudnnDataType_t type);
bool isKnown(cudnnDataType_t type);
/// Refuses types that tensors cannot have.
void needKnown(cudnnDataType_t type);
/// Whether results are computed in double: for double itself and, to be exact, for integers.
bool isWide(cudnnDataType_t type);

/// A tensor of these dimensions, in the order in which they stand or, for NHWC, with the channels
/// last; checked.
Tensor makeTensor(cudnnDataType_t type, cudnnTensorFormat_t format, int n, const int *dim);
/// As `t`, packed, of type float or double.
Tensor packedLike(const Tensor &t, bool wide);
Tensor packedTensor(cudnnDataType_t type, std::initializer_list<int64_t> dims);

} // namespace heddle::cudnn

struct cudnnTensorStruct : heddle::cudnn::Tensor {
  cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW;
};
struct cudnnFilterStruct : cudnnTensorStruct {};

namespace heddle::cudnn {

/// The contents of a descriptor that has been set.
Tensor contents(const cudnnTensorStruct *descriptor);
Tensor contents(const cudnnFilterStruct *descriptor);
void needSameShape(const Tensor &a, const Tensor &b);

/// alpha and beta of a call, which lie on the host: double if the output is, else float.
struct Blend {
  Blend() = default;
  Blend(double a, double b) : alpha(a), beta(b) {}
  Blend(const void *alpha, const void *beta, cudnnDataType_t output);
  double alpha = 1, beta = 0;
};
double scalar(const void *value, cudnnDataType_t output);

template <typename T> void readElements(const Tensor &from, const void *data, T *to);
template <typename T>
void writeElements(const Tensor &to, void *data, const T *from, const Blend &blend);

/// Memory for `count` elements that is not written before it is used.
template <typename T> class Buffer {
public:
  explicit Buffer(int64_t count) : data_(new T[size_t(std::max<int64_t>(count, 1))]) {}
  Buffer(int64_t count, T value) : Buffer(count) { std::fill_n(data_.get(), count, value); }
  T *data() const { return data_.get(); }
  T &operator[](int64_t i) const { return data_[size_t(i)]; }

private:
  std::unique_ptr<T[]> data_;
};

template <typename T> constexpr cudnnDataType_t typeOf() {
  return std::is_same_v<T, double> ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
}

template <typename T> class In {
public:
  In(const Tensor &tensor, const void *data) {
    if (tensor.type == typeOf<T>() && tensor.isPacked()) {
      data_ = static_cast<const T *>(data);
    } else {
      own_ = std::make_unique<Buffer<T>>(tensor.count());
      readElements(tensor, data, own_->data());
      data_ = own_->data();
    }
  }
  const T *data() const { return data_; }
  const T &operator[](int64_t i) const { return data_[i]; }

private:
  std::unique_ptr<Buffer<T>> own_;
  const T *data_;
};

template <typename T> class Out {
public:
  /// The result must not be written directly to memory that is also one of the inputs, unless each
  /// element depends on the same place's input only: name those inputs in `apart`.
  Out(const Tensor &tensor, void *data, const Blend &blend = {},
      std::initializer_list<const void *> apart = {})
      : tensor_(tensor), blend_(blend), to_(data) {
    const bool alone = std::find(apart.begin(), apart.end(), data) == apart.end();
    if (tensor.type == typeOf<T>() && tensor.isPacked() && alone && blend.alpha == 1 &&
        blend.beta == 0) {
      data_ = static_cast<T *>(data);
    } else {
      own_ = std::make_unique<Buffer<T>>(tensor.count());
      data_ = own_->data();
    }
  }
  T *data() const { return data_; }
  T &operator[](int64_t i) const { return data_[i]; }
  void finish() {
    if (own_)
      writeElements(tensor_, to_, own_->data(), blend_);
  }

private:
  Tensor tensor_;
  Blend blend_;
  void *to_;
  std::unique_ptr<Buffer<T>> own_;
  T *data_;
};

/// Calls `body` with double or float as its template argument.
template <typename Body> void byWidth(bool wide, Body body) {
  if (wide)
    body.template operator()<double>();
  else
    body.template operator()<float>();
}

/// Where a broadcast tensor's element for a packed position lies: dimensions of 1 are repeated. In
/// groups, any dimension may be a part of the other tensor's, and each element is repeated in
/// place.
class Broadcast {
public:
  Broadcast(const Tensor &small, const Tensor &large, bool groups = false);
  int64_t operator()(int64_t position) const;
  bool isSame() const { return same_; }
  /// From one element to the next along the last dimension: 0 or 1. Not for groups.
  int64_t innerStep() const { return n_ > 0 && repeats_[size_t(n_ - 1)] > 1 ? 0 : 1; }

private:
  int n_;
  bool same_;
  Dims dim_, step_, repeats_;
};

} // namespace heddle::cudnn
