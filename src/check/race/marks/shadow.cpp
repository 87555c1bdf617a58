// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/race/marks/shadow.h"

#include <algorithm>
#include <new>
#include <sys/mman.h>
#include <utility>

namespace heddle::check {
namespace {

constexpr uint32_t all_words = ~uint32_t(0);

// The number of an element that is not in use.
template <typename List> uint32_t take(List &list, std::vector<uint32_t> &unused) {
  if (unused.empty()) {
    list.emplace_back();
    return uint32_t(list.size() - 1);
  }
  const uint32_t number = unused.back();
  unused.pop_back();
  return number;
}

} // namespace

Shadow::~Shadow() {
  for (const auto &[number, page] : pages_)
    munmap(page.lines, lines_in_page * sizeof(Line));
}

void Shadow::forget() {
  for (const auto &[number, page] : pages_)
    madvise(page.lines, lines_in_page * sizeof(Line), MADV_DONTNEED);
  single_.clear();
  quads_.clear();
  words_.clear();
  strong_.clear();
  for (auto *unused : {&unused_single_, &unused_quads_, &unused_words_, &unused_strong_})
    unused->clear();
}

void Shadow::watch(uint64_t base, uint64_t bytes) {
  clear(base, bytes);
  ranges_[base] = {base + bytes};
}

void Shadow::watchOnce(uint64_t base, uint64_t bytes) {
  if (const auto known = ranges_.find(base);
      known == ranges_.end() || known->second.end != base + bytes)
    watch(base, bytes);
}

void Shadow::unwatch(uint64_t base) {
  const auto found = ranges_.find(base);
  if (found == ranges_.end())
    return;
  clear(base, found->second.end - base);
  ranges_.erase(found);
}

void Shadow::clear(uint64_t base, uint64_t bytes) {
  for (uint64_t at = base / 4 * 4, end = base + bytes; at < end;) {
    const uint64_t next = std::min(end, (at / page_bytes + 1) * page_bytes);
    const bool all = next - at == page_bytes;
    const auto found = pages_.find(at / page_bytes);
    for (; found != pages_.end() && at < next; at = (at / line_bytes + 1) * line_bytes) {
      const uint64_t first = at % line_bytes / 4,
                     last = std::min<uint64_t>(line_words, first + (next - at + 3) / 4);
      const uint32_t below_last = last == line_words ? all_words : (1u << last) - 1;
      clearWords(found->second.lines[at % page_bytes / line_bytes],
                 below_last & all_words << first);
    }
    if (all && found != pages_.end())
      madvise(found->second.lines, lines_in_page * sizeof(Line), MADV_DONTNEED);
    at = next;
  }
}

// Does not write where nothing has been.
void Shadow::clearWords(Line &line, uint32_t words) {
  if (line.single && words == all_words)
    dropSingle(line);
  if (line.single)
    for (uint32_t rest = words; rest; rest &= rest - 1)
      drop(single_[line.single - 1].cells[std::countr_zero(rest)]);
  for (AlikeWords &group : line.groups)
    if (group.words & words)
      group.words &= ~words;
}

bool Shadow::isWatched(uint64_t address) const {
  if (address < shared_end)
    return true;
  const auto next = ranges_.upper_bound(address);
  return next != ranges_.begin() && address < std::prev(next)->second.end;
}

uint64_t Shadow::endOf(uint64_t base) const {
  const auto found = ranges_.find(base);
  return found == ranges_.end() ? base : found->second.end;
}

Line *Shadow::page(uint64_t number) {
  Page &page = pages_[number];
  if (!std::exchange(page.touched, true))
    touched_.push_back(number);
  if (!page.lines) {
    void *memory = mmap(nullptr, lines_in_page * sizeof(Line), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      throw std::bad_alloc();
    page.lines = static_cast<Line *>(memory);
  }
  return page.lines;
}

std::vector<uint64_t> Shadow::takeTouched() {
  for (const uint64_t number : touched_)
    pages_[number].touched = false;
  for (Last &last : last_) // so that the next access comes here again
    last = {};
  return std::exchange(touched_, {});
}

Cell *Shadow::find(uint64_t address, SegmentId segment) {
  Line *line = lineOf(address);
  if (!line)
    return nullptr;
  SingleCells &single = singleCells(*line);
  single.newest = std::max(single.newest, segment);
  return &single.cells[address % line_bytes / 4];
}

// Its own, from now on.
SingleCells &Shadow::singleCells(Line &line) {
  if (line.single)
    return single_[line.single - 1];
  const uint32_t number = take(single_, unused_single_);
  SingleCells &single = single_[number];
  single = {};
  for (AlikeWords &group : line.groups) {
    for (uint32_t rest = group.words; rest; rest &= rest - 1)
      single.cells[std::countr_zero(rest)] = group.cell.at(unsigned(std::countr_zero(rest)));
    if (group.words)
      for (const Mark &mark : {group.cell.write, group.cell.read})
        single.newest =
            std::max({single.newest, mark.segment, mark.level == Level::Blocks ? mark.who : 0u});
    group.words = 0;
  }
  line.single = number + 1;
  return single;
}

void Shadow::drop(Cell &cell) {
  if (cell.write.segment == apart) {
    for (Word &byte : quads_[cell.write.who].bytes)
      dropStrong(byte);
    unused_quads_.push_back(cell.write.who);
  } else if (cell.write.segment == extended) {
    dropStrong(wordOf(cell));
    unused_words_.push_back(cell.write.who);
  }
  cell = {};
}

void Shadow::dropStrong(Word &word) {
  if (word.strong)
    unused_strong_.push_back(std::exchange(word.strong, 0) - 1);
}

// In the cell, reads are of one kind.
StrongMarks &Shadow::addStrong(Word &word) {
  const uint32_t number = take(strong_, unused_strong_);
  word.strong = number + 1;
  Mark &read = word.cell.read;
  return strong_[number] = {{}, read.strong ? std::exchange(read, {}) : Mark{}};
}

void Shadow::dropSingle(Line &line) {
  for (Cell &cell : single_[line.single - 1].cells)
    drop(cell);
  unused_single_.push_back(line.single - 1);
  line.single = 0;
}

AlikeWords *Shadow::findGroup(Line &line, const Cell &cell) {
  for (AlikeWords &group : line.groups)
    if (group.words && group.cell == cell)
      return &group;
  for (AlikeWords &group : line.groups)
    if (!group.words)
      return &group;
  return nullptr;
}

// The words are in no group.
void Shadow::put(Line &line, uint32_t words, const Cell &cell, SegmentId segment) {
  if (AlikeWords *group = findGroup(line, cell)) {
    group->words |= words;
    group->cell = cell;
    return;
  }
  SingleCells &single = singleCells(line);
  single.newest = std::max(single.newest, segment);
  for (uint32_t rest = words; rest; rest &= rest - 1)
    single.cells[std::countr_zero(rest)] = cell.at(unsigned(std::countr_zero(rest)));
}

// Each byte inherits what was done to it.
void Shadow::keepApart(Cell &cell) {
  const Word word = cell.write.segment == extended ? wordOf(cell) : Word{cell, 0};
  const StrongMarks *const known = strongOf(word);
  const StrongMarks strong = known ? *known : StrongMarks{};
  Quad quad{};
  for (unsigned i = 0; i < 4; ++i) {
    const auto inherit = [&](const Mark &mark) {
      Mark own = mark;
      own.bytes = 1;
      return mark.segment && mark.bytes >> i & 1 ? own : Mark{};
    };
    quad.bytes[i] = {{inherit(word.cell.write), inherit(word.cell.read)}, 0};
    if (known)
      addStrong(quad.bytes[i]) = {inherit(strong.writes), inherit(strong.reads)};
  }
  drop(cell);
  cell.write.segment = apart;
  cell.write.who = take(quads_, unused_quads_);
  quads_[cell.write.who] = quad;
}

void Shadow::extend(Cell &cell) {
  const uint32_t number = take(words_, unused_words_);
  words_[number] = {cell, 0};
  addStrong(words_[number]);
  cell = {};
  cell.write.segment = extended;
  cell.write.who = number;
}

} // namespace heddle::check
