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

bool isNarrowComplex(int type) { return type == CUDA_C_16F || type == CUDA_C_16BF; }
bool complexTypes(int a, int b, int c, int d) {
  return a == b && c == d && (a == CUDA_C_32F || isNarrowComplex(a)) && (c == a || c == CUDA_C_32F);
}

const char *shapeFault(const Matmul &x) {
  for (const Layout *layout : {&x.a, &x.b, &x.c, &x.d}) {
    if (const char *fault = layout->fault())
      return fault;
    if (layout->batch_count != x.d.batch_count)
      return "the batch counts differ";
    if (layout->batch_mode != x.d.batch_mode)
      return "the batch modes differ";
  }
  if (x.d.batch_mode == CUBLASLT_BATCH_MODE_GROUPED) // the device knows the sizes
    return nullptr;
  const uint64_t arows = x.op.transa == CUBLAS_OP_N ? x.a.rows : x.a.cols;
  const uint64_t brows = x.op.transb == CUBLAS_OP_N ? x.b.rows : x.b.cols;
  const uint64_t bcols = x.op.transb == CUBLAS_OP_N ? x.b.cols : x.b.rows;
  if (arows != x.d.rows || bcols != x.d.cols || brows != uint64_t(x.k()) || x.c.rows != x.d.rows ||
      x.c.cols != x.d.cols)
    return "the matrices' sizes do not fit together";
  return nullptr;
}

/// Complex matrices with all real parts before or behind all imaginary ones.
Verdict judgePlanes(const Matmul &x) {
  int planar = 0;
  for (const Layout *layout : {&x.a, &x.b, &x.c, &x.d}) {
    planar += layout->plane_offset != 0;
    if (layout->plane_offset != 0 && layout->batch_mode != CUBLASLT_BATCH_MODE_STRIDED)
      return unsupported("matrices in planes lie one after the other in a batch");
    if (layout->plane_offset % 2 != 0) // bytes
      return invalid("a plane's offset is no multiple of an element");
  }
  if (planar != 0 && planar != 4)
    return unsupported("some of the matrices are in planes, others are not");
  if (planar == 0 && isNarrowComplex(x.a.type))
    return unsupported("complex numbers of half precision must be in planes");
  return {};
}

Verdict judgeScales(const Matmul &x) {
  const int modes[] = {x.op.a_scale_mode, x.op.b_scale_mode};
  if (modes[0] == CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F && modes[1] == modes[0])
    return {};
  const bool grouped = x.d.batch_mode == CUBLASLT_BATCH_MODE_GROUPED;
  for (const int mode : modes)
    switch (mode) {
    case CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F:
    case CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F:
    case CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F:
    case CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F:
      break;
    case CUBLASLT_MATMUL_MATRIX_SCALE_PER_BATCH_SCALAR_32F:
      if (!grouped)
        return unsupported("a scale for each matrix of a batch needs groups");
      break;
    default:
      return unsupported("scales of 8 bits (VEC16_UE4M3, VEC32_UE8M0) are not supported");
    }
  if (modes[0] == modes[1] && modes[0] == CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F)
    return unsupported("only one factor is scaled by blocks of 128x128");
  const auto by_blocks = [](int mode) {
    return mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F ||
           mode == CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F;
  };
  if (modes[0] != modes[1] && !(by_blocks(modes[0]) && by_blocks(modes[1])))
    return unsupported("the factors' scale modes do not go together");
  if (!isFp8(x.a.type) || !isFp8(x.b.type) || (isFp8(x.d.type) && !grouped))
    return unsupported("such scales need factors of 8-bit floats, and another type for D");
  if (!x.op.a_scale || !x.op.b_scale)
    return invalid("a pointer to scales is null");
  return {};
}

Verdict judgeBatch(const Matmul &x) {
  const int mode = x.d.batch_mode;
  if (unsigned(mode) > CUBLASLT_BATCH_MODE_GROUPED)
    return invalid("there is no such batch mode");
  for (const int array : {x.op.alpha_array, x.op.beta_array})
    if (unsigned(array) > 1 || (array == 1 && (mode != CUBLASLT_BATCH_MODE_GROUPED ||
                                               x.op.pointer_mode != CUBLASLT_POINTER_MODE_DEVICE)))
      return unsupported("scalars for each matrix of a batch need groups and device pointers");
  if (mode == CUBLASLT_BATCH_MODE_STRIDED)
    return {};
  if (x.op.pointer_mode > CUBLASLT_POINTER_MODE_DEVICE)
    return unsupported("matrices given by arrays are not scaled by vectors");
  if (x.op.epilogue != CUBLASLT_EPILOGUE_DEFAULT && x.op.epilogue != CUBLASLT_EPILOGUE_BIAS)
    return unsupported("matrices given by arrays have no epilogue but BIAS");
  if (mode == CUBLASLT_BATCH_MODE_GROUPED)
    for (const Layout *layout : {&x.a, &x.b, &x.c, &x.d})
      if (layout->order != CUBLASLT_ORDER_COL)
        return unsupported("groups have matrices of columns");
  return {};
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
    good = scale == CUDA_C_32F ? complexTypes(a, b, c, d)
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
  for (const auto &judgePart : {judgePlanes, judgeScales, judgeBatch})
    if (const Verdict verdict = judgePart(x); verdict.why)
      return verdict;
  return judgeEpilogue(x);
}

} // namespace heddle::cublaslt
