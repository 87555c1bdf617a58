// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of what watches kernels run: heddle check and heddle profile.
//
// While an observer is set, launches run code that tells it of the events it asks for, one gang is
// one warp, and one block one block (compiler/instrument). Without one, there is no trace of it in
// the code. Devices tell it of allocations. All functions may be called from several threads at
// once.
#pragma once

#include "engine/abi.h"
#include "engine/launch.h"
#include "engine/observe/events.h"
#include "engine/observe/extents.h"
#include "engine/observe/site.h"

#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

namespace heddle::engine::observe {

/// An access, by threads of one warp together.
struct Access {
  const Site &site;
  const Launch &launch;
  const BlockContext &block;
  uint32_t lanes;            // that take part, a bit for each of the warp's 32 threads
  uint32_t first_thread;     // of the warp, as a linear index in the block
  const uint64_t *addresses; // of each lane's access; of a variable of the thread's own, the offset
  const uint64_t *bytes;     // likewise
  const void *base;          // where Site::variable begins, if that is known
  ThreadContext *thread;     // of one of the lanes
  ExtentSlot *slot;          // that was looked at in vain, and may be filled; or null
  uint64_t *shared_written;  // a bit for each byte from block.shared on; null but with
                             // uninitialised_reads
  const uint64_t *values;    // what each lane will store, if has_value; else null

  /// Of a variable of the thread's own: `addresses` are offsets in it. Shared variables have a
  /// base, for blocks of a cluster access each other's.
  bool hasOffsets() const { return site.variable_bytes != unknown_bytes && !base; }

  /// PTX's number of the state space that an address lies in (schedule/services.h).
  uint32_t spaceOf(uint64_t address) const {
    return thread->runtime->address_space(thread, reinterpret_cast<const void *>(address));
  }
};

/// The addresses and sizes of all lanes.
struct AddressesOfLanes {
  explicit AddressesOfLanes(const AddressRows &rows) {
    for (uint32_t row = 0, lane = 0; lane < 32; ++row)
      for (uint32_t column = 0; column < rows.length; ++column, ++lane)
        addresses[lane] = rows.firsts[row] + uint64_t(rows.stride) * column;
    for (uint64_t &each : bytes)
      each = rows.bytes;
  }
  uint64_t addresses[32], bytes[32];
};

/// A piece of work: a stream, and its number there.
struct StreamPoint {
  const void *stream = nullptr;
  uint64_t ticket = 0;
};

/// Pages of memory that host code and kernels share, which host code is not to access for now
/// (engine/observe/host_guard.h).
struct ClosedPages {
  uintptr_t begin, end;
  bool readable; // reading them is right
  bool operator==(const ClosedPages &) const = default;
};

/// Host code has accessed guarded memory (engine/observe/host_guard.h).
struct HostAccess {
  const void *address;
  bool writes;
  uintptr_t code; // the address of the instruction
};

/// What a program tells of its memory by NVTX (include/nvtx3/nvToolsExtMem.h); the last one
/// PyTorch's allocator alone (python/heddle_torch/csrc/checked.cpp).
enum class MemoryNote : uint32_t {
  Pool,  // the program gives this memory out in pieces itself …
  Reset, // … of which there are none any more …
  End,   // … nor is it a pool
  Piece, // of a pool
  Resize,
  Free,
  Name,        // of an allocation, or of a piece
  Permissions, // likewise: what kernels may do, a mask of MemoryPermissions
  Fresh,       // of so many bytes of a pool, just given out: nothing has written them since
};
enum MemoryPermissions : uint64_t { may_read = 1, may_write = 2, may_do_atomics = 4 };

class Observer {
public:
  virtual ~Observer() = default;

  /// What code is to tell: a mask of Events. The same at all times.
  virtual uint32_t events() const { return tell_accesses; }
  /// Blocks run one after another, in ascending order, as far as they do not wait for others.
  virtual bool wantsOrder() const { return false; }

  /// The host puts work on a stream. It begins when all before it in the stream, and these, are
  /// done. …
  virtual void issued(const StreamPoint & /*work*/, const std::vector<StreamPoint> & /*after*/) {}
  /// … The calling thread begins it. …
  virtual void workBegin(const StreamPoint & /*work*/) {}
  /// … The host knows that it is done.
  virtual void hostWaited(const StreamPoint &) {}
  /// The work that the calling thread runs may tell host code, in a way of the program's own, that
  /// all before it is done: it is about to call a host function, or to write what the host polls.
  virtual void tellsHost() {}
  /// The host goes on beside this work, which may wait for what the host does next. (With
  /// wantsOrder, host code otherwise finds all work done that it has issued.)
  virtual void runsBesideHost(const StreamPoint &) {}

  /// … Of the work that the calling thread runs, a part begins, a node of a graph. It is behind
  /// these parts, and all before partsJoin, alone.
  virtual void partBegin(const void * /*part*/, const std::vector<const void *> & /*after*/) {}
  /// … All parts until now are done.
  virtual void partsJoin() {}

  virtual void kernelBegin(const Launch &) {}
  virtual void kernelEnd(const Launch &) {}
  /// Returns the lanes whose access may happen. What others would store is dropped; they load
  /// zeros.
  virtual uint32_t access(const Access &access) { return access.lanes; }
  /// The same, before anything else is asked, of addresses in rows; access.addresses and bytes are
  /// null. False: access() is to be asked.
  virtual bool accessRows(const Access & /*access*/, const AddressRows & /*rows*/) { return false; }
  /// A block is about to start, in place of the one that had this context before.
  virtual void blockBegin(const Launch &, const BlockContext &) {}
  /// The blocks of the launch that have begun wait for what never comes.
  virtual void blocksStuck(const Launch &) {}
  /// Threads have come to a place that is no access (AccessKind).
  virtual void synchronise(const Access &) {}

  /// A device's, pinned or managed memory has been allocated for the program, …
  virtual void allocated(const void * /*base*/, size_t /*bytes*/, bool /*of_device*/) {}
  /// … or is the program's own, which kernels may access: registered memory, without a name, or a
  /// __managed__ variable (`own_pages`: nothing else lies on its pages), …
  struct OwnMemory {
    const void *base;
    size_t bytes;
    const char *name; // the variable's, mangled; or null
    bool own_pages;
  };
  virtual void sharedByProgram(const OwnMemory &) {}
  /// … and is about to be given back.
  virtual void freed(const void * /*base*/) {}
  /// Device memory begins or ends to be the program's in the order of a stream (cudaMallocAsync,
  /// cudaFreeAsync), with the work that the calling thread runs.
  virtual void allocationInOrder(const void * /*base*/, size_t /*bytes*/) {}
  /// Memory of the device's own that kernels may access, such as a texture's description (see
  /// Lent), …
  virtual void lent(const void * /*base*/, size_t /*bytes*/) {}
  /// … and that is about to go.
  virtual void takenBack(const void * /*base*/) {}
  /// Compiled code has been loaded, whose constants (strings, virtual tables) kernels may read.
  /// `table`: an address in it.
  virtual void codeLoaded(const void * /*table*/) {}
  /// As the first two, for malloc and free in kernels.
  virtual void heapAllocated(const void * /*base*/, size_t /*bytes*/) {}
  virtual void heapFreed(const void * /*base*/) {}
  /// A call was to free what is not an allocation, or no longer one.
  virtual void wrongFree(const void * /*pointer*/) {}
  /// A call was to copy so many bytes from or to memory that has fewer.
  virtual void wrongCopy(const void * /*pointer*/, size_t /*bytes*/) {}
  /// A call of the program's has failed: the error's name, its words and its number. …
  virtual void callFailed(const char * /*error*/, const char * /*text*/, int /*code*/) {}
  /// … The calling thread has asked for the last error, or for the words of an error.
  virtual void askedForError() {}
  /// Bytes have been set by a copy from the host, a fill or another process, …
  virtual void written(const void * /*to*/, size_t /*bytes*/) {}
  /// … by a copy or fill that a program has asked for, in the work that the calling thread runs …
  virtual void filled(const void *to, size_t bytes) { written(to, bytes); }
  /// … or by a copy from what may be memory of a device, likewise.
  virtual void copied(const void * /*to*/, const void * /*from*/, size_t /*bytes*/) {}
  /// Host code is not to access memory of devices while none of their work runs (host_guard.h).
  virtual bool guardsDevices() const { return false; }
  /// It has, all the same, for the first time since such work has run. Called by a signal handler.
  virtual void hostAccess(const HostAccess &) {}
  /// Pinned and managed pages that host code is not to access, or only to read, while no work runs:
  /// in ascending order, and at most `most`. Asked when work has ended, when the host has waited
  /// and when memory has been freed.
  virtual std::vector<ClosedPages> closedToHost(size_t /*most*/) { return {}; }
  /// It has accessed one of them. Called by a signal handler.
  virtual void hostTouches(const HostAccess &) {}
  /// `value`: bytes, or permissions.
  virtual void memoryNoted(MemoryNote, const void * /*base*/, uint64_t /*value*/,
                           const char * /*name*/) {}
  /// Host code of a library has run: it may have written any memory of the program's.
  virtual void writtenAnywhere() {}
};

/// Set before the first launch, and never again; null: nothing watches.
inline Observer *observer = nullptr;

/// Tells the observer of memory that is lent to kernels, for as long as this exists.
class Lent {
public:
  Lent() = default;
  Lent(const void *base, size_t bytes) : base_(observer ? base : nullptr) {
    if (base_)
      observer->lent(base_, bytes);
  }
  Lent(Lent &&other) noexcept : base_(std::exchange(other.base_, nullptr)) {}
  Lent &operator=(Lent &&other) noexcept {
    std::swap(base_, other.base_);
    return *this;
  }
  ~Lent() {
    if (base_)
      observer->takenBack(base_);
  }

private:
  const void *base_ = nullptr;
};

/// Goes up whenever memory has been allocated or freed, so that observers may keep what they know.
inline std::atomic<uint64_t> memory_changes = 0;

} // namespace heddle::engine::observe
