// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cufftXt's plans by data types, and callbacks.
#include "jit_callbacks.h"

#include <algorithm>

namespace heddle::cufft {
namespace {

struct Element {
  bool Real;
  Precision Of;
};

bool element(cudaDataType Type, Element &Result) {
  switch (Type) {
  case CUDA_R_16F:
  case CUDA_C_16F:
    Result = {Type == CUDA_R_16F, Precision::Half};
    return true;
  case CUDA_R_16BF:
  case CUDA_C_16BF:
    Result = {Type == CUDA_R_16BF, Precision::BFloat};
    return true;
  case CUDA_R_32F:
  case CUDA_C_32F:
    Result = {Type == CUDA_R_32F, Precision::Single};
    return true;
  case CUDA_R_64F:
  case CUDA_C_64F:
    Result = {Type == CUDA_R_64F, Precision::Double};
    return true;
  default:
    return false;
  }
}

bool split(cudaDataType Input, cudaDataType Output, cudaDataType Execution, Kind &What,
           Precision &Of) {
  Element In, Out, Run;
  if (!element(Input, In) || !element(Output, Out) || !element(Execution, Run) || In.Of != Out.Of ||
      In.Of != Run.Of || (In.Real && Out.Real) || Run.Real)
    return false;
  What = In.Real ? Kind::RealToComplex : (Out.Real ? Kind::ComplexToReal : Kind::Complex);
  Of = In.Of;
  return true;
}

cufftResult describeTypes(const char *Function, const Request &Asked, cudaDataType Input,
                          cudaDataType Output, cudaDataType Execution, Shape &Result) {
  Kind What;
  Precision Of;
  if (!split(Input, Output, Execution, What, Of))
    return refuse(Function, CUFFT_INVALID_TYPE,
                  "types of input, output and execution do not go together");
  return describe(Function, Asked, What, Of, Result);
}

bool isCallback(cufftXtCallbackType Type) { return unsigned(Type) < CUFFT_CB_UNDEFINED; }

} // namespace
} // namespace heddle::cufft

using namespace heddle::cufft;

#define FIND(Handle)                                                                               \
  const std::shared_ptr<Plan> Found = find(Handle);                                                \
  if (!Found)                                                                                      \
  return refuse(__func__, CUFFT_INVALID_PLAN, "the plan was not created, or is destroyed")
#define NEED(Pointer)                                                                              \
  if (!(Pointer))                                                                                  \
  return refuse(__func__, CUFFT_INVALID_VALUE, #Pointer " is null")

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long int *n,
                                long long int *inembed, long long int istride, long long int idist,
                                cudaDataType inputtype, long long int *onembed,
                                long long int ostride, long long int odist, cudaDataType outputtype,
                                long long int batch, size_t *workSize, cudaDataType executiontype) {
  FIND(plan);
  NEED(n);
  NEED(workSize);
  if (Found->Made)
    return refuse(__func__, CUFFT_INVALID_PLAN, "the plan is made already");
  const Request Asked = request64(rank, n, inembed, istride, idist, onembed, ostride, odist, batch);
  if (const cufftResult Status =
          describeTypes(__func__, Asked, inputtype, outputtype, executiontype, Found->Of))
    return Status;
  if (const cufftResult Status = linkCallbacks(__func__, *Found))
    return Status;
  Found->Made = true;
  std::fill_n(workSize, std::max<size_t>(Found->Gpus.size(), 1), 0);
  return CUFFT_SUCCESS;
}

cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long int *n, long long int *inembed,
                               long long int istride, long long int idist, cudaDataType inputtype,
                               long long int *onembed, long long int ostride, long long int odist,
                               cudaDataType outputtype, long long int batch, size_t *workSize,
                               cudaDataType executiontype) {
  FIND(plan);
  NEED(n);
  NEED(workSize);
  const Request Asked = request64(rank, n, inembed, istride, idist, onembed, ostride, odist, batch);
  Shape Described;
  if (const cufftResult Status =
          describeTypes(__func__, Asked, inputtype, outputtype, executiontype, Described))
    return Status;
  std::fill_n(workSize, std::max<size_t>(Found->Gpus.size(), 1), 0);
  return CUFFT_SUCCESS;
}

cufftResult cufftXtExec(cufftHandle plan, void *input, void *output, int direction) {
  FIND(plan);
  if (!Found->Made)
    return refuse(__func__, CUFFT_INVALID_PLAN, "the plan is not made");
  return execute(__func__, Found, input, output, direction);
}

// Transforms need no memory of the program's: areas and policies are accepted and not used.
cufftResult cufftXtSetWorkArea(cufftHandle plan, void **workArea) {
  FIND(plan);
  NEED(workArea);
  return CUFFT_SUCCESS;
}

cufftResult cufftXtSetWorkAreaPolicy(cufftHandle plan, cufftXtWorkAreaPolicy policy,
                                     size_t *workSize) {
  FIND(plan);
  if (unsigned(policy) > CUFFT_WORKAREA_PERFORMANCE)
    return refuse(__func__, CUFFT_INVALID_VALUE, "there is no such policy");
  if (policy == CUFFT_WORKAREA_USER)
    NEED(workSize);
  return CUFFT_SUCCESS;
}

namespace {

/// The callback of a made plan that a call means; null, with the status, if there is none.
Callback *callbackOf(const char *Function, Plan &Of, cufftXtCallbackType Type,
                     cufftResult &Status) {
  if (!isCallback(Type))
    Status = refuse(Function, CUFFT_INVALID_VALUE, "there is no such callback");
  else if (!Of.Made)
    Status = refuse(Function, CUFFT_INVALID_PLAN, "the plan is not made");
  else if (Of.Gpus.size() > 1)
    Status = refuse(Function, CUFFT_NOT_IMPLEMENTED, "callbacks of plans on several devices");
  else if (Of.Of.Of == Precision::Half || Of.Of.Of == Precision::BFloat)
    Status = refuse(Function, CUFFT_NOT_SUPPORTED, "half precision has no callbacks");
  else {
    const bool Load = Type < CUFFT_CB_ST_COMPLEX;
    if (int(elementType(Of.Of, Load)) == Type % CUFFT_CB_ST_COMPLEX)
      return Load ? &Of.Load : &Of.Store;
    Status = refuse(Function, CUFFT_INVALID_TYPE, "the plan's elements are of another type");
  }
  return nullptr;
}

} // namespace

#define FIND_CALLBACK(Result)                                                                      \
  cufftResult Refused = CUFFT_SUCCESS;                                                             \
  Callback *const Result = callbackOf(__func__, *Found, cbType, Refused);                          \
  if (!Result)                                                                                     \
  return Refused
// A plan that was made with linked callbacks keeps them.
#define NEED_PLAIN()                                                                               \
  if (Found->Code)                                                                                 \
  return refuse(__func__, CUFFT_NOT_SUPPORTED, "the plan has callbacks of cufftXtSetJITCallback")

cufftResult cufftXtSetCallback(cufftHandle plan, void **callback_routine,
                               cufftXtCallbackType cbType, void **caller_info) {
  FIND(plan);
  NEED(callback_routine);
  FIND_CALLBACK(Of);
  NEED_PLAIN();
  if (!*callback_routine)
    return refuse(__func__, CUFFT_INVALID_VALUE, "the callback is null");
  Of->function = *callback_routine;
  Of->info = caller_info ? *caller_info : nullptr;
  return CUFFT_SUCCESS;
}

cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType cbType) {
  FIND(plan);
  FIND_CALLBACK(Of);
  NEED_PLAIN();
  *Of = {};
  return CUFFT_SUCCESS;
}

cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType cbType,
                                         size_t sharedSize) {
  FIND(plan);
  FIND_CALLBACK(Of);
  if (sharedSize > 16 << 10)
    return refuse(__func__, CUFFT_INVALID_VALUE, "a callback may use 16 KiB of shared memory");
  Of->shared_bytes = sharedSize;
  return CUFFT_SUCCESS;
}
