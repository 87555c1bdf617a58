// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profile/managed_pages.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace heddle::profile {
namespace {

using engine::observe::ManagedHint;
using engine::observe::TaskKind;

constexpr uintptr_t block_bytes = 64 << 10;
constexpr size_t most_at_once = (2 << 20) / block_bytes;

const uintptr_t page = uintptr_t(sysconf(_SC_PAGESIZE));

uintptr_t firstBlock(uintptr_t address) { return address / block_bytes; }
uintptr_t pastBlock(uintptr_t end) { return (end + block_bytes - 1) / block_bytes; }

} // namespace

ManagedPages::~ManagedPages() {
  if (pagemap_ >= 0)
    close(pagemap_);
}

void ManagedPages::allocated(const void *base, size_t bytes) {
  const auto address = reinterpret_cast<uintptr_t>(base);
  settle(active_ ? Side::Device : Side::Host);
  Allocation &made = allocations_[address];
  made = {bytes, std::vector<Block>(pastBlock(address + bytes) - firstBlock(address))};
  touched(address, made); // by the allocation itself
}

void ManagedPages::freed(const void *base) {
  const auto found = allocations_.find(reinterpret_cast<uintptr_t>(base));
  if (found == allocations_.end())
    return;
  settle(active_ ? Side::Device : Side::Host);
  allocations_.erase(found);
}

void ManagedPages::hinted(const ManagedHint &hint) {
  const auto start = reinterpret_cast<uintptr_t>(hint.pointer);
  auto found = allocations_.upper_bound(start);
  if (found == allocations_.begin())
    return;
  --found;
  settle(active_ ? Side::Device : Side::Host);
  std::vector<Block> &blocks = found->second.blocks;
  const uintptr_t first = firstBlock(found->first);
  std::vector<bool> moves(blocks.size());
  for (uintptr_t at = firstBlock(start);
       at < std::min(pastBlock(start + hint.bytes), first + blocks.size()); ++at) {
    Block &block = blocks[at - first];
    block.read_mostly = hint.read_mostly.value_or(block.read_mostly);
    block.stays_on_host = hint.stays_on_host.value_or(block.stays_on_host);
    if (!hint.prefetch_to_device)
      continue;
    const Location there = *hint.prefetch_to_device ? Location::Device : Location::Host;
    moves[at - first] = block.location != Location::Nowhere && block.location != there &&
                        block.location != Location::Both;
    block.location = moves[at - first] && block.read_mostly ? Location::Both
                     : block.location == Location::Both     ? Location::Both
                                                            : there;
  }
  if (hint.prefetch_to_device)
    move(moves, *hint.prefetch_to_device ? traffic_.to_device : traffic_.to_host);
}

void ManagedPages::begins(TaskKind kind) {
  if (active_++ == 0)
    settle(Side::Host);
  kernels_ |= kind == TaskKind::Kernel;
}

void ManagedPages::ends(TaskKind) {
  if (--active_ == 0) {
    settle(kernels_ ? Side::Device : Side::Copy);
    kernels_ = false;
  }
}

UnifiedMemory ManagedPages::traffic() {
  settle(active_ ? Side::Device : Side::Host);
  return traffic_;
}

void ManagedPages::settle(Side side) {
  for (auto &[base, allocation] : allocations_)
    touch(base, allocation, side);
}

// Blocks side by side move together.
void ManagedPages::move(const std::vector<bool> &blocks, Transfers &transfers) {
  for (size_t i = 0; i < blocks.size();) {
    size_t end = i;
    while (end < blocks.size() && blocks[end] && end - i < most_at_once)
      ++end;
    if (end == i) {
      ++i;
      continue;
    }
    const uint64_t bytes = (end - i) * block_bytes;
    transfers.least = transfers.count ? std::min(transfers.least, bytes) : bytes;
    transfers.most = std::max(transfers.most, bytes);
    transfers.bytes += bytes;
    ++transfers.count;
    i = end;
  }
}

void ManagedPages::touch(uintptr_t base, Allocation &allocation, Side side) {
  const std::vector<bool> hit = touched(base, allocation);
  std::vector<bool> to_device(hit.size()), to_host(hit.size());
  for (size_t i = 0; i < hit.size(); ++i) {
    Block &block = allocation.blocks[i];
    if (!hit[i] || block.location == Location::Both)
      continue;
    if (block.location == Location::Nowhere) { // its first touch puts it there
      traffic_.gpu_faults += side == Side::Device && !block.stays_on_host;
      traffic_.cpu_faults += side == Side::Host;
      block.location =
          side == Side::Device && !block.stays_on_host ? Location::Device : Location::Host;
    } else if (side == Side::Device && block.location == Location::Host && !block.stays_on_host) {
      ++traffic_.gpu_faults;
      to_device[i] = true;
      block.location = block.read_mostly ? Location::Both : Location::Device;
    } else if (side == Side::Host && block.location == Location::Device) {
      ++traffic_.cpu_faults;
      to_host[i] = true;
      block.location = block.read_mostly ? Location::Both : Location::Host;
    }
  }
  move(to_device, traffic_.to_device);
  move(to_host, traffic_.to_host);
}

// Of each block, whether a page of it has been used since this was asked last.
std::vector<bool> ManagedPages::touched(uintptr_t base, const Allocation &allocation) {
  constexpr uint64_t present = uint64_t(1) << 63;
  if (pagemap_ < 0)
    pagemap_ = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  std::vector<bool> result(allocation.blocks.size());
  const uintptr_t first = base / page, end = (base + allocation.bytes + page - 1) / page;
  std::vector<uint64_t> entries(end - first);
  const auto wanted = ssize_t(entries.size() * sizeof(uint64_t));
  if (pagemap_ < 0 ||
      pread(pagemap_, entries.data(), size_t(wanted), off_t(first * sizeof(uint64_t))) != wanted)
    return result;
  for (size_t i = 0; i < entries.size(); ++i)
    if (entries[i] & present)
      result[firstBlock((first + i) * page) - firstBlock(base / page * page)] = true;
  madvise(reinterpret_cast<void *>(first * page), (end - first) * page, MADV_DONTNEED);
  return result;
}

} // namespace heddle::profile
