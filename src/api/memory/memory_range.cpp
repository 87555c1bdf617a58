// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program has said about a range of managed memory (cudaMemRangeGetAttribute).
#include "api/entry.h"
#include "device/memory/managed_advice.h"

#include <algorithm>
#include <set>

using namespace heddle;
using namespace heddle::api;

namespace {

/// The place that all parts have in common, or none.
int common(const std::vector<Advice> &parts, int Advice::*place) {
  const int first = parts[0].*place;
  const bool same = std::all_of(parts.begin(), parts.end(),
                                [&](const Advice &part) { return part.*place == first; });
  return same ? first : cudaInvalidDeviceId;
}

int typeOf(int place) {
  if (place == cudaInvalidDeviceId)
    return cudaMemLocationTypeInvalid;
  return place == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
}

cudaError_t accessedBy(const std::vector<Advice> &parts, int *result, size_t bytes) {
  if (bytes == 0 || bytes % sizeof(int) != 0)
    return cudaErrorInvalidValue;
  std::set<int> all = parts[0].accessed_by;
  for (const Advice &part : parts)
    std::erase_if(all, [&](int place) { return !part.accessed_by.contains(place); });
  const size_t count = bytes / sizeof(int);
  std::fill_n(result, count, cudaInvalidDeviceId);
  std::copy_n(all.begin(), std::min(count, all.size()), result);
  return cudaSuccess;
}

cudaError_t answer(const std::vector<Advice> &parts, cudaMemRangeAttribute attribute, int *result,
                   size_t bytes) {
  if (attribute == cudaMemRangeAttributeAccessedBy)
    return accessedBy(parts, result, bytes);
  if (bytes != sizeof(int))
    return cudaErrorInvalidValue;
  switch (attribute) {
  case cudaMemRangeAttributeReadMostly:
    *result = std::all_of(parts.begin(), parts.end(),
                          [](const Advice &part) { return part.read_mostly; });
    return cudaSuccess;
  case cudaMemRangeAttributePreferredLocation:
  case cudaMemRangeAttributePreferredLocationId:
    *result = common(parts, &Advice::preferred);
    return cudaSuccess;
  case cudaMemRangeAttributeLastPrefetchLocation:
  case cudaMemRangeAttributeLastPrefetchLocationId:
    *result = common(parts, &Advice::last_prefetch);
    return cudaSuccess;
  case cudaMemRangeAttributePreferredLocationType:
    *result = typeOf(common(parts, &Advice::preferred));
    return cudaSuccess;
  case cudaMemRangeAttributeLastPrefetchLocationType:
    *result = typeOf(common(parts, &Advice::last_prefetch));
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

} // namespace

cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize, cudaMemRangeAttribute attribute,
                                     const void *devPtr, size_t count) {
  return callDevice([&](Device &device) {
    const std::optional<Allocation> found = device.memory.find(devPtr);
    if (!data || count == 0 || !found || found->kind != MemoryKind::Managed ||
        !found->holds(devPtr, count))
      return cudaErrorInvalidValue;
    return answer(ManagedAdvice::instance().parts(devPtr, count), attribute,
                  static_cast<int *>(data), dataSize);
  });
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *dataSizes,
                                      cudaMemRangeAttribute *attributes, size_t numAttributes,
                                      const void *devPtr, size_t count) {
  if (!data || !dataSizes || !attributes || numAttributes == 0)
    return call([] { return cudaErrorInvalidValue; });
  for (size_t i = 0; i < numAttributes; ++i)
    if (cudaError_t error =
            cudaMemRangeGetAttribute(data[i], dataSizes[i], attributes[i], devPtr, count))
      return error;
  return cudaSuccess;
}
