// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race_judge.h"

#include <algorithm>

namespace heddle::check {

using engine::observe::AccessKind;

void Judge::raise(Clock &into, const Clock &more) {
  into.resize(std::max(into.size(), more.size()));
  for (size_t i = 0; i < more.size(); ++i)
    into[i] = std::max(into[i], more[i]);
}

uint32_t Judge::launch(std::set<uint32_t> before, bool one_stream) {
  launches_.push_back({std::move(before), one_stream});
  return uint32_t(launches_.size() - 1);
}

uint32_t Judge::block(uint32_t launch, uint32_t threads) {
  blocks_.push_back({launch, uint32_t(threads_.size()), {}});
  for (uint32_t i = 0; i < threads; ++i) {
    Thread &thread = threads_.emplace_back();
    thread.block = uint32_t(blocks_.size() - 1);
    thread.lane = i;
    thread.known.resize(threads_.size());
    thread.known.back() = 1;
  }
  return uint32_t(blocks_.size() - 1);
}

bool Judge::isOrdered(const Record &past, uint32_t thread) const {
  const uint32_t first = blocks_[threads_[past.thread].block].launch,
                 second = blocks_[threads_[thread].block].launch;
  return of(threads_[thread].known, past.thread) >= past.time ||
         (first != second && launches_[second].before.contains(first));
}

// PTX ISA, "Data-races": strong operations whose scopes include each other's threads. Volatile
// accesses within a warp need lanes in lockstep, unless they only write.
bool Judge::mayOverlap(const Record &past, const Record &now) const {
  if (!past.strength || !now.strength)
    return false;
  const Thread &a = threads_[past.thread], &b = threads_[now.thread];
  const bool own = a.block == b.block;
  if (past.strength == 1 && now.strength == 1)
    return !own || a.lane / 32 != b.lane / 32 || (past.writes && now.writes);
  const auto reaches = [&](const Record &one) {
    return one.strength == 1 || one.scope >= Scope::Cluster || own;
  };
  return reaches(past) && reaches(now);
}

// Whether it never becomes one mark with others.
static bool isAlone(const auto &record) { return record.writes && !record.strength; }

// What decision 17 says under "What it misses".
bool Judge::isCertain(const Record &past, const Record &now, const std::vector<Record> &all) const {
  const Thread &a = threads_[past.thread], &b = threads_[now.thread];
  const Block &block = blocks_[a.block];
  if (launches_[block.launch].one_stream && block.launch != blocks_[b.block].launch)
    return false; // written, read and forgotten while there was one stream
  if (block.parted.contains(a.lane / 32))
    return false; // another lane's read stands for this one's
  for (const Record &other : all) {
    const Thread &c = threads_[other.thread];
    // The strong write that its thread goes on to stands for a strong read.
    if (past.strength && !past.writes && other.thread == past.thread && other.writes &&
        other.strength && other.time > past.time)
      return false;
    // Of several blocks' strong writes, the newest one stands for all; and of strong accesses that
    // are ordered, whatever their scopes are.
    if (past.strength && past.writes && other.strength && other.writes &&
        (c.block != a.block || other.scope != past.scope))
      return false;
    // Reads by several warps are no more known to be some of this one, too.
    if (past.strength == 1 && now.strength == 1 &&
        (c.block != a.block || c.lane / 32 != a.lane / 32))
      return false;
  }
  // One lane that is known stands for its warp.
  if (a.block == b.block && a.lane / 32 == b.lane / 32)
    return isAlone(past) || std::all_of(all.begin(), all.end(), [&](const Record &other) {
             const Thread &c = threads_[other.thread];
             return isAlone(other) || (c.block == a.block && c.lane / 32 == a.lane / 32);
           });
  const uint32_t first = past.thread - a.lane % 32;
  for (uint32_t other = first; other < first + 32 && other < threads_.size(); ++other)
    if (of(b.known, other) > of(b.since, other) && threads_[other].block == a.block)
      return false;
  return true;
}

void Judge::access(uint32_t block, uint32_t lane, const Site &site, uint64_t address,
                   uint64_t bytes, uint32_t variable, bool shared) {
  const uint32_t number = blocks_[block].first + lane, space = shared ? block + 1 : 0;
  Thread &thread = threads_[number];
  const int strength = site.kind == AccessKind::Atomic || site.order >= 2 ? 2
                       : site.is_volatile                                 ? 1
                                                                          : 0;
  const Record now{number, ++thread.known[number], site.kind != AccessKind::Load, strength,
                   site.scope};
  for (uint64_t at = address; at < address + bytes; ++at) {
    std::vector<Record> &all = bytes_[{space, at}];
    for (const Record &past : all) {
      if (past.thread == number || (!past.writes && !now.writes) || mayOverlap(past, now) ||
          isOrdered(past, number))
        continue;
      racing.insert(variable);
      if (isCertain(past, now, all))
        certain.insert(variable);
    }
    all.push_back(now);
  }
  if (strength)
    order(number, site, address, now.writes);
}

void Judge::forget(uint64_t address, uint64_t bytes) {
  bytes_.erase(bytes_.lower_bound({0, address}), bytes_.lower_bound({0, address + bytes}));
  released_.erase(released_.lower_bound({0, address}), released_.lower_bound({0, address + bytes}));
}

void Judge::learn(Thread &thread) {
  raise(thread.known, thread.pending);
  thread.pending.clear();
}

// PTX ISA, "Release and Acquire Patterns".
void Judge::order(uint32_t number, const Site &site, uint64_t address, bool writes) {
  Thread &thread = threads_[number];
  const std::pair<uint32_t, uint64_t> place{address < uint64_t(1) << 32 ? thread.block + 1 : 0,
                                            address};
  if (const auto found = released_.find(place);
      found != released_.end() && site.kind != AccessKind::Store) {
    raise(thread.pending, found->second.to_device);
    if (const auto own = found->second.to_block.find(thread.block);
        own != found->second.to_block.end())
      raise(thread.pending, own->second);
    if (site.order == 4 || site.order >= 6)
      learn(thread);
  }
  if (!writes || site.flags & engine::observe::only_reads)
    return;
  if (site.kind != AccessKind::Atomic)
    released_.erase(place);
  const bool releases = site.order >= 5;
  const Clock to_block = releases ? thread.known : thread.fenced[0],
              to_device =
                  releases && site.scope >= Scope::Cluster ? thread.known : thread.fenced[1];
  if (!to_block.empty())
    raise(released_[place].to_block[thread.block], to_block);
  if (!to_device.empty())
    raise(released_[place].to_device, to_device);
}

Judge::Clock Judge::signal(uint32_t block, uint32_t lane) {
  blocks_[block].parted.insert(lane / 32);
  return threads_[blocks_[block].first + lane].known;
}

void Judge::share(const std::vector<uint32_t> &threads, Clock known, bool whole) {
  Clock fenced[2];
  for (const uint32_t number : threads) {
    learn(threads_[number]);
    raise(known, threads_[number].known);
    for (int i = 0; i < 2; ++i)
      raise(fenced[i], threads_[number].fenced[i]);
  }
  for (const uint32_t number : threads) {
    Thread &thread = threads_[number];
    thread.known = known;
    thread.fenced[0] = fenced[0];
    thread.fenced[1] = fenced[1];
    if (whole)
      thread.since = known;
  }
}

void Judge::join(const std::vector<std::pair<uint32_t, uint32_t>> &threads, bool whole) {
  std::vector<uint32_t> numbers;
  for (const auto &[block, lane] : threads)
    numbers.push_back(blocks_[block].first + lane);
  share(numbers, {}, whole);
}

void Judge::joinLanes(uint32_t block, uint32_t warp, uint32_t lanes, bool all) {
  std::vector<uint32_t> numbers;
  for (uint32_t lane = 0; lane < 32; ++lane)
    if (lanes >> lane & 1)
      numbers.push_back(blocks_[block].first + 32 * warp + lane);
  if (!all)
    blocks_[block].parted.insert(warp);
  share(numbers, {}, false);
}

void Judge::joinSome(uint32_t block, const std::vector<uint32_t> &threads,
                     const std::vector<Clock> &signals) {
  std::vector<uint32_t> numbers;
  for (const uint32_t lane : threads)
    numbers.push_back(blocks_[block].first + lane);
  Clock known;
  for (const Clock &signal : signals)
    raise(known, signal);
  share(numbers, known, false);
}

void Judge::fence(uint32_t block, uint32_t lane, Scope scope) {
  Thread &thread = threads_[blocks_[block].first + lane];
  learn(thread);
  thread.fenced[0] = thread.known;
  if (scope >= Scope::Device)
    thread.fenced[1] = thread.known;
  blocks_[block].parted.insert(lane / 32); // fences of some lanes give them a segment of their own
}

} // namespace heddle::check
