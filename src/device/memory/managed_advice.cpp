// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/memory/managed_advice.h"

#include <iterator>

namespace heddle {
namespace {

uintptr_t address(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

} // namespace

ManagedAdvice &ManagedAdvice::instance() {
  static auto *advice = new ManagedAdvice; // outlives the program's static objects
  return *advice;
}

std::map<uintptr_t, Advice>::iterator ManagedAdvice::split(uintptr_t at) {
  auto next = from.lower_bound(at);
  if (next != from.end() && next->first == at)
    return next;
  const Advice before = next == from.begin() ? Advice() : std::prev(next)->second;
  return from.emplace_hint(next, at, before);
}

void ManagedAdvice::change(const void *start, size_t bytes,
                           const std::function<void(Advice &)> &change) {
  std::lock_guard lock(mutex);
  const auto end = split(address(start) + bytes);
  for (auto part = split(address(start)); part != end; ++part)
    change(part->second);
}

void ManagedAdvice::forget(const void *start, size_t bytes) {
  std::lock_guard lock(mutex);
  if (from.empty())
    return;
  const auto end = split(address(start) + bytes), first = split(address(start));
  const auto rest = from.erase(first, end);
  // What comes before must not extend over the gap.
  if (rest != from.begin())
    from.emplace_hint(rest, address(start), Advice());
}

std::vector<Advice> ManagedAdvice::parts(const void *start, size_t bytes) const {
  std::lock_guard lock(mutex);
  std::vector<Advice> result;
  auto next = from.upper_bound(address(start));
  result.push_back(next == from.begin() ? Advice() : std::prev(next)->second);
  for (; next != from.end() && next->first < address(start) + bytes; ++next)
    result.push_back(next->second);
  return result;
}

} // namespace heddle
