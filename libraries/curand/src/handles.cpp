// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "handles.h"

#include <cstdio>
#include <mutex>
#include <unordered_set>

namespace heddle::curand {
namespace {

std::mutex Lock;

std::unordered_set<curandGenerator_t> &living() {
  static auto *Set = new std::unordered_set<curandGenerator_t>; // outlives static destructors that
                                                                // destroy generators
  return *Set;
}

} // namespace

void remember(curandGenerator_t Generator) {
  std::lock_guard Held(Lock);
  living().insert(Generator);
}

bool forget(curandGenerator_t Generator) {
  std::lock_guard Held(Lock);
  return living().erase(Generator) != 0;
}

bool lives(curandGenerator_t Generator) {
  std::lock_guard Held(Lock);
  return living().count(Generator) != 0;
}

bool isQuasi(curandRngType_t Type) { return Type >= CURAND_RNG_QUASI_DEFAULT; }

bool is64(curandRngType_t Type) {
  return Type == CURAND_RNG_QUASI_SOBOL64 || Type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}

curandStatus_t refuse(curandStatus_t Status, const char *Function, const char *Why) {
  fprintf(stderr, "heddle: %s: %s\n", Function, Why);
  return Status;
}

curandStatus_t fromRuntime(cudaError_t Error, curandStatus_t Failed) {
  if (Error == cudaSuccess)
    return CURAND_STATUS_SUCCESS;
  fprintf(stderr, "heddle: cuRAND: %s\n", cudaGetErrorString(Error));
  return Error == cudaErrorMemoryAllocation ? CURAND_STATUS_ALLOCATION_FAILED : Failed;
}

} // namespace heddle::curand
