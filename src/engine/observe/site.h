// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sites: the places in device code that an observer is told of, as constants in compiled code.
//
// The compiler (compiler/instrument) writes these structs by offsetof, so both sides always agree.
#pragma once

#include <cstdint>

namespace heddle::engine::observe {

/// A place in the source, and the call that it was inlined at, if any.
struct Frame {
  const char *function; // linkage name
  const char *file;
  uint32_t line, column; // 0: not known
  const Frame *caller;   // null: the outermost one
};

/// What happens at a site: an access, or what only some Events tell of. Then Access::addresses and
/// bytes are the operands named here.
enum class AccessKind : uint32_t {
  Load,
  Store,
  Atomic,
  Source,      // address: where the value comes from that the next site stores, in the same lanes
  BlockArrive, // id, count (0: all threads): the thread comes to a barrier of the block …
  BlockDepart, // … and goes on behind it
  BlockSignal, // id, count: bar.arrive
  WarpArrive,  // mask, source lane and PTX's clamp << 32 of a shuffle; `order`: WarpOperation * 16
  WarpDepart,  // + mode
  GridArrive,  // grid.sync()
  GridDepart,
  Fence, // Scope
  Exit,  // the thread ends
  // cp.async, whose copies are done where they are started (module/passes/marks.h).
  CopyStart,   // address, bytes: behind a store there
  CopyCommit,  // what the thread has started becomes a group
  CopyWait,    // groups: at most so many, the newest, are not there yet …
  CopyWaitAll, // … all are there, and what is of no group
};
inline bool isAccess(AccessKind kind) { return kind <= AccessKind::Atomic; }

/// How far an atomic operation or a fence reaches: PTX ISA, "Scope".
enum class Scope : uint32_t { Block, Cluster, Device, System };

/// What `Site::variable_bytes` says beside a size.
inline constexpr uint64_t unknown_bytes = ~uint64_t(0);        // no single variable is accessed
inline constexpr uint64_t dynamic_shared_bytes = ~uint64_t(1); // extern __shared__

/// Bits of Site::flags.
inline constexpr uint32_t only_copied = 1; // what is loaded is used for nothing but stores
inline constexpr uint32_t is_copy = 2;     // what is stored has been loaded (AccessKind::Source)
inline constexpr uint32_t only_writes = 4; // an exchange whose result is not used
inline constexpr uint32_t has_value = 8;   // what is stored is told (Access::values)
// 16 to 64: fetch_site.h.
inline constexpr uint32_t only_reads = 128; // a read-modify-write of no change: atomicAdd(p, 0)
// From here on, of a vector: the bytes that are used, if not all.
inline constexpr uint32_t used_bytes_shift = 8;

/// Addresses of a warp's accesses, `length` lanes in a row after the other; in a row they grow by
/// `stride`. (Compiled code writes these.)
struct AddressRows {
  const uint64_t *firsts; // of each row's first lane, which need not take part
  uint64_t bytes;         // of each access
  int64_t stride;
  uint32_t length; // 32 or a divisor of it
};

/// A memory access, or another place, in the program.
struct Site {
  const Frame *frame; // null: compiled without line information
  AccessKind kind;
  uint32_t alignment; // that the access needs, in bytes
  uint32_t space; // LLVM's number of the address space (module/description/layout.h); 0: not known
  uint32_t order; // atomics: LLVM's AtomicOrdering; 0: a plain access
  const char *variable;    // what is accessed, if it is known; else null
  uint64_t variable_bytes; // its size
  Scope scope;             // of an atomic access
  uint32_t is_volatile;
  uint32_t slot; // where its extent is kept (extents.h), or no_slot
  uint32_t flags;
};

} // namespace heddle::engine::observe
