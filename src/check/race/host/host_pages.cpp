// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/race/host/host_pages.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace heddle::check {
namespace {

using engine::observe::ClosedPages;

constexpr uint64_t page = 4096, word = 4;
constexpr size_t lines = page / line_bytes;

/// Words of a page, from its beginning on.
using Words = std::array<uint32_t, lines>;

bool isIn(const Words &words, uint64_t number) {
  return words[number / line_words] >> number % line_words & 1;
}

// Whether no piece of the page between these offsets is free of the words.
bool isDense(const Words &words, uint64_t begin, uint64_t end) {
  uint64_t since = begin;
  for (uint64_t number = begin / word; number * word < end; ++number) {
    if (isIn(words, number))
      since = (number + 1) * word;
    else if (std::min(end, (number + 1) * word) - since >= HostPages::least_own)
      return false;
  }
  return true;
}

} // namespace

void HostPages::add(uint64_t base, uint64_t bytes, bool own_pages, std::string name) {
  const uint64_t end = base + bytes, down = base / page * page,
                 up = (base + page - 1) / page * page, end_down = end / page * page,
                 end_up = (end + page - 1) / page * page;
  const bool allocated = own_pages && name.empty();
  const Range range = own_pages ? Range{base, end, down, end_up, std::move(name)}
                                : Range{base, end, up, end_down, std::move(name)};
  ranges_[base] = range;
  if (!allocated)
    own_[base] = range;
}

void HostPages::remove(uint64_t base) {
  const auto found = ranges_.find(base);
  if (found == ranges_.end())
    return;
  const auto [begin, end] = std::pair(found->second.first_page, found->second.end_page);
  std::erase_if(closed_,
                [&](const ClosedPages &pages) { return pages.begin < end && pages.end > begin; });
  ranges_.erase(found);
}

const HostPages::Range *HostPages::find(const std::map<uint64_t, Range> &ranges, uint64_t address) {
  const auto next = ranges.upper_bound(address);
  return next != ranges.begin() && address < std::prev(next)->second.end ? &std::prev(next)->second
                                                                         : nullptr;
}

// Of a page, of which the program uses what lies between `begin` and `end`.
HostPages::Access HostPages::accessOf(const Shadow &shadow, const Runs &runs, uint64_t begin,
                                      uint64_t end) {
  const uint64_t start = begin / page * page;
  Words written{}, touched{};
  bool any = false, any_written = false;
  for (size_t line = 0; line < lines; ++line)
    shadow.forEachMark(start + line * line_bytes,
                       [&](uint32_t words, const Mark &mark, bool writes) {
                         if (mark.strong || runs.hostMayKnow(mark))
                           return;
                         any = true;
                         any_written |= writes;
                         touched[line] |= words;
                         if (writes)
                           written[line] |= words;
                       });
  if (!any)
    return Access::All;
  if (any_written && isDense(written, begin - start, end - start))
    return Access::None;
  return isDense(touched, begin - start, end - start) ? Access::Read : Access::All;
}

void HostPages::addPages(const Shadow &shadow, const Runs &runs, uint64_t begin, uint64_t end,
                         size_t most) {
  auto range = ranges_.upper_bound(begin);
  if (range != ranges_.begin())
    --range;
  for (; range != ranges_.end() && range->second.first_page < end; ++range) {
    const Range &memory = range->second;
    for (uint64_t at = std::max(begin, memory.first_page); at < std::min(end, memory.end_page);
         at += page) {
      const Access access =
          accessOf(shadow, runs, std::max(at, memory.begin), std::min(at + page, memory.end));
      if (access == Access::All)
        continue;
      const ClosedPages pages{at, at + page, access == Access::Read};
      if (!closed_.empty() && closed_.back().end == at && closed_.back().readable == pages.readable)
        closed_.back().end = pages.end;
      else if (closed_.size() < most)
        closed_.push_back(pages);
    }
  }
}

std::vector<ClosedPages> HostPages::closed(Shadow &shadow, const Runs &runs, size_t most) {
  if (ranges_.empty())
    return {};
  const std::vector<uint64_t> touched = shadow.takeTouched();
  const bool same = touched.empty() && knowledge_ == runs.streams.knowledge();
  knowledge_ = runs.streams.knowledge();
  if (same)
    return closed_;
  std::set<uint64_t> numbers(touched.begin(), touched.end());
  for (const ClosedPages &pages : closed_)
    for (uint64_t at = pages.begin; at < pages.end; at += page)
      numbers.insert(at / Shadow::page_bytes);
  closed_.clear();
  if (runs.streams.hostKnowsAll())
    return {};
  for (const uint64_t number : numbers)
    addPages(shadow, runs, number * Shadow::page_bytes, (number + 1) * Shadow::page_bytes, most);
  return closed_;
}

} // namespace heddle::check
