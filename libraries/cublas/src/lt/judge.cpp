// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which products cublasLt accepts.
#include "matmul.h"

#include <initializer_list>

namespace heddle::cublaslt {
namespace {

Verdict invalid(const char *why) { return {CUBLAS_STATUS_INVALID_VALUE, why}; }
Verdict unsupported(const char *why) { return {CUBLAS_STATUS_NOT_SUPPORTED, why}; }

bool isFp8(int type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }
bool isHalf(int type) { return type == CUDA_R_16F || type == CUDA_R_16BF; }

bool floatTypes(int a, int b, int c, int d) {
  if (isFp8(a) && isFp8(b))
    return (isHalf(c) || c == CUDA_R_32F) && (c == d || (isHalf(c) && isFp8(d)));
  if (a != b || c != d)
    return false;
  return a == CUDA_R_32F
             ? c == CUDA_R_32F
             : (isHalf(a) && (c == a || c == CUDA_R_32F)) || (a == CUDA_R_8I && c == CUDA_R_32F);
}

const char *shapeFault(const Matmul &x) {
  for (const Layout *layout : {&x.a, &x.b, &x.c, &x.d}) {
    if (const char *fault = layout->fault())
      return fault;
    if (layout->batch_count != x.d.batch_count)
      return "the batch counts differ";
  }
  const uint64_t arows = x.op.transa == CUBLAS_OP_N ? x.a.rows : x.a.cols;
  const uint64_t brows = x.op.transb == CUBLAS_OP_N ? x.b.rows : x.b.cols;
  const uint64_t bcols = x.op.transb == CUBLAS_OP_N ? x.b.cols : x.b.rows;
  if (arows != x.d.rows || bcols != x.d.cols || brows != uint64_t(x.k()) || x.c.rows != x.d.rows ||
      x.c.cols != x.d.cols)
    return "the matrices' sizes do not fit together";
  return nullptr;
}

Verdict judgeEpilogue(const Matmul &x) {
  switch (x.op.epilogue) {
  case CUBLASLT_EPILOGUE_DEFAULT:
    return {};
  case CUBLASLT_EPILOGUE_RELU:
  case CUBLASLT_EPILOGUE_BIAS:
  case CUBLASLT_EPILOGUE_RELU_BIAS:
  case CUBLASLT_EPILOGUE_GELU:
  case CUBLASLT_EPILOGUE_GELU_BIAS:
  case CUBLASLT_EPILOGUE_RELU_AUX:
  case CUBLASLT_EPILOGUE_RELU_AUX_BIAS:
  case CUBLASLT_EPILOGUE_GELU_AUX:
  case CUBLASLT_EPILOGUE_GELU_AUX_BIAS:
  case CUBLASLT_EPILOGUE_DRELU:
  case CUBLASLT_EPILOGUE_DRELU_BGRAD:
  case CUBLASLT_EPILOGUE_DGELU:
  case CUBLASLT_EPILOGUE_DGELU_BGRAD:
  case CUBLASLT_EPILOGUE_BGRADA:
  case CUBLASLT_EPILOGUE_BGRADB:
    break;
  default:
    return invalid("there is no such epilogue");
  }
  if (x.op.scale_type != CUDA_R_32F && x.op.scale_type != CUDA_R_64F)
    return unsupported("epilogues need real numbers scaled in float or double");
  if (x.has(Aux)) {
    const bool bits = x.has(Relu | DRelu);
    if (x.op.aux_ld < (bits ? (x.m() + 127) / 128 * 128 : x.m()) ||
        (bits && x.op.aux_ld % 128 != 0))
      return invalid("the leading dimension of the auxiliary matrix is too small, or for ReLU no "
                     "multiple of 128");
  }
  return {};
}

} // namespace

cudaDataType Matmul::biasType() const {
  if (op.bias_type != -1)
    return cudaDataType(op.bias_type);
  if (isFp8(a.type))
    return c.type == CUDA_R_16F ? CUDA_R_16F : CUDA_R_16BF;
  return cudaDataType(d.type == CUDA_R_8I ? op.scale_type : d.type);
}

Verdict judgeTypes(cublasComputeType_t compute, cudaDataType scale, cudaDataType a, cudaDataType b,
                   cudaDataType c, cudaDataType d) {
  bool good = false;
  switch (compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    good = scale == CUDA_R_16F && a == CUDA_R_16F && b == a && c == a && d == a;
    break;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    good = a == CUDA_R_8I && b == a && c == d &&
           ((scale == CUDA_R_32I && d == CUDA_R_32I) || (scale == CUDA_R_32F && d == CUDA_R_8I));
    break;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
  case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
    good = (scale == CUDA_R_64F || scale == CUDA_C_64F) && a == scale && b == a && c == a && d == a;
    break;
  case CUBLAS_COMPUTE_32F:
  case CUBLAS_COMPUTE_32F_PEDANTIC:
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32:
  case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
    good = scale == CUDA_C_32F ? a == scale && b == a && c == a && d == a
                               : scale == CUDA_R_32F && floatTypes(a, b, c, d);
    break;
  }
  return good ? Verdict{} : unsupported("this combination of types is not supported");
}

Verdict judge(const Matmul &x) {
  for (int op : {x.op.transa, x.op.transb})
    if (unsigned(op) > CUBLAS_OP_C)
      return invalid("the operation is none of N, T and C");
  if (unsigned(x.op.pointer_mode) > CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST)
    return invalid("there is no such pointer mode");
  if (const char *fault = shapeFault(x))
    return invalid(fault);
  if (const Verdict types = judgeTypes(
          cublasComputeType_t(x.op.compute), cudaDataType(x.op.scale_type), cudaDataType(x.a.type),
          cudaDataType(x.b.type), cudaDataType(x.c.type), cudaDataType(x.d.type));
      types.why)
    return types;
  if (x.op.transc != CUBLAS_OP_N || x.op.fill != CUBLAS_FILL_MODE_FULL)
    return unsupported("C is not transposed, and all of D is computed");
  if (x.op.chunk_rows || x.op.chunk_cols)
    return unsupported("products in chunks with counters are not supported");
  if (x.a.plane_offset || x.b.plane_offset || x.c.plane_offset || x.d.plane_offset)
    return unsupported("planar complex matrices are not supported");
  return judgeEpilogue(x);
}

} // namespace heddle::cublaslt
