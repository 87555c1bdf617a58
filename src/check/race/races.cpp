// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/race/races.h"

#include "check/race/cluster_accesses.h"
#include "check/race/marks/together.h"
#include "engine/abi_extensions.h"
#include "engine/observe/fetch_site.h"
#include "engine/warp.h"

#include <algorithm>
#include <utility>

namespace heddle::check {
namespace {

using engine::forEachLane;
using engine::observe::Access;
using engine::observe::AccessKind;
using engine::observe::AddressRows;
using engine::observe::Scope;
using engine::observe::Site;

constexpr uint32_t monotonic = 2; // LLVM's AtomicOrdering

Strength strengthOf(const Site &site) {
  return site.kind == AccessKind::Atomic || site.order >= monotonic ? Atomic
         : site.is_volatile                                         ? Volatile
                                                                    : Plain;
}

bool isFetch(const Site &site) { return site.flags & engine::observe::through_texture; }

bool isPlain(const Site &site) { return strengthOf(site) == Plain; }

auto piecesOf(const Access &access) {
  return [&access](uint32_t lanes, const auto &does) {
    return forEachLanesPiece(access.addresses, access.bytes, lanes, does);
  };
}

} // namespace

void Races::fence(const Access &fence) {
  BlockRun &block = runs_.runOf(fence.block);
  settle(block);
  const uint32_t first = uint32_t(std::countr_zero(fence.lanes));
  const auto scope = Scope(fence.addresses[first]);
  runs_.clocks.fence(block, fence.first_thread / 32, fence.lanes, scope);
  if (scope == Scope::System && host.any())
    runs_.fencesForHost(block.launch);
}

Mark Races::markOf(const Site &site, SegmentId segment) const {
  return {segment, 0, 0, 15, Level::Lanes, uint8_t(strengthOf(site)), uint8_t(site.scope), 0, 0, 0};
}

void Races::access(const Access &access, uint32_t lanes, bool right) {
  if (access.hasOffsets() || !lanes)
    return;
  Access some = access;
  some.lanes = lanes;
  const uint64_t bytes = access.bytes[std::countr_zero(lanes)];
  bool all_shared = true, any_shared = false;
  forEachLane(lanes, [&](uint32_t lane) {
    const bool shared = access.addresses[lane] < Shadow::shared_end;
    all_shared &= shared && access.bytes[lane] == bytes;
    any_shared |= shared;
  });
  if (wait(some, {access.addresses, bytes, 0, 1}, all_shared, any_shared))
    return;
  eachLane(access, together(access, lanes, piecesOf(access), right));
}

void Races::accessRows(const Access &access, const AddressRows &rows) {
  if (access.hasOffsets())
    return;
  bool all_shared = true, any_shared = false;
  for (uint32_t row = 0, before = 0; before < 32; ++row, before += rows.length)
    if (access.lanes >> before & ~uint32_t(~uint64_t(0) << rows.length)) {
      const bool shared = rows.firsts[row] < Shadow::shared_end;
      all_shared &= shared;
      any_shared |= shared;
    }
  if (!wait(access, rows, all_shared, any_shared))
    lookAtRows(access, rows, true);
}

uint32_t Races::seen(const Access &access, const AddressRows *rows) {
  const uint64_t first = rows ? rows->firsts[0] : access.addresses[std::countr_zero(access.lanes)];
  if (access.site.kind != AccessKind::Load || !isPlain(access.site) ||
      (first < Shadow::shared_end &&
       clusterOf(access.block))) // it may have ended (ClusterAccesses)
    return 0;
  const uint64_t changes = engine::observe::memory_changes.load(std::memory_order_acquire);
  if (std::exchange(memory_changes_, changes) != changes)
    seen_.forget();
  const BlockRun &block = runs_.runOf(access.block);
  const uint64_t epoch = runs_.launch(block.launch).epoch;
  if (!rows)
    return seen_.lanesOf(access, epoch, block.epoch);
  return seen_.holds(access, *rows, epoch, block.epoch) ? access.lanes : 0;
}

// A read of shared memory that may be looked at later. Before other accesses that concern shared
// memory or order threads, those that wait are looked at.
bool Races::wait(const Access &access, const AddressRows &rows, bool all_shared, bool any_shared) {
  const bool plain = isPlain(access.site), writes = access.site.kind != AccessKind::Load;
  if ((plain && !any_shared) || clusterOf(access.block))
    return false;
  BlockRun &block = runs_.runOf(access.block);
  if (plain && !writes) {
    if (!all_shared || !block.reads.only_read)
      return false;
    if (!block.reads.add(access, rows)) {
      settle(block);
      block.reads.add(access, rows);
    }
    return true;
  }
  settle(block);
  block.reads.only_read &= !(writes && any_shared);
  return false;
}

void Races::settle(BlockRun &block) {
  if (!block.reads.empty())
    block.reads.forEach(*block.context, [&](const Access &access, const AddressRows &rows) {
      lookAtRows(access, rows, false);
    });
}

void Races::lookAtRows(const Access &access, const AddressRows &rows, bool remember) {
  const auto pieces = [&](uint32_t some, const auto &does) {
    return forEachPiece(rows, some, does);
  };
  uint32_t left = rows.length > 1 ? together(access, access.lanes, pieces, remember) : access.lanes;
  if (!left)
    return;
  const engine::observe::AddressesOfLanes all(rows);
  Access each = access;
  each.addresses = all.addresses;
  each.bytes = all.bytes;
  if (rows.length == 1)
    left = together(each, left, piecesOf(each), false);
  eachLane(each, left);
}

// Returns the lanes that are to be looked at one by one. (A word that has been looked at already
// may be looked at again.) `remember`: nothing else is wrong with the access.
template <typename Pieces>
uint32_t Races::together(const Access &access, uint32_t lanes, Pieces pieces, bool remember) {
  const Site &site = access.site;
  if (!isPlain(site))
    return lanes;
  BlockRun &block = runs_.runOf(access.block);
  const uint32_t warp = access.first_thread / 32;
  const bool writes = site.kind != AccessKind::Load;
  Mark mark = markOf(site, 0);
  mark.site = runs_.number(site);
  uint32_t left = 0;
  for (uint32_t rest = lanes; rest;) {
    const uint32_t one = rest & -rest, common = rest & block.warps[warp].common;
    const uint32_t some = one & common ? common : one;
    rest &= ~some;
    const Together now(runs_, block, warp, some);
    mark.segment = now.segment();
    left |= pieces(some, [&](const Piece &piece) {
      const bool shared = piece.address < Shadow::shared_end;
      mark.who = piece.who;
      mark.spread = piece.spread & 3;
      // With several streams, what is forgotten may be what another one races with, unless a write
      // takes its place.
      const bool forgets = shared || !runs_.mayOverlap() || (writes && piece.words == ~uint32_t(0));
      uint32_t in_launch = 0, in_block = 0; // words of whose next reads nothing new can come
      const uint32_t words =
          shadow.touch(piece.address, piece.words, now.segment(), forgets ? now.stale(shared) : 0,
                       [&](Cell &cell, uint32_t which) {
                         if (isIncoherent(cell.write, access, block.launch) ||
                             !now.touch(cell, which, mark, piece.alone, writes, shared))
                           return false;
                         if (remember && !writes && cell.read.level != Level::Lanes) {
                           const auto reach = now.reachOf(cell, shared);
                           in_launch |= reach == Together::Reach::Launch ? which : 0;
                           in_block |= reach == Together::Reach::Block ? which : 0;
                         }
                         return true;
                       });
      if (in_launch)
        seen_.add(access, piece.address, in_launch, runs_.launch(block.launch).epoch);
      else if (in_block)
        seen_.add(access, piece.address, in_block, block.epoch);
      if (words)
        left |= piece.lanesOf(words) & some;
    });
  }
  return left;
}

// Of words that have not been accessed since, the last write or read is this one.
void Races::addPast(const Access &access, const AddressRows &rows, SegmentId from, SegmentId to) {
  BlockRun &block = runs_.runOf(access.block);
  const bool writes = access.site.kind != AccessKind::Load;
  Mark mark = markOf(access.site, block.warps.front().segments.front());
  mark.site = runs_.number(access.site);
  const auto isSince = [&](const Mark &other) {
    const auto in = [&](SegmentId segment) { return segment >= from && segment < to; };
    return in(other.segment) || (other.level == Level::Blocks && in(other.who));
  };
  uint32_t left = 0;
  left |= forEachPiece(rows, access.lanes, [&](const Piece &piece) {
    mark.who = piece.who;
    mark.spread = piece.spread & 3;
    const auto add = [&](Cell &cell, uint32_t) {
      const bool read = isSince(cell.read);
      if (isSince(cell.write) || (read && !writes))
        return true;
      (writes ? cell.write : cell.read) = mark;
      if (writes && !read)
        cell.read = {};
      return true;
    };
    left |= piece.lanesOf(shadow.touch(piece.address, piece.words, mark.segment, 0, add));
  });
  const engine::observe::AddressesOfLanes all(rows);
  Access each = access;
  each.addresses = all.addresses;
  each.bytes = all.bytes;
  eachLane(each, left & access.lanes);
}

void Races::eachLane(const Access &access, uint32_t lanes) {
  if (!lanes)
    return;
  const Site &site = access.site;
  BlockRun &block = runs_.runOf(access.block);
  const uint32_t warp = access.first_thread / 32;
  const bool plain = strengthOf(site) == Plain;
  Mark mark = markOf(site, 0);
  mark.site = runs_.number(site);
  forEachLane(lanes, [&](uint32_t lane) {
    const uint64_t address = access.addresses[lane], bytes = access.bytes[lane];
    if (!bytes)
      return;
    mark.segment = block.warps[warp].segments[lane];
    mark.who = 1u << lane;
    Current current{&access, {block, warp, lane}, mark, site.kind != AccessKind::Load, address,
                    bytes};
    for (uint64_t at = address, end = address + bytes; at < end;) {
      const uint64_t next = std::min(end, (at / 4 + 1) * 4);
      Cell *cell = shadow.find(at, mark.segment);
      if (!cell)
        break;
      const unsigned from = unsigned(at % 4), count = unsigned(next - at);
      current.mark.bytes = uint8_t(((1u << count) - 1) << from) & 15;
      word(*cell, current);
      at = next;
    }
    if (!plain) {
      order(current);
      releaseToHost(current);
    }
  });
}

void Races::word(Cell &cell, const Current &current) {
  const uint8_t bytes = current.mark.bytes;
  const auto fits = [&](Mark &mark) {
    dropStale(mark, current);
    return !mark.segment || mark.bytes == bytes;
  };
  if (cell.write.segment < Shadow::extended) {
    const bool alike = fits(cell.write) && fits(cell.read);
    if (!alike)
      shadow.keepApart(cell);
    else if (needsStrong(cell, current))
      shadow.extend(cell);
    else
      return touch(cell, nullptr, current);
  }
  if (cell.write.segment == Shadow::extended) {
    Word &word = shadow.wordOf(cell);
    StrongMarks &strong = *shadow.strongOf(word);
    if (fits(word.cell.write) && fits(word.cell.read) && fits(strong.writes) && fits(strong.reads))
      return touch(word.cell, &strong, current);
    shadow.keepApart(cell);
  }
  Current of_byte = current;
  of_byte.mark.bytes = 1;
  for (unsigned i = 0; i < 4; ++i)
    if (bytes >> i & 1) {
      Word &byte = shadow.bytesOf(cell)[i];
      dropStale(byte.cell.write, current);
      dropStale(byte.cell.read, current);
      StrongMarks *strong = shadow.strongOf(byte);
      if (strong) {
        dropStale(strong->writes, current);
        dropStale(strong->reads, current);
      } else if (needsStrong(byte.cell, current)) {
        strong = &shadow.addStrong(byte);
      }
      touch(byte.cell, strong, of_byte);
    }
}

// Strong writes, or reads of both kinds, are marks of their own.
bool Races::needsStrong(const Cell &cell, const Current &current) {
  const bool strong = current.mark.strong;
  return current.writes ? strong : cell.read.segment && bool(cell.read.strong) != strong;
}

void Races::dropStale(Mark &mark, const Current &current) const {
  const bool shared = current.address < Shadow::shared_end;
  if (!mark.segment || mark.segment == current.mark.segment ||
      !runs_.isStale(mark, current.who.block, shared))
    return;
  // Whatever races with the older access races with this one, too.
  const bool hides = (current.writes || runs_.site(mark.site).kind == AccessKind::Load) &&
                     (mark.strong || !current.mark.strong) && !(mark.bytes & ~current.mark.bytes);
  if (shared || hides || runs_.isPast(mark))
    mark = {};
}

bool Races::knows(const Who &who, const Segment &segment, uint32_t lane) const {
  const uint32_t launch = runs_.launchOf(segment);
  if (launch == who.block.launch)
    return runs_.clocks.isKnown(who, segment, lane);
  return runs_.comesBefore(launch, who.block.launch) || runs_.clocks.isReleased(who, segment, lane);
}

// Which of the warp's lanes it was is not known: one that is known will do.
bool Races::knowsWarp(const Who &who, const Segment &segment, uint32_t warp) const {
  const bool own = who.sharesBlock(segment);
  if (own && warp == who.warp)
    return true;
  if (!own && !who.ofLane().others && runs_.launchOf(segment) == who.block.launch)
    return segment.grid_generation < who.block.grid_generation;
  Segment of_warp = segment;
  of_warp.warp = uint16_t(warp);
  if (warp != segment.warp) // clocks of different warps have nothing in common
    of_warp.clock = 0;
  for (uint32_t lane = 0; lane < 32; ++lane)
    if (knows(who, of_warp, lane))
      return true;
  return false;
}

// Threads learn of each other, or what has been read is not as it was (Seen).
void Races::newEpoch(BlockRun &block) {
  runs_.newEpoch(block.launch);
  block.epoch = runs_.clocks.newEpoch();
}

// CUDA guide, "Texture and Surface Memory", "Read/Write Coherency": what has been written in the
// same kernel call is not to be fetched from a texture, by the same thread either. (The guide says
// so of surfaces, too; but GPUs read those as they read global memory.)
bool Races::isIncoherent(const Mark &write, const Access &read, uint32_t launch) const {
  if (!write.segment || !isFetch(read.site))
    return false;
  const auto isOfLaunch = [&](SegmentId segment) {
    return runs_.launchOf(runs_.clocks.segment(segment)) == launch;
  };
  return isOfLaunch(write.segment) || (write.level == Level::Blocks && isOfLaunch(write.who));
}

// A later access that races with what a plain write replaces here races with that write, too.
// Strong writes do not race with each other, so they replace nothing.
void Races::touch(Cell &cell, StrongMarks *strong, const Current &current) {
  check(cell.write, current, true);
  if (strong && (isFetch(current.access->site) || !hasSeen(strong->writes, current.who)))
    check(strong->writes, current, true);
  if (!current.writes) {
    add(strong && current.mark.strong ? strong->reads : cell.read, current);
    return;
  }
  if (cell.read.segment && cell.read.level != Level::Lanes)
    newEpoch(current.who.block);
  check(cell.read, current, false);
  if (strong)
    check(strong->reads, current, false);
  if (current.mark.strong) {
    forgetReads(cell.read, current);
    forgetReads(strong->reads, current);
    add(strong->writes, current);
    return;
  }
  cell = {current.mark, {}};
  if (strong)
    *strong = {};
}

// A strong write comes behind the strong reads of its thread: whatever races with such a read races
// with the write, too, and who has seen the write need not know of the read. So the last block may
// reset a counter that others have changed in a loop around a compare-and-swap, and read before.
// (A volatile write by another lane of the warp may race with a volatile read alone: mayOverlap.)
void Races::forgetReads(Mark &reads, const Current &current) const {
  const bool reaches =
      reads.strong == Volatile ? current.mark.strong == Atomic : reads.scope >= current.mark.scope;
  if (!reads.segment || !reads.strong || !reaches || reads.level != Level::Lanes ||
      !current.who.sharesWarp(runs_.clocks.segment(reads.segment)))
    return;
  reads.who &= ~(1u << current.who.lane);
  if (!reads.who)
    reads = {};
}

void Races::check(const Mark &mark, const Current &current, bool mark_writes) {
  if (!mark.segment || (!mark_writes && !current.writes))
    return;
  if (mark_writes && isIncoherent(mark, *current.access, current.who.block.launch))
    return keep(mark, current);
  if (mark.segment == current.mark.segment && mark.level == Level::Lanes &&
      mark.who == current.mark.who)
    return; // the thread itself
  if (mayOverlap(mark, current, mark_writes) || isOrdered(mark, current.who))
    return;
  keep(mark, current);
}

// PTX ISA, "Data-races": strong operations whose scopes include each other's threads do not race.
// But volatile accesses within a warp, in place of __syncwarp(), need lanes in lockstep.
bool Races::mayOverlap(const Mark &mark, const Current &current, bool mark_writes) const {
  if (!mark.strong || !current.mark.strong)
    return false;
  const Relation relation = relationOf(mark, current.who);
  if (mark.strong == Volatile && current.mark.strong == Volatile)
    return relation != Relation::Warp || (mark_writes && current.writes);
  const auto reaches = [&](const Mark &m) {
    return m.strong == Volatile || Scope(m.scope) >= Scope::Cluster || relation <= Relation::Block;
  };
  return reaches(mark) && reaches(current.mark);
}

Relation Races::relationOf(const Mark &mark, const Who &who) const {
  const Segment &segment = runs_.clocks.segment(mark.segment);
  if (runs_.launchOf(segment) != who.block.launch)
    return Relation::Launches;
  if (!who.sharesBlock(segment) || mark.level == Level::Blocks)
    return Relation::Launch;
  return who.sharesWarp(segment) && mark.level == Level::Lanes ? Relation::Warp : Relation::Block;
}

// Strong writes to one place come in an order, so the newest one comes behind all others: the last
// block may reset the ticket's counter, which the others have not touched since.
bool Races::hasSeen(const Mark &strong, const Who &who) const {
  if (!strong.segment || strong.level != Level::Blocks)
    return false;
  const Segment &newest = runs_.clocks.segment(strong.who);
  return knowsWarp(who, newest, newest.warp);
}

bool Races::isOrdered(const Mark &mark, const Who &who) const {
  const Segment &segment = runs_.clocks.segment(mark.segment);
  const bool own = who.sharesBlock(segment);
  if (own && mark.level != Level::Blocks && segment.generation < who.generation())
    return true;
  if (mark.level == Level::Lanes) {
    uint32_t others = mark.who;
    if (who.sharesWarp(segment))
      others &= ~(1u << who.lane);
    bool ordered = true;
    forEachLane(others, [&](uint32_t lane) { ordered = ordered && knows(who, segment, lane); });
    return ordered;
  }
  if (mark.level == Level::Warps) {
    bool ordered = true;
    forEachLane(mark.who,
                [&](uint32_t warp) { ordered = ordered && knowsWarp(who, segment, warp); });
    return ordered;
  }
  const Segment &other = runs_.clocks.segment(mark.who);
  return knowsWarp(who, segment, segment.warp) && knowsWarp(who, other, other.warp);
}

// Adds a read to unordered reads, or an atomic operation to others. The older one's place stays:
// the newer thread may go on to write.
void Races::add(Mark &mark, const Current &current) const {
  const Mark &mine = current.mark;
  if (!mark.segment) {
    mark = mine;
    return;
  }
  const uint8_t strong = std::min<uint8_t>(mark.strong, mine.strong),
                scope = std::min<uint8_t>(mark.scope, mine.scope);
  const Segment &old = runs_.clocks.segment(mark.segment);
  if (mark.level == Level::Blocks && (mark.segment == mine.segment || mark.who == mine.segment)) {
    // Known already.
  } else if (mark.segment == mine.segment && mark.level == Level::Lanes) {
    if (mark.who == mine.who)
      mark.site = mine.site;
    mark.several_sites |= mark.site != mine.site;
    mark.who |= mine.who;
  } else if (isOrdered(mark, current.who)) {
    mark = mine;
    return;
  } else if (current.who.sharesBlock(old) && mark.level != Level::Blocks) {
    if (mark.level == Level::Lanes && current.who.sharesWarp(old)) {
      mark = mine; // of another segment of the warp: the newer one stays
      return;
    }
    mark.who =
        1u << current.who.warp % 32 | (mark.level == Level::Lanes ? 1u << old.warp % 32 : mark.who);
    mark.level = Level::Warps;
    mark.segment = mine.segment;
    mark.several_sites |= mark.site != mine.site;
  } else {
    if (mark.level == Level::Blocks &&
        (current.who.sharesBlock(old) || knowsWarp(current.who, old, old.warp)))
      mark.segment = mark.who;
    mark.level = Level::Blocks;
    mark.who = mine.segment;
    mark.several_sites |= mark.site != mine.site;
  }
  mark.strong = strong & 3;
  mark.scope = scope & 3;
}

} // namespace heddle::check
