// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices whose type is a value: from cudaDataType to C++ types and back.
#pragma once

#include "handle.h"
#include "lapack.h"

struct cusolverDnParams {
  cusolverAlgMode_t algorithms[2] = {CUSOLVER_ALG_0, CUSOLVER_ALG_0};
};

namespace heddle::cusolver {

inline bool isReal(cudaDataType type) { return type == CUDA_R_32F || type == CUDA_R_64F; }
inline cudaDataType realOf(cudaDataType type) {
  return type == CUDA_C_32F ? CUDA_R_32F : (type == CUDA_C_64F ? CUDA_R_64F : type);
}
inline int64_t bytesOf(cudaDataType type) {
  return (realOf(type) == CUDA_R_64F ? 8 : 4) * (isReal(type) ? 1 : 2);
}

/// Calls `function` with a value of the type: float, double or a complex type.
template <typename F> Status dispatch(const Check &c, cudaDataType type, F function) {
  if (c.bad())
    return c.status();
  switch (type) {
  case CUDA_R_32F:
    return function(float());
  case CUDA_R_64F:
    return function(double());
  case CUDA_C_32F:
    return function(std::complex<float>());
  case CUDA_C_64F:
    return function(std::complex<double>());
  default:
    return refuse(c.function(), CUSOLVER_STATUS_INVALID_VALUE,
                  "the data type is none of R_32F, R_64F, C_32F and C_64F");
  }
}

/// A call's types: all the same, but for arrays of real numbers.
inline Check &types(Check &c, cudaDataType type, std::initializer_list<cudaDataType> same,
                    std::initializer_list<cudaDataType> reals = {}) {
  for (const cudaDataType other : same)
    c.that(other == type, "the data types differ");
  for (const cudaDataType other : reals)
    c.that(other == realOf(type), "the array of real numbers has not the matrix's precision");
  return c;
}

} // namespace heddle::cusolver
