// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products whose operators, or what is done with their results, are device functions of the program
// (SpMMOp, SpMVOp): LTO-IR of NVRTC, linked with kernels that call them.
#include "common/linked_code.h"
#include "products.h"

#include <string>

struct cusparseSpMMOpPlan {
  std::unique_ptr<heddle::library::LinkedCode> code;
  cudaKernel_t kernel;
  cusparseHandle_t handle;
  heddle::cusparse::Matrix a;
  heddle::cusparse::Dense b, c;
};

struct cusparseSpMVOpDescr {
  cusparseOperation_t op;
  heddle::cusparse::Matrix a;
  cudaDataType compute;
};

struct cusparseSpMVOpPlan {
  std::unique_ptr<heddle::library::LinkedCode> code; // null: results are left as they are
  cudaKernel_t kernel = nullptr;
  cusparseSpMVOpDescr of;
};

namespace heddle::cusparse {
namespace {

using library::LinkedCode;

// The first product is where the sum begins: the program's addition need not have a zero.
const char *const spmm_source = R"(
__device__ T add_op(T, T);
__device__ T mul_op(T, T);
__device__ T epilogue(T, T);
extern "C" __global__ void heddle_spmm_op(long long rows, long long cols, const OFFSET *offsets,
                                          const INDEX *indices, const T *values, int base,
                                          const T *b, long long b_row, long long b_col, T *c,
                                          long long c_row, long long c_col) {
  for (long long at = blockIdx.x * (long long)blockDim.x + threadIdx.x; at < rows * cols;
       at += (long long)gridDim.x * blockDim.x) {
    const long long row = at / cols, col = at % cols;
    T sum = T();
    const long long first = offsets[row] - base, end = offsets[row + 1] - base;
    for (long long p = first; p < end; ++p) {
      const T product = mul_op(values[p], b[(indices[p] - base) * b_row + col * b_col]);
      sum = p == first ? product : add_op(sum, product);
    }
    T &to = c[row * c_row + col * c_col];
    to = epilogue(sum, to);
  }
}
)";

const char *const spmv_source = R"(
__device__ T spmvop_epilogue(INDEX, T);
extern "C" __global__ void heddle_spmv_op(long long rows, T *z) {
  for (long long row = blockIdx.x * (long long)blockDim.x + threadIdx.x; row < rows;
       row += (long long)gridDim.x * blockDim.x)
    z[row] = spmvop_epilogue(INDEX(row), z[row]);
}
)";

std::string numberType(cudaDataType type) {
  needSupported(type == CUDA_R_32F || type == CUDA_R_64F,
                "device code of programs is supported for float and double");
  return type == CUDA_R_32F ? "float" : "double";
}
std::string indexType(const Index &index) {
  needSupported(index.type != CUSPARSE_INDEX_16U, "16-bit indices are not supported");
  return index.type == CUSPARSE_INDEX_64I ? "long long" : "int";
}

std::unique_ptr<LinkedCode> linkCode(const char *function, const char *source,
                                     const std::vector<std::string> &options,
                                     const std::vector<LinkedCode::Part> &parts) {
  std::string why;
  auto code = LinkedCode::make(source, options, parts, why);
  if (code)
    return code;
  refuse(function, CUSPARSE_STATUS_INVALID_VALUE, why.c_str());
  throw Refusal{CUSPARSE_STATUS_INVALID_VALUE, "the program's device code does not fit"};
}

void launch(cudaKernel_t kernel, int64_t elements, void **arguments, cudaStream_t stream) {
  if (elements == 0)
    return;
  const auto blocks = unsigned(std::min<int64_t>((elements + 255) / 256, 1 << 16));
  need(cudaLaunchKernel(kernel, dim3(blocks), dim3(256), arguments, 0, stream) == cudaSuccess,
       "the stream did not take the kernel", CUSPARSE_STATUS_EXECUTION_FAILED);
}

void needRows(cusparseConstSpMatDescr_t a) {
  needLive(a);
  needSupported(a->format == CUSPARSE_FORMAT_CSR && a->batch_count == 1,
                "the matrix must be CSR, one of it");
}

} // namespace
} // namespace heddle::cusparse

using namespace heddle;
using namespace heddle::cusparse;

cusparseStatus_t cusparseSpMMOp_createPlan(
    cusparseHandle_t handle, cusparseSpMMOpPlan_t *plan, cusparseOperation_t opA,
    cusparseOperation_t opB, cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
    cusparseDnMatDescr_t matC, cudaDataType computeType, cusparseSpMMOpAlg_t alg, const void *add,
    size_t addSize, const void *multiply, size_t multiplySize, const void *epilogue,
    size_t epilogueSize, size_t *workspaceSize) {
  return guarded(__func__, handle, [&] {
    needPointers(plan, workspaceSize, add, multiply, epilogue);
    *plan = nullptr;
    needOperation(opA);
    needOperation(opB);
    needRows(matA);
    needLive(matB);
    needLive(matC);
    need(alg == CUSPARSE_SPMM_OP_ALG_DEFAULT, "there is no such algorithm");
    needSupported(opA == CUSPARSE_OPERATION_NON_TRANSPOSE, "the sparse matrix is not transposed");
    needSupported(matB->batch_count == 1 && matC->batch_count == 1, "batches are not supported");
    needSupported(matA->type == computeType && matB->type == computeType &&
                      matC->type == computeType,
                  "all matrices have the type of the computation");
    const Dense b = opB == CUSPARSE_OPERATION_NON_TRANSPOSE ? Dense(*matB) : matB->transposed();
    need(matC->rows == matA->rows && b.rows == matA->cols && b.cols == matC->cols,
         "the matrices do not fit each other");
    auto code = linkCode(__func__, spmm_source,
                         {"-DT=" + numberType(computeType), "-DOFFSET=" + indexType(matA->offsets),
                          "-DINDEX=" + indexType(matA->indices)},
                         {{add, addSize}, {multiply, multiplySize}, {epilogue, epilogueSize}});
    const cudaKernel_t kernel = code->kernel("heddle_spmm_op");
    need(kernel, "the kernel was not linked", CUSPARSE_STATUS_INTERNAL_ERROR);
    *plan = library::handles<cusparseSpMMOpPlan>().add(
        new cusparseSpMMOpPlan{std::move(code), kernel, handle, *matA, b, *matC});
    giveBufferSize(workspaceSize);
  });
}

cusparseStatus_t cusparseSpMMOp(cusparseSpMMOpPlan_t plan, void *) {
  return guarded(__func__, [&] {
    needLive(plan);
    needHandle(plan->handle);
    Matrix &a = plan->a;
    Dense &b = plan->b, &c = plan->c;
    int base = a.base;
    void *arguments[] = {&c.rows,     &c.cols,   &a.offsets.data, &a.indices.data,
                         &a.values,   &base,     &b.values,       &b.row_step,
                         &b.col_step, &c.values, &c.row_step,     &c.col_step};
    launch(plan->kernel, c.rows * c.cols, arguments, plan->handle->stream);
  });
}

cusparseStatus_t cusparseSpMMOp_destroyPlan(cusparseSpMMOpPlan_t plan) {
  return guarded(__func__, [&] {
    need(plan && library::handles<cusparseSpMMOpPlan>().remove(plan),
         "the plan was not created, or destroyed");
    cudaDeviceSynchronize(); // its kernels may run
    delete plan;
  });
}

cusparseStatus_t cusparseSpMVOp_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                           cusparseConstSpMatDescr_t matA,
                                           cusparseConstDnVecDescr_t, cusparseDnVecDescr_t,
                                           cusparseDnVecDescr_t, cudaDataType computeType,
                                           cusparseSpMVOpAlg_t, size_t *bufferSize) {
  return guarded(__func__, handle, [&] {
    needOperation(opA);
    needRows(matA);
    numberType(computeType);
    giveBufferSize(bufferSize);
  });
}

cusparseStatus_t cusparseSpMVOp_createDescr(cusparseHandle_t handle, cusparseSpMVOpDescr_t *descr,
                                            cusparseOperation_t opA, cusparseConstSpMatDescr_t matA,
                                            cusparseConstDnVecDescr_t, cusparseDnVecDescr_t,
                                            cusparseDnVecDescr_t, cudaDataType computeType,
                                            cusparseSpMVOpAlg_t alg, void *) {
  return guarded(__func__, handle, [&] {
    needPointers(descr);
    needOperation(opA);
    needRows(matA);
    need(unsigned(alg) <= CUSPARSE_SPMVOP_ALG2, "there is no such algorithm");
    numberType(computeType);
    *descr = library::handles<cusparseSpMVOpDescr>().add(
        new cusparseSpMVOpDescr{opA, *matA, computeType});
  });
}

cusparseStatus_t cusparseSpMVOp_destroyDescr(cusparseSpMVOpDescr_t descr) {
  return guarded(__func__, [&] {
    need(descr && library::handles<cusparseSpMVOpDescr>().remove(descr),
         "the description was not created, or destroyed");
    delete descr;
  });
}

cusparseStatus_t cusparseSpMVOp_createPlan(cusparseHandle_t handle, cusparseSpMVOpDescr_t descr,
                                           cusparseSpMVOpPlan_t *plan, const void *code,
                                           size_t size) {
  return guarded(__func__, handle, [&] {
    needPointers(plan);
    *plan = nullptr;
    needLive(descr);
    cusparseSpMVOpPlan made{nullptr, nullptr, *descr};
    if (code) {
      made.code =
          linkCode(__func__, spmv_source,
                   {"-DT=" + numberType(descr->compute), "-DINDEX=" + indexType(descr->a.indices)},
                   {{code, size}});
      made.kernel = made.code->kernel("heddle_spmv_op");
      need(made.kernel, "the kernel was not linked", CUSPARSE_STATUS_INTERNAL_ERROR);
    }
    *plan = library::handles<cusparseSpMVOpPlan>().add(new cusparseSpMVOpPlan(std::move(made)));
  });
}

cusparseStatus_t cusparseSpMVOp_destroyPlan(cusparseSpMVOpPlan_t plan) {
  return guarded(__func__, [&] {
    need(plan && library::handles<cusparseSpMVOpPlan>().remove(plan),
         "the plan was not created, or destroyed");
    cudaDeviceSynchronize(); // its kernels may run
    delete plan;
  });
}

cusparseStatus_t cusparseSpMVOp_setGlobalUserData(cusparseHandle_t handle,
                                                  cusparseSpMVOpPlan_t plan, const char *name,
                                                  void *data, size_t size) {
  return guarded(__func__, handle, [&] {
    needLive(plan);
    needPointers(name, data);
    size_t room = 0;
    void *const to = plan->code ? plan->code->variable(name, room) : nullptr;
    need(to && size <= room, "the device code has no such variable, or it is smaller");
    need(cudaMemcpyAsync(to, data, size, cudaMemcpyDefault, handle->stream) == cudaSuccess,
         "the variable cannot be written", CUSPARSE_STATUS_EXECUTION_FAILED);
  });
}

cusparseStatus_t cusparseSpMVOp(cusparseHandle_t handle, cusparseSpMVOpPlan_t plan,
                                const void *alpha, const void *beta, cusparseConstDnVecDescr_t vecX,
                                cusparseConstDnVecDescr_t vecY, cusparseDnVecDescr_t vecZ) {
  return guarded(__func__, handle, [&] {
    needLive(plan);
    needPointers(alpha, beta);
    needLive(vecX);
    needLive(vecY);
    needLive(vecZ);
    const cusparseSpMVOpDescr &of = plan->of;
    const bool straight = of.op == CUSPARSE_OPERATION_NON_TRANSPOSE;
    int64_t rows = straight ? of.a.rows : of.a.cols;
    need(vecX->size == (straight ? of.a.cols : of.a.rows) && vecY->size == rows &&
             vecZ->size == rows,
         "the vectors do not fit the matrix");
    needTypes(of.a.type, vecX->type, vecZ->type, of.compute);
    needSupported(vecY->type == vecZ->type && vecZ->type == of.compute,
                  "all vectors have the type of the computation");
    need(vecY->values == vecZ->values ||
             cudaMemcpyAsync(vecZ->values, vecY->values, size_t(rows) * sizeOf(of.compute),
                             cudaMemcpyDeviceToDevice, handle->stream) == cudaSuccess,
         "the stream did not take the copy", CUSPARSE_STATUS_EXECUTION_FAILED);
    multiply(handle, of.a, of.op, dense(vecX), false, dense(vecZ),
             Scalar(handle, alpha, of.compute), Scalar(handle, beta, of.compute), of.compute);
    void *arguments[] = {&rows, &vecZ->values};
    if (plan->kernel)
      launch(plan->kernel, rows, arguments, handle->stream);
  });
}
