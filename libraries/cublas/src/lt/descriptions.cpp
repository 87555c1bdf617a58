// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of matrices, operations, transformations and preferences: making, reading, writing.
#include "descriptions.h"

#include <cstddef>
#include <cstring>
#include <iterator>
#include <type_traits>

namespace heddle::cublaslt {

// The orders for 8-bit integers keep columns in groups of 32 (documentation of cublasLtOrder_t).
int64_t Layout::offset(int64_t row, int64_t column) const {
  const int64_t group = column / 32 * ld, in_group = column % 32;
  switch (order) {
  case CUBLASLT_ORDER_ROW:
    return row * ld + column;
  case CUBLASLT_ORDER_COL32:
    return group + row * 32 + in_group;
  case CUBLASLT_ORDER_COL4_4R2_8C: {
    // Tiles of 8 rows and 32 columns; in them, four columns in four even or four odd rows.
    const int64_t tile = row / 8 * 8 + row % 2 * 4 + in_group / 8;
    return group + tile * 32 + ((column % 8 >= 4 ? 4 : 0) + row % 8 / 2) * 4 + column % 4;
  }
  case CUBLASLT_ORDER_COL32_2R_4R4: {
    // Tiles of 32 rows and 32 columns, whose rows are interleaved.
    const int64_t in_tile = row % 32;
    const int64_t place = (in_tile % 8 / 2 * 4 + in_tile / 8) * 2 + in_tile % 2;
    return group + row / 32 * 1024 + place * 32 + in_group;
  }
  default:
    return row + column * ld;
  }
}

const char *Layout::fault() const {
  if (order < CUBLASLT_ORDER_COL || order > CUBLASLT_ORDER_COL32_2R_4R4)
    return "a matrix's order is unknown";
  if (rows > INT32_MAX || cols > INT32_MAX || ld > INT32_MAX)
    return "a matrix has 2^31 rows or columns or more";
  if (batch_count < 1)
    return "a batch count is not positive";
  int64_t least = int64_t(order == CUBLASLT_ORDER_ROW ? cols : rows);
  if (order == CUBLASLT_ORDER_COL32)
    least = 32 * int64_t(rows);
  else if (order == CUBLASLT_ORDER_COL4_4R2_8C)
    least = 32 * ((int64_t(rows) + 7) / 8 * 8);
  else if (order == CUBLASLT_ORDER_COL32_2R_4R4)
    least = 32 * ((int64_t(rows) + 31) / 32 * 32);
  return ld < least ? "a leading dimension is too small" : nullptr;
}

namespace {
const Field *find(const Field *fields, size_t count, int attribute) {
  for (size_t i = 0; i < count; ++i)
    if (fields[i].attribute == attribute)
      return &fields[i];
  return nullptr;
}
} // namespace

cublasStatus_t setField(const char *function, const Field *fields, size_t count, void *description,
                        int attribute, const void *from, size_t size) {
  log(function);
  const Field *field = find(fields, count, attribute);
  if (!description || !from || !field || size != field->size)
    return refuse(function, CUBLAS_STATUS_INVALID_VALUE,
                  "a pointer is null, or the attribute is unknown or has another size");
  std::memcpy(static_cast<char *>(description) + field->offset, from, size);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t getField(const char *function, const Field *fields, size_t count,
                        const void *description, int attribute, void *to, size_t size,
                        size_t *written) {
  log(function);
  const Field *field = find(fields, count, attribute);
  if (!description || !field || (size == 0 ? !written : !to || size < field->size))
    return refuse(function, CUBLAS_STATUS_INVALID_VALUE,
                  "a pointer is null, or the attribute is unknown or larger");
  if (written)
    *written = field->size;
  if (size != 0)
    std::memcpy(to, static_cast<const char *>(description) + field->offset, field->size);
  return CUBLAS_STATUS_SUCCESS;
}

namespace {

#define FIELD(Struct, attribute, member)                                                           \
  {attribute, offsetof(Struct, member), sizeof(Struct::member)}

#define LAYOUT(name, member) FIELD(Layout, CUBLASLT_MATRIX_LAYOUT_##name, member)
const Field layout_fields[] = {
    LAYOUT(TYPE, type),
    LAYOUT(ORDER, order),
    LAYOUT(ROWS, rows),
    LAYOUT(COLS, cols),
    LAYOUT(LD, ld),
    LAYOUT(BATCH_COUNT, batch_count),
    LAYOUT(STRIDED_BATCH_OFFSET, batch_stride),
    LAYOUT(PLANE_OFFSET, plane_offset),
};

#define MATMUL(name, member) FIELD(Operation, CUBLASLT_MATMUL_DESC_##name, member)
const Field operation_fields[] = {
    MATMUL(COMPUTE_TYPE, compute),
    MATMUL(SCALE_TYPE, scale_type),
    MATMUL(POINTER_MODE, pointer_mode),
    MATMUL(TRANSA, transa),
    MATMUL(TRANSB, transb),
    MATMUL(TRANSC, transc),
    MATMUL(FILL_MODE, fill),
    MATMUL(EPILOGUE, epilogue),
    MATMUL(BIAS_POINTER, bias),
    MATMUL(BIAS_BATCH_STRIDE, bias_stride),
    MATMUL(EPILOGUE_AUX_POINTER, aux),
    MATMUL(EPILOGUE_AUX_LD, aux_ld),
    MATMUL(EPILOGUE_AUX_BATCH_STRIDE, aux_stride),
    MATMUL(ALPHA_VECTOR_BATCH_STRIDE, alpha_stride),
    MATMUL(SM_COUNT_TARGET, sm_count),
    MATMUL(A_SCALE_POINTER, a_scale),
    MATMUL(B_SCALE_POINTER, b_scale),
    MATMUL(C_SCALE_POINTER, c_scale),
    MATMUL(D_SCALE_POINTER, d_scale),
    MATMUL(AMAX_D_POINTER, amax),
    MATMUL(EPILOGUE_AUX_DATA_TYPE, aux_type),
    MATMUL(EPILOGUE_AUX_SCALE_POINTER, aux_scale),
    MATMUL(EPILOGUE_AUX_AMAX_POINTER, aux_amax),
    MATMUL(FAST_ACCUM, fast_accumulation),
    MATMUL(BIAS_DATA_TYPE, bias_type),
    MATMUL(ATOMIC_SYNC_NUM_CHUNKS_D_ROWS, chunk_rows),
    MATMUL(ATOMIC_SYNC_NUM_CHUNKS_D_COLS, chunk_cols),
    MATMUL(ATOMIC_SYNC_IN_COUNTERS_POINTER, sync_in),
    MATMUL(ATOMIC_SYNC_OUT_COUNTERS_POINTER, sync_out),
};

#define TRANSFORM(name, member) FIELD(Transformation, CUBLASLT_MATRIX_TRANSFORM_DESC_##name, member)
const Field transformation_fields[] = {
    TRANSFORM(SCALE_TYPE, scale_type),
    TRANSFORM(POINTER_MODE, pointer_mode),
    TRANSFORM(TRANSA, transa),
    TRANSFORM(TRANSB, transb),
};

#define PREFERENCE(name, member) FIELD(Preference, CUBLASLT_MATMUL_PREF_##name, member)
const Field preference_fields[] = {
    PREFERENCE(SEARCH_MODE, search_mode),
    PREFERENCE(MAX_WORKSPACE_BYTES, max_workspace),
    PREFERENCE(REDUCTION_SCHEME_MASK, reduction_mask),
    PREFERENCE(MIN_ALIGNMENT_A_BYTES, alignment[0]),
    PREFERENCE(MIN_ALIGNMENT_B_BYTES, alignment[1]),
    PREFERENCE(MIN_ALIGNMENT_C_BYTES, alignment[2]),
    PREFERENCE(MIN_ALIGNMENT_D_BYTES, alignment[3]),
    PREFERENCE(MAX_WAVES_COUNT, max_waves),
    PREFERENCE(IMPL_MASK, impl_mask),
};

/// Fills memory that the program gives (the _internal functions) with a new description.
template <typename Opaque, typename T>
cublasStatus_t initialize(const char *function, Opaque *to, size_t size, const T &value) {
  log(function);
  if (!to || size < sizeof(Opaque))
    return refuse(function, CUBLAS_STATUS_INVALID_VALUE, "the description is null or too small");
  std::memset(to, 0, sizeof(Opaque));
  view<T>(to) = value;
  return CUBLAS_STATUS_SUCCESS;
}

template <typename Opaque, typename T>
cublasStatus_t create(const char *function, Opaque **to, const T &value) {
  if (!to)
    return refuse(function, CUBLAS_STATUS_INVALID_VALUE, "the pointer is null");
  *to = new Opaque;
  return initialize(function, *to, sizeof(Opaque), value);
}

Layout layout(cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld) {
  Layout result{};
  result.type = type, result.rows = rows, result.cols = cols, result.ld = ld;
  result.batch_count = 1;
  return result;
}
Operation operation(cublasComputeType_t compute, cudaDataType scale_type) {
  Operation result{};
  result.compute = compute, result.scale_type = scale_type;
  result.fill = CUBLAS_FILL_MODE_FULL, result.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  result.aux_type = result.bias_type = -1;
  return result;
}
Preference preference() {
  return {CUBLASLT_SEARCH_BEST_FIT,
          CUBLASLT_REDUCTION_SCHEME_MASK,
          0,
          ~uint64_t(0),
          {256, 256, 256, 256},
          0};
}

/// What CUDA 12.8 has added: there is one way to scale a matrix, by one float, so that nothing need
/// be kept. The size of such an attribute, or 0.
size_t scaleAttributeSize(int attribute) {
  if (attribute == CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER)
    return sizeof(void *);
  return attribute >= CUBLASLT_MATMUL_DESC_A_SCALE_MODE &&
                 attribute <= CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE
             ? sizeof(int32_t)
             : 0;
}

cublasStatus_t setOperation(const char *function, cublasLtMatmulDesc_t description, int attribute,
                            const void *from, size_t size) {
  const size_t expected = scaleAttributeSize(attribute);
  if (expected == 0)
    return setField(function, operation_fields, std::size(operation_fields), description, attribute,
                    from, size);
  log(function);
  if (!description || !from || size != expected)
    return refuse(function, CUBLAS_STATUS_INVALID_VALUE,
                  "a pointer is null, or the attribute has another size");
  const uint64_t nothing = 0;
  if (std::memcmp(from, &nothing, size) != 0)
    return refuse(
        function, CUBLAS_STATUS_NOT_SUPPORTED,
        "matrices are scaled by one float only (CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F)");
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t getOperation(const char *function, cublasLtMatmulDesc_t description, int attribute,
                            void *to, size_t size, size_t *written) {
  const size_t expected = scaleAttributeSize(attribute);
  if (expected == 0)
    return getField(function, operation_fields, std::size(operation_fields), description, attribute,
                    to, size, written);
  log(function);
  if (!description || (size == 0 ? !written : !to || size < expected))
    return refuse(function, CUBLAS_STATUS_INVALID_VALUE,
                  "a pointer is null, or the attribute is larger");
  if (written)
    *written = expected;
  if (size != 0)
    std::memset(to, 0, expected);
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace
} // namespace heddle::cublaslt

using namespace heddle::cublaslt;

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t to, size_t size,
                                                 cudaDataType type, uint64_t rows, uint64_t cols,
                                                 int64_t ld) {
  return initialize(__func__, to, size, layout(type, rows, cols, ld));
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *to, cudaDataType type,
                                          uint64_t rows, uint64_t cols, int64_t ld) {
  return create(__func__, to, layout(type, rows, cols, ld));
}
cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t to, size_t size,
                                               cublasComputeType_t compute, cudaDataType scale) {
  return initialize(__func__, to, size, operation(compute, scale));
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *to, cublasComputeType_t compute,
                                        cudaDataType scale) {
  return create(__func__, to, operation(compute, scale));
}
cublasStatus_t cublasLtMatrixTransformDescInit_internal(cublasLtMatrixTransformDesc_t to,
                                                        size_t size, cudaDataType scale) {
  return initialize(__func__, to, size, Transformation{scale, 0, 0, 0});
}
cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t *to,
                                                 cudaDataType scale) {
  return create(__func__, to, Transformation{scale, 0, 0, 0});
}
cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t to, size_t size) {
  return initialize(__func__, to, size, preference());
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *to) {
  return create(__func__, to, preference());
}

#define DESTROY(name, Type)                                                                        \
  cublasStatus_t cublasLt##name##Destroy(Type description) {                                       \
    if (!description)                                                                              \
      return refuse(__func__, CUBLAS_STATUS_INVALID_VALUE, "the description is null");             \
    delete description;                                                                            \
    return CUBLAS_STATUS_SUCCESS;                                                                  \
  }
#define DESCRIPTION(name, Type, Attribute, fields)                                                 \
  DESTROY(name, Type)                                                                              \
  cublasStatus_t cublasLt##name##SetAttribute(Type description, Attribute attribute,               \
                                              const void *from, size_t size) {                     \
    return setField(__func__, fields, std::size(fields), description, attribute, from, size);      \
  }                                                                                                \
  cublasStatus_t cublasLt##name##GetAttribute(Type description, Attribute attribute, void *to,     \
                                              size_t size, size_t *written) {                      \
    return getField(__func__, fields, std::size(fields), description, attribute, to, size,         \
                    written);                                                                      \
  }
DESCRIPTION(MatrixLayout, cublasLtMatrixLayout_t, cublasLtMatrixLayoutAttribute_t, layout_fields)
DESCRIPTION(MatrixTransformDesc, cublasLtMatrixTransformDesc_t,
            cublasLtMatrixTransformDescAttributes_t, transformation_fields)
DESCRIPTION(MatmulPreference, cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t,
            preference_fields)
DESTROY(MatmulDesc, cublasLtMatmulDesc_t)

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t description,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void *from, size_t size) {
  return setOperation(__func__, description, attribute, from, size);
}
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t description,
                                              cublasLtMatmulDescAttributes_t attribute, void *to,
                                              size_t size, size_t *written) {
  return getOperation(__func__, description, attribute, to, size, written);
}
