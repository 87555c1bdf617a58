// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/graph/memory.h"

#include "device/graph/graph.h"

#include <algorithm>
#include <set>

namespace heddle {

/// Memory that backs one block at a time.
struct Slab {
  size_t bytes = 0;
  Point last;        // of the launches that use it
  bool held = false; // by an allocation that is not freed
  std::mutex mutex;  // guards:
  std::weak_ptr<Block> backs;

  bool usable(const Stream &stream) const {
    return !held && (last.stream.get() == &stream || last.reached());
  }
};

namespace {

/// Allocations of graphs are multiples of the first; a device takes memory for all of them in
/// multiples of the second, as an H200 does.
constexpr size_t block_unit = size_t(2) << 20, device_unit = size_t(32) << 20;

size_t roundUp(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

const BlockPointer *allocatedBy(const Node &node) {
  return node.type() == cudaGraphNodeTypeMemAlloc
             ? &static_cast<const AllocateOperation &>(*node.operation).block
             : nullptr;
}

const BlockPointer *freedBy(const Node &node) {
  return node.type() == cudaGraphNodeTypeMemFree
             ? &static_cast<const FreeOperation &>(*node.operation).block
             : nullptr;
}

std::set<const Node *> ancestors(std::span<const Edge> before) {
  std::set<const Node *> seen;
  std::vector<const Node *> open;
  for (const Edge &edge : before)
    open.push_back(edge.node);
  while (!open.empty()) {
    const Node *node = open.back();
    open.pop_back();
    if (seen.insert(node).second)
      for (const Edge &edge : node->before)
        open.push_back(edge.node);
  }
  return seen;
}

/// A block of the graph that is large enough, all of whose allocations have been freed by then.
BlockPointer reusable(const Graph &graph, std::span<const Edge> before, size_t bytes) {
  const std::set<const Node *> earlier = ancestors(before);
  std::map<BlockPointer, int> open;
  for (const NodePointer &node : graph.nodes()) {
    if (const BlockPointer *block = allocatedBy(*node))
      ++open[*block];
    else if (const BlockPointer *block = freedBy(*node); block && earlier.count(node.get()))
      --open[*block];
  }
  BlockPointer best;
  for (auto &[block, count] : open)
    if (count == 0 && block->bytes >= bytes && (!best || block->bytes < best->bytes))
      best = block;
  return best;
}

} // namespace

Block::Block(Device &device, void *address, size_t bytes)
    : device(device), address(address), bytes(bytes), generation(device.generation()) {}

Block::~Block() {
  if (generation == device.generation())
    device.memory.releaseReserved(device.ordinal, address);
}

MemoryNeeds::MemoryNeeds(const Graph &graph) {
  std::map<BlockPointer, std::pair<int, int>> counts; // allocations and frees
  for (const NodePointer &node : graph.nodes()) {
    if (const BlockPointer *block = allocatedBy(*node))
      ++counts[*block].first;
    else if (const BlockPointer *block = freedBy(*node))
      ++counts[*block].second;
  }
  for (auto &[block, count] : counts) {
    if (count.first == 0) {
      freed.push_back(block);
      continue;
    }
    blocks.push_back(block);
    if (count.first > count.second)
      kept.push_back(block);
  }
}

GraphMemory &GraphMemory::of(Device &device) {
  static std::mutex mutex;
  static auto *all = new std::map<Device *, std::unique_ptr<GraphMemory>>;
  std::lock_guard lock(mutex);
  std::unique_ptr<GraphMemory> &memory = (*all)[&device];
  if (!memory)
    memory.reset(new GraphMemory(device));
  return *memory;
}

cudaError_t GraphMemory::allocate(const Graph &graph, std::span<const Edge> before,
                                  cudaMemAllocNodeParams &parameters, OperationPointer &operation) {
  if (parameters.bytesize == 0)
    return cudaErrorInvalidValue;
  if (parameters.bytesize > device.gpu.global_memory_bytes)
    return cudaErrorMemoryAllocation;
  const size_t bytes = roundUp(parameters.bytesize, block_unit);
  BlockPointer block = reusable(graph, before, bytes);
  if (!block) {
    void *address = device.memory.reserve(device.ordinal, bytes);
    if (!address)
      return cudaErrorMemoryAllocation;
    block = std::make_shared<Block>(device, address, bytes);
    std::lock_guard lock(mutex);
    blocks[address] = block;
  }
  parameters.dptr = block->address;
  operation = std::make_shared<AllocateOperation>(std::move(block), parameters);
  return cudaSuccess;
}

cudaError_t GraphMemory::free(const Graph &graph, void *address, OperationPointer &operation) {
  BlockPointer block;
  {
    std::lock_guard lock(mutex);
    auto it = blocks.find(address);
    block = it == blocks.end() ? nullptr : it->second.lock();
  }
  if (!block)
    return cudaErrorInvalidValue;
  int allocations = 0, frees = 0;
  for (const NodePointer &node : graph.nodes()) {
    const BlockPointer *allocated = allocatedBy(*node), *freed = freedBy(*node);
    allocations += allocated && *allocated == block;
    frees += freed && *freed == block;
  }
  if (frees >= std::max(allocations, 1))
    return cudaErrorInvalidValue;
  operation = std::make_shared<FreeOperation>(std::move(block));
  return cudaSuccess;
}

std::shared_ptr<Slab> GraphMemory::slabFor(const BlockPointer &block, const Stream &stream) {
  std::shared_ptr<Slab> found;
  for (const auto &slab : slabs)
    if (slab->bytes >= block->bytes && slab->usable(stream) &&
        (slab == block->slab || !found || slab->bytes < found->bytes)) {
      found = slab;
      if (slab == block->slab)
        break;
    }
  if (found)
    return found;
  found = std::make_shared<Slab>();
  found->bytes = block->bytes;
  slabs.push_back(found);
  reserved += found->bytes;
  reserved_high = std::max(reserved_high, taken());
  used_high = std::max(used_high, taken());
  return found;
}

uint64_t GraphMemory::taken() const { return roundUp(reserved, device_unit); }

void GraphMemory::assignSlabs(const MemoryNeeds &needs, const Stream &stream) {
  for (const BlockPointer &block : needs.blocks) {
    block->slab = slabFor(block, stream);
    block->slab->held = true; // no two blocks of a launch share one
  }
  for (const BlockPointer &block : needs.blocks)
    block->slab->held = false;
}

void GraphMemory::upload(const MemoryNeeds &needs, const Stream &stream) {
  std::lock_guard lock(mutex);
  bool live = std::any_of(needs.blocks.begin(), needs.blocks.end(),
                          [](const BlockPointer &block) { return block->live; });
  if (!live) // they have their memory
    assignSlabs(needs, stream);
}

/// An allocation that outlived its launch is freed.
void GraphMemory::end(const BlockPointer &block) {
  block->live = false;
  block->slab->held = false;
  live.erase(block->address);
}

cudaError_t GraphMemory::launch(const MemoryNeeds &needs, const Stream &stream, bool frees_first,
                                Backing &backing) {
  std::lock_guard lock(mutex);
  for (const BlockPointer &block : needs.blocks)
    if (block->live && !frees_first)
      return cudaErrorInvalidValue;
  for (const BlockPointer &block : needs.freed)
    if (!block->live)
      return cudaErrorInvalidValue;
  for (const BlockPointer &block : needs.blocks)
    if (block->live)
      end(block);
  assignSlabs(needs, stream);
  for (const BlockPointer &block : needs.blocks)
    backing.pairs.push_back({block, block->slab});
  for (const BlockPointer &block : needs.kept) {
    block->live = block->slab->held = true;
    live[block->address] = block;
  }
  for (const BlockPointer &block : needs.freed) {
    end(block);
    backing.freed.push_back(block->slab);
  }
  return cudaSuccess;
}

void GraphMemory::launched(const Backing &backing, const Point &end) {
  std::lock_guard lock(mutex);
  for (auto &[block, slab] : backing.pairs)
    slab->last = end;
  for (auto &slab : backing.freed)
    slab->last = end;
}

bool GraphMemory::Backing::prepare() const {
  for (auto &[block, slab] : pairs) {
    std::lock_guard lock(slab->mutex);
    BlockPointer before = slab->backs.lock();
    if (before == block)
      continue;
    Memory &memory = block->device.memory;
    if (before)
      memory.takeBacking(before->device.ordinal, before->address);
    if (!memory.giveBacking(block->device.ordinal, block->address))
      return false;
    slab->backs = block;
  }
  return true;
}

bool GraphMemory::freeOutside(void *address, const Point &after) {
  std::lock_guard lock(mutex);
  auto it = live.find(address);
  if (it == live.end())
    return false;
  BlockPointer block = it->second;
  block->slab->last = after;
  end(block);
  return true;
}

void GraphMemory::trim() {
  std::lock_guard lock(mutex);
  std::erase_if(slabs, [&](const std::shared_ptr<Slab> &slab) {
    if (slab->held || !slab->last.reached())
      return false;
    reserved -= slab->bytes;
    std::lock_guard lock(slab->mutex);
    if (BlockPointer block = slab->backs.lock())
      block->device.memory.takeBacking(block->device.ordinal, block->address);
    slab->backs.reset();
    return true;
  });
}

cudaError_t GraphMemory::get(cudaGraphMemAttributeType attribute, uint64_t &value) const {
  std::lock_guard lock(mutex);
  switch (attribute) {
  // What graphs have used stays theirs until it is trimmed.
  case cudaGraphMemAttrUsedMemCurrent:
  case cudaGraphMemAttrReservedMemCurrent:
    value = taken();
    return cudaSuccess;
  case cudaGraphMemAttrUsedMemHigh:
    value = used_high;
    return cudaSuccess;
  case cudaGraphMemAttrReservedMemHigh:
    value = reserved_high;
    return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

cudaError_t GraphMemory::set(cudaGraphMemAttributeType attribute, uint64_t value) {
  std::lock_guard lock(mutex);
  if (value != 0)
    return cudaErrorInvalidValue;
  if (attribute == cudaGraphMemAttrUsedMemHigh)
    used_high = taken();
  else if (attribute == cudaGraphMemAttrReservedMemHigh)
    reserved_high = taken();
  else
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

void GraphMemory::forget() {
  std::lock_guard lock(mutex);
  blocks.clear();
  live.clear();
  slabs.clear();
  reserved = used_high = reserved_high = 0;
}

} // namespace heddle
