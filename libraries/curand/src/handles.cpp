// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "handles.h"

#include "common/refuse.h"

#include <string>

namespace heddle::curand {
bool isQuasi(curandRngType_t Type) { return Type >= CURAND_RNG_QUASI_DEFAULT; }

bool is64(curandRngType_t Type) {
  return Type == CURAND_RNG_QUASI_SOBOL64 || Type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}

curandStatus_t refuse(curandStatus_t Status, const char *Function, const char *Why) {
  library::explain(Function, ("curandStatus_t " + std::to_string(Status)).c_str(), Why);
  return Status;
}

curandStatus_t fromRuntime(cudaError_t Error, curandStatus_t Failed) {
  if (Error == cudaSuccess)
    return CURAND_STATUS_SUCCESS;
  return refuse(Error == cudaErrorMemoryAllocation ? CURAND_STATUS_ALLOCATION_FAILED : Failed,
                "cuRAND", cudaGetErrorString(Error));
}

} // namespace heddle::curand
