// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What strong accesses tell other threads: release and acquire.
#include "check/race/races.h"
#include "engine/abi_extensions.h"

#include <utility>

namespace heddle::check {
namespace {

using engine::observe::Access;
using engine::observe::AccessKind;
using engine::observe::Scope;
using engine::observe::Site;

// LLVM's AtomicOrdering.
enum Order : uint32_t { Acquire = 4, Release = 5, AcquireRelease = 6, Sequential = 7 };

bool acquires(uint32_t order) { return order == Acquire || order >= AcquireRelease; }
bool releases(uint32_t order) { return order >= Release; }

// Threads of a cluster arrive at one place of their barrier and wait at another
// (devicelib/cluster.cu).
uint64_t placeOf(const Access &access, uint64_t address) {
  const auto *cluster = static_cast<const engine::ExtendedBlockContext &>(access.block).cluster;
  return cluster && address == reinterpret_cast<uintptr_t>(cluster->generation)
             ? reinterpret_cast<uintptr_t>(cluster->arrived)
             : address;
}

} // namespace

// Release and acquire: PTX ISA, "Release and Acquire Patterns". What a thread did before a fence is
// released by its next strong write; an operation that releases by itself needs no fence. A strong
// read acquires what the write that it reads has released, at the next fence or barrier.
void Races::order(const Current &current) {
  const Site &site = current.access->site;
  auto found = released_.find(placeOf(*current.access, current.address));
  // Shared memory is another one when another block begins in it.
  if (found != released_.end() && current.address < Shadow::shared_end &&
      found->second.newest <= current.who.block.first) {
    released_.erase(found);
    found = released_.end();
  }
  if (found != released_.end() && site.kind != AccessKind::Store) {
    const Released &released = found->second;
    newEpoch(current.who.block);
    if (released.to_device)
      runs_.clocks.acquire(current.who, {released.to_device, released.to_device->length()});
    if (released.to_block)
      runs_.clocks.acquire(current.who, {released.to_block, released.to_block->length(), true});
    if (acquires(site.order))
      Clocks::learnPending(current.who);
  }
  // A thread that reads what an operation of no change has left cannot tell whether that has
  // happened, so it cannot rely on it. One that polls by such operations would tell others what it
  // has done, or not, by the order of their turns.
  if (current.writes && !(site.flags & engine::observe::only_reads))
    publish(current);
}

// A volatile access has the system's scope (PTX ISA, "ld.volatile").
void Races::releaseToHost(const Current &current) {
  if (!current.writes || !host.any() || !host.find(current.address))
    return;
  const uint32_t launch = current.who.block.launch;
  runs_.writesForHost(launch);
  if (current.access->site.is_volatile || Scope(current.mark.scope) == Scope::System)
    runs_.fencesForHost(launch);
}

void Races::publish(const Current &current) {
  const Site &site = current.access->site;
  if (site.kind != AccessKind::Atomic) // a new release sequence; read-modify-writes go on with it
    released_.erase(current.address);
  const Lane &lane = current.who.ofLane();
  std::shared_ptr<const View> to_block = lane.fenced[0], to_device = lane.fenced[1];
  if (releases(site.order)) {
    to_block = std::make_shared<const View>(runs_.clocks.release(current.who));
    if (site.scope >= Scope::Cluster)
      to_device = to_block;
  }
  if (!to_block)
    return;
  Released &released = released_[current.address];
  released.newest = runs_.clocks.count();
  // Plain writes behind one fence, to however many places, tell the same by one log; a
  // read-modify-write goes on with logs of its own.
  const bool plain = site.kind != AccessKind::Atomic;
  if (std::exchange(released.shared, plain) && !plain)
    for (std::shared_ptr<Log> *log : {&released.to_block, &released.to_device})
      if (*log)
        *log = std::make_shared<Log>(**log);
  const auto tell = [&](std::shared_ptr<Log> &log, const std::shared_ptr<const View> &view,
                        Told &told) {
    if (plain && told.view == view) {
      log = told.log;
      return;
    }
    if (!log)
      log = std::make_shared<Log>();
    log->append(view->own, view->others);
    if (plain)
      told = {view, log};
  };
  if (to_device)
    tell(released.to_device, to_device, told_to_device_);
  if (to_block != to_device)
    tell(released.to_block, to_block, told_to_block_);
}

void Races::forgetReleases() {
  released_.clear();
  told_to_block_ = told_to_device_ = {};
}

} // namespace heddle::check
