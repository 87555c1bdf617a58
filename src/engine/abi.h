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

inline constexpr uint32_t abi_version = 1;

struct RuntimeTable;

/// The same for all threads of a block.
struct BlockContext {
  uint32_t block_index[3];
  uint32_t block_dim[3];
  uint32_t grid_dim[3];
  uint32_t dynamic_shared_bytes;
  char *shared;         // static __shared__ variables, at their offsets
  char *dynamic_shared; // extern __shared__
  char *globals;        // this device's __device__ and __constant__ variables
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
  /// Writes initial values; `managed[i]` is the address of the i-th managed variable of the image.
  void (*init_globals)(char *globals, void *const *managed);
};

} // namespace heddle::engine
