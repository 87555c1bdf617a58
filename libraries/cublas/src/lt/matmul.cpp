// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublasLtMatmul and the functions that choose its algorithm. There is one algorithm, for every
// shape and type that is supported; what a program configures in it is kept, and changes nothing.
#include "matmul.h"
#include "../core/elements.h"
#include "common/task.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <cuda_runtime_api.h>
#include <iterator>

namespace heddle::cublaslt {
namespace {

constexpr uint64_t mark = 0x4865646c654c7431;

Algorithm theAlgorithm() {
  Algorithm result{};
  result.id = 0, result.split_k = 1, result.mark = mark;
  return result;
}

/// A scalar that the host has at the call, with room for the largest type.
struct Held {
  alignas(16) std::array<char, 16> bytes{};
  const void *pointer = nullptr;

  Held(const void *from, bool on_host, int type) : pointer(on_host ? nullptr : from) {
    if (on_host && from)
      std::memcpy(bytes.data(), from, cublas::elementSize(cudaDataType(type)));
  }
  const void *get() const { return pointer ? pointer : bytes.data(); }
};

cublasStatus_t bad(const char *function, const char *why) {
  return refuse(function, CUBLAS_STATUS_INVALID_VALUE, why);
}

bool gather(Matmul &x, cublasLtMatmulDesc_t op, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
            cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d) {
  if (!op || !a || !b || !c || !d)
    return false;
  x = {of(op), of(a), of(b), of(c), of(d)};
  return true;
}

/// The pointers of a call, where the description needs them.
const char *missing(const Matmul &x, const MatmulData &data) {
  const int mode = x.op.pointer_mode;
  if (!data.alpha || (!data.beta && mode != CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO))
    return "a scalar's pointer is null";
  if (x.isEmpty())
    return nullptr;
  if (!data.D || (x.k() > 0 && (!data.A || !data.B)))
    return "a matrix is null";
  if (x.has(Bias | BiasGradient | GradientA | GradientB) && !x.op.bias)
    return "the epilogue needs a bias pointer";
  if (x.has(Aux) && !x.op.aux)
    return "the epilogue needs an auxiliary pointer";
  return nullptr;
}

const char *const no_handle = "the handle was not created, or destroyed";

} // namespace
} // namespace heddle::cublaslt

using namespace heddle;
using namespace heddle::cublaslt;

#define NEED(handle)                                                                               \
  log(__func__);                                                                                   \
  if (!isLive(handle))                                                                             \
  return refuse(__func__, CUBLAS_STATUS_NOT_INITIALIZED, no_handle)

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t op, const void *alpha,
                              const void *A, cublasLtMatrixLayout_t a, const void *B,
                              cublasLtMatrixLayout_t b, const void *beta, const void *C,
                              cublasLtMatrixLayout_t c, void *D, cublasLtMatrixLayout_t d,
                              const cublasLtMatmulAlgo_t *algorithm, void *, size_t,
                              cudaStream_t stream) {
  NEED(handle);
  Matmul x;
  if (!gather(x, op, a, b, c, d))
    return bad(__func__, "a description is null");
  if (algorithm && of(algorithm).mark != mark)
    return bad(__func__, "the algorithm was not initialized");
  if (const Verdict verdict = judge(x); verdict.why)
    return refuse(__func__, verdict.status, verdict.why);
  if (const char *why = missing(x, {A, B, C, D, alpha, beta}))
    return bad(__func__, why);
  if (x.isEmpty())
    return CUBLAS_STATUS_SUCCESS;
  const int mode = x.op.pointer_mode;
  const Held first(alpha, mode == CUBLASLT_POINTER_MODE_HOST, x.op.scale_type);
  const Held second(beta,
                    mode == CUBLASLT_POINTER_MODE_HOST ||
                        mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST,
                    x.op.scale_type);
  if (!C && !second.pointer && mode != CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO) {
    const auto value =
        cublas::loadOne<cuDoubleComplex>(cudaDataType(x.op.scale_type), second.get());
    if (value.x != 0 || value.y != 0)
      return bad(__func__, "C is null, but beta is not zero");
  }
  const cudaError_t error = library::submit(
      __func__, stream, [=] { computeBatch(x, {A, B, C, D, first.get(), second.get()}); });
  return error == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : refuse(__func__, CUBLAS_STATUS_EXECUTION_FAILED, cudaGetErrorString(error));
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t op,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t *algorithm,
                                       cublasLtMatmulHeuristicResult_t *result) {
  NEED(handle);
  Matmul x;
  if (!gather(x, op, a, b, c, d) || !algorithm || !result)
    return bad(__func__, "a pointer is null");
  if (of(algorithm).mark != mark)
    return bad(__func__, "the algorithm was not initialized");
  const Verdict verdict = judge(x);
  *result = {};
  result->algo = *algorithm;
  result->state = verdict.status;
  result->wavesCount = 1;
  return verdict.why ? refuse(__func__, verdict.status, verdict.why) : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t op,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int requested,
                                              cublasLtMatmulHeuristicResult_t results[],
                                              int *returned) {
  NEED(handle);
  if (!preference || !results || !returned || requested <= 0)
    return bad(__func__, "a pointer is null, or no algorithm is requested");
  *returned = 0;
  cublasLtMatmulAlgo_t algorithm{};
  of(&algorithm) = theAlgorithm();
  const cublasStatus_t status =
      cublasLtMatmulAlgoCheck(handle, op, a, b, c, d, &algorithm, results);
  *returned = status == CUBLAS_STATUS_SUCCESS ? 1 : 0;
  return status;
}

cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t compute,
                                        cudaDataType scale, cudaDataType a, cudaDataType b,
                                        cudaDataType c, cudaDataType d, int requested, int ids[],
                                        int *returned) {
  NEED(handle);
  if (!returned || (requested > 0 && !ids) || requested < 0)
    return bad(__func__, "a pointer is null, or the count is negative");
  *returned = 0;
  if (const Verdict verdict = judgeTypes(compute, scale, a, b, c, d); verdict.why)
    return refuse(__func__, verdict.status, verdict.why);
  if (requested > 0)
    ids[0] = theAlgorithm().id;
  *returned = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t compute,
                                      cudaDataType scale, cudaDataType a, cudaDataType b,
                                      cudaDataType c, cudaDataType d, int id,
                                      cublasLtMatmulAlgo_t *algorithm) {
  NEED(handle);
  // Programs name algorithms that they have measured on a GPU; here all compute the same.
  if (!algorithm || id < 0 || id > 127)
    return bad(__func__, "the pointer is null, or there is no algorithm of this number");
  if (const Verdict verdict = judgeTypes(compute, scale, a, b, c, d); verdict.why)
    return refuse(__func__, verdict.status, verdict.why);
  *algorithm = {};
  of(algorithm) = theAlgorithm();
  of(algorithm).id = id;
  return CUBLAS_STATUS_SUCCESS;
}

namespace {

/// What the algorithm can do. TILE_IDS and STAGES_IDS are lists of one element.
struct Capabilities {
  int32_t no = 0, yes = 1, order = 0;
  uint32_t tile = 0, stage = 0, custom = 0, reduction = CUBLASLT_REDUCTION_SCHEME_MASK;
  uint32_t pointer_modes = 31, epilogues = 1023, alignment = 1;
  uint64_t implementation = CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA |
                            CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F |
                            CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_32F;
};
const Capabilities capabilities;

#define ENTRY(Struct, name, member)                                                                \
  {name, offsetof(Struct, member), sizeof(Struct::member), sizeof(Struct::member)}
#define CAPABILITY(name, member) ENTRY(Capabilities, CUBLASLT_ALGO_CAP_##name, member)
const Field capability_fields[] = {
    CAPABILITY(SPLITK_SUPPORT, no),
    CAPABILITY(REDUCTION_SCHEME_MASK, reduction),
    CAPABILITY(CTA_SWIZZLING_SUPPORT, no),
    CAPABILITY(STRIDED_BATCH_SUPPORT, yes),
    CAPABILITY(OUT_OF_PLACE_RESULT_SUPPORT, yes),
    CAPABILITY(UPLO_SUPPORT, no),
    CAPABILITY(TILE_IDS, tile),
    CAPABILITY(CUSTOM_OPTION_MAX, custom),
    CAPABILITY(CUSTOM_MEMORY_ORDER, order),
    CAPABILITY(POINTER_MODE_MASK, pointer_modes),
    CAPABILITY(EPILOGUE_MASK, epilogues),
    CAPABILITY(STAGES_IDS, stage),
    CAPABILITY(LD_NEGATIVE, no),
    CAPABILITY(NUMERICAL_IMPL_FLAGS, implementation),
    CAPABILITY(MIN_ALIGNMENT_A_BYTES, alignment),
    CAPABILITY(MIN_ALIGNMENT_B_BYTES, alignment),
    CAPABILITY(MIN_ALIGNMENT_C_BYTES, alignment),
    CAPABILITY(MIN_ALIGNMENT_D_BYTES, alignment),
    CAPABILITY(ATOMIC_SYNC, no),
};
#define CONFIGURATION(name, member) ENTRY(Algorithm, CUBLASLT_ALGO_CONFIG_##name, member)
const Field configuration_fields[] = {
    CONFIGURATION(ID, id),
    CONFIGURATION(TILE_ID, tile),
    CONFIGURATION(SPLITK_NUM, split_k),
    CONFIGURATION(REDUCTION_SCHEME, reduction),
    CONFIGURATION(CTA_SWIZZLING, swizzle),
    CONFIGURATION(CUSTOM_OPTION, custom),
    CONFIGURATION(STAGES_ID, stages),
    CONFIGURATION(INNER_SHAPE_ID, inner_shape),
    CONFIGURATION(CLUSTER_SHAPE_ID, cluster_shape),
};

} // namespace

cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t *algorithm,
                                                 cublasLtMatmulAlgoCapAttributes_t attribute,
                                                 void *to, size_t size, size_t *written) {
  if (!algorithm || of(algorithm).mark != mark)
    return bad(__func__, "the algorithm was not initialized");
  return getField(__func__, capability_fields, std::size(capability_fields), &capabilities,
                  attribute, to, size, written);
}
cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    const void *from, size_t size) {
  if (attribute == CUBLASLT_ALGO_CONFIG_ID)
    return bad(__func__, "an algorithm's number cannot be changed");
  return setField(__func__, configuration_fields, std::size(configuration_fields), algorithm,
                  attribute, from, size);
}
cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    void *to, size_t size, size_t *written) {
  return getField(__func__, configuration_fields, std::size(configuration_fields), algorithm,
                  attribute, to, size, written);
}
