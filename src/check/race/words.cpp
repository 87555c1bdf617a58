// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/race/words.h"

#include "check/classify.h"

#include <cstdlib>
#include <cxxabi.h>
#include <fmt/format.h>

namespace heddle::check {
namespace {

using engine::observe::AccessKind;
using engine::observe::Site;

const char *between(Relation relation) {
  switch (relation) {
  case Relation::Itself:
    return "the same thread";
  case Relation::Warp:
    return "another thread of the warp";
  case Relation::Block:
    return "another thread of the block";
  case Relation::Launch:
    return "a thread of another block";
  case Relation::Launches:
    return "a thread of another launch";
  }
  return "another thread";
}

std::string reasonFor(const Conflict &conflict) {
  if (conflict.narrow)
    return "the scope of one of the atomic operations does not include the other thread: it may "
           "not "
           "see the operation as atomic";
  if (conflict.incoherent)
    return "textures are read through caches that do not see what the same kernel writes, whatever "
           "lies between the two lines: such a fetch is undefined, in the same thread too; only "
           "what "
           "an earlier kernel or copy has written may be fetched (CUDA guide, Texture and Surface "
           "Memory, Read/Write Coherency)";
  if (conflict.background)
    return "the copy goes on in the background until the thread that has started it waits for it "
           "(__pipeline_wait_prior, cp.async.wait_group, consumer_wait of a pipeline); behind "
           "that, "
           "a barrier is to tell other threads (CUDA guide, Asynchronous Data Copies)";
  switch (conflict.relation) {
  case Relation::Itself:
  case Relation::Warp:
    if (conflict.same_value)
      return "the threads of a warp write in no order";
    return "nothing between the two lines orders threads of a warp; since Volta they do not run in "
           "lockstep: __syncwarp() is missing (or __syncthreads(), where all threads of the block "
           "come)";
  case Relation::Block:
    return "no __syncthreads() that both threads come to lies between the two lines";
  case Relation::Launch:
    if (conflict.address < Shadow::shared_end)
      return "blocks of a cluster run at the same time: no cluster.sync(), or barrier.cluster with "
             "arrive.release and wait.acquire, lies between the two lines";
    return "blocks run in any order, and at the same time: between the two lines lies no end of a "
           "kernel, no grid.sync(), and no flag with a fence before its writing and behind its "
           "reading";
  case Relation::Launches:
    return "no stream, event, edge of a graph or synchronisation by the host orders the two";
  }
  return {};
}

std::string objectOf(const Conflict &conflict, const ToldMemory &memory) {
  const Site &site = *conflict.sites[1];
  if (conflict.base && conflict.address >= conflict.base)
    return fmt::format("at byte {} of the {} variable {} of {} bytes",
                       conflict.address - conflict.base,
                       site.space == 3 ? "__shared__" : "__device__",
                       site.variable ? site.variable : "(without a name)", conflict.variable_bytes);
  if (conflict.address < Shadow::shared_end)
    return conflict.relation == Relation::Launch ? "in shared memory of a block of the cluster"
                                                 : "in the block's shared memory";
  if (const auto block = memory.at(conflict.address))
    return fmt::format("at byte {} of {}", conflict.address - block->base, describe(*block));
  return {};
}

// A copy is where it was asked for.
std::vector<Place> placesFor(const Site *site, const ThreadPlace &thread,
                             const std::vector<Place> &launched) {
  if (thread.transfer)
    return launched.empty() ? launched : std::vector<Place>{launched.front()};
  return site ? placesOf(*site, *thread.kernel) : std::vector<Place>();
}

void placeSecond(Finding &finding, const Site *site, const ThreadPlace &thread, std::string what) {
  Finding::Other &other = finding.other;
  other.what = std::move(what);
  other.kernel = *thread.kernel;
  other.copy = thread.transfer;
  other.block = thread.block;
  other.thread = thread.thread;
  other.any_of_warp = thread.any_of_warp && !thread.transfer;
  other.any_place = thread.any_site && !thread.transfer;
  std::string launcher;
  thread.launch.describe(other.launched, launcher);
  other.places = placesFor(site, thread, other.launched);
}

void placeFirst(Finding &finding, const Site &site, const ThreadPlace &thread) {
  finding.kernel = *thread.kernel;
  finding.copy = thread.transfer;
  finding.block = thread.block;
  finding.thread = thread.thread;
  thread.launch.describe(finding.launched, finding.launcher);
  finding.places = placesFor(&site, thread, finding.launched);
}

// What stands for the begin or the end of memory's life is a write of all of it
// (Checker::allocationInOrder).
const char *verbFor(const Site &site, const ThreadPlace &thread) {
  const std::string_view call = thread.transfer ? *thread.kernel : std::string_view();
  return call.find("Alloc") != call.npos  ? "allocation"
         : call.find("Free") != call.npos ? "freeing"
                                          : verbOf(site);
}

std::string whatHappens(const Conflict &conflict) {
  const ThreadPlace *threads = conflict.threads;
  const char *first = verbFor(*conflict.sites[0], threads[0]),
             *second = verbFor(*conflict.sites[1], threads[1]);
  if (conflict.incoherent)
    return fmt::format("{} of {} bytes that the same kernel has written: {} by {}", second,
                       conflict.bytes, first, between(conflict.relation));
  if (!threads[0].transfer && !threads[1].transfer)
    return fmt::format("{} of {} bytes and {} by {}, in no order", second, conflict.bytes, first,
                       between(conflict.relation));
  const auto by = [](const ThreadPlace &thread) {
    return thread.transfer ? *thread.kernel : "a kernel";
  };
  return fmt::format("{} by {} and {} by {}, in no order", second, by(threads[1]), first,
                     by(threads[0]));
}

} // namespace

Finding describe(const Conflict &conflict, const ToldMemory &memory) {
  Finding finding;
  finding.kind = conflict.same_value ? Kind::SameValueRace
                 : conflict.narrow   ? Kind::AtomicScope
                                     : Kind::Race;
  const Site &first = *conflict.sites[0], &second = *conflict.sites[1];
  finding.access = verbOf(second.kind);
  finding.bytes = conflict.bytes;
  if (second.variable)
    finding.variable = second.variable;
  finding.what = whatHappens(conflict);
  if (conflict.object.empty()) // later on, another piece of a pool may lie there
    conflict.object = objectOf(conflict, memory);
  finding.object = conflict.object;
  finding.why = reasonFor(conflict);
  finding.count = conflict.count;
  placeFirst(finding, second, conflict.threads[1]);
  placeSecond(finding, &first, conflict.threads[0], verbFor(first, conflict.threads[0]));
  return finding;
}

namespace {

std::string demangled(const std::string &name) {
  if (!name.starts_with("_Z")) // "b" would be a type
    return name;
  int status = 0;
  char *text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 ? text : name;
  std::free(text);
  return result;
}

void describeMemory(Finding &finding, uint64_t address, const ToldMemory &memory,
                    const HostPages &shared) {
  const auto block = memory.at(address);
  const HostPages::Range *own = shared.findOwn(address);
  if (block) {
    finding.object = fmt::format("at byte {} of {}", address - block->base, describe(*block));
  } else if (own && own->name.empty()) {
    finding.object = fmt::format("at byte {} of {} bytes of memory that the program has registered",
                                 address - own->begin, own->end - own->begin);
  } else if (own) {
    finding.variable = demangled(own->name);
    finding.object = fmt::format("at byte {} of the __managed__ variable {} of {} bytes",
                                 address - own->begin, finding.variable, own->end - own->begin);
  }
}

} // namespace

Finding describe(const HostRace &race, const ToldMemory &memory, const HostPages &shared) {
  Finding finding;
  finding.kind = Kind::Race;
  finding.access = race.writes ? "write" : "read";
  const char *other = verbOf(race.site->kind);
  const std::string by = race.thread.transfer ? *race.thread.kernel : "a kernel";
  finding.what = fmt::format("{} by host code and {} by {}, which the host has not waited for",
                             finding.access, other, by);
  const std::vector<Place> places = placesOf(race.host);
  if (!places.empty() && places.front().line)
    finding.places = {places.front()};
  if (places.size() > finding.places.size())
    finding.what += ", in " + describe(race.host);
  describeMemory(finding, race.address, memory, shared);
  finding.why = fmt::format(
      "{} runs beside the host until this waits for it: between the call that puts it on its "
      "stream and this line lies no cudaDeviceSynchronize(), no cudaStreamSynchronize() of that "
      "stream, and no cudaEventSynchronize() of an event that is recorded behind it",
      race.thread.transfer ? "an asynchronous copy or fill" : "a kernel");
  placeSecond(finding, race.site, race.thread, other);
  return finding;
}

Finding describe(const Misuse &misuse) {
  Finding finding;
  finding.kind = misuse.kind;
  finding.count = misuse.count;
  placeFirst(finding, *misuse.site, misuse.thread);
  const auto other = [&](const char *what) {
    if (misuse.other_thread.kernel)
      placeSecond(finding, misuse.other, misuse.other_thread, what);
  };
  switch (misuse.kind) {
  case Kind::Race:
    finding.access = verbOf(misuse.site->kind);
    finding.what = fmt::format("{} in the shared memory of a block of the cluster that may have "
                               "ended",
                               verbOf(*misuse.site));
    finding.why = "a block's shared memory is gone when its last thread has ended: cluster.sync() "
                  "behind the access, by the threads of both blocks, is missing (CUDA guide, "
                  "Distributed Shared Memory)";
    other("ends");
    break;
  case Kind::DifferentBarriers:
    finding.what = "threads of a block meet at different barriers";
    finding.why = "all threads of the block must come to the same __syncthreads(), or none "
                  "(CUDA guide, Synchronization Functions); here it is by chance which ones meet";
    other("waits");
    break;
  case Kind::BarrierNotReached:
    if (misuse.other_thread.kernel) {
      finding.what = "threads wait at a barrier, and others of the block have ended without it";
      finding.why = "all threads of the block must come to a __syncthreads(), or none (CUDA guide, "
                    "Synchronization Functions); GPUs since Volta go on without threads that have "
                    "ended, older ones hang";
    } else {
      finding.what = "threads wait at a barrier that others of the block never reach";
      finding.why = "the threads wait for ever";
    }
    other("ends");
    break;
  case Kind::MaskNamesAbsent:
    finding.what = fmt::format("the mask {:#010x} names lane {}, which does not come", misuse.mask,
                               misuse.lane);
    finding.why = "all threads that a mask names must come to the operation with the same mask, "
                  "unless they have ended; the others wait for ever";
    other("is here");
    break;
  case Kind::MaskLacksCaller:
    finding.what = fmt::format("lane {} calls with the mask {:#010x}, which leaves it out",
                               misuse.lane, misuse.mask);
    finding.why =
        "each thread that calls must have its own bit set in the mask; else the result is "
        "undefined";
    break;
  default:
    finding.what = fmt::format("shuffle from lane {}, which does not take part (mask {:#010x})",
                               misuse.lane, misuse.mask);
    finding.why = "the value of a lane that is not in the mask, has ended or does not exist is "
                  "undefined (PTX ISA, shfl.sync)";
  }
  return finding;
}

} // namespace heddle::check
