// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions to and from matrices of blocks (BSR, GEBSR). A source of any format gives its
// elements; a block exists where an element of it does.
#include "sparse_product.h"

using namespace heddle;
using namespace heddle::cusparse;

namespace {

/// Where the blocks of a matrix are, sorted.
Pattern blocksOf(const Matrix &a, int row_block, int col_block) {
  const Pattern all = patternOf(a);
  Pattern blocks;
  blocks.rows = (a.rows + row_block - 1) / row_block;
  blocks.cols = (a.cols + col_block - 1) / col_block;
  blocks.start.push_back(0);
  for (int64_t i = 0; i < blocks.rows; ++i) {
    const int64_t first = all.begin(i * row_block),
                  last = all.begin(std::min((i + 1) * row_block, a.rows));
    for (int64_t p = first; p < last; ++p)
      blocks.column.push_back(all.column[p] / col_block);
    const auto begin = blocks.column.begin() + blocks.start[i];
    std::sort(begin, blocks.column.end());
    blocks.column.erase(std::unique(begin, blocks.column.end()), blocks.column.end());
    blocks.start.push_back(blocks.count());
  }
  return blocks;
}

struct Target {
  cusparseDirection_t direction;
  int row_block, col_block;
  int base;
  int *offsets, *indices;
};

void writeBlocks(const Pattern &blocks, const Target &to) {
  writeOffsets(blocks, {to.offsets, CUSPARSE_INDEX_32I}, to.base);
  if (to.indices)
    writeColumns(blocks, {to.indices, CUSPARSE_INDEX_32I}, to.base);
}

template <typename C> void fillBlocks(const Matrix &a, const Target &to, C *values) {
  const Pattern blocks = blocksOf(a, to.row_block, to.col_block);
  writeBlocks(blocks, to);
  const int64_t size = int64_t(to.row_block) * to.col_block;
  std::fill_n(values, blocks.count() * size, C(0));
  const C *from = static_cast<const C *>(a.values);
  forEach(a, [&](int64_t i, int64_t j, int64_t place) {
    const int64_t block = i / to.row_block, r = i % to.row_block, c = j % to.col_block;
    const auto begin = blocks.column.begin() + blocks.begin(block),
               end = blocks.column.begin() + blocks.end(block);
    const int64_t at = std::lower_bound(begin, end, j / to.col_block) - blocks.column.begin();
    values[at * size +
           (to.direction == CUSPARSE_DIRECTION_ROW ? r * to.col_block + c : c * to.row_block + r)] =
        from[place];
  });
}

void needBlock(cusparseDirection_t dir, int row_block, int col_block) {
  need(unsigned(dir) <= CUSPARSE_DIRECTION_COLUMN, "there is no such direction");
  need(row_block > 0 && col_block > 0, "a block has no size");
}

template <typename T>
Matrix source(int m, int n, const cusparseMatDescr_t descr, const T *values, const int *offsets,
              const int *indices) {
  needSizes({m, n});
  const auto base = generalBase(descr);
  needPointers(offsets, indices);
  need(std::is_void_v<T> || values, "a pointer is null");
  return csr(m, n, 0, base, values, offsets, indices);
}
template <typename T>
Matrix source(cusparseDirection_t dir, int mb, int nb, const cusparseMatDescr_t descr,
              const T *values, const int *offsets, const int *indices, int row_block,
              int col_block) {
  needBlock(dir, row_block, col_block);
  const Matrix a = source(mb, nb, descr, values, offsets, indices);
  return bsr(dir, a.rows, a.cols, 0, a.base, values, offsets, indices, row_block, col_block);
}

void countBlocks(cusparseHandle_t handle, const Matrix &a, cusparseDirection_t dir,
                 const cusparseMatDescr_t descr, int row_block, int col_block, int *offsets,
                 int *total) {
  needBlock(dir, row_block, col_block);
  needPointers(offsets, total);
  const Target to{dir, row_block, col_block, generalBase(descr), offsets, nullptr};
  submit(
      handle,
      [=] {
        const Pattern blocks = blocksOf(a, to.row_block, to.col_block);
        writeBlocks(blocks, to);
        *total = int(blocks.count());
      },
      resultOnHost(handle));
}

template <typename T>
void toBlocks(cusparseHandle_t handle, const Matrix &a, cusparseDirection_t dir,
              const cusparseMatDescr_t descr, int row_block, int col_block, T *values, int *offsets,
              int *indices) {
  needBlock(dir, row_block, col_block);
  needPointers(values, offsets, indices);
  const Target to{dir, row_block, col_block, generalBase(descr), offsets, indices};
  submit(handle, [=, values = as(values)] { fillBlocks(a, to, values); });
}

/// All elements of the blocks as CSR, zeros too; values may be null.
template <typename T>
void toRows(cusparseHandle_t handle, const Matrix &a, const cusparseMatDescr_t descr, T *values,
            int *offsets, int *indices) {
  const int base = generalBase(descr);
  needPointers(offsets, indices);
  submit(handle, [=] {
    Pattern all = patternOf(a);
    writeOffsets(all, {offsets, CUSPARSE_INDEX_32I}, base);
    writeColumns(all, {indices, CUSPARSE_INDEX_32I}, base);
    if constexpr (!std::is_void_v<T>) {
      auto *to = as(values);
      for (int64_t p = 0; p < all.count(); ++p)
        to[p] = static_cast<const Number<T> *>(a.values)[all.place[p]];
    }
  });
}

/// Transposes where blocks are; a block itself is copied as it is (cusparse<t>gebsr2gebsc).
template <typename T>
void transposeBlocks(cusparseHandle_t handle, int mb, int nb, int nnzb, const T *values,
                     const int *offsets, const int *indices, int row_block, int col_block, T *to,
                     int *to_indices, int *to_offsets, cusparseAction_t action,
                     cusparseIndexBase_t base) {
  needSizes({mb, nb, nnzb});
  needBlock(CUSPARSE_DIRECTION_ROW, row_block, col_block);
  needBase(base);
  needPointers(offsets, to_offsets);
  need(nnzb == 0 || (indices && to_indices), "a pointer is null");
  const bool numeric = action == CUSPARSE_ACTION_NUMERIC && nnzb > 0;
  need(!numeric || (values && to), "a pointer is null");
  const Matrix blocks = csr(mb, nb, nnzb, base, values, offsets, indices);
  submit(handle, [=] {
    const Pattern columns = patternOf(blocks, true);
    writeOffsets(columns, {to_offsets, CUSPARSE_INDEX_32I}, base);
    writeColumns(columns, {to_indices, CUSPARSE_INDEX_32I}, base);
    const int64_t size = int64_t(row_block) * col_block;
    for (int64_t p = 0; numeric && p < columns.count(); ++p)
      std::copy_n(values + columns.place[p] * size, size, to + p * size);
  });
}

} // namespace

cusparseStatus_t cusparseXcsr2bsrNnz(cusparseHandle_t h, cusparseDirection_t dir, int m, int n,
                                     const cusparseMatDescr_t descr, const int *offsets,
                                     const int *indices, int block, const cusparseMatDescr_t descrC,
                                     int *to_offsets, int *total) {
  return guarded(__func__, h, [&] {
    countBlocks(h, source(m, n, descr, static_cast<const void *>(nullptr), offsets, indices), dir,
                descrC, block, block, to_offsets, total);
  });
}
cusparseStatus_t cusparseXcsr2gebsrNnz(cusparseHandle_t h, cusparseDirection_t dir, int m, int n,
                                       const cusparseMatDescr_t descr, const int *offsets,
                                       const int *indices, const cusparseMatDescr_t descrC,
                                       int *to_offsets, int row_block, int col_block, int *total,
                                       void *) {
  return guarded(__func__, h, [&] {
    countBlocks(h, source(m, n, descr, static_cast<const void *>(nullptr), offsets, indices), dir,
                descrC, row_block, col_block, to_offsets, total);
  });
}
cusparseStatus_t cusparseXgebsr2gebsrNnz(cusparseHandle_t h, cusparseDirection_t dir, int mb,
                                         int nb, int nnzb, const cusparseMatDescr_t descr,
                                         const int *offsets, const int *indices, int row_block,
                                         int col_block, const cusparseMatDescr_t descrC,
                                         int *to_offsets, int row_block_c, int col_block_c,
                                         int *total, void *) {
  return guarded(__func__, h, [&] {
    needSizes({nnzb});
    const Matrix a = source(dir, mb, nb, descr, static_cast<const void *>(nullptr), offsets,
                            indices, row_block, col_block);
    countBlocks(h, a, dir, descrC, row_block_c, col_block_c, to_offsets, total);
  });
}
cusparseStatus_t cusparseXgebsr2csr(cusparseHandle_t h, cusparseDirection_t dir, int mb, int nb,
                                    const cusparseMatDescr_t descr, const int *offsets,
                                    const int *indices, int row_block, int col_block,
                                    const cusparseMatDescr_t descrC, int *to_offsets,
                                    int *to_indices) {
  return guarded(__func__, h, [&] {
    const Matrix a = source(dir, mb, nb, descr, static_cast<const void *>(nullptr), offsets,
                            indices, row_block, col_block);
    toRows(h, a, descrC, static_cast<void *>(nullptr), to_offsets, to_indices);
  });
}

#define LIST(...) __VA_ARGS__
#define SIZE(Function, ARGUMENTS, MATRIX, Size)                                                    \
  cusparseStatus_t Function(cusparseHandle_t h, ARGUMENTS, Size *size) {                           \
    return guarded(__func__, h, [&] {                                                              \
      MATRIX;                                                                                      \
      giveBufferSize(size);                                                                        \
    });                                                                                            \
  }
#define ARRAYS(T) const T *values, const int *offsets, const int *indices
#define OUTPUT(T) const cusparseMatDescr_t descrC, T *to, int *to_offsets, int *to_indices
#define GE int row_block, int col_block
#define CSC_SIZE(T) LIST(int mb, int nb, int nnzb, ARRAYS(T), GE)
#define CSC_CHECK                                                                                  \
  needSizes({mb, nb, nnzb}), needPointers(values, offsets, indices),                               \
      needBlock(CUSPARSE_DIRECTION_ROW, row_block, col_block)
#define CSR_SIZE(T)                                                                                \
  LIST(cusparseDirection_t dir, int m, int n, const cusparseMatDescr_t descr, ARRAYS(T), GE)
#define CSR_CHECK                                                                                  \
  needBlock(dir, row_block, col_block), source(m, n, descr, values, offsets, indices)
#define GE_SIZE(T)                                                                                 \
  LIST(cusparseDirection_t dir, int mb, int nb, int nnzb, const cusparseMatDescr_t descr,          \
       ARRAYS(T), GE, int row_block_c, int col_block_c)
#define GE_CHECK                                                                                   \
  needSizes({nnzb}), needBlock(dir, row_block_c, col_block_c),                                     \
      source(dir, mb, nb, descr, values, offsets, indices, row_block, col_block)

#define FUNCTIONS(P, T)                                                                            \
  SIZE(cusparse##P##gebsr2gebsc_bufferSize, CSC_SIZE(T), (CSC_CHECK), int)                         \
  SIZE(cusparse##P##gebsr2gebsc_bufferSizeExt, CSC_SIZE(T), (CSC_CHECK), size_t)                   \
  SIZE(cusparse##P##csr2gebsr_bufferSize, CSR_SIZE(T), (CSR_CHECK), int)                           \
  SIZE(cusparse##P##csr2gebsr_bufferSizeExt, CSR_SIZE(T), (CSR_CHECK), size_t)                     \
  SIZE(cusparse##P##gebsr2gebsr_bufferSize, GE_SIZE(T), (GE_CHECK), int)                           \
  SIZE(cusparse##P##gebsr2gebsr_bufferSizeExt, GE_SIZE(T), (GE_CHECK), size_t)                     \
  cusparseStatus_t cusparse##P##csr2bsr(cusparseHandle_t h, cusparseDirection_t dir, int m, int n, \
                                        const cusparseMatDescr_t descr, ARRAYS(T), int block,      \
                                        OUTPUT(T)) {                                               \
    return guarded(__func__, h, [&] {                                                              \
      toBlocks(h, source(m, n, descr, values, offsets, indices), dir, descrC, block, block, to,    \
               to_offsets, to_indices);                                                            \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##bsr2csr(cusparseHandle_t h, cusparseDirection_t dir, int mb,       \
                                        int nb, const cusparseMatDescr_t descr, ARRAYS(T),         \
                                        int block, OUTPUT(T)) {                                    \
    return guarded(__func__, h, [&] {                                                              \
      needPointers(to);                                                                            \
      toRows(h, source(dir, mb, nb, descr, values, offsets, indices, block, block), descrC, to,    \
             to_offsets, to_indices);                                                              \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gebsr2gebsc(                                                       \
      cusparseHandle_t h, int mb, int nb, int nnzb, ARRAYS(T), GE, T *to, int *to_indices,         \
      int *to_offsets, cusparseAction_t action, cusparseIndexBase_t base, void *) {                \
    return guarded(__func__, h, [&] {                                                              \
      transposeBlocks(h, mb, nb, nnzb, values, offsets, indices, row_block, col_block, to,         \
                      to_indices, to_offsets, action, base);                                       \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gebsr2csr(cusparseHandle_t h, cusparseDirection_t dir, int mb,     \
                                          int nb, const cusparseMatDescr_t descr, ARRAYS(T), GE,   \
                                          OUTPUT(T)) {                                             \
    return guarded(__func__, h, [&] {                                                              \
      needPointers(to);                                                                            \
      toRows(h, source(dir, mb, nb, descr, values, offsets, indices, row_block, col_block),        \
             descrC, to, to_offsets, to_indices);                                                  \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csr2gebsr(cusparseHandle_t h, cusparseDirection_t dir, int m,      \
                                          int n, const cusparseMatDescr_t descr, ARRAYS(T),        \
                                          OUTPUT(T), GE, void *) {                                 \
    return guarded(__func__, h, [&] {                                                              \
      toBlocks(h, source(m, n, descr, values, offsets, indices), dir, descrC, row_block,           \
               col_block, to, to_offsets, to_indices);                                             \
    });                                                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gebsr2gebsr(cusparseHandle_t h, cusparseDirection_t dir, int mb,   \
                                            int nb, int nnzb, const cusparseMatDescr_t descr,      \
                                            ARRAYS(T), GE, OUTPUT(T), int row_block_c,             \
                                            int col_block_c, void *) {                             \
    return guarded(__func__, h, [&] {                                                              \
      needSizes({nnzb});                                                                           \
      toBlocks(h, source(dir, mb, nb, descr, values, offsets, indices, row_block, col_block), dir, \
               descrC, row_block_c, col_block_c, to, to_offsets, to_indices);                      \
    });                                                                                            \
  }
FUNCTIONS(S, float)
FUNCTIONS(D, double)
FUNCTIONS(C, cuComplex)
FUNCTIONS(Z, cuDoubleComplex)
