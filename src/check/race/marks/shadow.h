// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is kept of each word of memory that kernels access, mapped on demand.
//
// The last plain write, and the reads since then that nothing has ordered: 24 bytes, a cell. What
// several threads have done together (reads, atomic operations) becomes one mark with a level.
// Words with atomic or volatile writes, or with such reads beside plain ones, have two marks more,
// words whose bytes are accessed apart have all that for each byte.
//
// Threads of a warp mostly do the same to words beside each other. A line of 32 words is kept as
// groups of words that have the same cell, where a mark tells each word's lanes by one mask
// (Mark::spread). Only a line that has more groups than there is room for gets a cell for each
// word, as does one whose words are looked at one by one (find).
#pragma once

#include "check/race/marks/mark.h"

#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

namespace heddle::check {

struct Cell {
  Mark write, read;
  Cell at(unsigned word) const { return {write.at(word), read.at(word)}; }
  bool operator==(const Cell &) const = default;
};
/// Atomic and volatile accesses of a word whose cell tells of plain ones alone.
struct StrongMarks {
  Mark writes, reads;
};
struct Word {
  Cell cell;
  uint32_t strong; // the number of its StrongMarks + 1, if it has some
};

constexpr unsigned line_words = 32, line_bytes = 4 * line_words;

/// Words with the same cell, whose marks are of whole words and plain writes.
struct AlikeWords {
  uint32_t words; // a bit for each; 0: not in use
  Cell cell;
};
/// Words in no group have not been accessed.
struct Line {
  AlikeWords groups[4];
  uint32_t single; // the number of its cells (SingleCells) + 1, if each word has its own
};
struct SingleCells {
  Cell cells[line_words];
  SegmentId newest; // no mark is of a newer segment
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
  bool isWatched(uint64_t address) const;
  /// Of the memory that begins there; or `base`.
  uint64_t endOf(uint64_t base) const;
  /// All that happened.
  void forget();
  /// Of the word that the address lies in, for an access in the segment; null if it is not watched.
  /// Shared memory always is.
  Cell *find(uint64_t address, SegmentId segment);

  /// Calls touch(cell, words) for the cells of these words of the line that the address lies in:
  /// it changes the cell, for all of these words, or leaves it and returns false. Returns the words
  /// for which it did not. If all of the line's marks are in segments before `stale`, they may be
  /// forgotten.
  template <typename Touch>
  uint32_t touch(uint64_t address, uint32_t words, SegmentId segment, SegmentId stale, Touch touch);
  /// Calls does(words, mark, writes) for what is kept of the line that the address lies in: words
  /// of it that a mark is of. Changes nothing, allocates nothing.
  template <typename Does> void forEachMark(uint64_t address, Does does) const;
  /// The numbers of pages (of page_bytes) that have been accessed since the last call.
  std::vector<uint64_t> takeTouched();
  static constexpr uint64_t page_bytes = 1 << 16;

  /// What a cell's write.segment says if the word, or its bytes, are kept elsewhere.
  static constexpr SegmentId apart = ~SegmentId(0), extended = apart - 1;
  Word *bytesOf(const Cell &cell) { return &quads_[cell.write.who].bytes[0]; }
  Word &wordOf(const Cell &cell) { return words_[cell.write.who]; }
  StrongMarks *strongOf(const Word &word) {
    return word.strong ? &strong_[word.strong - 1] : nullptr;
  }
  /// The word has them from now on.
  StrongMarks &addStrong(Word &word);
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
  static constexpr uint64_t lines_in_page = page_bytes / line_bytes;
  struct Page {
    Line *lines = nullptr;
    bool touched = false; // is in touched_
  };

  void clear(uint64_t base, uint64_t bytes);
  void clearWords(Line &line, uint32_t words);
  Line *page(uint64_t number);
  Line *lineOf(uint64_t address);
  SingleCells &singleCells(Line &line);
  void dropSingle(Line &line);
  void drop(Cell &cell);
  void dropStrong(Word &word);
  static AlikeWords *findGroup(Line &line, const Cell &cell);
  void put(Line &line, uint32_t words, const Cell &cell, SegmentId segment);

  std::map<uint64_t, Range> ranges_; // by base
  std::unordered_map<uint64_t, Page> pages_;
  std::vector<uint64_t> touched_;
  struct Last {
    uint64_t number = ~uint64_t(0);
    Line *lines = nullptr;
  };
  Last last_[64];
  std::deque<SingleCells> single_;
  std::vector<Quad> quads_;
  std::vector<Word> words_;
  std::vector<StrongMarks> strong_;
  std::vector<uint32_t> unused_single_, unused_quads_, unused_words_, unused_strong_;
};

template <typename Does> void Shadow::forEachMark(uint64_t address, Does does) const {
  const auto page = pages_.find(address / page_bytes);
  if (page == pages_.end())
    return;
  const auto tell = [&](uint32_t words, Mark mark, bool writes, unsigned byte = 0) {
    mark.bytes = uint8_t(mark.bytes << byte) & 15;
    if (mark.segment)
      does(words, mark, writes);
  };
  const auto tellWord = [&](uint32_t words, const Word &word, unsigned byte) {
    tell(words, word.cell.write, true, byte);
    tell(words, word.cell.read, false, byte);
    if (!word.strong)
      return;
    tell(words, strong_[word.strong - 1].writes, true, byte);
    tell(words, strong_[word.strong - 1].reads, false, byte);
  };
  const Line &line = page->second.lines[address % page_bytes / line_bytes];
  for (const AlikeWords &group : line.groups)
    if (group.words)
      tellWord(group.words, {group.cell, 0}, 0);
  for (unsigned i = 0; line.single && i < line_words; ++i) {
    const Cell &cell = single_[line.single - 1].cells[i];
    if (cell.write.segment == extended)
      tellWord(1u << i, words_[cell.write.who], 0);
    else if (cell.write.segment != apart)
      tellWord(1u << i, {cell, 0}, 0);
    else
      for (unsigned byte = 0; byte < 4; ++byte)
        tellWord(1u << i, quads_[cell.write.who].bytes[byte], byte);
  }
}

inline Line *Shadow::lineOf(uint64_t address) {
  const uint64_t number = address / page_bytes;
  Last &last = last_[number % std::size(last_)];
  if (last.number != number) {
    if (!isWatched(address))
      return nullptr;
    last = {number, page(number)};
  }
  return last.lines + address % page_bytes / line_bytes;
}

template <typename Touch>
uint32_t Shadow::touch(uint64_t address, uint32_t words, SegmentId segment, SegmentId stale,
                       Touch touch) {
  Line *const line = lineOf(address);
  if (!line)
    return 0;
  if (line->single && single_[line->single - 1].newest < stale)
    dropSingle(*line);
  uint32_t left = 0, rest = words;
  if (line->single) {
    SingleCells &single = single_[line->single - 1];
    single.newest = std::max(single.newest, segment);
    for (; rest; rest &= rest - 1) {
      const auto word = unsigned(std::countr_zero(rest));
      Cell &cell = single.cells[word];
      if (cell.write.segment >= extended || !touch(cell, rest & -rest))
        left |= rest & -rest;
      else
        cell = cell.at(word); // no mark of several words
    }
    return left;
  }
  for (AlikeWords &group : line->groups) {
    const uint32_t common = group.words & rest;
    if (!common)
      continue;
    rest &= ~common;
    Cell cell = group.cell;
    if (!touch(cell, common)) {
      left |= common;
      continue;
    }
    if (cell == group.cell)
      continue;
    group.words &= ~common;
    put(*line, common, cell, segment);
    if (line->single) // no room: the words that are left, one by one
      return left | this->touch(address, rest, segment, stale, touch);
  }
  if (rest) {
    Cell cell{};
    if (touch(cell, rest))
      put(*line, rest, cell, segment);
    else
      left |= rest;
  }
  return left;
}

} // namespace heddle::check
