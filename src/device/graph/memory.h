// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that graphs allocate (CUDA C++ Programming Guide, "Graph Memory Nodes").
//
// A memory node has its address when it is made, and memory only while launches need it. An address
// range is a `Block` of its graph; allocations that follow each other in the graph may share one.
// What backs a block while a launch runs is a `Slab`, taken from the device's pool when the graph
// is launched: one that the block had before, one whose last launch comes before in the same stream
// or is over, or a new one. So graphs that run one after another use the same memory.
#pragma once

#include "device/device.h"
#include "device/operation.h"

#include <map>
#include <span>

namespace heddle {

class Graph;
struct Edge;
struct Slab;

/// An address range of a graph; it lasts as long as the graph, its executable and what they have
/// allocated there and not freed.
class Block {
public:
  Block(Device &device, void *address, size_t bytes);
  ~Block();
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;

  Device &device;
  void *const address;
  const size_t bytes;

private:
  friend class GraphMemory;
  const uint64_t generation;  // of the device: a reset has freed all
  std::shared_ptr<Slab> slab; // of the newest launch
  bool live = false;          // allocated by a launch that did not free it
};

using BlockPointer = std::shared_ptr<Block>;

class AllocateOperation final : public Operation {
public:
  AllocateOperation(BlockPointer block, const cudaMemAllocNodeParams &parameters)
      : Operation(block->device), block(std::move(block)), parameters(parameters) {}
  cudaGraphNodeType type() const override { return cudaGraphNodeTypeMemAlloc; }
  void run() const noexcept override {} // the launch has seen to it

  const BlockPointer block;
  const cudaMemAllocNodeParams parameters;
};

class FreeOperation final : public Operation {
public:
  explicit FreeOperation(BlockPointer block) : Operation(block->device), block(std::move(block)) {}
  cudaGraphNodeType type() const override { return cudaGraphNodeTypeMemFree; }
  void run() const noexcept override {}

  const BlockPointer block;
};

/// What an executable does to memory.
struct MemoryNeeds {
  std::vector<BlockPointer> blocks; // that it allocates
  std::vector<BlockPointer> kept;   // of these, those that it does not free
  std::vector<BlockPointer> freed;  // other graphs' that it frees

  explicit MemoryNeeds(const Graph &graph);
  bool none() const { return blocks.empty() && freed.empty(); }
};

/// One device's memory for graphs. Thread-safe.
class GraphMemory {
public:
  static GraphMemory &of(Device &device);

  /// For an allocation behind these nodes. cudaErrorMemoryAllocation if there are no addresses.
  cudaError_t allocate(const Graph &graph, std::span<const Edge> before,
                       cudaMemAllocNodeParams &parameters, OperationPointer &operation);
  /// cudaErrorInvalidValue if no graph allocates there, or this graph has freed it before.
  cudaError_t free(const Graph &graph, void *address, OperationPointer &operation);

  /// What to do before a launch runs: give blocks their memory.
  struct Backing {
    std::vector<std::pair<BlockPointer, std::shared_ptr<Slab>>> pairs;
    std::vector<std::shared_ptr<Slab>> freed; // that other graphs have allocated
    /// False if the host has no memory left.
    bool prepare() const;
  };
  /// Settles what a launch needs. cudaErrorInvalidValue if what it allocates has not been freed
  /// since its last launch (unless `frees_first`), or what it frees is not allocated.
  cudaError_t launch(const MemoryNeeds &needs, const Stream &stream, bool frees_first,
                     Backing &backing);
  /// Reserves what a launch in the stream will need.
  void upload(const MemoryNeeds &needs, const Stream &stream);
  /// The launch that was settled last ends here.
  void launched(const Backing &backing, const Point &end);
  /// A call outside of graphs frees what a launch has left; false if there is no such thing.
  bool freeOutside(void *address, const Point &after);

  void trim();
  cudaError_t get(cudaGraphMemAttributeType attribute, uint64_t &value) const;
  /// Only high-water marks can be set, and only to 0: they begin anew.
  cudaError_t set(cudaGraphMemAttributeType attribute, uint64_t value);
  /// The device has been reset.
  void forget();

private:
  explicit GraphMemory(Device &device) : device(device) {}
  Device &device;
  mutable std::mutex mutex;
  std::map<void *, std::weak_ptr<Block>> blocks;
  std::map<void *, BlockPointer> live;
  std::vector<std::shared_ptr<Slab>> slabs;
  uint64_t reserved = 0; // bytes of all slabs
  uint64_t used_high = 0, reserved_high = 0;

  std::shared_ptr<Slab> slabFor(const BlockPointer &block, const Stream &stream);
  void assignSlabs(const MemoryNeeds &needs, const Stream &stream);
  uint64_t taken() const;
  void end(const BlockPointer &block);
};

} // namespace heddle
