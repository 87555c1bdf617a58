// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of matrices, operations, transformations and preferences: making, reading, writing.
#include "descriptions.h"

#include <algorithm>
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
  if (batch_mode == CUBLASLT_BATCH_MODE_GROUPED) {
    if (unsigned(size_width) > CUBLASLT_INTEGER_WIDTH_64 ||
        unsigned(ld_width) > CUBLASLT_INTEGER_WIDTH_64)
      return "there is no such width of integers";
    return batch_count < 1         ? "a batch count is not positive"
           : !rows || !cols || !ld ? "an array of sizes is null"
                                   : nullptr;
  }
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

/// Keeps a number in fewer bytes; false if it does not fit.
bool keepNumber(const Field &field, char *to, const void *from) {
  int64_t value = 0;
  if (field.size == sizeof(int32_t)) {
    int32_t narrow;
    std::memcpy(&narrow, from, sizeof narrow);
    value = narrow;
  } else {
    std::memcpy(&value, from, sizeof value);
  }
  if (field.kept == 1 ? value != int8_t(value) : value != int32_t(value))
    return false;
  std::memcpy(to, &value, field.kept); // little-endian
  return true;
}

int64_t keptNumber(const Field &field, const char *from) {
  if (field.kept == 1)
    return *reinterpret_cast<const int8_t *>(from);
  int32_t value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
} // namespace

cublasStatus_t setField(const char *function, const Field *fields, size_t count, void *description,
                        int attribute, const void *from, size_t size) {
  log(function);
  const Field *field = find(fields, count, attribute);
  if (!description || !from || !field || size != field->size)
    return refuse(function, CUBLAS_STATUS_INVALID_VALUE,
                  "a pointer is null, or the attribute is unknown or has another size");
  char *const to = static_cast<char *>(description) + field->offset;
  if (field->kept == size)
    std::memcpy(to, from, size);
  else if (!keepNumber(*field, to, from))
    return refuse(function, CUBLAS_STATUS_INVALID_VALUE, "the attribute has no such value");
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
  if (size == 0)
    return CUBLAS_STATUS_SUCCESS;
  const char *const from = static_cast<const char *>(description) + field->offset;
  if (field->kept == field->size) {
    std::memcpy(to, from, field->size);
  } else {
    const int64_t value = keptNumber(*field, from);
    std::memcpy(to, &value, field->size);
  }
  return CUBLAS_STATUS_SUCCESS;
}

namespace {

#define FIELD(Struct, attribute, member)                                                           \
  {attribute, offsetof(Struct, member), sizeof(Struct::member), sizeof(Struct::member)}
#define NUMBER(Struct, attribute, member, Type)                                                    \
  {attribute, offsetof(Struct, member), sizeof(Struct::member), sizeof(Type)}

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
    NUMBER(Layout, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, batch_mode, int32_t),
    FIELD(Layout, CUBLASLT_GROUPED_MATRIX_LAYOUT_ROWS_ARRAY, rows),
    FIELD(Layout, CUBLASLT_GROUPED_MATRIX_LAYOUT_COLS_ARRAY, cols),
    FIELD(Layout, CUBLASLT_GROUPED_MATRIX_LAYOUT_LD_ARRAY, ld),
    NUMBER(Layout, CUBLASLT_GROUPED_MATRIX_LAYOUT_ROWS_COLS_ARRAY_INTEGER_WIDTH, size_width,
           int32_t),
    NUMBER(Layout, CUBLASLT_GROUPED_MATRIX_LAYOUT_LD_ARRAY_INTEGER_WIDTH, ld_width, int32_t),
};

#define MATMUL(name, member) FIELD(Operation, CUBLASLT_MATMUL_DESC_##name, member)
#define MATMUL_NUMBER(name, member, Type)                                                          \
  NUMBER(Operation, CUBLASLT_MATMUL_DESC_##name, member, Type)
const Field operation_fields[] = {
    MATMUL(COMPUTE_TYPE, compute),
    MATMUL(SCALE_TYPE, scale_type),
    MATMUL_NUMBER(POINTER_MODE, pointer_mode, int32_t),
    MATMUL_NUMBER(TRANSA, transa, int32_t),
    MATMUL_NUMBER(TRANSB, transb, int32_t),
    MATMUL_NUMBER(TRANSC, transc, int32_t),
    MATMUL_NUMBER(FILL_MODE, fill, int32_t),
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
    MATMUL_NUMBER(A_SCALE_MODE, a_scale_mode, int32_t),
    MATMUL_NUMBER(B_SCALE_MODE, b_scale_mode, int32_t),
    MATMUL(EMULATION_DESCRIPTOR, emulation),
    MATMUL_NUMBER(ALPHA_BATCH_STRIDE, alpha_array, int64_t),
    MATMUL_NUMBER(BETA_BATCH_STRIDE, beta_array, int64_t),
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
    NUMBER(Preference, CUBLASLT_MATMUL_PREF_GROUPED_AVERAGE_REDUCTION_DIM, average_k, int64_t),
    NUMBER(Preference, CUBLASLT_MATMUL_PREF_GROUPED_DESC_D_AVERAGE_ROWS, average_m, int64_t),
    NUMBER(Preference, CUBLASLT_MATMUL_PREF_GROUPED_DESC_D_AVERAGE_COLS, average_n, int64_t),
};

#define EMULATION(name, member) FIELD(Emulation, CUBLASLT_EMULATION_DESC_##name, member)
const Field emulation_fields[] = {
    EMULATION(STRATEGY, strategy),
    EMULATION(SPECIAL_VALUES_SUPPORT, special_values),
    EMULATION(FIXEDPOINT_MANTISSA_CONTROL, mantissa_control),
    EMULATION(FIXEDPOINT_MAX_MANTISSA_BIT_COUNT, max_mantissa_bits),
    EMULATION(FIXEDPOINT_MANTISSA_BIT_OFFSET, mantissa_bit_offset),
    EMULATION(FIXEDPOINT_MANTISSA_BIT_COUNT_POINTER, mantissa_bits),
};

/// Fills memory that the program gives (the _internal functions) with a new description.
template <typename Opaque, typename T>
cublasStatus_t initialize(const char *function, Opaque *to, size_t size, const T &value) {
  log(function);
  // What CUDA 12.4 had.
  constexpr size_t least = 8 * (std::is_same_v<T, Operation> ? 23 : 8);
  static_assert(sizeof(T) <= least);
  if (!to || size < least)
    return refuse(function, CUBLAS_STATUS_INVALID_VALUE, "the description is null or too small");
  std::memset(to, 0, std::min(size, sizeof(Opaque)));
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
Layout groups(cudaDataType type, int count, const void *rows, const void *cols, const void *ld) {
  Layout result = layout(type, reinterpret_cast<uintptr_t>(rows), reinterpret_cast<uintptr_t>(cols),
                         reinterpret_cast<intptr_t>(ld));
  result.batch_count = count, result.batch_mode = CUBLASLT_BATCH_MODE_GROUPED;
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
          0,
          0,
          0,
          0};
}
Emulation emulation() { return {0, CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT, 0, 0, 0, {}}; }

/// What CUDA 12.8 has added: there is one way to scale C, D and the auxiliary matrix, by one float,
/// so that nothing need be kept. The size of such an attribute, or 0.
size_t scaleAttributeSize(int attribute) {
  if (attribute == CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER)
    return sizeof(void *);
  return attribute >= CUBLASLT_MATMUL_DESC_C_SCALE_MODE &&
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
    return refuse(function, CUBLAS_STATUS_NOT_SUPPORTED,
                  "C and D are scaled by one float only (CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F)");
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
cublasStatus_t cublasLtGroupedMatrixLayoutInit_internal(cublasLtMatrixLayout_t to, size_t size,
                                                        cudaDataType type, int count,
                                                        const void *rows, const void *cols,
                                                        const void *ld) {
  return initialize(__func__, to, size, groups(type, count, rows, cols, ld));
}
cublasStatus_t cublasLtGroupedMatrixLayoutCreate(cublasLtMatrixLayout_t *to, cudaDataType type,
                                                 int count, const void *rows, const void *cols,
                                                 const void *ld) {
  return create(__func__, to, groups(type, count, rows, cols, ld));
}
cublasStatus_t cublasLtEmulationDescInit_internal(cublasLtEmulationDesc_t to, size_t size) {
  return initialize(__func__, to, size, emulation());
}
cublasStatus_t cublasLtEmulationDescCreate(cublasLtEmulationDesc_t *to) {
  return create(__func__, to, emulation());
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
DESCRIPTION(EmulationDesc, cublasLtEmulationDesc_t, cublasLtEmulationDescAttributes_t,
            emulation_fields)
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
