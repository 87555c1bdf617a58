// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract between compiled kernels and the engine that runs them.
//
// A kernel becomes a shared object that exports one ModuleTable. Every device function takes a
// ThreadContext as a hidden first argument; through it the code reads threadIdx and friends, finds
// shared memory and this device's globals, and calls the engine (barriers, shuffles, printf …).
// The code generator uses offsetof on these structs, so both sides always agree; `abi_version`
// changes whenever the layout does.
#pragma once

#include <cstdint>

namespace heddle::engine {

inline constexpr uint32_t abi_version = 19;

/// What the packed parameters of a launch are aligned to, which a structure among them may rely on.
inline constexpr uint64_t parameters_alignment = 128;

struct RuntimeTable;
struct GangContext;
namespace observe {
struct CountedSites;
}

/// The most items of a queue that code may have room for (BlockContext::kept_appends).
inline constexpr uint32_t most_kept_appends = 256;

/// Where a worker counts for itself what the kernel's threads add to an array
/// (compiler/simd/counts.h).
struct KeptCounts {
  char *table = nullptr; // zeros at first
  uint64_t bytes = 0;    // of it, and of the array from where the parameter points to; 0: nowhere
};
inline constexpr uint32_t most_kept_counts = 4;

/// The same for all threads of a block.
struct BlockContext {
  uint32_t block_index[3];
  uint32_t block_dim[3];
  uint32_t grid_dim[3];
  uint32_t dynamic_shared_bytes;
  char *shared;               // static __shared__ variables, at their offsets
  char *dynamic_shared;       // extern __shared__
  char *globals;              // this device's __device__ and __constant__ variables
  const GangContext *running; // SIMD engine, during a sweep: for messages about faults
  uint32_t fused_blocks;      // so many, from this one on along x, run as one: threadIdx.x goes on
  uint32_t strip_blocks;      // SimdKernelInfo::strips: so many such along x, from this one on
  uint32_t row_gangs;         // so many gangs lie side by side in a block
  uint32_t kept_appends;      // how many items a sweep may keep before it appends them to a queue
  uint32_t ahead_blocks;      // what the block that many further along a strip loads is asked for
  uint64_t stream_bits;       // addresses without these bits may be stored to past the caches
  KeptCounts counts[most_kept_counts]; // for the parameters of SimdKernelInfo::counted, in order
};

/// One per thread.
struct ThreadContext {
  uint32_t thread_index[3];
  uint32_t linear_index; // x + y * Dx + z * Dx * Dy; lane = linear_index % 32
  BlockContext *block;
  const RuntimeTable *runtime;
  int64_t spin_budget; // loop iterations that may wait for another thread before it must get a turn
  uintptr_t stack_limit; // lowest address that a recursive function may start at
};

enum class BarrierReduction : uint32_t { None, Count, And, Or };
enum class ShuffleMode : uint32_t { Index, Up, Down, Xor };
enum class VoteMode : uint32_t { All, Any, Uniform, Ballot };
enum class ReduceOperation : uint32_t {
  Add,
  MinSigned,
  MinUnsigned,
  MaxSigned,
  MaxUnsigned,
  And,
  Or,
  Xor
};

/// What shuffles and match_all return: a value, and whether the source lane took part.
struct ValueAndPredicate {
  uint32_t value;
  uint32_t predicate;
};

/// The engine's services. `count` of a barrier is 0 for "all threads of the block".
/// `site` identifies a call in the source, for operations whose result depends on which lanes
/// execute it together.
struct RuntimeTable {
  uint32_t (*barrier)(ThreadContext *, uint32_t id, uint32_t count, BarrierReduction,
                      uint32_t predicate);
  void (*barrier_arrive)(ThreadContext *, uint32_t id, uint32_t count);
  void (*grid_sync)(ThreadContext *);
  uint32_t (*grid_is_cooperative)(ThreadContext *);
  void (*sync_warp)(ThreadContext *, uint32_t mask);
  ValueAndPredicate (*shuffle)(ThreadContext *, ShuffleMode, uint32_t mask, uint32_t value,
                               uint32_t lane, uint32_t clamp);
  uint32_t (*vote)(ThreadContext *, VoteMode, uint32_t mask, uint32_t predicate);
  uint32_t (*match_any)(ThreadContext *, uint32_t mask, uint64_t value);
  ValueAndPredicate (*match_all)(ThreadContext *, uint32_t mask, uint64_t value);
  uint32_t (*reduce)(ThreadContext *, ReduceOperation, uint32_t mask, uint32_t value);
  uint32_t (*active_mask)(ThreadContext *, uint32_t site);
  int32_t (*print)(ThreadContext *, uint32_t site, const char *format, const void *arguments);
  void *(*allocate)(ThreadContext *, uint64_t bytes);
  void (*release)(ThreadContext *, void *pointer);
  void (*yield)(ThreadContext *);
  void (*assert_fail)(ThreadContext *, const char *expression, const char *file, uint32_t line,
                      const char *function);
  void (*trap)(ThreadContext *);                                   // does not return
  void (*exit)(ThreadContext *);                                   // does not return
  void (*misaligned)(ThreadContext *, const void *where);          // does not return
  void (*stack_overflow)(ThreadContext *);                         // does not return
  uint64_t (*global_timer)(ThreadContext *);                       // nanoseconds
  uint64_t (*clock)(ThreadContext *);                              // SM cycles
  uint32_t (*address_space)(ThreadContext *, const void *pointer); // PTX state space number
  /// Asks the device, such as to launch a kernel; what there is to ask, the device knows.
  uint32_t (*call_device)(ThreadContext *, uint32_t function, void *arguments);
  /// SIMD engine only: answers the requests of `lanes`, which have met at a warp operation.
  void (*evaluate)(GangContext *, uint32_t lanes);
};

using KernelEntry = void (*)(ThreadContext *, const void *parameters);

struct KernelEntryInfo {
  const char *name;
  KernelEntry entry;
  uint64_t stack_bytes; // frames of all functions it can reach, recursion not counted
  uint32_t recursive;   // it can reach a recursive function or an indirect call
};

/// Exported by a compiled module as `heddle_module`.
struct ModuleTable {
  uint32_t abi;
  uint32_t kernel_count;
  const KernelEntryInfo *kernels; // in ImageInfo's order
  /// Writes initial values; `managed[2 * i]` is the address of the i-th managed variable of the
  /// image, and `managed[2 * i + 1]` where its initial value is to be written, or null.
  void (*init_globals)(char *globals, void *const *managed);
};

// ---- The SIMD engine ----
//
// A gang is the lanes that run together in vector registers: 8, 16 or 32 neighbouring threads of a
// block. A kernel becomes one function that runs a gang until its lanes end or must wait. Lanes
// that must wait are a group: the code writes a GroupRecord for them, saves what they need later in
// the gang's frame, and goes on with the gang's other lanes, if any. Waiting costs no stack: a
// later call of the same function, with the group's state and lanes, goes on behind the place where
// it stopped.

enum class Suspension : uint32_t {
  Barrier,     // operands: id, count (0: all threads), BarrierReduction; request value: predicate
  Collective,  // operands: WarpOperation, mode; a WarpRequest for each lane
  Yield,       // it has spun for a while
  GridBarrier, // grid.sync()
};

enum class WarpOperation : uint32_t { Sync, Shuffle, Vote, MatchAny, MatchAll, Reduce };

/// One lane's part in a warp-wide operation or barrier, and the answer it gets.
struct WarpRequest {
  uint64_t value = 0;
  WarpOperation operation = WarpOperation::Sync;
  uint32_t mask = 0;  // as the program gave it
  uint32_t mode = 0;  // ShuffleMode, VoteMode or ReduceOperation
  uint32_t lane = 0;  // shuffle: source lane, delta or lane mask
  uint32_t clamp = 0; // shuffle: PTX's packed segment mask and clamp
  ValueAndPredicate result{};
};

/// Lanes of a gang that wait together. Behind it lie the values that are the same for all of them
/// (SimdKernelInfo::record_bytes in all).
struct GroupRecord {
  uint32_t lanes; // bit mask; ~0 of more than 32 lanes, which always wait together
  uint32_t state; // where they go on; never 0, which is the kernel's start
  Suspension kind;
  uint32_t operands[3];
};

/// One per gang. As a ThreadContext it is that of the gang's first lane.
struct GangContext : ThreadContext {
  ThreadContext *lanes;       // one a lane, for SimdKernelInfo::calls_lanes
  WarpRequest *requests;      // one a lane, for SimdKernelInfo::suspends
  char *frame;                // SimdKernelInfo::frame_bytes, aligned to 64
  const GroupRecord *resumed; // the group that goes on; null at the kernel's start
  GroupRecord *suspended;     // where the next group to wait is written; the code moves it on
  uint32_t ended;             // lanes that have ended or never were; kept by the runtime
  uint32_t outcome;           // of the last sweep over this gang: see SimdSweep
};

/// Runs the lanes of `lanes` (never empty) from `state` on. `x`, `y`, `z` are the first lane's
/// threadIdx. When it returns, each lane has ended or is in a record before `suspended`.
using SimdEntry = void (*)(GangContext *, const void *parameters, uint32_t x, uint32_t y,
                           uint32_t z, uint32_t lanes, uint32_t state);

/// Runs `count` whole gangs, `stride` bytes apart, one after the other: what most blocks are run
/// by. Their threadIdx is in their contexts. Only for kernels that wait nowhere but at plain
/// __syncthreads() in uniform code. Returns the state at which all gangs wait which have not ended;
/// 0 if all have; ~0 if they wait at different ones. In a kernel for which ~0 is possible, each
/// gang's `outcome` says it: a state, or 0 if the gang has ended, which is passed over from then
/// on. A gang that waits has written no GroupRecord, but what its state needs lies where
/// `suspended` points, as if there were one. A stride of 0 says that `gangs` is one gang of
/// several: it does not go on behind a barrier by itself. A kernel that strips runs
/// BlockContext::strip_blocks blocks, row by row of the strip, and says in block_index which one it
/// is at.
using SimdSweep = uint32_t (*)(GangContext *gangs, const void *parameters, uint32_t count,
                               uint32_t stride, uint32_t state);

/// A pointer parameter that the code takes to be aligned.
struct AlignedParameter {
  uint32_t offset;    // in the packed parameters
  uint32_t alignment; // bytes, a power of two
};

struct SimdKernelInfo {
  const char *name;
  SimdEntry entry;    // null: this kernel must run on the reference engine …
  const char *reason; // … and why
  const AlignedParameter *aligned;
  uint32_t aligned_count;
  uint32_t gang_lanes;
  uint32_t frame_bytes;  // for each gang
  uint32_t record_bytes; // for each group, a multiple of 8; 0: it never waits
  uint32_t calls_lanes;  // some functions are called lane by lane
  uint32_t warp_level;   // gangs are warps: it uses shuffles, votes and their kin
  uint64_t stack_bytes;
  uint32_t recursive;
  uint32_t strips;         // `sweep` can run several blocks beside each other as if they were one
  uint32_t streamed_bytes; // a thread's stores that may go past the caches (BlockContext)
  uint32_t of_one_size;    // the code is for blocks of the variant's size (Variant::blockSize)
  uint32_t wants_rows; // blocks of known rows had better have code of their own (access_distance.h)
  uint64_t appended; // pointers in the parameters, a bit for each eight bytes: to what these point
                     // into, alone, …
  uint64_t accessed; // … and not these, items may be appended later, many at a time
  uint64_t counted;  // likewise: what these point to, alone, may be added to later, …
  uint64_t wide_counted; // … as 64-bit numbers by these of them, else as 32-bit numbers, …
  uint64_t uncounted;    // … if it is nothing that these point to
  SimdSweep sweep;       // or null; only for blocks whose gangs all have all their lanes
  const observe::CountedSites *sites; // of code that counts (observe/counted_site.h); else null
};

/// Exported by a compiled module as `heddle_simd_module`. Kernels may be compiled one by one.
struct SimdModuleTable {
  uint32_t abi;
  uint32_t kernel_count;
  const SimdKernelInfo *kernels;                             // some of the image's
  void (*init_globals)(char *globals, void *const *managed); // null beside a single kernel
};

} // namespace heddle::engine
