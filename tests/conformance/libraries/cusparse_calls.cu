// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcusparse
// env: HEDDLE_QUIET=1 HEDDLE_DEVICES=2
//
// cuSPARSE's handles, descriptors and statuses; the order of streams, graphs, threads; what bad
// arguments are answered with.
#include "sparse_check.h"

#include <string>
#include <thread>

using namespace sparse;

namespace {

cusparseHandle_t handle;
constexpr auto bad = CUSPARSE_STATUS_INVALID_VALUE;
constexpr auto I32 = CUSPARSE_INDEX_32I;
constexpr auto B0 = CUSPARSE_INDEX_BASE_ZERO;
constexpr auto B1 = CUSPARSE_INDEX_BASE_ONE;

void testHandle() {
  int version = 0, part = 0;
  cudaStream_t stream, found;
  cusparsePointerMode_t mode;
  OK(cusparseGetVersion(handle, &version));
  CHECK(version >= 11000);
  OK(cusparseGetProperty(MAJOR_VERSION, &part));
  CHECK(part == version / 1000);
  CHECK_CUDA(cudaStreamCreate(&stream));
  OK(cusparseSetStream(handle, stream));
  OK(cusparseGetStream(handle, &found));
  CHECK(found == stream);
  OK(cusparseSetStream(handle, nullptr));
  CHECK_CUDA(cudaStreamDestroy(stream));
  OK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
  OK(cusparseGetPointerMode(handle, &mode));
  CHECK_EQ(mode, CUSPARSE_POINTER_MODE_DEVICE);
  OK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  CHECK(std::string(cusparseGetErrorName(CUSPARSE_STATUS_ZERO_PIVOT)) ==
        "CUSPARSE_STATUS_ZERO_PIVOT");
  CHECK(std::string(cusparseGetErrorString(CUSPARSE_STATUS_SUCCESS)) == "success");
  CHECK(std::string(cusparseGetErrorString(CUSPARSE_STATUS_INVALID_VALUE)) == "invalid value");
}

std::string logged;
void log(int, const char *function, const char *) { logged += function; }

void testLogger() {
  int version;
  OK(cusparseLoggerSetCallback(log));
  OK(cusparseLoggerSetLevel(5));
  OK(cusparseGetVersion(handle, &version));
  CHECK(logged.find("cusparseGetVersion") != std::string::npos);
  OK(cusparseLoggerSetLevel(0));
  logged.clear();
  OK(cusparseGetVersion(handle, &version));
  CHECK(logged.empty());
  OK(cusparseLoggerSetCallback(nullptr));
  const char *path = "/tmp/cusparse_calls.log";
  OK(cusparseLoggerOpenFile(path));
  OK(cusparseLoggerSetMask(31));
  OK(cusparseGetVersion(handle, &version));
  OK(cusparseLoggerSetMask(0));
  OK(cusparseLoggerSetFile(stdout));
  if (FILE *file = std::fopen(path, "r")) {
    CHECK(std::fgetc(file) != EOF);
    std::fclose(file);
  } else
    CHECK(!"the log file is missing");
  std::remove(path);
}

void testMatDescr() {
  cusparseMatDescr_t d;
  OK(cusparseCreateMatDescr(&d));
  CHECK(cusparseGetMatType(d) == CUSPARSE_MATRIX_TYPE_GENERAL && cusparseGetMatIndexBase(d) == B0);
  CHECK(cusparseGetMatFillMode(d) == CUSPARSE_FILL_MODE_LOWER &&
        cusparseGetMatDiagType(d) == CUSPARSE_DIAG_TYPE_NON_UNIT);
  OK(cusparseSetMatType(d, CUSPARSE_MATRIX_TYPE_TRIANGULAR));
  OK(cusparseSetMatFillMode(d, CUSPARSE_FILL_MODE_UPPER));
  OK(cusparseSetMatDiagType(d, CUSPARSE_DIAG_TYPE_UNIT));
  OK(cusparseSetMatIndexBase(d, B1));
  CHECK(cusparseGetMatType(d) == CUSPARSE_MATRIX_TYPE_TRIANGULAR &&
        cusparseGetMatIndexBase(d) == B1);
  CHECK(cusparseGetMatFillMode(d) == CUSPARSE_FILL_MODE_UPPER &&
        cusparseGetMatDiagType(d) == CUSPARSE_DIAG_TYPE_UNIT);
#ifdef __HEDDLE_CUSPARSE_TYPES_H__ // removed from CUDA 12
  cusparseMatDescr_t copy;
  OK(cusparseCreateMatDescr(&copy));
  OK(cusparseCopyMatDescr(copy, d));
  CHECK(cusparseGetMatIndexBase(copy) == B1 &&
        cusparseGetMatFillMode(copy) == CUSPARSE_FILL_MODE_UPPER);
  OK(cusparseDestroyMatDescr(copy));
#endif
  CHECK_EQ(cusparseSetMatType(d, cusparseMatrixType_t(9)), bad);
  OK(cusparseDestroyMatDescr(d));
}

#define SAME(a, b) CHECK((const void *)(a) == (const void *)(b))

// The form of a function for data that may be written, and the one for constant data.
#define TEST_DESCRIPTORS(Const, CONST)                                                             \
  void testDescriptors##Const(int *i, int *j, float *v) {                                          \
    CONST void *pi, *pj, *pv;                                                                      \
    int64_t size, nnz, rows, cols, ld;                                                             \
    cusparseIndexType_t it, jt;                                                                    \
    cusparseIndexBase_t base;                                                                      \
    cudaDataType type;                                                                             \
    cusparseOrder_t order;                                                                         \
    cusparse##Const##SpVecDescr_t sv;                                                              \
    OK(cusparseCreate##Const##SpVec(&sv, 9, 3, i, v, I32, B1, CUDA_R_32F));                        \
    OK(cusparse##Const##SpVecGet(sv, &size, &nnz, &pi, &pv, &it, &base, &type));                   \
    CHECK(size == 9 && nnz == 3 && it == I32 && base == B1 && type == CUDA_R_32F);                 \
    SAME(pi, i);                                                                                   \
    SAME(pv, v);                                                                                   \
    OK(cusparseSpVecGetIndexBase(sv, &base));                                                      \
    CHECK_EQ(base, B1);                                                                            \
    pv = nullptr;                                                                                  \
    OK(cusparse##Const##SpVecGetValues(sv, &pv));                                                  \
    SAME(pv, v);                                                                                   \
    OK(cusparseDestroySpVec(sv));                                                                  \
    cusparse##Const##DnVecDescr_t dv;                                                              \
    OK(cusparseCreate##Const##DnVec(&dv, 5, v, CUDA_R_32F));                                       \
    OK(cusparse##Const##DnVecGet(dv, &size, &pv, &type));                                          \
    CHECK(size == 5 && type == CUDA_R_32F);                                                        \
    SAME(pv, v);                                                                                   \
    pv = nullptr;                                                                                  \
    OK(cusparse##Const##DnVecGetValues(dv, &pv));                                                  \
    SAME(pv, v);                                                                                   \
    OK(cusparseDestroyDnVec(dv));                                                                  \
    cusparse##Const##DnMatDescr_t dm;                                                              \
    OK(cusparseCreate##Const##DnMat(&dm, 2, 3, 4, v, CUDA_R_32F, CUSPARSE_ORDER_ROW));             \
    OK(cusparse##Const##DnMatGet(dm, &rows, &cols, &ld, &pv, &type, &order));                      \
    CHECK(rows == 2 && cols == 3 && ld == 4 && type == CUDA_R_32F && order == CUSPARSE_ORDER_ROW); \
    SAME(pv, v);                                                                                   \
    pv = nullptr;                                                                                  \
    OK(cusparse##Const##DnMatGetValues(dm, &pv));                                                  \
    SAME(pv, v);                                                                                   \
    OK(cusparseDestroyDnMat(dm));                                                                  \
    cusparse##Const##SpMatDescr_t m;                                                               \
    cusparseFormat_t format;                                                                       \
    auto common = [&](cusparseFormat_t expected, int64_t r, int64_t c, int64_t n) {                \
      OK(cusparseSpMatGetFormat(m, &format));                                                      \
      CHECK_EQ(format, expected);                                                                  \
      OK(cusparseSpMatGetIndexBase(m, &base));                                                     \
      CHECK_EQ(base, B1);                                                                          \
      OK(cusparseSpMatGetSize(m, &rows, &cols, &nnz));                                             \
      CHECK(rows == r && cols == c && (n < 0 || nnz == n));                                        \
      pv = nullptr;                                                                                \
      OK(cusparse##Const##SpMatGetValues(m, &pv));                                                 \
      SAME(pv, v);                                                                                 \
      pi = pj = pv = nullptr;                                                                      \
    };                                                                                             \
    OK(cusparseCreate##Const##Csr(&m, 2, 3, 4, i, j, v, I32, I32, B1, CUDA_R_32F));                \
    common(CUSPARSE_FORMAT_CSR, 2, 3, 4);                                                          \
    OK(cusparse##Const##CsrGet(m, &rows, &cols, &nnz, &pi, &pj, &pv, &it, &jt, &base, &type));     \
    CHECK(pi == i && pj == j && pv == v && rows == 2 && cols == 3 && nnz == 4 && it == I32 &&      \
          jt == I32 && type == CUDA_R_32F);                                                        \
    OK(cusparseDestroySpMat(m));                                                                   \
    OK(cusparseCreate##Const##Csc(&m, 2, 3, 4, i, j, v, I32, I32, B1, CUDA_R_32F));                \
    common(CUSPARSE_FORMAT_CSC, 2, 3, 4);                                                          \
    OK(cusparse##Const##CscGet(m, &rows, &cols, &nnz, &pi, &pj, &pv, &it, &jt, &base, &type));     \
    CHECK(pi == i && pj == j && pv == v && rows == 2 && cols == 3 && nnz == 4 && it == I32 &&      \
          jt == I32 && type == CUDA_R_32F);                                                        \
    OK(cusparseDestroySpMat(m));                                                                   \
    OK(cusparseCreate##Const##Coo(&m, 2, 3, 4, i, j, v, I32, B1, CUDA_R_32F));                     \
    common(CUSPARSE_FORMAT_COO, 2, 3, 4);                                                          \
    OK(cusparse##Const##CooGet(m, &rows, &cols, &nnz, &pi, &pj, &pv, &it, &base, &type));          \
    CHECK(pi == i && pj == j && pv == v && rows == 2 && cols == 3 && nnz == 4 && it == I32 &&      \
          type == CUDA_R_32F);                                                                     \
    OK(cusparseDestroySpMat(m));                                                                   \
    OK(cusparseCreate##Const##BlockedEll(&m, 4, 6, 2, 4, j, v, I32, B1, CUDA_R_32F));              \
    common(CUSPARSE_FORMAT_BLOCKED_ELL, 4, 6, -1);                                                 \
    OK(cusparse##Const##BlockedEllGet(m, &rows, &cols, &size, &ld, &pj, &pv, &it, &base, &type));  \
    CHECK(pj == j && pv == v && rows == 4 && cols == 6 && size == 2 && ld == 4 && it == I32 &&     \
          type == CUDA_R_32F);                                                                     \
    OK(cusparseDestroySpMat(m));                                                                   \
    OK(cusparseCreate##Const##SlicedEll(&m, 4, 6, 3, 8, 2, i, j, v, I32, I32, B1, CUDA_R_32F));    \
    common(CUSPARSE_FORMAT_SLICED_ELLPACK, 4, 6, 3);                                               \
    OK(cusparseDestroySpMat(m));                                                                   \
    OK(cusparseCreate##Const##Bsr(&m, 2, 3, 2, 2, 2, i, j, v, I32, I32, B1, CUDA_R_32F,            \
                                  CUSPARSE_ORDER_COL));                                            \
    common(CUSPARSE_FORMAT_BSR, takes_all ? 4 : rows, takes_all ? 6 : cols, -1);                   \
    OK(cusparseDestroySpMat(m));                                                                   \
  }
TEST_DESCRIPTORS(, )
TEST_DESCRIPTORS(Const, const)

void testSetters() {
  const Array<int> i(16), j(16);
  const Array<float> v(64), w(64);
  testDescriptors(i, j, v);
  testDescriptorsConst(i, j, v);
  void *p;
  cusparseSpVecDescr_t sv;
  cusparseDnVecDescr_t dv;
  cusparseDnMatDescr_t dm;
  cusparseSpMatDescr_t m;
  OK(cusparseCreateSpVec(&sv, 9, 3, i, v, I32, B0, CUDA_R_32F));
  OK(cusparseSpVecSetValues(sv, w));
  OK(cusparseSpVecGetValues(sv, &p));
  SAME(p, w.data());
  OK(cusparseDestroySpVec(sv));
  OK(cusparseCreateDnVec(&dv, 5, v, CUDA_R_32F));
  OK(cusparseDnVecSetValues(dv, w));
  OK(cusparseDnVecGetValues(dv, &p));
  SAME(p, w.data());
  OK(cusparseDestroyDnVec(dv));
  OK(cusparseCreateDnMat(&dm, 2, 3, 4, v, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  OK(cusparseDnMatSetValues(dm, w));
  OK(cusparseDnMatGetValues(dm, &p));
  SAME(p, w.data());
  OK(cusparseDestroyDnMat(dm));
  OK(cusparseCreateCsr(&m, 2, 3, 4, i, j, v, I32, I32, B0, CUDA_R_32F));
  OK(cusparseSpMatSetValues(m, w));
  OK(cusparseSpMatGetValues(m, &p));
  SAME(p, w.data());
  auto fill = CUSPARSE_FILL_MODE_UPPER;
  auto diagonal = CUSPARSE_DIAG_TYPE_UNIT;
  OK(cusparseSpMatSetAttribute(m, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  OK(cusparseSpMatSetAttribute(m, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
  fill = CUSPARSE_FILL_MODE_LOWER;
  diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  OK(cusparseSpMatGetAttribute(m, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  OK(cusparseSpMatGetAttribute(m, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
  CHECK(fill == CUSPARSE_FILL_MODE_UPPER && diagonal == CUSPARSE_DIAG_TYPE_UNIT);
  CHECK_EQ(cusparseSpMatSetAttribute(m, CUSPARSE_SPMAT_FILL_MODE, &fill, 1), bad);
  OK(cusparseDestroySpMat(m));
  int count;
  OK(cusparseCreateCoo(&m, 2, 3, 4, i, j, v, I32, B0, CUDA_R_32F));
  OK(cusparseCooSetStridedBatch(m, 3, 4));
  OK(cusparseSpMatGetStridedBatch(m, &count));
  CHECK_EQ(count, 3);
  OK(cusparseDestroySpMat(m));
  OK(cusparseCreateBsr(&m, 2, 3, 2, 2, 2, i, j, v, I32, I32, B0, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  OK(cusparseBsrSetStridedBatch(m, 2, 0, 0, 8));
  OK(cusparseSpMatGetStridedBatch(m, &count));
  CHECK_EQ(count, 2);
  OK(cusparseDestroySpMat(m));
}

/// A product y = alpha A x + beta y that tests of order start.
struct Product {
  Full a = sparseFull<float>(64, 64, 1), x = denseFull<float>(64, 1, 2);
  Csr<float> m{a, 0};
  Array<float> vx{x.at_}, vy{64};
  cusparseSpMatDescr_t mat;
  cusparseDnVecDescr_t dx, dy;
  Product(cusparseFormat_t format = CUSPARSE_FORMAT_CSR) {
    if (format == CUSPARSE_FORMAT_CSR) // a kernel; the transposed matrix by columns is a task
      OK(cusparseCreateCsr(&mat, 64, 64, m.nnz, m.offsets, m.columns, m.values, I32, I32, B0,
                           CUDA_R_32F));
    else
      OK(cusparseCreateCsc(&mat, 64, 64, m.nnz, m.offsets, m.columns, m.values, I32, I32, B0,
                           CUDA_R_32F));
    OK(cusparseCreateDnVec(&dx, 64, vx, CUDA_R_32F));
    OK(cusparseCreateDnVec(&dy, 64, vy, CUDA_R_32F));
    if (format != CUSPARSE_FORMAT_CSR)
      a = transposed(a, T_);
  }
  ~Product() {
    OK(cusparseDestroySpMat(mat));
    OK(cusparseDestroyDnVec(dx));
    OK(cusparseDestroyDnVec(dy));
  }
  void run(cusparseHandle_t h, const float *alpha, const float *beta, void *buffer) {
    OK(cusparseSpMV(h, N, alpha, mat, dx, beta, dy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
  }
};

__global__ void setLate(float *alpha, float value) {
  for (int i = 0; i < 20000; ++i)
    *(volatile float *)alpha = 0;
  *alpha = value;
}

void testOrder(cusparseFormat_t format) {
  Product p(format);
  const Array<char> buffer(1 << 16);
  Array<float> scalars(2);
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  OK(cusparseSetStream(handle, stream));
  OK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
  setLate<<<1, 1, 0, stream>>>(scalars, 3); // the product reads alpha after it
  p.run(handle, scalars, scalars + 1, buffer.data());
  compare(p.vy, sum(3, product(p.a, p.x), 0, p.x).at_, "the order of a stream");

  // A graph with the call runs as often as it is launched; host scalars are those of the call.
  OK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  float alpha = 2, beta = 1;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK_CUDA(cudaMemsetAsync(p.vy, 0, 64 * sizeof(float), stream));
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  p.run(handle, &alpha, &beta, buffer.data());
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  alpha = beta = 100;
  CHECK_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_CUDA(cudaGraphDestroy(graph));
  for (int k = 0; k < 3; ++k)
    CHECK_CUDA(cudaGraphLaunch(executable, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  compare(p.vy, sum(6, product(p.a, p.x), 0, p.x).at_, "a graph");
  CHECK_CUDA(cudaGraphExecDestroy(executable));
  OK(cusparseSetStream(handle, nullptr));
  CHECK_CUDA(cudaStreamDestroy(stream));
}

// SpVV's result in host memory is there when the graph has run, each time anew; elsewhere when the
// call returns.
void testCapturedResult() {
  const int count = 5;
  const std::vector<Number> values{1, 2, 3, 4, 5}, dense{1, 0, 2, 0, 3, 0, 4, 0, 5, 0};
  const Array<float> x(values), y(dense);
  Array<int> indices(count);
  for (int i = 0; i < count; ++i)
    indices[i] = 2 * i;
  const Array<char> buffer(1 << 16);
  cusparseSpVecDescr_t sparse_x;
  OK(cusparseCreateSpVec(&sparse_x, 10, count, indices, x, I32, B0, CUDA_R_32F));
  cusparseDnVecDescr_t dense_y;
  OK(cusparseCreateDnVec(&dense_y, 10, y, CUDA_R_32F));
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  OK(cusparseSetStream(handle, stream));
  float result = -1;
  auto dot = [&](cusparseSpVecDescr_t a) {
    OK(cusparseSpVV(handle, N, a, dense_y, &result, CUDA_R_32F, buffer.data()));
  };
  dot(sparse_x);
  CHECK_EQ(result, 55.0f);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  result = -1;
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  dot(sparse_x);
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  CHECK_EQ(result, -1.0f); // nothing has run
  CHECK_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_CUDA(cudaGraphDestroy(graph));
  for (int k = 1; k <= 3; ++k) {
    CHECK_CUDA(cudaMemsetAsync(x.data(), 0, (k - 1) * sizeof(float), stream));
    CHECK_CUDA(cudaGraphLaunch(executable, stream));
    CHECK_CUDA(cudaStreamSynchronize(stream));
    CHECK_EQ(result, k == 1 ? 55.0f : k == 2 ? 54.0f : 50.0f);
  }
  CHECK_CUDA(cudaGraphExecDestroy(executable));
  OK(cusparseDestroySpVec(sparse_x));
  OK(cusparseDestroyDnVec(dense_y));
  OK(cusparseSetStream(handle, nullptr));
  CHECK_CUDA(cudaStreamDestroy(stream));
}

void testThreads() {
  std::vector<std::thread> threads;
  Product products[2];
  const Array<char> buffers(2 << 16);
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&, t] {
      cusparseHandle_t own;
      OK(cusparseCreate(&own));
      const float alpha = 1, beta = 1;
      for (int k = 0; k < 50; ++k)
        products[t].run(own, &alpha, &beta, buffers.data() + (t << 16));
      OK(cusparseDestroy(own));
    });
  for (auto &thread : threads)
    thread.join();
  for (auto &p : products)
    compare(p.vy, sum(50, product(p.a, p.x), 0, p.x).at_, "two threads");
}

void testBadArguments() {
  Product p;
  const Array<char> buffer(1 << 16);
  const float one = 1;
  auto spmv = [&](cusparseHandle_t h, cusparseOperation_t op, const float *alpha,
                  cusparseSpMatDescr_t a, cusparseDnVecDescr_t x, cudaDataType type) {
    return cusparseSpMV(h, op, alpha, a, x, &one, p.dy, type, CUSPARSE_SPMV_ALG_DEFAULT,
                        buffer.data());
  };
  OK(spmv(handle, N, &one, p.mat, p.dx, CUDA_R_32F));
  CHECK_EQ(spmv(nullptr, N, &one, p.mat, p.dx, CUDA_R_32F), bad); // as an H100 answers
  CHECK_EQ(spmv(handle, cusparseOperation_t(7), &one, p.mat, p.dx, CUDA_R_32F), bad);
  CHECK_EQ(spmv(handle, N, nullptr, p.mat, p.dx, CUDA_R_32F), bad);
  CHECK_EQ(spmv(handle, N, &one, nullptr, p.dx, CUDA_R_32F), bad);
  CHECK_EQ(spmv(handle, N, &one, p.mat, nullptr, CUDA_R_32F), bad);
  CHECK_EQ(spmv(handle, N, &one, p.mat, p.dx, CUDA_R_64F), CUSPARSE_STATUS_NOT_SUPPORTED);
  cusparseDnVecDescr_t shorter;
  OK(cusparseCreateDnVec(&shorter, 63, p.vx, CUDA_R_32F));
  CHECK_EQ(spmv(handle, N, &one, p.mat, shorter, CUDA_R_32F), bad);
  OK(cusparseDestroyDnVec(shorter));
  cusparseSpMatDescr_t m;
  CHECK_EQ(cusparseCreateCsr(&m, -1, 3, 4, p.m.offsets, p.m.columns, p.m.values, I32, I32, B0,
                             CUDA_R_32F),
           bad);
  CHECK_EQ(cusparseCreateCsr(nullptr, 2, 3, 4, p.m.offsets, p.m.columns, p.m.values, I32, I32, B0,
                             CUDA_R_32F),
           bad);
  CHECK_EQ(cusparseCreateCsr(&m, 2, 3, 4, p.m.offsets, p.m.columns, p.m.values, I32, I32,
                             cusparseIndexBase_t(2), CUDA_R_32F),
           bad);
  cusparseDnMatDescr_t d;
  CHECK_EQ(cusparseCreateDnMat(&d, 4, 4, 3, p.vx, CUDA_R_32F, CUSPARSE_ORDER_COL), bad);
  CHECK_EQ(cusparseGetVersion(nullptr, nullptr), bad);
  const MatDescr descr(0);
  int total;
  const Array<int> counts(4);
  CHECK_EQ(cusparseSnnz(handle, CUSPARSE_DIRECTION_ROW, -4, 4, descr, p.vx, 4, counts, &total),
           bad);
  CHECK_EQ(cusparseSnnz(handle, CUSPARSE_DIRECTION_ROW, 4, 4, descr, p.vx, 3, counts, &total), bad);
}

/// Only Heddle promises it: destroyed objects are known, sizes may overflow.
void testPromises() {
  Product p;
  const Array<char> buffer(1 << 16);
  const Array<int> counts(4);
  const float one = 1;
  const MatDescr descr(0);
  int total;
  cusparseSpMatDescr_t m;
  cusparseDnMatDescr_t d;
  auto spmv = [&](cusparseHandle_t h, cusparseSpMatDescr_t a) {
    return cusparseSpMV(h, N, &one, a, p.dx, &one, p.dy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                        buffer.data());
  };
  cusparseHandle_t gone;
  OK(cusparseCreate(&gone));
  OK(cusparseDestroy(gone));
  CHECK_EQ(spmv(gone, p.mat), CUSPARSE_STATUS_NOT_INITIALIZED);
  CHECK_EQ(cusparseDestroy(gone), CUSPARSE_STATUS_NOT_INITIALIZED);
  OK(cusparseCreateCsr(&m, 64, 64, 0, p.m.offsets, nullptr, nullptr, I32, I32, B0, CUDA_R_32F));
  OK(cusparseDestroySpMat(m));
  CHECK_EQ(spmv(handle, m), bad);
  CHECK_EQ(cusparseDestroySpMat(m), bad);
  CHECK_EQ(cusparseCreateDnMat(&d, INT64_MAX, INT64_MAX, INT64_MAX, p.vx, CUDA_R_32F,
                               CUSPARSE_ORDER_COL),
           bad);
  OK(cusparseSetMatType(descr, CUSPARSE_MATRIX_TYPE_SYMMETRIC));
  CHECK_EQ(cusparseSnnz(handle, CUSPARSE_DIRECTION_ROW, 4, 4, descr, p.vx, 4, counts, &total),
           CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  // A number that other calls depend on cannot be captured into host memory.
  cudaStream_t stream;
  cudaGraph_t graph = nullptr;
  OK(cusparseSetMatType(descr, CUSPARSE_MATRIX_TYPE_GENERAL));
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  OK(cusparseSetStream(handle, stream));
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  CHECK_EQ(cusparseSnnz(handle, CUSPARSE_DIRECTION_ROW, 4, 4, descr, p.vx, 4, counts, &total),
           CUSPARSE_STATUS_EXECUTION_FAILED);
  cudaStreamEndCapture(stream, &graph);
  cudaGetLastError();
  OK(cusparseSetStream(handle, nullptr));
  CHECK_CUDA(cudaStreamDestroy(stream));
  int devices = 0; // a handle is of the device that was current when it was made
  CHECK_CUDA(cudaGetDeviceCount(&devices));
  if (devices > 1) {
    CHECK_CUDA(cudaSetDevice(1));
    CHECK_EQ(spmv(handle, p.mat), bad);
    CHECK_CUDA(cudaSetDevice(0));
    OK(spmv(handle, p.mat));
  }
}

} // namespace

int main() {
  OK(cusparseCreate(&handle));
  testHandle();
  testLogger();
  testMatDescr();
  testSetters();
  testOrder(CUSPARSE_FORMAT_CSR);
  testOrder(CUSPARSE_FORMAT_CSC);
  testCapturedResult();
  testThreads();
  testBadArguments();
  if (takes_all)
    testPromises();
  OK(cusparseLoggerForceDisable());
  OK(cusparseDestroy(handle));
  RETURN_RESULT();
}
