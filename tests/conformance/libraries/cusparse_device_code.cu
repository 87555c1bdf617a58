// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcusparse -lnvrtc
//
// cuSPARSE's products with device functions of the program: the operators of cusparseSpMMOp, and
// the epilogue of cusparseSpMVOp with a variable of its own.
#define CUSPARSE_ENABLE_EXPERIMENTAL_API
#include "check.h"

#include <cfloat>
#include <cmath>
#include <cusparse.h>
#include <nvrtc.h>
#include <string>
#include <vector>

#define OK(call) CHECK_EQ(call, CUSPARSE_STATUS_SUCCESS)

namespace {

cusparseHandle_t handle;

std::vector<char> compile(const char *source) {
  int major = 0, minor = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  CHECK_CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
  const std::string arch = "-arch=compute_" + std::to_string(major * 10 + minor);
  const char *options[] = {arch.c_str(), "-rdc=true", "-dlto"};
  nvrtcProgram program;
  CHECK_EQ(nvrtcCreateProgram(&program, source, nullptr, 0, nullptr, nullptr), NVRTC_SUCCESS);
  CHECK_EQ(nvrtcCompileProgram(program, 3, options), NVRTC_SUCCESS);
  size_t size = 0;
  CHECK_EQ(nvrtcGetLTOIRSize(program, &size), NVRTC_SUCCESS);
  std::vector<char> code(size);
  CHECK_EQ(nvrtcGetLTOIR(program, code.data()), NVRTC_SUCCESS);
  CHECK_EQ(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
  return code;
}

template <typename T> T *upload(const std::vector<T> &values) {
  T *data;
  CHECK_CUDA(cudaMalloc(&data, values.size() * sizeof(T)));
  CHECK_CUDA(cudaMemcpy(data, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return data;
}
template <typename T> std::vector<T> download(const T *data, size_t count) {
  std::vector<T> values(count);
  CHECK_CUDA(cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

const int rows = 37, cols = 29;
struct Csr {
  std::vector<int> offsets{0}, columns;
  std::vector<double> values;
  Csr() {
    for (int i = 0; i < rows; ++i) {
      for (int j = i % 3; j < cols; j += 2 + i % 5) { // each row has some
        columns.push_back(j);
        values.push_back((i * 7 + j * 3) % 19 - 9);
      }
      offsets.push_back(int(columns.size()));
    }
  }
};
const Csr a;

cusparseSpMatDescr_t describe(const void *values, cudaDataType type) {
  cusparseSpMatDescr_t matrix;
  OK(cusparseCreateCsr(&matrix, rows, cols, a.columns.size(), upload(a.offsets), upload(a.columns),
                       const_cast<void *>(values), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                       CUSPARSE_INDEX_BASE_ZERO, type));
  return matrix;
}

/// Shortest steps: the sum is a minimum and the product a sum; it is as for usual operators.
void testOperators(cusparseOrder_t order) {
  const int n = 5;
  const auto add = compile("__device__ float add_op(float a, float b) { return a < b ? a : b; }"),
             mul = compile("__device__ float mul_op(float a, float b) { return a + b; }"),
             end = compile(
                 "__device__ float epilogue(float sum, float old) { return 2 * sum + old; }");
  const std::vector<float> values(a.values.begin(), a.values.end());
  std::vector<float> b(cols * n), c(rows * n);
  for (int i = 0; i < cols * n; ++i)
    b[i] = 20 + i * 11 % 23;
  for (int i = 0; i < rows * n; ++i)
    c[i] = i % 7;
  const bool by_rows = order == CUSPARSE_ORDER_ROW;
  float *const db = upload(b), *const dc = upload(c);
  const cusparseSpMatDescr_t A = describe(upload(values), CUDA_R_32F);
  cusparseDnMatDescr_t B, C;
  OK(cusparseCreateDnMat(&B, cols, n, by_rows ? n : cols, db, CUDA_R_32F, order));
  OK(cusparseCreateDnMat(&C, rows, n, by_rows ? n : rows, dc, CUDA_R_32F, order));
  cusparseSpMMOpPlan_t plan;
  size_t size = 0;
  OK(cusparseSpMMOp_createPlan(handle, &plan, CUSPARSE_OPERATION_NON_TRANSPOSE,
                               CUSPARSE_OPERATION_NON_TRANSPOSE, A, B, C, CUDA_R_32F,
                               CUSPARSE_SPMM_OP_ALG_DEFAULT, add.data(), add.size(), mul.data(),
                               mul.size(), end.data(), end.size(), &size));
  void *buffer;
  CHECK_CUDA(cudaMalloc(&buffer, size ? size : 1));
  OK(cusparseSpMMOp(plan, buffer));
  const auto found = download(dc, c.size());
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < n; ++j) {
      float least = FLT_MAX;
      for (int p = a.offsets[i]; p < a.offsets[i + 1]; ++p)
        least = std::min(least,
                         values[p] + b[by_rows ? a.columns[p] * n + j : a.columns[p] + j * cols]);
      const int at = by_rows ? i * n + j : i + j * rows;
      CHECK_EQ(found[at], 2 * least + c[at]);
    }
  OK(cusparseSpMMOp_destroyPlan(plan));
  OK(cusparseDestroySpMat(A));
  OK(cusparseDestroyDnMat(B));
  OK(cusparseDestroyDnMat(C));
}

void testEpilogue(bool with_code) {
  struct Factors {
    double even, odd;
  };
  const auto code = compile("struct Factors { double even, odd; };"
                            "__constant__ Factors factors;"
                            "__device__ double spmvop_epilogue(int row, double x) {"
                            "  return (row % 2 ? factors.odd : factors.even) * x + row; }");
  std::vector<double> x(cols), y(rows);
  for (int i = 0; i < cols; ++i)
    x[i] = i % 5 - 2;
  for (int i = 0; i < rows; ++i)
    y[i] = i % 3;
  double *const dz = upload(std::vector<double>(rows, -1));
  const cusparseSpMatDescr_t A = describe(upload(a.values), CUDA_R_64F);
  cusparseDnVecDescr_t X, Y, Z;
  OK(cusparseCreateDnVec(&X, cols, upload(x), CUDA_R_64F));
  OK(cusparseCreateDnVec(&Y, rows, upload(y), CUDA_R_64F));
  OK(cusparseCreateDnVec(&Z, rows, dz, CUDA_R_64F));
  const auto none = CUSPARSE_OPERATION_NON_TRANSPOSE;
  size_t size = 0;
  void *buffer;
  OK(cusparseSpMVOp_bufferSize(handle, none, A, X, Y, Z, CUDA_R_64F, CUSPARSE_SPMVOP_ALG_DEFAULT,
                               &size));
  CHECK_CUDA(cudaMalloc(&buffer, size ? size : 1));
  cusparseSpMVOpDescr_t description;
  cusparseSpMVOpPlan_t plan;
  OK(cusparseSpMVOp_createDescr(handle, &description, none, A, X, Y, Z, CUDA_R_64F,
                                CUSPARSE_SPMVOP_ALG_DEFAULT, buffer));
  OK(cusparseSpMVOp_createPlan(handle, description, &plan, with_code ? code.data() : nullptr,
                               with_code ? code.size() : 0));
  Factors factors{2, -0.5};
  if (with_code)
    OK(cusparseSpMVOp_setGlobalUserData(handle, plan, "factors", &factors, sizeof factors));
  const double alpha = 3, beta = 0.25;
  OK(cusparseSpMVOp(handle, plan, &alpha, &beta, X, Y, Z));
  const auto found = download(dz, rows);
  for (int i = 0; i < rows; ++i) {
    double sum = 0;
    for (int p = a.offsets[i]; p < a.offsets[i + 1]; ++p)
      sum += a.values[p] * x[a.columns[p]];
    const double plain = alpha * sum + beta * y[i];
    CHECK_EQ(found[i], with_code ? (i % 2 ? factors.odd : factors.even) * plain + i : plain);
  }
  OK(cusparseSpMVOp_destroyPlan(plan));
  OK(cusparseSpMVOp_destroyDescr(description));
  OK(cusparseDestroySpMat(A));
  for (const cusparseDnVecDescr_t vector : {X, Y, Z})
    OK(cusparseDestroyDnVec(vector));
}

} // namespace

int main() {
  OK(cusparseCreate(&handle));
  testOperators(CUSPARSE_ORDER_ROW);
  testOperators(CUSPARSE_ORDER_COL);
  testEpilogue(true);
  testEpilogue(false);
  CHECK_EQ(cusparseSpMMOp(nullptr, nullptr), CUSPARSE_STATUS_INVALID_VALUE);
  OK(cusparseDestroy(handle));
  RETURN_RESULT();
}
