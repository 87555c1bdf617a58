// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors of vectors, dense matrices, and the older functions' matrices.
#include "descriptors.h"

using namespace heddle;
using namespace heddle::cusparse;

namespace {

template <typename D, typename To> void give(To *to, D descr) {
  *to = library::handles<D>().add(new D(std::move(descr)));
}
template <typename D> void destroy(const D *descr) {
  needLive(descr);
  library::handles<D>().remove(const_cast<D *>(descr));
  delete descr;
}
void needElementType(cudaDataType type) {
  needSupported(sizeOf(type) != 0, "no vector or matrix can have this type");
}
void needIndexType(cusparseIndexType_t type) {
  need(type >= CUSPARSE_INDEX_16U && type <= CUSPARSE_INDEX_64I, "there is no such index type");
}

template <typename To>
void createSpVec(To *descr, int64_t size, int64_t nnz, const void *indices, const void *values,
                 cusparseIndexType_t type, cusparseIndexBase_t base, cudaDataType value_type) {
  needPointers(descr);
  needSizes({size, nnz});
  need(nnz <= size, "there are more elements than the vector has");
  need(nnz == 0 || (indices && values), "a pointer is null");
  needIndexType(type);
  needBase(base);
  needElementType(value_type);
  give(descr, cusparseSpVecDescr{size,
                                 nnz,
                                 {const_cast<void *>(indices), type},
                                 const_cast<void *>(values),
                                 value_type,
                                 base});
}

template <typename To>
void createDnVec(To *descr, int64_t size, const void *values, cudaDataType type) {
  needPointers(descr);
  needSizes({size});
  need(size == 0 || values, "values is null");
  needElementType(type);
  give(descr, cusparseDnVecDescr{size, const_cast<void *>(values), type});
}

template <typename To>
void createDnMat(To *descr, int64_t rows, int64_t cols, int64_t ld, const void *values,
                 cudaDataType type, cusparseOrder_t order) {
  needPointers(descr);
  needSizes({rows, cols});
  need(order == CUSPARSE_ORDER_COL || order == CUSPARSE_ORDER_ROW, "there is no such order");
  need(ld >= (order == CUSPARSE_ORDER_COL ? rows : cols), "the leading dimension is too small");
  int64_t elements = 0;
  need(!__builtin_mul_overflow(ld, order == CUSPARSE_ORDER_COL ? cols : rows, &elements) &&
           elements < INT64_MAX / 16,
       "the matrix is larger than memory can be");
  need(elements == 0 || values, "values is null");
  needElementType(type);
  cusparseDnMatDescr matrix;
  matrix.rows = rows, matrix.cols = cols;
  matrix.row_step = order == CUSPARSE_ORDER_COL ? 1 : ld;
  matrix.col_step = order == CUSPARSE_ORDER_COL ? ld : 1;
  matrix.values = const_cast<void *>(values);
  matrix.type = type;
  matrix.ld = ld, matrix.order = order;
  give(descr, matrix);
}

} // namespace

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *descr, int64_t size, int64_t nnz,
                                     void *indices, void *values, cusparseIndexType_t idxType,
                                     cusparseIndexBase_t idxBase, cudaDataType valueType) {
  return guarded(__func__, [&] {
    createSpVec(descr, size, nnz, indices, values, idxType, idxBase, valueType);
  });
}
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *descr, int64_t size,
                                          int64_t nnz, const void *indices, const void *values,
                                          cusparseIndexType_t idxType, cusparseIndexBase_t idxBase,
                                          cudaDataType valueType) {
  return guarded(__func__, [&] {
    createSpVec(descr, size, nnz, indices, values, idxType, idxBase, valueType);
  });
}
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t descr) {
  return guarded(__func__, [&] { destroy(descr); });
}

// A function and its form for constant data differ in their pointers only.
#define SPVEC_GET(name, Descr, Pointer)                                                            \
  cusparseStatus_t name(Descr descr, int64_t *size, int64_t *nnz, Pointer *indices,                \
                        Pointer *values, cusparseIndexType_t *idxType,                             \
                        cusparseIndexBase_t *idxBase, cudaDataType *valueType) {                   \
    return guarded(__func__, [&] {                                                                 \
      needLive(descr);                                                                             \
      needPointers(size, nnz, indices, values, idxType, idxBase, valueType);                       \
      *size = descr->size, *nnz = descr->nnz, *indices = descr->indices.data,                      \
      *values = descr->values;                                                                     \
      *idxType = descr->indices.type, *idxBase = descr->base, *valueType = descr->type;            \
    });                                                                                            \
  }
SPVEC_GET(cusparseSpVecGet, cusparseSpVecDescr_t, void *)
SPVEC_GET(cusparseConstSpVecGet, cusparseConstSpVecDescr_t, const void *)

cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t descr,
                                           cusparseIndexBase_t *idxBase) {
  return guarded(__func__, [&] {
    needLive(descr);
    needPointers(idxBase);
    *idxBase = descr->base;
  });
}

#define VALUES(Kind)                                                                               \
  cusparseStatus_t cusparse##Kind##GetValues(cusparse##Kind##Descr_t descr, void **values) {       \
    return guarded(__func__, [&] {                                                                 \
      needLive(descr);                                                                             \
      needPointers(values);                                                                        \
      *values = descr->values;                                                                     \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparseConst##Kind##GetValues(cusparseConst##Kind##Descr_t descr,              \
                                                  const void **values) {                           \
    return guarded(__func__, [&] {                                                                 \
      needLive(descr);                                                                             \
      needPointers(values);                                                                        \
      *values = descr->values;                                                                     \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##Kind##SetValues(cusparse##Kind##Descr_t descr, void *values) {        \
    return guarded(__func__, [&] {                                                                 \
      needLive(descr);                                                                             \
      needPointers(values);                                                                        \
      descr->values = values;                                                                      \
    });                                                                                            \
  }
VALUES(SpVec)
VALUES(DnVec)
VALUES(SpMat)
VALUES(DnMat)

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *descr, int64_t size, void *values,
                                     cudaDataType valueType) {
  return guarded(__func__, [&] { createDnVec(descr, size, values, valueType); });
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *descr, int64_t size,
                                          const void *values, cudaDataType valueType) {
  return guarded(__func__, [&] { createDnVec(descr, size, values, valueType); });
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t descr) {
  return guarded(__func__, [&] { destroy(descr); });
}
#define DNVEC_GET(name, Descr, Pointer)                                                            \
  cusparseStatus_t name(Descr descr, int64_t *size, Pointer *values, cudaDataType *valueType) {    \
    return guarded(__func__, [&] {                                                                 \
      needLive(descr);                                                                             \
      needPointers(size, values, valueType);                                                       \
      *size = descr->size, *values = descr->values, *valueType = descr->type;                      \
    });                                                                                            \
  }
DNVEC_GET(cusparseDnVecGet, cusparseDnVecDescr_t, void *)
DNVEC_GET(cusparseConstDnVecGet, cusparseConstDnVecDescr_t, const void *)

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *descr, int64_t rows, int64_t cols,
                                     int64_t ld, void *values, cudaDataType valueType,
                                     cusparseOrder_t order) {
  return guarded(__func__, [&] { createDnMat(descr, rows, cols, ld, values, valueType, order); });
}
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *descr, int64_t rows,
                                          int64_t cols, int64_t ld, const void *values,
                                          cudaDataType valueType, cusparseOrder_t order) {
  return guarded(__func__, [&] { createDnMat(descr, rows, cols, ld, values, valueType, order); });
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t descr) {
  return guarded(__func__, [&] { destroy(descr); });
}
#define DNMAT_GET(name, Descr, Pointer)                                                            \
  cusparseStatus_t name(Descr descr, int64_t *rows, int64_t *cols, int64_t *ld, Pointer *values,   \
                        cudaDataType *valueType, cusparseOrder_t *order) {                         \
    return guarded(__func__, [&] {                                                                 \
      needLive(descr);                                                                             \
      needPointers(rows, cols, ld, values, valueType, order);                                      \
      *rows = descr->rows, *cols = descr->cols, *ld = descr->ld, *values = descr->values;          \
      *valueType = descr->type, *order = descr->order;                                             \
    });                                                                                            \
  }
DNMAT_GET(cusparseDnMatGet, cusparseDnMatDescr_t, void *)
DNMAT_GET(cusparseConstDnMatGet, cusparseConstDnMatDescr_t, const void *)

cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t descr, int batchCount,
                                              int64_t batchStride) {
  return guarded(__func__, [&] {
    needLive(descr);
    need(batchCount > 0, "there is no matrix in the batch");
    need(batchStride == 0 || batchStride >= descr->span(), "the matrices of the batch overlap");
    descr->batch_count = batchCount, descr->batch_stride = batchStride;
  });
}
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t descr, int *batchCount,
                                              int64_t *batchStride) {
  return guarded(__func__, [&] {
    needLive(descr);
    needPointers(batchCount, batchStride);
    *batchCount = descr->batch_count, *batchStride = descr->batch_stride;
  });
}

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descr) {
  return guarded(__func__, [&] {
    needPointers(descr);
    give(descr, cusparseMatDescr{});
  });
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr) {
  return guarded(__func__, [&] {
    if (descr) // as free(NULL)
      destroy(descr);
  });
}
cusparseStatus_t cusparseCopyMatDescr(cusparseMatDescr_t to, const cusparseMatDescr_t from) {
  return guarded(__func__, [&] {
    needLive(to);
    needLive(from);
    *to = *from;
  });
}

#define PART(Name, Type, member, last)                                                             \
  cusparseStatus_t cusparseSet##Name(cusparseMatDescr_t descr, Type value) {                       \
    return guarded(__func__, [&] {                                                                 \
      needLive(descr);                                                                             \
      need(unsigned(value) <= last, "there is no such value");                                     \
      descr->member = value;                                                                       \
    });                                                                                            \
  }                                                                                                \
  Type cusparseGet##Name(const cusparseMatDescr_t descr) { return descr ? descr->member : Type(0); }
PART(MatType, cusparseMatrixType_t, type, CUSPARSE_MATRIX_TYPE_TRIANGULAR)
PART(MatFillMode, cusparseFillMode_t, fill, CUSPARSE_FILL_MODE_UPPER)
PART(MatDiagType, cusparseDiagType_t, diagonal, CUSPARSE_DIAG_TYPE_UNIT)
PART(MatIndexBase, cusparseIndexBase_t, base, CUSPARSE_INDEX_BASE_ONE)
