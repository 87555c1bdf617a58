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

NOT_YET(curandGenerateBinomial(curandGenerator_t, unsigned *, size_t, unsigned, double))
NOT_YET(curandGenerateBinomialMethod(curandGenerator_t, unsigned *, size_t, unsigned, double,
                                     curandMethod_t))

} // extern "C"
