// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on memory in the order of a stream (CUDA driver API, "Stream Memory Operations"): a
// stream writes a number, or waits until one fulfils a condition.
#pragma once

#include "device/operation.h"

#include <variant>
#include <vector>

namespace heddle {

/// Waits until the number at the address fulfils the condition.
struct WaitForValue {
  enum class Condition { AtLeast, Equal, AnyBit, NotAllBits }; // CU_STREAM_WAIT_VALUE_*
  const void *address = nullptr;
  uint64_t value = 0;
  unsigned bytes = 4; // or 8
  Condition condition = Condition::AtLeast;

  bool fulfilled() const;
};

struct WriteValue {
  void *address = nullptr;
  uint64_t value = 0;
  unsigned bytes = 4;
};

/// Makes writes visible to others.
struct MemoryBarrier {};

using MemoryOperation = std::variant<WaitForValue, WriteValue, MemoryBarrier>;

/// CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, which the runtime API has no name for.
inline constexpr auto node_type_memory_operations = cudaGraphNodeType(12);

/// Several of them, one after another.
class MemoryOperations final : public Operation {
public:
  MemoryOperations(Device &device, std::vector<MemoryOperation> list, std::vector<char> told)
      : Operation(device), list(std::move(list)), told(std::move(told)) {}
  cudaGraphNodeType type() const override { return node_type_memory_operations; }
  void run() const noexcept override;
  // What it waits for may be up to the thread that would else run it.
  bool onWorkerOnly() const override { return true; }

  const std::vector<MemoryOperation> list;
  const std::vector<char> told; // as the program has given them
};

} // namespace heddle
