// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuDNN's handles, errors, descriptors, and operations on tensors: copies between layouts and
// types, sums, scaling, broadcasts, reductions.
//
// flags: -std=c++17 -lcudnn

#include "cudnn_check.h"

#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <string>

namespace {

cudnnHandle_t handle;

int told = 0;
void callBack(cudnnSeverity_t, void *data, const cudnnDebug_t *debug, const char *message) {
  told += data == &told && debug && message;
}

void handles() {
  CHECK(cudnnGetVersion() >= 8000);
  CHECK(cudnnGetCudartVersion() >= 11000);
  CHECK(cudnnGetMaxDeviceVersion() >= 700);
  int major = 0;
  OK(cudnnGetProperty(MAJOR_VERSION, &major));
  CHECK_EQ(major, CUDNN_MAJOR);
  CHECK_EQ(std::string(cudnnGetErrorString(CUDNN_STATUS_SUCCESS)), "CUDNN_STATUS_SUCCESS");
  CHECK_EQ(std::string(cudnnGetErrorString(CUDNN_STATUS_BAD_PARAM)), "CUDNN_STATUS_BAD_PARAM");
  CHECK_EQ(std::string(cudnnGetErrorString(CUDNN_STATUS_NOT_SUPPORTED)),
           "CUDNN_STATUS_NOT_SUPPORTED");
  cudaStream_t stream, got = nullptr;
  CHECK_CUDA(cudaStreamCreate(&stream));
  OK(cudnnSetStream(handle, stream));
  OK(cudnnGetStream(handle, &got));
  CHECK(got == stream);
  OK(cudnnSetStream(handle, nullptr));
  CHECK_CUDA(cudaStreamDestroy(stream));
  BAD(cudnnSetStream(nullptr, nullptr));
  BAD(cudnnCreate(nullptr));
  cudnnStatus_t runtime = CUDNN_STATUS_INTERNAL_ERROR;
  OK(cudnnQueryRuntimeError(handle, &runtime, CUDNN_ERRQUERY_BLOCKING, nullptr));
  CHECK_EQ(runtime, CUDNN_STATUS_SUCCESS);
  unsigned mask = 0;
  void *data = nullptr;
  cudnnCallback_t function = nullptr;
  OK(cudnnSetCallback(CUDNN_SEV_ERROR_EN, &told, callBack));
  OK(cudnnGetCallback(&mask, &data, &function));
  CHECK(data == &told && function == callBack);
#ifdef HEDDLE_CUDNN
  // A destroyed handle or descriptor is refused, not followed.
  cudnnHandle_t other;
  OK(cudnnCreate(&other));
  OK(cudnnDestroy(other));
  CHECK_EQ(cudnnSetStream(other, nullptr), CUDNN_STATUS_NOT_INITIALIZED);
  CHECK(told > 0);
  char text[200] = "";
  cudnnGetLastErrorString(text, sizeof(text));
  CHECK(std::strstr(text, "destroyed") != nullptr);
  cudnnTensorDescriptor_t tensor;
  OK(cudnnCreateTensorDescriptor(&tensor));
  OK(cudnnDestroyTensorDescriptor(tensor));
  size_t size;
  BAD(cudnnGetTensorSizeInBytes(tensor, &size));
  OK(cudnnOpsInferVersionCheck());
  OK(cudnnOpsTrainVersionCheck());
  OK(cudnnAdvInferVersionCheck());
  OK(cudnnAdvTrainVersionCheck());
#endif
#if CUDNN_MAJOR >= 9
  OK(cudnnOpsVersionCheck());
  OK(cudnnAdvVersionCheck());
  OK(cudnnGraphVersionCheck());
#endif
  OK(cudnnSetCallback(0, nullptr, nullptr));
}

void descriptors() {
  Tensor4 t(CUDNN_DATA_HALF, 2, 3, 4, 5, CUDNN_TENSOR_NHWC);
  cudnnDataType_t type;
  int n, c, h, w, ns, cs, hs, ws;
  OK(cudnnGetTensor4dDescriptor(t, &type, &n, &c, &h, &w, &ns, &cs, &hs, &ws));
  CHECK(type == CUDNN_DATA_HALF && n == 2 && c == 3 && h == 4 && w == 5);
  CHECK(ns == 60 && cs == 1 && hs == 15 && ws == 3);
  size_t bytes = 0;
  OK(cudnnGetTensorSizeInBytes(t, &bytes));
  CHECK_EQ(bytes, 240u);
  OK(cudnnSetTensor4dDescriptorEx(t, CUDNN_DATA_FLOAT, 2, 3, 4, 5, 100, 30, 6, 1));
  OK(cudnnGetTensorSizeInBytes(t, &bytes));
  CHECK_EQ(bytes, (100u + 60 + 18 + 4 + 1) * 4);
  const int dims[] = {2, 3, 4, 5, 6};
  int got[8], strides[8];
  OK(cudnnSetTensorNdDescriptorEx(t, CUDNN_TENSOR_NCHW, CUDNN_DATA_DOUBLE, 5, dims));
  OK(cudnnGetTensorNdDescriptor(t, 8, &type, &n, got, strides));
  CHECK(type == CUDNN_DATA_DOUBLE && n == 5 && got[3] == 5 && strides[0] == 360 && strides[4] == 1);
  const int four[] = {2, 8, 3, 3};
  OK(cudnnSetTensorNdDescriptorEx(t, CUDNN_TENSOR_NCHW_VECT_C, CUDNN_DATA_INT8x4, 4, four));
  OK(cudnnGetTensorSizeInBytes(t, &bytes));
  CHECK_EQ(bytes, 144u);
  FilterDescriptor f;
  cudnnTensorFormat_t format;
  OK(cudnnSetFilter4dDescriptor(f, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NHWC, 4, 3, 2, 1));
  OK(cudnnGetFilter4dDescriptor(f, &type, &format, &n, &c, &h, &w));
  CHECK(format == CUDNN_TENSOR_NHWC && n == 4 && c == 3 && h == 2 && w == 1);
  OK(cudnnGetFilterSizeInBytes(f, &bytes));
  CHECK_EQ(bytes, 96u);
  OK(cudnnSetFilterNdDescriptor(f, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 5, dims));
  OK(cudnnGetFilterNdDescriptor(f, 8, &type, &format, &n, got));
  CHECK(n == 5 && got[4] == 6 && format == CUDNN_TENSOR_NCHW);
  BAD(cudnnSetTensor4dDescriptor(t, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 0, 1, 1, 1));
  BAD(cudnnSetTensor4dDescriptor(t, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, -1, 1, 1));
  BAD(cudnnSetFilter4dDescriptor(f, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 4, 0, 2, 1));
  const int many[] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, huge = 0x7fffffff;
  UNSUPPORTED(cudnnSetTensorNdDescriptor(t, CUDNN_DATA_FLOAT, 9, many, many));
  CHECK(cudnnSetTensor4dDescriptor(t, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, huge, huge, huge, 2) !=
        CUDNN_STATUS_SUCCESS);
  BAD(cudnnSetTensor4dDescriptor(nullptr, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, 1));
}

void transforms() {
  const float alpha = 2, beta = 0.5f;
  Tensor4 x(CUDNN_DATA_FLOAT, 2, 3, 4, 5), y(CUDNN_DATA_FLOAT, 2, 3, 4, 5, CUDNN_TENSOR_NHWC);
  Array<float> a(120, 1), b(120, 2);
  std::vector<double> expected = b.values();
  for (int n = 0, i = 0; n < 2; ++n)
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < 20; ++k, ++i) {
        double &e = expected[size_t((n * 20 + k) * 3 + c)];
        e = 2 * a[size_t(i)] + 0.5 * e;
      }
  OK(cudnnTransformTensor(handle, &alpha, x, a, &beta, y, b));
  compare(b, expected, 1e-6);
  TensorTransformDescriptor t;
  TensorDescriptor padded;
  const int32_t before[] = {0, 0, 1, 2}, after[] = {0, 0, 0, 1};
  const float one = 1, zero = 0;
  OK(cudnnSetTensorTransformDescriptor(t, 4, CUDNN_TENSOR_NHWC, before, after, nullptr,
                                       CUDNN_TRANSFORM_FOLD));
  cudnnTensorFormat_t format;
  int32_t b2[4], a2[4];
  uint32_t fold[2];
  cudnnFoldingDirection_t direction;
  OK(cudnnGetTensorTransformDescriptor(t, 4, &format, b2, a2, fold, &direction));
  CHECK(format == CUDNN_TENSOR_NHWC && b2[3] == 2 && a2[3] == 1);
  size_t bytes = 0;
  OK(cudnnInitTransformDest(t, x, padded, &bytes));
  CHECK_EQ(bytes, 2u * 3 * 5 * 8 * 4);
  Array<float> p(240, 3);
  OK(cudnnTransformTensorEx(handle, t, &one, x, a, &zero, padded, p));
  std::vector<double> e(240, 0);
  for (int n = 0, i = 0; n < 2; ++n)
    for (int c = 0; c < 3; ++c)
      for (int h = 0; h < 4; ++h)
        for (int w = 0; w < 5; ++w, ++i)
          e[size_t(((n * 5 + h + 1) * 8 + w + 2) * 3 + c)] = a[size_t(i)];
  compare(p, e, 0);
  FilterDescriptor fx, fy;
  OK(cudnnSetFilter4dDescriptor(fx, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 2, 3, 4, 5));
  OK(cudnnSetFilter4dDescriptor(fy, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NHWC, 2, 3, 5, 8));
  Array<float> q(240, 3);
  OK(cudnnTransformFilter(handle, t, &one, fx, a, &zero, fy, q));
  compare(q, e, 0);
}

template <class T> void pointwise(double allowed) {
  const cudnnDataType_t type = DataType<T>::value;
  Tensor4 x(type, 2, 3, 4, 5), bias(type, 1, 3, 1, 1);
  Array<T> a(120, 1), b(120, 2), c(120, 3), d(3, 4);
  const T alpha = T(0.5), alpha2 = T(-2), beta = T(0.25), three = 3;
  std::vector<double> va = a.values(), vb = b.values(), vc = c.values();
  OK(cudnnAddTensor(handle, &alpha, bias, d, &beta, x, c));
  for (size_t i = 0; i < 120; ++i)
    vc[i] = 0.5 * d[i / 20 % 3] + 0.25 * vc[i];
  compare(c, vc, allowed);
  OpTensorDescriptor op;
  for (int k = 0; k < 6; ++k) {
    OK(cudnnSetOpTensorDescriptor(op, cudnnOpTensorOp_t(k), type, CUDNN_PROPAGATE_NAN));
    cudnnOpTensorOp_t got;
    cudnnDataType_t got_type;
    cudnnNanPropagation_t nan;
    OK(cudnnGetOpTensorDescriptor(op, &got, &got_type, &nan));
    CHECK(int(got) == k && got_type == type && nan == CUDNN_PROPAGATE_NAN);
    Array<T> r(120, 5), positive(120, 6);
    for (size_t i = 0; i < 120; ++i)
      positive[i] = std::fabs(positive[i]);
    Array<T> &first = k == CUDNN_OP_TENSOR_SQRT ? positive : a;
    std::vector<double> e = r.values(), f = first.values();
    for (int small = 0; small < 2; ++small) {
      for (size_t i = 0; i < 120; ++i) {
        const double u = 0.5 * f[i], v = -2 * double(small ? d[i / 20 % 3] : b[i]);
        const double results[] = {u + v,          u * v,        std::min(u, v),
                                  std::max(u, v), std::sqrt(u), 1 - u};
        e[i] = results[k] + 0.25 * e[i];
      }
      OK(cudnnOpTensor(handle, op, &alpha, x, first, &alpha2, small ? bias.d : x.d,
                       small ? d.data : b.data, &beta, x, r));
      compare(r, e, allowed);
    }
  }
  OK(cudnnSetTensor(handle, x, a, &three));
  compare(a, std::vector<double>(120, 3), 0);
  OK(cudnnScaleTensor(handle, x, a, &alpha));
  compare(a, std::vector<double>(120, 1.5), 0);
  BAD(cudnnAddTensor(handle, &alpha, x, a, &beta, bias, d));
  BAD(cudnnOpTensor(handle, op, &alpha, nullptr, a, &alpha2, x, b, &beta, x, c));
}

template <class T> void reductions(double allowed) {
  const cudnnDataType_t type = DataType<T>::value;
  Tensor4 x(type, 2, 3, 4, 5);
  Array<T> a(120, 1);
  const T alpha = 2, beta = T(0.5);
  const int shapes[][4] = {{1, 3, 1, 1}, {2, 1, 4, 1}, {1, 1, 1, 1}, {2, 3, 4, 1}};
  for (const auto &s : shapes)
    for (int k = 0; k < 9; ++k) {
      ReduceTensorDescriptor r;
      OK(cudnnSetReduceTensorDescriptor(r, cudnnReduceTensorOp_t(k), type, CUDNN_PROPAGATE_NAN,
                                        CUDNN_REDUCE_TENSOR_FLATTENED_INDICES,
                                        CUDNN_32BIT_INDICES));
      Tensor4 y(type, s[0], s[1], s[2], s[3]);
      const size_t count = size_t(s[0] * s[1] * s[2] * s[3]);
      Array<T> c(count, 2);
      size_t workspace = 0, indices = 0;
      OK(cudnnGetReductionWorkspaceSize(handle, r, x, y, &workspace));
      OK(cudnnGetReductionIndicesSize(handle, r, x, y, &indices));
      Array<char> work(workspace), places(indices);
      const std::vector<double> before = c.values();
      std::vector<std::vector<double>> sets(count);
      for (int i = 0; i < 120; ++i) {
        const int at[] = {i / 60, i / 20 % 3, i / 5 % 4, i % 5};
        int to = 0;
        for (int j = 0; j < 4; ++j)
          to = to * s[j] + (s[j] == 1 ? 0 : at[j]);
        sets[size_t(to)].push_back(a[size_t(i)]);
      }
      OK(cudnnReduceTensor(handle, r, places, indices, work, workspace, &alpha, x, a, &beta, y, c));
      std::vector<double> e(count);
      for (size_t i = 0; i < count; ++i) {
        double sum = 0, product = 1, nonzero = 1, least = 1e9, most = -1e9, abs = 0, one = 0,
               two = 0;
        for (double v : sets[i]) {
          sum += v, product *= v, nonzero *= v == 0 ? 1 : v, least = std::min(least, v);
          most = std::max(most, v), abs = std::max(abs, std::fabs(v)), one += std::fabs(v);
          two += v * v;
        }
        const double results[] = {
            sum, product,        least,  most, abs, sum / double(sets[i].size()),
            one, std::sqrt(two), nonzero};
        e[i] = 2 * results[k] + 0.5 * before[i];
      }
      compare(c, e, allowed);
      if (k == CUDNN_REDUCE_TENSOR_MIN || k == CUDNN_REDUCE_TENSOR_MAX) {
        CHECK_EQ(indices, count * 4);
        for (size_t i = 0; i < count; ++i) {
          uint32_t place;
          std::memcpy(&place, places.data + 4 * i, 4);
          CHECK(place < sets[i].size());
          CHECK_NEAR(2 * sets[i][place] + 0.5 * before[i], e[i], 1e-5);
        }
      }
    }
}

void reductionDescriptors() {
  const auto type = CUDNN_DATA_FLOAT;
  Tensor4 x(type, 2, 3, 4, 5);
  ReduceTensorDescriptor r;
  cudnnReduceTensorOp_t op;
  cudnnDataType_t got;
  cudnnNanPropagation_t nan;
  cudnnReduceTensorIndices_t indices;
  cudnnIndicesType_t indices_type;
  OK(cudnnSetReduceTensorDescriptor(r, CUDNN_REDUCE_TENSOR_AVG, type, CUDNN_NOT_PROPAGATE_NAN,
                                    CUDNN_REDUCE_TENSOR_NO_INDICES, CUDNN_32BIT_INDICES));
  OK(cudnnGetReduceTensorDescriptor(r, &op, &got, &nan, &indices, &indices_type));
  CHECK(op == CUDNN_REDUCE_TENSOR_AVG && got == type && indices == CUDNN_REDUCE_TENSOR_NO_INDICES);
  Tensor4 wrong(type, 3, 3, 1, 1);
  size_t bytes;
#ifdef HEDDLE_CUDNN // an H100 does not compare the shapes
  BAD(cudnnGetReductionWorkspaceSize(handle, r, x, wrong, &bytes));
#endif
}

#ifdef HEDDLE_CUDNN
/// Every type converts to every other one; narrow ones round to the nearest, integers saturate.
void types() {
  const float one = 1, zero = 0;
  Tensor4 x(CUDNN_DATA_FLOAT, 1, 1, 1, 4), h(CUDNN_DATA_HALF, 1, 1, 1, 4),
      b(CUDNN_DATA_BFLOAT16, 1, 1, 1, 4), i(CUDNN_DATA_INT8, 1, 1, 1, 4);
  Array<float> a(4);
  a.set({1.5, -2.25, 1.0009765625 + 1e-4, 1000});
  Array<__half> ah(4);
  Array<__nv_bfloat16> ab(4);
  Array<int8_t> ai(4);
  OK(cudnnTransformTensor(handle, &one, x, a, &zero, h, ah));
  OK(cudnnTransformTensor(handle, &one, x, a, &zero, b, ab));
  OK(cudnnTransformTensor(handle, &one, x, a, &zero, i, ai));
  CHECK_CUDA(cudaDeviceSynchronize());
  for (size_t k = 0; k < 4; ++k) {
    CHECK_EQ(__half2float(ah[k]), __half2float(__float2half(a[k])));
    CHECK_EQ(__bfloat162float(ab[k]), __bfloat162float(__float2bfloat16(a[k])));
  }
  CHECK(ai[0] == 2 && ai[1] == -2 && ai[2] == 1 && ai[3] == 127);
}
#endif

} // namespace

int main() {
  OK(cudnnCreate(&handle));
  handles();
  descriptors();
  transforms();
  pointwise<float>(1e-6);
  pointwise<double>(1e-14);
  reductions<float>(1e-5);
  reductions<double>(1e-13);
  reductionDescriptors();
#ifdef HEDDLE_CUDNN
  types();
#endif
  OK(cudnnDestroy(handle));
  RETURN_RESULT();
}
