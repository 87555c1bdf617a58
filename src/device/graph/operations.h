// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that are neither launches nor copies nor fills.
#pragma once

#include "device/event.h"
#include "device/operation.h"
#include "engine/observe/observer.h"

namespace heddle {

/// A function of the host program; or, if `library_call` says of which, of a CUDA library's call,
/// whose wild accesses are the device's error as a kernel's are.
class HostOperation final : public Operation {
public:
  HostOperation(Device &device, cudaHostFn_t function, void *data,
                const char *library_call = nullptr)
      : Operation(device), function(function), data(data), library_call(library_call) {}
  cudaGraphNodeType type() const override { return cudaGraphNodeTypeHost; }
  void run() const noexcept override;
  bool onWorkerOnly() const override { return true; }

  const cudaHostFn_t function;
  void *const data;
  const char *const library_call;

  /// Whether this thread is within one, where a stream cannot be waited for.
  static bool isRunning();

private:
  void runTask() const noexcept;
};

/// Nothing: a place that others can depend on. Also what stands for the graph in a child graph
/// node, whose graph is the node's.
class EmptyOperation final : public Operation {
public:
  explicit EmptyOperation(Device &device, cudaGraphNodeType kind = cudaGraphNodeTypeEmpty)
      : Operation(device), kind(kind) {}
  cudaGraphNodeType type() const override { return kind; }
  void run() const noexcept override {}

private:
  const cudaGraphNodeType kind;
};

/// Recording an event, or waiting for it. An executable does so when it is launched.
class EventOperation final : public Operation {
public:
  EventOperation(std::shared_ptr<Event> event, bool records)
      : Operation(event->device), event(std::move(event)), records(records) {}
  cudaGraphNodeType type() const override {
    return records ? cudaGraphNodeTypeEventRecord : cudaGraphNodeTypeWaitEvent;
  }
  void run() const noexcept override {}

  const std::shared_ptr<Event> event;
  const bool records;
};

/// A value that kernels set and conditional nodes ask. Its address is the handle.
struct Condition {
  unsigned value = 0;
  unsigned initial = 0;         // what it is when the graph is launched …
  bool assigns_initial = false; // … if so
  bool used = false;            // by a node
  engine::observe::Lent lent{&value, sizeof value};
};

/// Runs its node's graph if the condition is not zero, or while it is not.
class ConditionalOperation final : public Operation {
public:
  ConditionalOperation(Device &device, std::shared_ptr<Condition> condition,
                       cudaGraphConditionalNodeType kind)
      : Operation(device), condition(std::move(condition)), kind(kind) {}
  cudaGraphNodeType type() const override { return cudaGraphNodeTypeConditional; }
  void run() const noexcept override {}

  const std::shared_ptr<Condition> condition;
  const cudaGraphConditionalNodeType kind;
};

} // namespace heddle
