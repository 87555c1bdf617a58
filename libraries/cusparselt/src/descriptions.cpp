// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of matrices, products and algorithms, and their attributes.
#include "descriptions.h"

#include "elements.h"

#include <cstring>

using namespace heddle::cusparselt;
using heddle::cublas::elementSize;

namespace {

bool isFp8(cudaDataType type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }
bool isHalf(cudaDataType type) { return type == CUDA_R_16F || type == CUDA_R_16BF; }

/// What the library has beside what is only a result.
bool isFactorType(cudaDataType type) {
  return type == CUDA_R_8I || isFp8(type) || isHalf(type) || type == CUDA_R_32F;
}

/// Why such a matrix cannot be described (documentation of cusparseLt…DescriptorInit).
const char *faultOf(const Matrix &x) {
  if (!isFactorType(x.type) && x.type != CUDA_R_32I)
    return "there is no such type of elements";
  if (x.order != CUSPARSE_ORDER_ROW && x.order != CUSPARSE_ORDER_COL)
    return "the order is neither rows nor columns";
  if (x.rows <= 0 || x.cols <= 0)
    return "a size is not positive";
  if (x.ld < (x.order == CUSPARSE_ORDER_ROW ? x.cols : x.rows))
    return "the leading dimension is too small";
  const int64_t unit = (x.structured ? 32 : 16) / int64_t(elementSize(x.type));
  if (x.rows % unit != 0 || x.cols % unit != 0)
    return "a size is not a multiple of 16 bytes, of a structured matrix of 32";
  return nullptr;
}

cusparseStatus_t describe(const char *call, const cusparseLtHandle_t *handle,
                          cusparseLtMatDescriptor_t *description, const Matrix &matrix,
                          uint32_t alignment) {
  if (!of(handle))
    return refuse(call, CUSPARSE_STATUS_NOT_INITIALIZED, "the handle was not initialised");
  if (!description)
    return refuse(call, CUSPARSE_STATUS_INVALID_VALUE, "the descriptor is null");
  if (alignment < 16 || alignment % 16 != 0)
    return refuse(call, CUSPARSE_STATUS_INVALID_VALUE, "the alignment is not a multiple of 16");
  if (const char *fault = faultOf(matrix)) {
    const bool known = isFactorType(matrix.type) || matrix.type == CUDA_R_32I;
    return refuse(call, known ? CUSPARSE_STATUS_INVALID_VALUE : CUSPARSE_STATUS_NOT_SUPPORTED,
                  fault);
  }
  put(description, matrix);
  return CUSPARSE_STATUS_SUCCESS;
}

bool typesFit(const Matmul &x, cusparseComputeType compute) {
  const cudaDataType in = x.a.type, c = x.c.type, d = x.d.type;
  if (x.b.type != in || !isFactorType(in))
    return false;
  if (in == CUDA_R_8I)
    return compute == CUSPARSE_COMPUTE_32I && c == d &&
           (d == CUDA_R_8I || d == CUDA_R_32I || isHalf(d));
  if (compute == CUSPARSE_COMPUTE_32I || (compute == CUSPARSE_COMPUTE_16F && in != CUDA_R_16F))
    return false;
  if (isFp8(in))
    return (isHalf(c) || c == CUDA_R_32F) && (c == d || (isHalf(c) && isFp8(d)));
  return c == d && d == in;
}

const char *faultOf(const Matmul &x, cusparseComputeType compute) {
  const bool plain_a = x.opa == CUSPARSE_OPERATION_NON_TRANSPOSE;
  const bool plain_b = x.opb == CUSPARSE_OPERATION_NON_TRANSPOSE;
  if ((!plain_a && x.opa != CUSPARSE_OPERATION_TRANSPOSE) ||
      (!plain_b && x.opb != CUSPARSE_OPERATION_TRANSPOSE))
    return "there is no such operation";
  if (x.a.structured == x.b.structured)
    return "one of A and B must be structured, and only one";
  if (x.c.structured || x.d.structured)
    return "C and D must be dense";
  if ((plain_a ? x.a.rows : x.a.cols) != x.m() || (plain_b ? x.b.cols : x.b.rows) != x.n() ||
      (plain_b ? x.b.rows : x.b.cols) != x.k() || x.c.rows != x.m() || x.c.cols != x.n())
    return "the sizes do not fit together";
  if (x.c.order != x.d.order || x.c.ld != x.d.ld)
    return "C and D must lie alike";
  for (const Matrix *other : {&x.b, &x.c, &x.d})
    if (other->batches != x.a.batches)
      return "the numbers of batches differ";
  return typesFit(x, compute) ? nullptr : "the library has no product of these types";
}

/// A member of a description as an attribute.
struct Field {
  void *place = nullptr;
  size_t size = 0;
};
template <class T> Field field(T &member) { return {&member, sizeof member}; }

Field fieldOf(Matrix &x, int attribute) {
  switch (attribute) {
  case CUSPARSELT_MAT_NUM_BATCHES:
    return field(x.batches);
  case CUSPARSELT_MAT_BATCH_STRIDE:
    return field(x.batch_stride);
  default:
    return {};
  }
}

Field fieldOf(Matmul &x, int attribute) {
  if (attribute >= CUSPARSELT_MATMUL_A_SCALE_MODE &&
      attribute <= CUSPARSELT_MATMUL_D_OUT_SCALE_MODE)
    return field(x.scale_modes[attribute - CUSPARSELT_MATMUL_A_SCALE_MODE]);
  if (attribute >= CUSPARSELT_MATMUL_A_SCALE_POINTER &&
      attribute <= CUSPARSELT_MATMUL_D_OUT_SCALE_POINTER)
    return field(x.scales[attribute - CUSPARSELT_MATMUL_A_SCALE_POINTER]);
  switch (attribute) {
  case CUSPARSELT_MATMUL_ACTIVATION_RELU:
    return field(x.relu);
  case CUSPARSELT_MATMUL_ACTIVATION_RELU_UPPERBOUND:
    return field(x.relu_upper);
  case CUSPARSELT_MATMUL_ACTIVATION_RELU_THRESHOLD:
    return field(x.relu_threshold);
  case CUSPARSELT_MATMUL_ACTIVATION_GELU:
    return field(x.gelu);
  case CUSPARSELT_MATMUL_ACTIVATION_GELU_SCALING:
    return field(x.gelu_scale);
  case CUSPARSELT_MATMUL_ALPHA_VECTOR_SCALING:
    return field(x.alpha_vector);
  case CUSPARSELT_MATMUL_BETA_VECTOR_SCALING:
    return field(x.beta_vector);
  case CUSPARSELT_MATMUL_BIAS_STRIDE:
    return field(x.bias_stride);
  case CUSPARSELT_MATMUL_BIAS_POINTER:
    return field(x.bias);
  case CUSPARSELT_MATMUL_SPARSE_MAT_POINTER:
    return field(x.sparse);
  default:
    return {};
  }
}

Field fieldOf(Selection &x, int attribute) {
  switch (attribute) {
  case CUSPARSELT_MATMUL_ALG_CONFIG_ID:
    return field(x.id);
  case CUSPARSELT_MATMUL_ALG_CONFIG_MAX_ID:
    return field(x.max_id);
  case CUSPARSELT_MATMUL_SEARCH_ITERATIONS:
    return field(x.iterations);
  case CUSPARSELT_MATMUL_SPLIT_K:
    return field(x.split_k);
  case CUSPARSELT_MATMUL_SPLIT_K_MODE:
    return field(x.split_k_mode);
  case CUSPARSELT_MATMUL_SPLIT_K_BUFFERS:
    return field(x.split_k_buffers);
  default:
    return {};
  }
}

const char *faultOf(const Matrix &x, int) {
  if (x.batches < 1)
    return "the number of batches is not positive";
  const int64_t size = x.ld * (x.order == CUSPARSE_ORDER_ROW ? x.rows : x.cols);
  return x.batch_stride != 0 && x.batch_stride < size ? "the stride is smaller than a matrix"
                                                      : nullptr;
}
const char *faultOf(const Matmul &x, int attribute) {
  const bool gelu = attribute == CUSPARSELT_MATMUL_ACTIVATION_GELU ||
                    attribute == CUSPARSELT_MATMUL_ACTIVATION_GELU_SCALING;
  if (gelu && !isFp8(x.a.type) && (x.a.type != CUDA_R_8I || x.d.type != CUDA_R_8I))
    return "GELU is for products of 8-bit floats, and of bytes to bytes";
  for (const int mode : x.scale_modes)
    if (mode != CUSPARSELT_MATMUL_SCALE_NONE && mode != CUSPARSELT_MATMUL_MATRIX_SCALE_SCALAR_32F)
      return "scales are supported as one float for a matrix only";
  return x.scale_modes[4] != CUSPARSELT_MATMUL_SCALE_NONE ? "no scale of D is computed" : nullptr;
}
const char *faultOf(const Selection &x, int attribute) {
  if (attribute == CUSPARSELT_MATMUL_ALG_CONFIG_MAX_ID)
    return "the greatest number of an algorithm can only be read";
  if (x.id < 0 || x.id >= x.max_id)
    return "there is no algorithm of this number";
  if (x.iterations < 1 || x.split_k < 1)
    return "a number is not positive";
  return nullptr;
}

/// The status for what faultOf has found.
template <class T> cusparseStatus_t statusOf(const T &, int attribute) {
  const bool scales = std::is_same_v<T, Matmul> && attribute >= CUSPARSELT_MATMUL_A_SCALE_MODE;
  return scales ? CUSPARSE_STATUS_NOT_SUPPORTED : CUSPARSE_STATUS_INVALID_VALUE;
}

template <class Opaque>
cusparseStatus_t set(const char *call, const cusparseLtHandle_t *handle, Opaque *opaque,
                     int attribute, const void *data, size_t size) {
  if (!of(handle))
    return refuse(call, CUSPARSE_STATUS_NOT_INITIALIZED, "the handle was not initialised");
  auto *found = of(opaque);
  if (!found || !data)
    return refuse(call, CUSPARSE_STATUS_INVALID_VALUE, "a pointer is null, or the object is none");
  auto changed = *found;
  const Field place = fieldOf(changed, attribute);
  if (!place.place || place.size != size)
    return refuse(call, CUSPARSE_STATUS_INVALID_VALUE,
                  "there is no such attribute, or it has another size");
  std::memcpy(place.place, data, size);
  if (const char *fault = faultOf(changed, attribute))
    return refuse(call, statusOf(changed, attribute), fault);
  *found = changed;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Opaque>
cusparseStatus_t get(const char *call, const cusparseLtHandle_t *handle, const Opaque *opaque,
                     int attribute, void *data, size_t size) {
  if (!of(handle))
    return refuse(call, CUSPARSE_STATUS_NOT_INITIALIZED, "the handle was not initialised");
  auto *found = of(opaque);
  if (!found || !data)
    return refuse(call, CUSPARSE_STATUS_INVALID_VALUE, "a pointer is null, or the object is none");
  const Field place = fieldOf(*found, attribute);
  if (!place.place || place.size != size)
    return refuse(call, CUSPARSE_STATUS_INVALID_VALUE,
                  "there is no such attribute, or it has another size");
  std::memcpy(data, place.place, size);
  return CUSPARSE_STATUS_SUCCESS;
}

Matrix matrixOf(int64_t rows, int64_t cols, int64_t ld, cudaDataType type, cusparseOrder_t order,
                bool structured) {
  Matrix matrix;
  matrix.rows = rows, matrix.cols = cols, matrix.ld = ld;
  matrix.type = type, matrix.order = order, matrix.structured = structured;
  return matrix;
}

} // namespace

cusparseStatus_t cusparseLtDenseDescriptorInit(const cusparseLtHandle_t *handle,
                                               cusparseLtMatDescriptor_t *matDescr, int64_t rows,
                                               int64_t cols, int64_t ld, uint32_t alignment,
                                               cudaDataType valueType, cusparseOrder_t order) {
  return describe(__func__, handle, matDescr, matrixOf(rows, cols, ld, valueType, order, false),
                  alignment);
}

cusparseStatus_t cusparseLtStructuredDescriptorInit(const cusparseLtHandle_t *handle,
                                                    cusparseLtMatDescriptor_t *matDescr,
                                                    int64_t rows, int64_t cols, int64_t ld,
                                                    uint32_t alignment, cudaDataType valueType,
                                                    cusparseOrder_t order,
                                                    cusparseLtSparsity_t sparsity) {
  if (sparsity != CUSPARSELT_SPARSITY_50_PERCENT)
    return refuse(__func__, CUSPARSE_STATUS_INVALID_VALUE, "there is no such sparsity");
  return describe(__func__, handle, matDescr, matrixOf(rows, cols, ld, valueType, order, true),
                  alignment);
}

cusparseStatus_t cusparseLtMatDescriptorDestroy(const cusparseLtMatDescriptor_t *matDescr) {
  return forget(__func__, matDescr);
}

cusparseStatus_t cusparseLtMatDescSetAttribute(const cusparseLtHandle_t *handle,
                                               cusparseLtMatDescriptor_t *matmulDescr,
                                               cusparseLtMatDescAttribute_t matAttribute,
                                               const void *data, size_t dataSize) {
  return set(__func__, handle, matmulDescr, matAttribute, data, dataSize);
}
cusparseStatus_t cusparseLtMatDescGetAttribute(const cusparseLtHandle_t *handle,
                                               const cusparseLtMatDescriptor_t *matmulDescr,
                                               cusparseLtMatDescAttribute_t matAttribute,
                                               void *data, size_t dataSize) {
  return get(__func__, handle, matmulDescr, matAttribute, data, dataSize);
}

cusparseStatus_t cusparseLtMatmulDescriptorInit(
    const cusparseLtHandle_t *handle, cusparseLtMatmulDescriptor_t *matmulDescr,
    cusparseOperation_t opA, cusparseOperation_t opB, const cusparseLtMatDescriptor_t *matA,
    const cusparseLtMatDescriptor_t *matB, const cusparseLtMatDescriptor_t *matC,
    const cusparseLtMatDescriptor_t *matD, cusparseComputeType computeType) {
  NEED(handle);
  NEED_ALL(matmulDescr && of(matA) && of(matB) && of(matC) && of(matD));
  Matmul matmul;
  matmul.a = *of(matA), matmul.b = *of(matB), matmul.c = *of(matC), matmul.d = *of(matD);
  matmul.opa = opA, matmul.opb = opB;
  if (const char *fault = faultOf(matmul, computeType))
    return refuse(__func__,
                  typesFit(matmul, computeType) ? CUSPARSE_STATUS_INVALID_VALUE
                                                : CUSPARSE_STATUS_NOT_SUPPORTED,
                  fault);
  put(matmulDescr, matmul);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtMatmulDescSetAttribute(const cusparseLtHandle_t *handle,
                                                  cusparseLtMatmulDescriptor_t *matmulDescr,
                                                  cusparseLtMatmulDescAttribute_t matmulAttribute,
                                                  const void *data, size_t dataSize) {
  return set(__func__, handle, matmulDescr, matmulAttribute, data, dataSize);
}
cusparseStatus_t cusparseLtMatmulDescGetAttribute(const cusparseLtHandle_t *handle,
                                                  const cusparseLtMatmulDescriptor_t *matmulDescr,
                                                  cusparseLtMatmulDescAttribute_t matmulAttribute,
                                                  void *data, size_t dataSize) {
  return get(__func__, handle, matmulDescr, matmulAttribute, data, dataSize);
}

cusparseStatus_t cusparseLtMatmulAlgSelectionInit(const cusparseLtHandle_t *handle,
                                                  cusparseLtMatmulAlgSelection_t *algSelection,
                                                  const cusparseLtMatmulDescriptor_t *matmulDescr,
                                                  cusparseLtMatmulAlg_t alg) {
  NEED(handle);
  NEED_ALL(algSelection && of(matmulDescr) && alg == CUSPARSELT_MATMUL_ALG_DEFAULT);
  put(algSelection, {});
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t
cusparseLtMatmulAlgSelectionDestroy(const cusparseLtMatmulAlgSelection_t *algSelection) {
  return forget(__func__, algSelection);
}
cusparseStatus_t cusparseLtMatmulAlgSetAttribute(const cusparseLtHandle_t *handle,
                                                 cusparseLtMatmulAlgSelection_t *algSelection,
                                                 cusparseLtMatmulAlgAttribute_t attribute,
                                                 const void *data, size_t dataSize) {
  return set(__func__, handle, algSelection, attribute, data, dataSize);
}
cusparseStatus_t cusparseLtMatmulAlgGetAttribute(const cusparseLtHandle_t *handle,
                                                 const cusparseLtMatmulAlgSelection_t *algSelection,
                                                 cusparseLtMatmulAlgAttribute_t attribute,
                                                 void *data, size_t dataSize) {
  return get(__func__, handle, algSelection, attribute, data, dataSize);
}
