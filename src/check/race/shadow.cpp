// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/race/shadow.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace heddle::check {

Shadow::~Shadow() {
  for (const auto &[number, cells] : pages_)
    munmap(cells, cells_in_page * sizeof(Cell));
}

void Shadow::forget() {
  for (const auto &[number, cells] : pages_)
    madvise(cells, cells_in_page * sizeof(Cell), MADV_DONTNEED);
  quads_.clear();
  words_.clear();
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
    if (const auto found = pages_.find(at / page_bytes); found != pages_.end()) {
      Cell *first = found->second + at % page_bytes / 4;
      if (next - at == page_bytes)
        madvise(found->second, cells_in_page * sizeof(Cell), MADV_DONTNEED);
      else
        std::memset(static_cast<void *>(first), 0, (next - at + 3) / 4 * sizeof(Cell));
    }
    at = next;
  }
}

bool Shadow::isWatched(uint64_t address) const {
  if (address < shared_end)
    return true;
  const auto next = ranges_.upper_bound(address);
  return next != ranges_.begin() && address < std::prev(next)->second.end;
}

Cell *Shadow::page(uint64_t number) {
  Cell *&cells = pages_[number];
  if (!cells) {
    void *memory = mmap(nullptr, cells_in_page * sizeof(Cell), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      throw std::bad_alloc();
    cells = static_cast<Cell *>(memory);
  }
  return cells;
}

Cell *Shadow::find(uint64_t address) {
  const uint64_t number = address / page_bytes;
  Last &last = last_[number % std::size(last_)];
  if (last.number != number) {
    if (!isWatched(address))
      return nullptr;
    last = {number, page(number)};
  }
  return last.cells + address % page_bytes / 4;
}

// Each byte inherits what was done to it.
void Shadow::keepApart(Cell &cell) {
  const Word word = cell.write.segment == extended ? wordOf(cell) : Word{cell, {}};
  Quad quad{};
  for (unsigned i = 0; i < 4; ++i) {
    const auto inherit = [&](const Mark &mark) {
      Mark own = mark;
      own.bytes = 1;
      return mark.segment && mark.bytes >> i & 1 ? own : Mark{};
    };
    quad.bytes[i] = {{inherit(word.cell.write), inherit(word.cell.read)}, inherit(word.strong)};
  }
  quads_.push_back(quad);
  cell = {};
  cell.write.segment = apart;
  cell.write.who = uint32_t(quads_.size() - 1);
}

void Shadow::extend(Cell &cell) {
  words_.push_back({cell, {}});
  cell = {};
  cell.write.segment = extended;
  cell.write.who = uint32_t(words_.size() - 1);
}

} // namespace heddle::check
