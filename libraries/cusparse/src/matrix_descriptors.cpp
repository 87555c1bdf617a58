// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors of sparse matrices in all formats.
#include "descriptors.h"

using namespace heddle;
using namespace heddle::cusparse;

namespace {

bool isIndexType(cusparseIndexType_t type) {
  return type >= CUSPARSE_INDEX_16U && type <= CUSPARSE_INDEX_64I;
}

/// What all formats have in common; the caller has filled in the rest.
template <typename To> void create(To *descr, Matrix m) {
  needPointers(descr);
  needSizes({m.rows, m.cols, m.nnz, m.values_count, m.ell_cols});
  need(isIndexType(m.offsets.type) && isIndexType(m.indices.type), "there is no such index type");
  needBase(m.base);
  needSupported(sizeOf(m.type) != 0, "no matrix can have this type");
  int64_t elements = 0;
  need(m.rows == 0 || m.cols == 0 || __builtin_mul_overflow(m.rows, m.cols, &elements) ||
           m.format == CUSPARSE_FORMAT_SLICED_ELLPACK || m.nnz <= elements,
       "there are more elements than the matrix has");
  need(m.stored() == 0 || (m.indices.data && m.values), "a pointer is null");
  need(m.nnz == 0 || m.format == CUSPARSE_FORMAT_BLOCKED_ELL || m.offsets.data,
       "a pointer is null");
  auto own = std::make_unique<cusparseSpMatDescr>();
  static_cast<Matrix &>(*own) = m;
  *descr = library::handles<cusparseSpMatDescr>().add(own.release());
}

Matrix make(cusparseFormat_t format, int64_t rows, int64_t cols, int64_t nnz, Index offsets,
            Index indices, const void *values, cusparseIndexBase_t base, cudaDataType type) {
  Matrix m;
  m.format = format, m.rows = rows, m.cols = cols, m.nnz = nnz;
  m.offsets = offsets, m.indices = indices, m.values = const_cast<void *>(values);
  m.base = base, m.type = type;
  return m;
}
Index array(const void *data, cusparseIndexType_t type) { return {const_cast<void *>(data), type}; }

void needFormat(cusparseConstSpMatDescr_t descr, cusparseFormat_t format) {
  needLive(descr);
  need(descr->format == format, "the matrix has another format");
}

void setBatch(cusparseSpMatDescr_t m, cusparseFormat_t format, int count, int64_t offsets,
              int64_t indices, int64_t values) {
  needFormat(m, format);
  need(count > 0, "there is no matrix in the batch");
  needSizes({offsets, indices, values});
  m->batch_count = count;
  m->offsets_stride = offsets, m->indices_stride = indices, m->values_stride = values;
}

} // namespace

// Each of these exists twice, for data that may be written and for constant data: CONST is Const or
// nothing, P the type of pointers.
#define COMPRESSED(CONST, P, Name, FORMAT)                                                         \
  cusparseStatus_t cusparseCreate##CONST##Name(                                                    \
      cusparse##CONST##SpMatDescr_t *descr, int64_t rows, int64_t cols, int64_t nnz, P *offsets,   \
      P *indices, P *values, cusparseIndexType_t offsets_type, cusparseIndexType_t indices_type,   \
      cusparseIndexBase_t base, cudaDataType type) {                                               \
    return guarded(__func__, [&] {                                                                 \
      create(descr, make(FORMAT, rows, cols, nnz, array(offsets, offsets_type),                    \
                         array(indices, indices_type), values, base, type));                       \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##CONST##Name##Get(                                                     \
      cusparse##CONST##SpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *nnz, P **offsets,    \
      P **indices, P **values, cusparseIndexType_t *offsets_type,                                  \
      cusparseIndexType_t *indices_type, cusparseIndexBase_t *base, cudaDataType *type) {          \
    return guarded(__func__, [&] {                                                                 \
      needFormat(m, FORMAT);                                                                       \
      needPointers(rows, cols, nnz, offsets, indices, values, offsets_type, indices_type, base,    \
                   type);                                                                          \
      *rows = m->rows, *cols = m->cols, *nnz = m->nnz, *base = m->base, *type = m->type;           \
      *offsets = m->offsets.data, *indices = m->indices.data, *values = m->values;                 \
      *offsets_type = m->offsets.type, *indices_type = m->indices.type;                            \
    });                                                                                            \
  }
#define OTHERS(CONST, P)                                                                           \
  cusparseStatus_t cusparseCreate##CONST##Coo(cusparse##CONST##SpMatDescr_t *descr, int64_t rows,  \
                                              int64_t cols, int64_t nnz, P *row_indices,           \
                                              P *col_indices, P *values, cusparseIndexType_t idx,  \
                                              cusparseIndexBase_t base, cudaDataType type) {       \
    return guarded(__func__, [&] {                                                                 \
      create(descr, make(CUSPARSE_FORMAT_COO, rows, cols, nnz, array(row_indices, idx),            \
                         array(col_indices, idx), values, base, type));                            \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##CONST##CooGet(cusparse##CONST##SpMatDescr_t m, int64_t *rows,         \
                                           int64_t *cols, int64_t *nnz, P **row_indices,           \
                                           P **col_indices, P **values, cusparseIndexType_t *idx,  \
                                           cusparseIndexBase_t *base, cudaDataType *type) {        \
    return guarded(__func__, [&] {                                                                 \
      needFormat(m, CUSPARSE_FORMAT_COO);                                                          \
      needPointers(rows, cols, nnz, row_indices, col_indices, values, idx, base, type);            \
      *rows = m->rows, *cols = m->cols, *nnz = m->nnz, *base = m->base, *type = m->type;           \
      *row_indices = m->offsets.data, *col_indices = m->indices.data, *values = m->values,         \
      *idx = m->indices.type;                                                                      \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparseCreate##CONST##Bsr(                                                     \
      cusparse##CONST##SpMatDescr_t *descr, int64_t brows, int64_t bcols, int64_t bnnz,            \
      int64_t rb, int64_t cb, P *offsets, P *indices, P *values, cusparseIndexType_t offsets_type, \
      cusparseIndexType_t indices_type, cusparseIndexBase_t base, cudaDataType type,               \
      cusparseOrder_t order) {                                                                     \
    return guarded(__func__, [&] {                                                                 \
      need(rb > 0 && cb > 0, "a block has no size");                                               \
      need(order == CUSPARSE_ORDER_COL || order == CUSPARSE_ORDER_ROW, "there is no such order");  \
      Matrix m = make(CUSPARSE_FORMAT_BSR, 0, 0, bnnz, array(offsets, offsets_type),               \
                      array(indices, indices_type), values, base, type);                           \
      need(!__builtin_mul_overflow(brows, rb, &m.rows) &&                                          \
               !__builtin_mul_overflow(bcols, cb, &m.cols),                                        \
           "a size overflows");                                                                    \
      m.row_block = rb, m.col_block = cb, m.block_order = order;                                   \
      create(descr, m);                                                                            \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparseCreate##CONST##BlockedEll(                                              \
      cusparse##CONST##SpMatDescr_t *descr, int64_t rows, int64_t cols, int64_t block,             \
      int64_t ell_cols, P *indices, P *values, cusparseIndexType_t idx, cusparseIndexBase_t base,  \
      cudaDataType type) {                                                                         \
    return guarded(__func__, [&] {                                                                 \
      need(block > 0, "a block has no size");                                                      \
      need(rows % block == 0 && cols % block == 0 && ell_cols % block == 0,                        \
           "the matrix is not made of whole blocks");                                              \
      need(ell_cols <= cols, "rows have more columns than the matrix");                            \
      Matrix m = make(CUSPARSE_FORMAT_BLOCKED_ELL, rows, cols, 0, array(nullptr, idx),             \
                      array(indices, idx), values, base, type);                                    \
      need(!__builtin_mul_overflow(rows, ell_cols, &m.nnz), "a size overflows");                   \
      m.row_block = m.col_block = block, m.ell_cols = ell_cols;                                    \
      create(descr, m);                                                                            \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##CONST##BlockedEllGet(                                                 \
      cusparse##CONST##SpMatDescr_t m, int64_t *rows, int64_t *cols, int64_t *block,               \
      int64_t *ell_cols, P **indices, P **values, cusparseIndexType_t *idx,                        \
      cusparseIndexBase_t *base, cudaDataType *type) {                                             \
    return guarded(__func__, [&] {                                                                 \
      needFormat(m, CUSPARSE_FORMAT_BLOCKED_ELL);                                                  \
      needPointers(rows, cols, block, ell_cols, indices, values, idx, base, type);                 \
      *rows = m->rows, *cols = m->cols, *block = m->row_block, *ell_cols = m->ell_cols;            \
      *indices = m->indices.data, *values = m->values, *idx = m->indices.type, *base = m->base,    \
      *type = m->type;                                                                             \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparseCreate##CONST##SlicedEll(                                               \
      cusparse##CONST##SpMatDescr_t *descr, int64_t rows, int64_t cols, int64_t nnz,               \
      int64_t count, int64_t slice, P *offsets, P *indices, P *values,                             \
      cusparseIndexType_t offsets_type, cusparseIndexType_t indices_type,                          \
      cusparseIndexBase_t base, cudaDataType type) {                                               \
    return guarded(__func__, [&] {                                                                 \
      need(slice > 0, "a slice has no rows");                                                      \
      need(count >= nnz, "there are more elements than places");                                   \
      Matrix m =                                                                                   \
          make(CUSPARSE_FORMAT_SLICED_ELLPACK, rows, cols, nnz, array(offsets, offsets_type),      \
               array(indices, indices_type), values, base, type);                                  \
      m.slice = slice, m.values_count = count;                                                     \
      create(descr, m);                                                                            \
    });                                                                                            \
  }
#define BOTH(X, ...)                                                                               \
  X(, void __VA_OPT__(, ) __VA_ARGS__) X(Const, const void __VA_OPT__(, ) __VA_ARGS__)
BOTH(COMPRESSED, Csr, CUSPARSE_FORMAT_CSR)
BOTH(COMPRESSED, Csc, CUSPARSE_FORMAT_CSC)
BOTH(OTHERS)

#define SET_POINTERS(Name, FORMAT)                                                                 \
  cusparseStatus_t cusparse##Name##SetPointers(cusparseSpMatDescr_t m, void *offsets,              \
                                               void *indices, void *values) {                      \
    return guarded(__func__, [&] {                                                                 \
      needFormat(m, FORMAT);                                                                       \
      needPointers(offsets, indices, values);                                                      \
      m->offsets.data = offsets, m->indices.data = indices, m->values = values;                    \
    });                                                                                            \
  }
SET_POINTERS(Csr, CUSPARSE_FORMAT_CSR)
SET_POINTERS(Csc, CUSPARSE_FORMAT_CSC)
SET_POINTERS(Coo, CUSPARSE_FORMAT_COO)

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t descr) {
  return guarded(__func__, [&] {
    needLive(descr);
    library::handles<cusparseSpMatDescr>().remove(const_cast<cusparseSpMatDescr *>(descr));
    delete descr;
  });
}

#define GET_ONE(name, Type, expression)                                                            \
  cusparseStatus_t name(cusparseConstSpMatDescr_t m, Type *value) {                                \
    return guarded(__func__, [&] {                                                                 \
      needLive(m);                                                                                 \
      needPointers(value);                                                                         \
      *value = expression;                                                                         \
    });                                                                                            \
  }
GET_ONE(cusparseSpMatGetFormat, cusparseFormat_t, m->format)
GET_ONE(cusparseSpMatGetIndexBase, cusparseIndexBase_t, m->base)
GET_ONE(cusparseSpMatGetStridedBatch, int, m->batch_count)

cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t m, int64_t *rows, int64_t *cols,
                                      int64_t *nnz) {
  return guarded(__func__, [&] {
    needLive(m);
    needPointers(rows, cols, nnz);
    *rows = m->rows, *cols = m->cols, *nnz = m->nnz;
  });
}
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t m, int count, int64_t stride) {
  return guarded(__func__,
                 [&] { setBatch(m, CUSPARSE_FORMAT_COO, count, stride, stride, stride); });
}
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t m, int count, int64_t offsets,
                                            int64_t columns_values) {
  return guarded(__func__, [&] {
    setBatch(m, CUSPARSE_FORMAT_CSR, count, offsets, columns_values, columns_values);
  });
}
cusparseStatus_t cusparseBsrSetStridedBatch(cusparseSpMatDescr_t m, int count, int64_t offsets,
                                            int64_t columns, int64_t values) {
  return guarded(__func__,
                 [&] { setBatch(m, CUSPARSE_FORMAT_BSR, count, offsets, columns, values); });
}

namespace {
/// An attribute's value, an enumerator of 0 or 1.
int &attribute(cusparseSpMatDescr *m, cusparseSpMatAttribute_t which, const void *data,
               size_t size) {
  needLive(m);
  needPointers(data);
  need(unsigned(which) <= CUSPARSE_SPMAT_DIAG_TYPE, "there is no such attribute");
  need(size == sizeof(int), "the attribute has another size");
  return which == CUSPARSE_SPMAT_FILL_MODE ? m->fill : m->diagonal;
}
} // namespace

cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t m,
                                           cusparseSpMatAttribute_t which, void *data,
                                           size_t size) {
  return guarded(__func__, [&] {
    const int value = attribute(const_cast<cusparseSpMatDescr *>(m), which, data, size);
    *static_cast<int *>(data) = value < 0 ? 0 : value;
  });
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t m, cusparseSpMatAttribute_t which,
                                           void *data, size_t size) {
  return guarded(__func__, [&] {
    int &place = attribute(m, which, data, size);
    const int value = *static_cast<const int *>(data);
    need(value == 0 || value == 1, "there is no such value");
    place = value;
  });
}
