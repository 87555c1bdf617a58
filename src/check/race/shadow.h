// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is kept of each word of memory that kernels access: 24 bytes, mapped on demand.
//
// The last plain write, and the reads since then that nothing has ordered. What several threads
// have done together (reads, atomic operations) becomes one mark with a level. Words with atomic or
// volatile writes have a mark more, words whose bytes are accessed apart have all that for each
// byte.
#pragma once

#include "check/race/clocks.h"

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace heddle::check {

/// Whose accesses a mark stands for.
enum class Level : uint8_t {
  Lanes,  // of one warp: `who` is a mask of them
  Warps,  // of one block: `who` is a mask of them, modulo 32
  Blocks, // `who` is the segment of one in another block
};

struct Mark {
  SegmentId segment; // of one of them; 0: no access
  uint32_t who;
  uint16_t site;     // RaceSites
  uint8_t bytes : 4; // of the word
  Level level : 2;
  uint8_t strong : 2; // 0: plain, 1: volatile, 2: atomic
  uint8_t scope : 2;  // observe::Scope
};
static_assert(sizeof(Mark) == 12);

struct Cell {
  Mark write, read;
};
struct Word {
  Cell cell;
  Mark strong; // atomic and volatile writes
};

/// Not thread-safe.
class Shadow {
public:
  ~Shadow();
  /// Memory that is watched from now on, forgetting what was there.
  void watch(uint64_t base, uint64_t bytes);
  void unwatch(uint64_t base);
  /// The same of memory that may be known already; then nothing changes.
  void watchOnce(uint64_t base, uint64_t bytes);
  /// All that happened.
  void forget();
  /// Of the word that the address lies in; null if it is not watched. Shared memory always is.
  Cell *find(uint64_t address);
  /// What a cell's write.segment says if the word, or its bytes, are kept elsewhere.
  static constexpr SegmentId apart = ~SegmentId(0), extended = apart - 1;
  Word *bytesOf(const Cell &cell) { return &quads_[cell.write.who].bytes[0]; }
  Word &wordOf(const Cell &cell) { return words_[cell.write.who]; }
  void keepApart(Cell &cell);
  void extend(Cell &cell);

  static constexpr uint64_t shared_end = uint64_t(1) << 32; // shared memory lies below, alone

private:
  struct Quad {
    Word bytes[4];
  };
  struct Range {
    uint64_t end;
  };
  static constexpr uint64_t page_bytes = 1 << 16, cells_in_page = page_bytes / 4;

  bool isWatched(uint64_t address) const;
  void clear(uint64_t base, uint64_t bytes);
  Cell *page(uint64_t number);

  std::map<uint64_t, Range> ranges_; // by base
  std::unordered_map<uint64_t, Cell *> pages_;
  struct Last {
    uint64_t number = ~uint64_t(0);
    Cell *cells = nullptr;
  };
  Last last_[64];
  std::vector<Quad> quads_;
  std::vector<Word> words_;
};

} // namespace heddle::check
