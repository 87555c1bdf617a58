// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cupti/call_names.h"

#include <string>
#include <unordered_map>

namespace heddle::cupti {
namespace {

#define HEDDLE_CALL(name) #name,
constexpr const char *runtime_calls[] = {
    "INVALID",
#include <__cupti/runtime_calls.h>
};
constexpr const char *driver_calls[] = {
    "INVALID",
#include <__cupti/driver_calls.h>
};
#undef HEDDLE_CALL
static_assert(std::size(runtime_calls) == CUPTI_RUNTIME_TRACE_CBID_SIZE);
static_assert(std::size(driver_calls) == CUPTI_DRIVER_TRACE_CBID_SIZE);

// "cudaMalloc_v3020" -> "cudaMalloc", "cuMemAlloc_v2" -> "cuMemAlloc".
std::string_view withoutVersion(std::string_view name) {
  const size_t place = name.rfind("_v");
  const bool version = place != name.npos && place + 2 < name.size() &&
                       name.find_first_not_of("0123456789", place + 2) == name.npos;
  return version ? name.substr(0, place) : name;
}

class Table {
public:
  Table() {
    for (uint32_t id = 1; id < std::size(runtime_calls); ++id) {
      // Newer forms of a function are behind older ones.
      const std::string_view name = withoutVersion(runtime_calls[id]);
      calls_[name] = {CUPTI_CB_DOMAIN_RUNTIME_API, id, keep(name)};
    }
    // cuda.h makes cuMemAlloc a name for cuMemAlloc_v2: where the plain name is told, it stands for
    // the newest.
    for (uint32_t id = 1; id < std::size(driver_calls); ++id) {
      const CallId call{CUPTI_CB_DOMAIN_DRIVER_API, id, driver_calls[id]};
      calls_[driver_calls[id]] = call;
      calls_[withoutVersion(driver_calls[id])] = call;
    }
  }
  CallId find(std::string_view name) const {
    const auto found = calls_.find(name);
    return found == calls_.end() ? CallId() : found->second;
  }

private:
  const char *keep(std::string_view text) { return (new std::string(text))->c_str(); }
  std::unordered_map<std::string_view, CallId> calls_;
};

} // namespace

CallId findCall(std::string_view entry_point) {
  static const auto *table = new Table; // the program may call CUDA to its end
  return table->find(entry_point);
}

const char *nameOfCall(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API && id > 0 && id < std::size(runtime_calls))
    return runtime_calls[id];
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API && id > 0 && id < std::size(driver_calls))
    return driver_calls[id];
  return nullptr;
}

uint32_t sizeOfDomain(CUpti_CallbackDomain domain) {
  switch (domain) {
  case CUPTI_CB_DOMAIN_DRIVER_API:
    return CUPTI_DRIVER_TRACE_CBID_SIZE;
  case CUPTI_CB_DOMAIN_RUNTIME_API:
    return CUPTI_RUNTIME_TRACE_CBID_SIZE;
  case CUPTI_CB_DOMAIN_RESOURCE:
    return CUPTI_CBID_RESOURCE_SIZE;
  case CUPTI_CB_DOMAIN_SYNCHRONIZE:
    return CUPTI_CBID_SYNCHRONIZE_SIZE;
  default:
    return 0;
  }
}

} // namespace heddle::cupti
