// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptors of tensors and filters.
#include "tensor.h"

#include "elements.h"

#include <cstring>

namespace heddle::cudnn {

int64_t Tensor::count() const {
  int64_t all = n > 0;
  for (int i = 0; i < n; ++i)
    all *= dim[size_t(i)];
  return all;
}

int64_t Tensor::span() const {
  int64_t last = 0;
  for (int i = 0; i < n; ++i)
    last += (i == 1 && vect > 1 ? dim[size_t(i)] / vect - 1 : dim[size_t(i)] - 1) *
            std::abs(stride[size_t(i)]);
  return last + vect;
}

size_t Tensor::bytes() const { return size_t(span()) * (sizeOf(type) / size_t(vect)); }

bool Tensor::isPacked() const {
  int64_t expected = 1;
  for (int i = n - 1; i >= 0; --i) {
    if (dim[size_t(i)] != 1 && stride[size_t(i)] != expected)
      return false;
    expected *= dim[size_t(i)];
  }
  return vect == 1;
}

int64_t Tensor::spatial() const {
  int64_t all = 1;
  for (int i = 2; i < n; ++i)
    all *= dim[size_t(i)];
  return all;
}

size_t sizeOf(cudnnDataType_t type) {
  switch (type) {
  case CUDNN_DATA_DOUBLE:
  case CUDNN_DATA_INT64:
    return 8;
  case CUDNN_DATA_FLOAT:
  case CUDNN_DATA_INT32:
  case CUDNN_DATA_INT8x4:
  case CUDNN_DATA_UINT8x4:
    return 4;
  case CUDNN_DATA_HALF:
  case CUDNN_DATA_BFLOAT16:
    return 2;
  case CUDNN_DATA_INT8x32:
    return 32;
  default:
    return 1;
  }
}

bool isKnown(cudnnDataType_t type) { return unsigned(type) <= CUDNN_DATA_FP4_E2M1; }

void needKnown(cudnnDataType_t type) {
  need(isKnown(type), "there is no such data type");
  supported(type < CUDNN_DATA_FP8_E4M3,
            "tensors of 8- and 4-bit floating-point numbers are not supported");
}

bool isWide(cudnnDataType_t type) {
  return type != CUDNN_DATA_FLOAT && type != CUDNN_DATA_HALF && type != CUDNN_DATA_BFLOAT16;
}

namespace {

int vectorLength(cudnnDataType_t type) {
  return type == CUDNN_DATA_INT8x32
             ? 32
             : (type == CUDNN_DATA_INT8x4 || type == CUDNN_DATA_UINT8x4 ? 4 : 1);
}

Tensor begin(cudnnDataType_t type, int n, const int *dim, int least) {
  needKnown(type);
  needPointers(dim);
  need(n >= least && n <= max_dims, "the number of dimensions is out of range",
       n > max_dims ? CUDNN_STATUS_NOT_SUPPORTED : CUDNN_STATUS_BAD_PARAM);
  Tensor t;
  t.type = type;
  t.n = n;
  t.set = true;
  int64_t count = 1;
  for (int i = 0; i < n; ++i) {
    need(dim[i] > 0, "a dimension is not positive");
    t.dim[size_t(i)] = dim[i];
    supported(!__builtin_mul_overflow(count, int64_t(dim[i]), &count) && count < int64_t(1) << 40,
              "the tensor is too large");
  }
  return t;
}

void setStrides(Tensor &t, const int *order) {
  int64_t step = t.vect;
  for (int i = t.n - 1; i >= 0; --i) {
    const size_t d = size_t(order[i]);
    t.stride[d] = step;
    step *= d == 1 ? t.dim[d] / t.vect : t.dim[d];
  }
}

} // namespace

Tensor makeTensor(cudnnDataType_t type, cudnnTensorFormat_t format, int n, const int *dim) {
  need(unsigned(format) <= CUDNN_TENSOR_NCHW_VECT_C, "there is no such format");
  Tensor t = begin(type, n, dim, 1);
  int order[max_dims];
  for (int i = 0; i < n; ++i)
    order[i] = i;
  if (format == CUDNN_TENSOR_NHWC && n > 2) {
    for (int i = 1; i < n - 1; ++i)
      order[i] = i + 1;
    order[n - 1] = 1;
  }
  t.vect = vectorLength(type);
  need((format == CUDNN_TENSOR_NCHW_VECT_C) == (t.vect > 1),
       "vectors of elements go with the format CUDNN_TENSOR_NCHW_VECT_C");
  need(t.vect == 1 || (n > 1 && dim[1] % t.vect == 0), "the channels are no whole vectors");
  setStrides(t, order);
  return t;
}

Tensor packedLike(const Tensor &t, bool wide) {
  Tensor p = t;
  p.type = wide ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
  p.vect = 1;
  int64_t step = 1;
  for (int i = t.n - 1; i >= 0; --i) {
    p.stride[size_t(i)] = step;
    step *= t.dim[size_t(i)];
  }
  return p;
}

Tensor packedTensor(cudnnDataType_t type, std::initializer_list<int64_t> dims) {
  Tensor t;
  t.type = type;
  t.set = true;
  for (const int64_t d : dims)
    t.dim[size_t(t.n++)] = d;
  const Tensor p = packedLike(t, false);
  t.stride = p.stride;
  return t;
}

Tensor contents(const cudnnTensorStruct *descriptor) {
  const Tensor &t = live(descriptor);
  need(t.set, "a tensor descriptor was not set");
  return t;
}
Tensor contents(const cudnnFilterStruct *descriptor) {
  const Tensor &t = live(descriptor);
  need(t.set, "a filter descriptor was not set");
  return t;
}

void needSameShape(const Tensor &a, const Tensor &b) {
  need(a.sameShape(b), "the dimensions of two tensors differ");
}

} // namespace heddle::cudnn

using namespace heddle::cudnn;

HEDDLE_CUDNN_DESCRIPTOR(TensorDescriptor, cudnnTensorStruct)
HEDDLE_CUDNN_DESCRIPTOR(FilterDescriptor, cudnnFilterStruct)

namespace {

template <typename D> void assign(D &descriptor, const Tensor &t, cudnnTensorFormat_t format) {
  static_cast<Tensor &>(descriptor) = t;
  descriptor.format = format;
}

Tensor strided(cudnnDataType_t type, int n, const int *dim, const int *stride) {
  needPointers(dim, stride);
  Tensor t = makeTensor(type, CUDNN_TENSOR_NCHW, n, dim);
  for (int i = 0; i < n; ++i) {
    need(stride[i] > 0 || dim[i] == 1, "a stride is not positive");
    t.stride[size_t(i)] = stride[i];
  }
  return t;
}

template <typename T> void giveAll(T *to, const Dims &from, int count) {
  if (to)
    for (int i = 0; i < count; ++i)
      to[i] = T(from[size_t(i)]);
}

} // namespace

cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t descriptor,
                                         cudnnTensorFormat_t format, cudnnDataType_t type, int n,
                                         int c, int h, int w) {
  return call(__func__, [&] {
    const int dim[] = {n, c, h, w};
    assign(live(descriptor), makeTensor(type, format, 4, dim), format);
  });
}

cudnnStatus_t cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t descriptor, cudnnDataType_t type,
                                           int n, int c, int h, int w, int n_stride, int c_stride,
                                           int h_stride, int w_stride) {
  return call(__func__, [&] {
    const int dim[] = {n, c, h, w}, stride[] = {n_stride, c_stride, h_stride, w_stride};
    assign(live(descriptor), strided(type, 4, dim, stride), CUDNN_TENSOR_NCHW);
  });
}

cudnnStatus_t cudnnGetTensor4dDescriptor(const cudnnTensorDescriptor_t descriptor,
                                         cudnnDataType_t *type, int *n, int *c, int *h, int *w,
                                         int *n_stride, int *c_stride, int *h_stride,
                                         int *w_stride) {
  return call(__func__, [&] {
    const Tensor t = contents(descriptor);
    need(t.n == 4, "the tensor has not 4 dimensions");
    give(type, t.type);
    int *const dims[] = {n, c, h, w}, *const strides[] = {n_stride, c_stride, h_stride, w_stride};
    for (size_t i = 0; i < 4; ++i) {
      give(dims[i], t.dim[i]);
      give(strides[i], t.stride[i]);
    }
  });
}

cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t descriptor, cudnnDataType_t type,
                                         int n, const int dim[], const int stride[]) {
  return call(__func__,
              [&] { assign(live(descriptor), strided(type, n, dim, stride), CUDNN_TENSOR_NCHW); });
}

cudnnStatus_t cudnnSetTensorNdDescriptorEx(cudnnTensorDescriptor_t descriptor,
                                           cudnnTensorFormat_t format, cudnnDataType_t type, int n,
                                           const int dim[]) {
  return call(__func__,
              [&] { assign(live(descriptor), makeTensor(type, format, n, dim), format); });
}

cudnnStatus_t cudnnGetTensorNdDescriptor(const cudnnTensorDescriptor_t descriptor, int requested,
                                         cudnnDataType_t *type, int *n, int dim[], int stride[]) {
  return call(__func__, [&] {
    const Tensor t = contents(descriptor);
    need(requested >= 0 && requested <= max_dims, "the requested dimensions are out of range");
    give(type, t.type);
    give(n, t.n);
    giveAll(dim, t.dim, std::min(requested, t.n));
    giveAll(stride, t.stride, std::min(requested, t.n));
  });
}

cudnnStatus_t cudnnGetTensorSizeInBytes(const cudnnTensorDescriptor_t descriptor, size_t *size) {
  return call(__func__, [&] {
    needPointers(size);
    *size = contents(descriptor).bytes();
  });
}

cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t descriptor, cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int k, int c, int h, int w) {
  return call(__func__, [&] {
    const int dim[] = {k, c, h, w};
    assign(live(descriptor), makeTensor(type, format, 4, dim), format);
  });
}

cudnnStatus_t cudnnGetFilter4dDescriptor(const cudnnFilterDescriptor_t descriptor,
                                         cudnnDataType_t *type, cudnnTensorFormat_t *format, int *k,
                                         int *c, int *h, int *w) {
  return call(__func__, [&] {
    const Tensor t = contents(descriptor);
    need(t.n == 4, "the filter has not 4 dimensions");
    give(type, t.type);
    give(format, descriptor->format);
    int *const dims[] = {k, c, h, w};
    for (size_t i = 0; i < 4; ++i)
      give(dims[i], t.dim[i]);
  });
}

cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t descriptor, cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int n, const int dim[]) {
  return call(__func__,
              [&] { assign(live(descriptor), makeTensor(type, format, n, dim), format); });
}

cudnnStatus_t cudnnGetFilterNdDescriptor(const cudnnFilterDescriptor_t descriptor, int requested,
                                         cudnnDataType_t *type, cudnnTensorFormat_t *format, int *n,
                                         int dim[]) {
  return call(__func__, [&] {
    const Tensor t = contents(descriptor);
    need(requested >= 0 && requested <= max_dims, "the requested dimensions are out of range");
    give(type, t.type);
    give(format, descriptor->format);
    give(n, t.n);
    giveAll(dim, t.dim, std::min(requested, t.n));
  });
}

cudnnStatus_t cudnnGetFilterSizeInBytes(const cudnnFilterDescriptor_t descriptor, size_t *size) {
  return call(__func__, [&] {
    needPointers(size);
    *size = contents(descriptor).bytes();
  });
}
