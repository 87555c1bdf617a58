// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jacobi.h"

#include <cuda_runtime_api.h>

namespace heddle::cusolver {
namespace {

template <typename Object> Status create(const char *function, Object **object) {
  if (!object)
    return refuse(function, CUSOLVER_STATUS_INVALID_VALUE, "the pointer to the object is null");
  *object = library::handles<Object>().add(new Object);
  return CUSOLVER_STATUS_SUCCESS;
}

template <typename Object> Status destroy(const char *function, Object *object) {
  if (!library::handles<Object>().remove(object))
    return refuse(function, CUSOLVER_STATUS_INVALID_VALUE, NullJacobi);
  delete object;
  return CUSOLVER_STATUS_SUCCESS;
}

template <typename Object, typename Value>
Status set(const char *function, Object *object, Value JacobiParameters::*member, Value value,
           bool valid) {
  if (!library::handles<Object>().has(object))
    return refuse(function, CUSOLVER_STATUS_INVALID_VALUE, NullJacobi);
  if (!valid)
    return refuse(function, CUSOLVER_STATUS_INVALID_VALUE, "the value is out of range");
  object->*member = value;
  return CUSOLVER_STATUS_SUCCESS;
}

template <typename Object, typename Value>
Status outcome(Check c, cusolverDnHandle_t handle, const Object *object,
               Value JacobiOutcome::*member, Value *to) {
  c.that(library::handles<Object>().has(object), NullJacobi).pointer(to, "the result is null");
  if (c.bad())
    return c.status();
  // cuSOLVER, "XsyevjGetResidual": not for batched calls.
  if (object->batched)
    return refuse(c.function(), CUSOLVER_STATUS_NOT_SUPPORTED, "a batched call has no such result");
  if (cudaStreamSynchronize(handle->stream) != cudaSuccess)
    return refuse(c.function(), CUSOLVER_STATUS_EXECUTION_FAILED, "the stream has failed");
  *to = object->outcome.get()->*member;
  return CUSOLVER_STATUS_SUCCESS;
}

} // namespace
} // namespace heddle::cusolver

using namespace heddle::cusolver;

#define FUNCTIONS(Object, Create, Destroy, Name)                                                   \
  cusolverStatus_t Create(Object##_t *info) { return create(__func__, info); }                     \
  cusolverStatus_t Destroy(Object##_t info) { return destroy(__func__, info); }                    \
  cusolverStatus_t Name##SetTolerance(Object##_t info, double tolerance) {                         \
    return set(__func__, info, &JacobiParameters::tolerance, tolerance, tolerance >= 0);           \
  }                                                                                                \
  cusolverStatus_t Name##SetMaxSweeps(Object##_t info, int sweeps) {                               \
    return set(__func__, info, &JacobiParameters::max_sweeps, sweeps, sweeps > 0);                 \
  }                                                                                                \
  cusolverStatus_t Name##SetSortEig(Object##_t info, int sort) {                                   \
    return set(__func__, info, &JacobiParameters::sort, sort, true);                               \
  }                                                                                                \
  cusolverStatus_t Name##GetResidual(cusolverDnHandle_t h, Object##_t info, double *residual) {    \
    return outcome(Check(__func__, h), h, info, &JacobiOutcome::residual, residual);               \
  }                                                                                                \
  cusolverStatus_t Name##GetSweeps(cusolverDnHandle_t h, Object##_t info, int *sweeps) {           \
    return outcome(Check(__func__, h), h, info, &JacobiOutcome::sweeps, sweeps);                   \
  }
FUNCTIONS(syevjInfo, cusolverDnCreateSyevjInfo, cusolverDnDestroySyevjInfo, cusolverDnXsyevj)
FUNCTIONS(gesvdjInfo, cusolverDnCreateGesvdjInfo, cusolverDnDestroyGesvdjInfo, cusolverDnXgesvdj)
