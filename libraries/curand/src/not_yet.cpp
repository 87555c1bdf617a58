// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are refused with a sentence until they are there.
#include "generator.h"

using namespace heddle::curand;

#define NOT_YET(DECLARATION)                                                                       \
  curandStatus_t DECLARATION {                                                                     \
    return refuse(CURAND_STATUS_INTERNAL_ERROR, __func__,                                          \
                  "this function is not there yet (docs/compatibility.md)");                       \
  }

extern "C" {

NOT_YET(curandGeneratePoisson(curandGenerator_t, unsigned *, size_t, double))
NOT_YET(curandGeneratePoissonMethod(curandGenerator_t, unsigned *, size_t, double, curandMethod_t))
NOT_YET(curandGenerateBinomial(curandGenerator_t, unsigned *, size_t, unsigned, double))
NOT_YET(curandGenerateBinomialMethod(curandGenerator_t, unsigned *, size_t, unsigned, double,
                                     curandMethod_t))
NOT_YET(curandCreatePoissonDistribution(double, curandDiscreteDistribution_t *))
NOT_YET(curandDestroyDistribution(curandDiscreteDistribution_t))
NOT_YET(curandGetDirectionVectors32(curandDirectionVectors32_t **, curandDirectionVectorSet_t))
NOT_YET(curandGetScrambleConstants32(unsigned **))
NOT_YET(curandGetDirectionVectors64(curandDirectionVectors64_t **, curandDirectionVectorSet_t))
NOT_YET(curandGetScrambleConstants64(unsigned long long **))

} // extern "C"
