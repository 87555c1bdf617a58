// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the entry points share: how they fail, and how they check what they are given.
#pragma once

#include "group.h"

namespace heddle::nccl {

/// Runs a call's body. `in_group`: the group that is open does not run if the call fails.
template <class Body> ncclResult_t guarded(const char *call, bool in_group, Body body) noexcept {
  try {
    return body();
  } catch (...) {
    const ncclResult_t result = report(call, currentFailure());
    if (in_group)
      Group::current().setFailed(result);
    return result;
  }
}

/// The same for calls that change nothing but what they are given.
template <class Body> ncclResult_t simple(const char *call, Body body) noexcept {
  return guarded(call, false, [&] {
    body();
    return ncclSuccess;
  });
}

inline void requirePointer(const void *pointer, const char *what) {
  if (!pointer)
    fail(ncclInvalidArgument, std::string(what) + " is null");
}

/// A buffer must be there; with NCCL_CHECK_POINTERS=1 it must be the device's, too.
void requireBuffer(const void *pointer, const char *what, const ncclComm &comm);

} // namespace heddle::nccl
