// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution contexts: a device, or a green context, which is a part of its multiprocessors.
//
// What a program sees of the part is its size. Kernels run on the computer's cores, whatever the
// part of the virtual GPU that their stream has, so parts do not slow each other down, and none is
// kept for work that must start soon.
#pragma once

#include "device/context.h"

namespace heddle {

/// Some of a device's multiprocessors, and how they can be divided further.
struct SmResource {
  int device = 0;
  unsigned count = 0, least = 0, alignment = 0, flags = 0;
  unsigned split = 0; // the number of the call that made it; 0: the device's or a context's
  bool rest = false;  // what cudaDevSmResourceSplit has left, which can be split
};

/// What a cudaDevResourceDesc_t points to: what a green context will have. It lives as long as the
/// program, as there is no call to end it.
struct ResourceDescription {
  SmResource sm;
  static Handles<ResourceDescription> &handles();
};

/// What a cudaExecutionContext_t and a CUgreenCtx point to.
class ExecutionContext {
public:
  /// All of the device, in its primary context.
  static std::shared_ptr<ExecutionContext> of(Device &device);
  /// A green context.
  static std::shared_ptr<ExecutionContext> create(Device &device, const SmResource &sm);
  /// The one that the streams of a context belong to; null if it is no green one.
  static std::shared_ptr<ExecutionContext> ofContext(unsigned number);
  static Handles<ExecutionContext> &handles();

  ExecutionContext(std::shared_ptr<Context> context, const SmResource &sm)
      : context(std::move(context)), sm(sm) {}

  const std::shared_ptr<Context> context;
  const SmResource sm;

  bool isDevice() const { return context->primary(); }
  /// Its streams, of a device all.
  std::vector<std::shared_ptr<DeviceStream>> streams() const;
  /// Of a green context. Its streams stay, detached, until the program destroys them.
  void destroy();
};

} // namespace heddle
