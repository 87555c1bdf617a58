// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/race/marks/together.h"

#include <algorithm>

namespace heddle::check {
namespace {

unsigned first(uint32_t words) { return unsigned(std::countr_zero(words)); }

} // namespace

Together::Together(const Runs &runs, const BlockRun &block, uint32_t warp, uint32_t lanes)
    : runs_(runs), block_(block), warp_(block.warps[warp]), number_(warp),
      segment_(warp_.segments[first(lanes)]), known_from_(runs.launch(block.launch).known_from),
      generation_(warp_.generations[first(lanes)]) {}

bool Together::touch(Cell &cell, uint32_t words, const Mark &mine, bool alone, bool writes,
                     bool shared) const {
  if (cell.write.segment) {
    const Past write = past(cell.write, words, mine, alone, shared);
    if (write > Past::Ordered)
      return false;
    if (!writes) {
      Mark read = cell.read;
      if (!add(read, words, mine, alone, shared))
        return false;
      if (write == Past::Stale && (shared || runs_.isPast(cell.write)))
        cell.write = {};
      cell.read = read;
      return true;
    }
  } else if (!writes) {
    return add(cell.read, words, mine, alone, shared);
  }
  if (!alone || (cell.read.segment && past(cell.read, words, mine, alone, shared) > Past::Ordered))
    return false;
  cell = {mine, {}};
  return true;
}

Together::Reach Together::reachOf(const Cell &cell, bool shared) const {
  const Mark &read = cell.read, &write = cell.write;
  const bool no_write =
      !write.segment || (write.level == Level::Lanes && write.segment < stale(shared));
  const LaunchRun &launch = runs_.launch(block_.launch);
  if (read.level == Level::Blocks)
    return no_write && !shared && std::min(read.segment, read.who) >= launch.epoch_from
               ? Reach::Launch
               : Reach::Warp;
  if (read.level != Level::Warps || read.segment != segment_ || !block_.apart ||
      std::has_single_bit(read.who))
    return Reach::Warp;
  const auto isBefore = [&] {
    const Segment &segment = runs_.clocks.segment(write.segment);
    return write.level == Level::Lanes && segment.block == block_.number &&
           segment.generation < generation_;
  };
  return no_write || isBefore() ? Reach::Block : Reach::Warp;
}

// Of any lane of the segment's warp.
Together::Past Together::pastOfWarp(const Segment &segment) const {
  if (segment.block == block_.number) {
    if (segment.generation < generation_ || segment.warp == number_)
      return Past::Ordered;
  } else if (runs_.launchOf(segment) != block_.launch) {
    return Past::Unknown;
  } else if (segment.grid_generation < block_.grid_generation) {
    return Past::Ordered;
  }
  return warp_.informed ? Past::Unknown : Past::Unordered;
}

Together::Past Together::past(const Mark &mark, uint32_t words, const Mark &mine, bool alone,
                              bool shared) const {
  if (mark.bytes != mine.bytes)
    return Past::Unknown;
  if (mark.segment < stale(shared))
    return mark.level != Level::Blocks || mark.who < stale(shared) ? Past::Stale : Past::Unknown;
  const Segment &segment = runs_.clocks.segment(mark.segment);
  if (mark.level == Level::Blocks) {
    const Past one = pastOfWarp(segment);
    const Past other = pastOfWarp(runs_.clocks.segment(mark.who));
    return std::max(one, other);
  }
  if (mark.level == Level::Warps && segment.block == block_.number &&
      segment.generation >= generation_)
    return warp_.informed ? Past::Unknown : Past::Unordered;
  if (mark.level == Level::Warps || segment.block != block_.number || segment.warp != number_ ||
      segment.generation < generation_)
    return pastOfWarp(segment);
  if (segment.clock < warp_.joined)
    return Past::Ordered;
  const bool one_word = std::has_single_bit(words);
  if (!alone || (mark.spread != mine.spread && !one_word))
    return Past::Unknown;
  const uint32_t lanes = one_word ? mark.at(first(words)).who : mark.who;
  const uint32_t own = one_word ? mine.at(first(words)).who : mine.who;
  return lanes & ~own ? Past::Unknown : Past::Ordered;
}

// As Races::add does, one lane after the other.
bool Together::add(Mark &mark, uint32_t words, const Mark &mine, bool alone, bool shared) const {
  if (!mark.segment) {
    mark = mine;
    return true;
  }
  if (mark.bytes != mine.bytes || mark.strong != mine.strong)
    return false;
  Mark sum = mark;
  const Segment &old = runs_.clocks.segment(mark.segment);
  const bool own = old.block == block_.number;
  if (mark.level == Level::Blocks && (mark.segment == segment_ || mark.who == segment_)) {
    // Known already.
  } else if (mark.level == Level::Lanes && own && old.warp == number_) {
    if (mark.segment != segment_) {
      mark = mine;
      return true;
    }
    if (!unite(sum, words, mine, alone))
      return false;
  } else {
    const Past before = past(mark, words, mine, alone, shared);
    if (before == Past::Unknown)
      return false;
    if (before != Past::Unordered) {
      mark = mine;
      return true;
    }
    sum.spread = 0;
    sum.several_sites |= mark.site != mine.site;
    if (own && mark.level != Level::Blocks) {
      sum.who = 1u << number_ % 32 | (mark.level == Level::Lanes ? 1u << old.warp % 32 : mark.who);
      sum.level = Level::Warps;
      sum.segment = segment_;
    } else {
      if (mark.level == Level::Blocks && (own || pastOfWarp(old) == Past::Ordered))
        sum.segment = mark.who;
      sum.level = Level::Blocks;
      sum.who = segment_;
    }
  }
  mark = sum;
  return true;
}

// Lanes of one segment.
bool Together::unite(Mark &mark, uint32_t words, const Mark &mine, bool alone) {
  constexpr uint32_t all = ~0u;
  Mark old = mark, more = mine;
  if (std::has_single_bit(words)) {
    old = old.at(first(words));
    more = more.at(first(words));
  } else if (old.spread != more.spread && old.who != all) {
    return false;
  }
  // The first of the lanes decides whether only the thread itself has been here.
  if (old.spread == more.spread && old.who == (alone ? more.who : more.who & -more.who))
    mark.site = more.site;
  mark.several_sites |= mark.site != more.site;
  mark.who = old.who | more.who;
  mark.spread = mark.who == all ? 0 : old.spread;
  return true;
}

} // namespace heddle::check
