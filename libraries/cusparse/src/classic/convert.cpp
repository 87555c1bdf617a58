// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CSR to CSC, and between rows' offsets and row indices.
#include "descriptors.h"

using namespace heddle;
using namespace heddle::cusparse;

namespace {

void transpose(cusparseHandle_t handle, int m, int n, int nnz, const void *values,
               cudaDataType type, const int *offsets, const int *indices, void *to, int *to_offsets,
               int *to_indices, cusparseAction_t action, cusparseIndexBase_t base) {
  needSizes({m, n, nnz});
  needBase(base);
  need(unsigned(action) <= CUSPARSE_ACTION_NUMERIC, "there is no such action");
  needPointers(offsets, to_offsets);
  need(nnz == 0 || (indices && to_indices), "a pointer is null");
  const bool numeric = action == CUSPARSE_ACTION_NUMERIC && nnz > 0;
  need(!numeric || (values && to), "a pointer is null");
  needSupported(sizeOf(type) != 0, "no matrix can have this type");
  const Matrix a = csr(m, n, nnz, base, values, offsets, indices);
  submit(handle, [=] {
    const Pattern columns = patternOf(a, true);
    for (int64_t j = 0; j <= columns.rows; ++j)
      to_offsets[j] = int(columns.start[j]) + base;
    for (int64_t p = 0; p < columns.count(); ++p)
      to_indices[p] = int(columns.column[p]) + base;
    if (numeric)
      withElementType(type, [&](auto tag) {
        using T = typename decltype(tag)::Type;
        for (int64_t p = 0; p < columns.count(); ++p)
          static_cast<T *>(to)[p] = static_cast<const T *>(values)[columns.place[p]];
      });
  });
}

void needAlgorithm(cusparseCsr2CscAlg_t alg) {
  need(alg == CUSPARSE_CSR2CSC_ALG1 || alg == CUSPARSE_CSR2CSC_ALG2, "there is no such algorithm");
}

} // namespace

cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz,
                                    const void *csrVal, const int *csrRowPtr, const int *csrColInd,
                                    void *cscVal, int *cscColPtr, int *cscRowInd,
                                    cudaDataType valType, cusparseAction_t copyValues,
                                    cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t alg, void *) {
  return guarded(__func__, handle, [&] {
    needAlgorithm(alg);
    transpose(handle, m, n, nnz, csrVal, valType, csrRowPtr, csrColInd, cscVal, cscColPtr,
              cscRowInd, copyValues, idxBase);
  });
}
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz,
                                               const void *, const int *, const int *, void *,
                                               int *, int *, cudaDataType valType, cusparseAction_t,
                                               cusparseIndexBase_t idxBase,
                                               cusparseCsr2CscAlg_t alg, size_t *bufferSize) {
  return guarded(__func__, handle, [&] {
    needSizes({m, n, nnz});
    needBase(idxBase);
    needAlgorithm(alg);
    needSupported(sizeOf(valType) != 0, "no matrix can have this type");
    giveBufferSize(bufferSize);
  });
}

#define CSR2CSC(P, T)                                                                              \
  cusparseStatus_t cusparse##P##csr2csc(cusparseHandle_t h, int m, int n, int nnz,                 \
                                        const T *values, const int *offsets, const int *indices,   \
                                        T *to, int *to_indices, int *to_offsets,                   \
                                        cusparseAction_t action, cusparseIndexBase_t base) {       \
    return guarded(__func__, h, [&] {                                                              \
      transpose(h, m, n, nnz, values, dataType<Number<T>>(), offsets, indices, to, to_offsets,     \
                to_indices, action, base);                                                         \
    });                                                                                            \
  }
CSR2CSC(S, float)
CSR2CSC(D, double)
CSR2CSC(C, cuComplex)
CSR2CSC(Z, cuDoubleComplex)

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *cooRowInd, int nnz, int m,
                                  int *csrSortedRowPtr, cusparseIndexBase_t idxBase) {
  return guarded(__func__, handle, [&] {
    needSizes({nnz, m});
    needBase(idxBase);
    needPointers(csrSortedRowPtr);
    need(nnz == 0 || cooRowInd, "a pointer is null");
    submit(handle, [=] {
      int row = 0;
      for (int p = 0; p < nnz; ++p)
        for (; row <= cooRowInd[p] - idxBase && row <= m; ++row)
          csrSortedRowPtr[row] = p + idxBase;
      for (; row <= m; ++row)
        csrSortedRowPtr[row] = nnz + idxBase;
    });
  });
}

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *csrSortedRowPtr, int nnz,
                                  int m, int *cooRowInd, cusparseIndexBase_t idxBase) {
  return guarded(__func__, handle, [&] {
    needSizes({nnz, m});
    needBase(idxBase);
    needPointers(csrSortedRowPtr);
    need(nnz == 0 || cooRowInd, "a pointer is null");
    submit(handle, [=] {
      for (int i = 0; i < m; ++i)
        for (int p = csrSortedRowPtr[i]; p < csrSortedRowPtr[i + 1]; ++p)
          cooRowInd[p - idxBase] = i + idxBase;
    });
  });
}
