// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counted sites: the places of a kernel at which work is counted, as constants of compiled code,
// and what is counted at each (docs/metrics.md has the definitions).
//
// Each site has counters of 64 bits, one after the other, in an array that belongs to one worker
// during one launch. Sums do not depend on who has added what, so the numbers are the same on every
// run. The compiler (compiler/instrument/counts.h) writes these structs by offsetof.
#pragma once

#include "engine/observe/site.h"

namespace heddle::engine::observe {

enum class CountedKind : uint32_t { Block, Branch, Access };

/// Classes of instructions, as Nsight Compute tells them apart
/// (smsp__sass_thread_inst_executed_op_*).
enum class InstructionClass : uint32_t {
  Integer,
  Bit,
  Conversion,
  HalfAdd,
  HalfMultiply,
  HalfFused,
  HalfOther,
  FloatAdd,
  FloatMultiply,
  FloatFused,
  FloatOther,
  DoubleAdd,
  DoubleMultiply,
  DoubleFused,
  DoubleOther,
  Special, // square roots, quotients, sines: several instructions of a GPU, or its special unit's
  Load,
  Store,
  Atomic,
  Texture, // fetches
  Surface, // accesses
  Warp,    // shuffles, votes and their kin
  Matrix,
  Barrier,
  Control,
  Other,
};
inline constexpr uint32_t instruction_classes = uint32_t(InstructionClass::Other) + 1;

/// So many instructions of a class in one line of a basic block.
struct InstructionCount {
  const Frame *frame; // or null
  InstructionClass kind;
  uint32_t count;
};

/// A basic block: how many warps have executed it, and how many of their threads.
enum BlockCounter : uint32_t { block_warps, block_threads, block_counters };

/// A branch whose condition may differ between threads. Its visits are those of its basic block.
enum BranchCounter : uint32_t {
  branch_divergent,       // visits in which a warp's active threads went both ways
  branch_warps_diverging, // warps that did so at least once
  branch_counters
};

/// An access to memory, for one state space. A request is a warp's execution of it.
enum AccessCounter : uint32_t {
  access_requests,
  access_threads,
  access_units, // sectors of 32 bytes; shared memory: wavefronts; constant memory: distinct words
  access_ideal, // units that would do for so many bytes
  access_unaligned,  // requests whose first byte is not at a multiple of 32
  access_same,       // sum over requests: how many threads share the most popular address
  access_broadcasts, // requests in which all of several threads ask for one word
  access_lines,      // cache lines of 128 bytes
  access_bytes,      // of textures: of the texels that threads ask for
  // What a model of the caches finds (caches/), if it is asked for; in sectors.
  access_l1_sectors,
  access_l1_hits,
  access_l2_sectors,
  access_l2_hits,
  access_dram_sectors, // read
  access_histogram,    // [units] requests
  access_counters = access_histogram + 65
};
inline constexpr uint32_t most_units = access_counters - access_histogram - 1;

/// Where an access goes. Of one through a generic pointer it is known when it happens.
enum class AccessSpace : uint32_t { Global, Shared, Local, Constant, Texture, Surface, Generic };
inline constexpr uint32_t known_spaces = uint32_t(AccessSpace::Generic);
/// The spaces that a generic access has counters for: the first two of them.
inline constexpr uint32_t generic_spaces = 2;

inline constexpr uint32_t no_visits = ~0u;

struct CountedSite {
  const Frame *frame; // null: compiled without line information
  CountedKind kind;
  uint32_t first_counter;
  // Block
  const InstructionCount *instructions;
  uint32_t instruction_count;
  // Branch
  uint32_t block;      // the number of its block's site
  uint32_t visit_slot; // which of a warp's counts of visits is this place's in the source
  // Access
  AccessKind access;
  AccessSpace space;
  uint32_t bytes;         // of each thread
  const char *variable;   // what is accessed, if it is known; else null
  uint32_t first_pattern; // the first of its patternsOf(bytes) patterns
  // Texture or surface: as __heddle_fetch was told; other accesses: 1 if volatile; branches: 1 if a
  // GPU's code has predicated instructions in its place.
  uint32_t what;
};
inline bool isFetch(const CountedSite &site) {
  return site.space == AccessSpace::Texture || site.space == AccessSpace::Surface;
}

/// What the lanes of a warp fetch: the arguments of __heddle_fetch.
struct FetchLanes {
  uint64_t handle[32];
  uint32_t x[32], y[32], z[32], layer[32];
  float level[32];
};

/// Addresses that grow by one stride in a warp, or in each of its rows (blocks of 16 × 16 threads
/// have two in a warp), and how often a site has had them. What such a request costs depends on
/// nothing else, so code only counts those that have come before, and the runtime finds out once
/// what they cost.
struct AddressPattern {
  uint64_t key = 0;    // the fields below
  uint64_t stride = 0; // from thread to thread
  uint64_t step = 0;   // from row to row
  uint64_t requests = 0;
};
// Fields of a key. From bit 0 on: the lanes that take part.
inline constexpr uint32_t pattern_first = 32; // the first thread's address modulo pattern_period
inline constexpr uint32_t pattern_row = 40;   // threads of a row
inline constexpr uint32_t pattern_in_shared = 46; // of a generic address
/// Adding this to all addresses changes nothing: a line's bytes, and those of a word in each bank.
inline constexpr uint64_t pattern_period = 128;

/// How many patterns a site has at a time, for different addresses of the first thread.
constexpr uint32_t patternsOf(uint32_t bytes) {
  auto places = uint32_t(pattern_period);
  while (places > 1 && places * bytes > pattern_period)
    places /= 2;
  return places;
}

/// All sites of a module.
struct CountedSites {
  const CountedSite *const *sites;
  uint32_t count;
  uint32_t counters;    // of all sites together
  uint32_t visit_slots; // of each warp; slot 0: whether it has diverged anywhere
  uint32_t patterns;    // of all sites together
  uint32_t one_by_one;  // 1: accesses are told in their order (count_caches)
  uint32_t in_pairs;    // 1: blocks and branches are told with their keys (count_pairs)
};

/// What compiled code finds through ExtendedBlockContext::counted.
struct BlockCounts {
  uint64_t *counters; // the worker's
  uint32_t *visits;   // [warp of the block][visit slot]; the highest bit: it has diverged there
  AddressPattern *patterns; // the worker's
};
inline constexpr uint32_t has_diverged = 1u << 31;

} // namespace heddle::engine::observe
