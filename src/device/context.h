// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts (CUDA C++ Programming Guide, "Context"): what a host thread works in.
//
// Each device has a primary context, which the runtime API uses, and programs of the driver API can
// make others. Here all contexts of a device share its memory, its streams' order and its error;
// what a context has of its own is its flags, and a list of what was made in it, which ends with
// it. Each host thread has a stack of contexts; the topmost is current in both APIs.
#pragma once

#include "device/device.h"

namespace heddle {

/// What a CUcontext points to.
class Context {
public:
  Context(Device &device, unsigned number, unsigned flags)
      : device(device), number(number), flags(flags) {}

  Device &device;
  /// 0: the primary context; of others, no two are the same. Streams, events, modules and
  /// allocations have the number of the context that they were made in.
  const unsigned number;
  std::atomic<unsigned> flags;
  std::atomic<unsigned> attached = 1; // cuCtxAttach
  /// Of a primary context: whether it is in use; of others, false once they are destroyed.
  std::atomic<bool> active = true;

  bool primary() const { return number == 0; }
  uint64_t id() const; // no two contexts of the process have the same

  static Handles<Context> &handles();
  static std::shared_ptr<Context> primaryOf(Device &device);
  static std::shared_ptr<Context> create(Device &device, unsigned flags);
  /// The context with that number; the primary one of the device if the number is 0.
  static std::shared_ptr<Context> find(Device &device, unsigned number);
  /// Ends a context that `create` made, with all that was made in it. False if it has ended.
  bool destroy();

  // Of primary contexts: the driver API's uses of it, and whether the runtime API uses it, too.
  void retain();
  bool release(); // false if it is not retained
  void reset();

  // This host thread's stack.
  /// Null if there is none.
  static std::shared_ptr<Context> current();
  /// Puts the context in place of the topmost one; null takes that away.
  static void setCurrent(std::shared_ptr<Context> context);
  static void push(std::shared_ptr<Context> context);
  /// Null if there is none.
  static std::shared_ptr<Context> pop();
  /// The runtime API is used on this thread: without a context, it makes its device's primary one
  /// current.
  static void useRuntime();
  /// The number of the context that things made now on the device belong to.
  static unsigned currentOwner(int device);

private:
  unsigned retained = 0; // guarded by a mutex of all contexts
  bool used_by_runtime = false;
};

} // namespace heddle
