// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles and their settings.
#include "plan.h"

#include "common/refuse.h"

#include <cuda_runtime_api.h>
#include <map>
#include <mutex>
#include <string>

namespace heddle::cufft {
namespace {

// Handles may be destroyed after the program's last static object: the table stays.
struct Table {
  std::mutex Mutex;
  std::map<cufftHandle, std::shared_ptr<Plan>> Plans;
  cufftHandle Next = 1;
};
Table &table() {
  static Table &Plans = *new Table;
  return Plans;
}

} // namespace

std::shared_ptr<Plan> find(cufftHandle Handle) {
  const std::lock_guard Lock(table().Mutex);
  const auto Found = table().Plans.find(Handle);
  return Found == table().Plans.end() ? nullptr : Found->second;
}

cufftResult refuse(const char *Function, cufftResult Status, const char *Why) {
  library::explain(Function, ("cufftResult " + std::to_string(Status)).c_str(), Why);
  return Status;
}

cufftResult submit(const char *Function, cudaStream_t Stream, library::Task Work) {
  if (const cudaError_t Error = library::submit(Function, Stream, std::move(Work)))
    return refuse(Function, CUFFT_EXEC_FAILED, cudaGetErrorString(Error));
  return CUFFT_SUCCESS;
}

} // namespace heddle::cufft

using namespace heddle::cufft;

#define FIND(Handle)                                                                               \
  const std::shared_ptr<Plan> Found = find(Handle);                                                \
  if (!Found)                                                                                      \
  return refuse(__func__, CUFFT_INVALID_PLAN, "the plan was not created, or is destroyed")

cufftResult cufftCreate(cufftHandle *handle) {
  if (!handle)
    return refuse(__func__, CUFFT_INVALID_VALUE, "handle is null");
  if (cudaFree(nullptr) != cudaSuccess)
    return refuse(__func__, CUFFT_SETUP_FAILED, "there is no device to use");
  const std::lock_guard Lock(table().Mutex);
  *handle = table().Next++;
  table().Plans[*handle] = std::make_shared<Plan>();
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle plan) {
  FIND(plan);
  // Transforms under way have their own copies of what they need.
  const std::lock_guard Lock(table().Mutex);
  table().Plans.erase(plan);
  return CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  FIND(plan);
  Found->Stream = stream;
  return CUFFT_SUCCESS;
}

// Transforms need no memory of the program's: areas are accepted and not used.
cufftResult cufftSetWorkArea(cufftHandle plan, void *) {
  FIND(plan);
  return CUFFT_SUCCESS;
}

cufftResult cufftSetAutoAllocation(cufftHandle plan, int) {
  FIND(plan);
  return CUFFT_SUCCESS;
}

namespace {

bool isProperty(cufftProperty Property) {
  return Property == NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT ||
         Property == NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS;
}

} // namespace

cufftResult cufftSetPlanPropertyInt64(cufftHandle plan, cufftProperty property,
                                      const long long int inputValueInt) {
  FIND(plan);
  if (!isProperty(property))
    return refuse(__func__, CUFFT_INVALID_VALUE, "there is no such property");
  if (Found->Made)
    return refuse(__func__, CUFFT_INVALID_PLAN, "the plan is made already");
  Found->Properties[property - 1] = inputValueInt;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetPlanPropertyInt64(cufftHandle plan, cufftProperty property,
                                      long long int *returnPtrValue) {
  FIND(plan);
  if (!isProperty(property) || !returnPtrValue)
    return refuse(__func__, CUFFT_INVALID_VALUE, "there is no such property, or no place for it");
  *returnPtrValue = Found->Properties[property - 1];
  return CUFFT_SUCCESS;
}

cufftResult cufftResetPlanProperty(cufftHandle plan, cufftProperty property) {
  FIND(plan);
  if (!isProperty(property))
    return refuse(__func__, CUFFT_INVALID_VALUE, "there is no such property");
  Found->Properties[property - 1] = 0;
  return CUFFT_SUCCESS;
}
