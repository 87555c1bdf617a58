// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/race/order/clocks.h"

#include "engine/warp.h"

#include <algorithm>
#include <utility>

namespace heddle::check {
namespace {

using engine::forEachLane;

constexpr size_t log_lists = 64;

const WarpRow *rowOf(const RowsPointer &rows, uint32_t warp) {
  if (!rows)
    return nullptr;
  const auto found = std::lower_bound(rows->begin(), rows->end(), warp,
                                      [](const WarpRow &row, uint32_t w) { return row.warp < w; });
  return found != rows->end() && found->warp == warp ? &*found : nullptr;
}

WarpRow &rowFor(Rows &rows, uint32_t warp) {
  const auto place = std::lower_bound(rows.begin(), rows.end(), warp,
                                      [](const WarpRow &row, uint32_t w) { return row.warp < w; });
  if (place != rows.end() && place->warp == warp)
    return *place;
  return *rows.insert(place, WarpRow{warp, {}});
}

void raise(WarpRow &row, const std::array<uint32_t, 32> &clocks) {
  for (size_t i = 0; i < clocks.size(); ++i)
    row.clocks[i] = std::max(row.clocks[i], clocks[i]);
}

void merge(Rows &into, const RowsPointer &rows) {
  if (rows)
    for (const WarpRow &row : *rows)
      raise(rowFor(into, row.warp), row.clocks);
}

void merge(Others &into, const Snapshot &more) {
  for (Snapshot &known : into)
    if (known.log == more.log) {
      known.length = std::max(known.length, more.length);
      return;
    }
  into.push_back(more);
}

void merge(Others &into, const Others &more) {
  for (const Snapshot &snapshot : more)
    merge(into, snapshot);
}

OthersPointer unite(const OthersPointer &a, const OthersPointer &b) {
  if (!a || a == b)
    return b;
  if (!b)
    return a;
  auto both = std::make_shared<Others>(*a);
  merge(*both, *b);
  return both;
}

uint32_t knownInWarp(const Warp &warp, uint32_t of, uint32_t by) {
  return std::max(warp.joined, warp.known ? (*warp.known)[of][by] : 0u);
}

void setLanes(std::array<uint32_t, 32> &values, uint32_t lanes, uint32_t value) {
  if (lanes == ~0u)
    values.fill(value);
  else
    forEachLane(lanes, [&](uint32_t lane) { values[lane] = value; });
}

bool viewKnows(const BlockView &view, const Segment &segment, uint32_t lane) {
  if (view.block != segment.block)
    return false;
  if (segment.generation < view.generation)
    return true;
  const WarpRow *row = rowOf(view.rows, segment.warp);
  return row && segment.clock < row->clocks[lane];
}

} // namespace

void Log::append(const BlockView &view, const OthersPointer &others) {
  entries_.resize(log_lists);
  std::vector<Entry> &list = entries_[view.block % log_lists];
  // A thread that spins on a read-modify-write releases the same again and again.
  const auto same = [&](const Entry &entry) {
    return entry.view.block == view.block && entry.view.rows == view.rows;
  };
  if (std::any_of(list.rbegin(), list.rend(), same))
    return;
  ++length_;
  list.push_back({length_, view});
  if (!others)
    return;
  for (const Snapshot &snapshot : *others) {
    if (snapshot.log.get() == this)
      continue;
    const bool known =
        std::any_of(references_.begin(), references_.end(), [&](const Reference &reference) {
          return reference.snapshot.log == snapshot.log &&
                 reference.snapshot.length >= snapshot.length;
        });
    if (!known)
      references_.push_back({length_, view.block, snapshot});
  }
}

void Log::adopt(const Log &older) {
  for (const Reference &reference : older.references_)
    references_.push_back({length_, reference.block, reference.snapshot});
}

bool Log::knows(size_t length, const Segment &segment, uint32_t lane) const {
  if (entries_.empty())
    return false;
  const std::vector<Entry> &list = entries_[segment.block % log_lists];
  return std::any_of(list.begin(), list.end(), [&](const Entry &entry) {
    return entry.position <= length && viewKnows(entry.view, segment, lane);
  });
}

void Log::follow(size_t length, const Segment &segment, Reached &reached) const {
  for (auto reference = references_.rbegin(); reference != references_.rend(); ++reference)
    if (reference->position <= length &&
        (!reference->snapshot.in_block || reference->block == segment.block))
      reached.add(reference->snapshot);
}

void Log::Reached::add(const Snapshot &snapshot) {
  size_t &known = longest[snapshot.log.get()];
  if (known >= snapshot.length)
    return;
  known = snapshot.length;
  logs.emplace_back(snapshot.log.get(), snapshot.length);
}

SegmentId Clocks::add(const Segment &segment) {
  if (next_ / chunk_size >= chunks_.size())
    chunks_.push_back(std::make_unique_for_overwrite<Segment[]>(chunk_size));
  chunks_[next_ / chunk_size][next_ % chunk_size] = segment;
  return next_++;
}

void Clocks::start(BlockRun &block, uint32_t threads) {
  block.warps.resize((threads + 31) / 32);
  block.signals.clear();
  block.at_grid_barrier = nullptr;
  block.first = next_;
  block.reads.barrier();
  block.epoch = newEpoch();
  block.apart = true;
  for (uint32_t w = 0; w < block.warps.size(); ++w) {
    const uint32_t lanes = std::min(32u, threads - 32 * w);
    restart(block.warps[w], lanes == 32 ? ~0u : (1u << lanes) - 1);
    advance(block, w, block.warps[w].present);
  }
}

// As new. Most warps have never held anything that would have to be let go.
void Clocks::restart(Warp &warp, uint32_t present) {
  if (warp.holds || warp.known)
    warp = Warp();
  warp.present = present;
  warp.clock = warp.joined = warp.ended = 0;
  warp.segments = warp.generations = warp.clocks = {};
  warp.at_barrier = warp.at_operation = nullptr;
  if (!std::exchange(warp.said, false))
    return;
  for (Lane &lane : warp.lanes) {
    lane.waiting = nullptr;
    lane.first = lane.second = 0;
  }
}

void Clocks::advance(BlockRun &block, uint32_t warp, uint32_t lanes) {
  if (!lanes)
    return;
  Warp &w = block.warps[warp];
  const uint32_t clock = ++w.clock;
  const uint32_t generation = w.generations[uint32_t(std::countr_zero(lanes))];
  const SegmentId id =
      add({block.number, generation, clock, uint16_t(warp), uint16_t(block.grid_generation)});
  setLanes(w.segments, lanes, id);
  setLanes(w.clocks, lanes, clock);
  w.common = std::popcount(lanes) >= std::popcount(w.common & ~lanes) ? lanes : w.common & ~lanes;
}

bool Clocks::isKnown(const Who &who, const Segment &segment, uint32_t lane) const {
  const Lane &self = who.ofLane();
  if (segment.grid_generation < who.block.grid_generation)
    return true;
  if (who.sharesBlock(segment)) {
    if (segment.generation < who.generation())
      return true;
    if (segment.warp == who.warp &&
        (lane == who.lane || segment.clock < knownInWarp(who.ofWarp(), who.lane, lane)))
      return true;
    if (const WarpRow *row = rowOf(self.rows, segment.warp);
        row && segment.clock < row->clocks[lane])
      return true;
  }
  return isReleased(who, segment, lane);
}

bool Clocks::isReleased(const Who &who, const Segment &segment, uint32_t lane) const {
  const OthersPointer &known = who.ofLane().others;
  return known && isAmong(*known, who.block.number, segment, lane);
}

bool Clocks::isAmong(const Others &known, uint32_t block, const Segment &segment, uint32_t lane) {
  // The newest first: what is asked for has mostly been released last.
  Log::Reached reached;
  for (auto snapshot = known.rbegin(); snapshot != known.rend(); ++snapshot)
    if (!snapshot->in_block || segment.block == block)
      reached.add(*snapshot);
  for (size_t i = 0; i < reached.logs.size(); ++i) {
    const auto [log, length] = reached.logs[i];
    if (log->knows(length, segment, lane))
      return true;
    log->follow(length, segment, reached);
  }
  return false;
}

void Clocks::addKnown(const BlockRun &block, uint32_t warp, uint32_t lanes, OthersPointer &known) {
  forEachLane(lanes, [&](uint32_t number) {
    const Lane &lane = block.warps[warp].lanes[number];
    known = unite(known, lane.others);
    if (!lane.pending.empty())
      known = unite(known, std::make_shared<const Others>(lane.pending));
  });
}

void Clocks::joinLanes(BlockRun &block, uint32_t warp, uint32_t lanes) {
  Warp &w = block.warps[warp];
  const uint32_t live = w.live();
  RowsPointer rows;
  OthersPointer others;
  std::shared_ptr<const View> fenced[2];
  bool same = true;
  forEachLane(lanes, [&](uint32_t lane) {
    Lane &each = w.lanes[lane];
    learnPending({block, warp, lane});
    same &= each.rows == w.lanes[uint32_t(std::countr_zero(lanes))].rows;
    others = unite(others, each.others);
    for (int i = 0; i < 2; ++i)
      fenced[i] = uniteViews(fenced[i], each.fenced[i]);
  });
  if (!same) {
    auto all = std::make_shared<Rows>();
    forEachLane(lanes, [&](uint32_t lane) { merge(*all, w.lanes[lane].rows); });
    rows = all;
  } else {
    rows = w.lanes[uint32_t(std::countr_zero(lanes))].rows;
  }
  const bool all = !(live & ~lanes);
  std::array<uint32_t, 32> known{};
  if (!all || w.known) {
    if (!w.known)
      w.known = std::make_unique<std::array<std::array<uint32_t, 32>, 32>>();
    forEachLane(lanes, [&](uint32_t lane) {
      for (uint32_t by = 0; by < 32; ++by)
        known[by] = std::max(known[by], (*w.known)[lane][by]);
    });
  }
  advance(block, warp, lanes);
  if (all) {
    w.joined = w.clock;
    w.known.reset();
  } else {
    forEachLane(lanes, [&](uint32_t lane) { known[lane] = w.clock; });
    forEachLane(lanes, [&](uint32_t lane) { (*w.known)[lane] = known; });
  }
  forEachLane(lanes, [&](uint32_t lane) {
    w.lanes[lane].rows = rows;
    w.lanes[lane].others = others;
    for (int i = 0; i < 2; ++i)
      w.lanes[lane].fenced[i] = fenced[i];
  });
  w.informed |= rows || others;
  w.holds |= w.informed || fenced[0];
}

std::shared_ptr<const View> Clocks::uniteViews(const std::shared_ptr<const View> &a,
                                               const std::shared_ptr<const View> &b) {
  if (!a || a == b)
    return b;
  if (!b)
    return a;
  auto both = std::make_shared<View>(*a);
  both->others = unite(a->others, b->others);
  both->own.generation = std::max(a->own.generation, b->own.generation);
  if (a->own.rows != b->own.rows) {
    auto rows = std::make_shared<Rows>();
    merge(*rows, a->own.rows);
    merge(*rows, b->own.rows);
    both->own.rows = rows;
  }
  return both;
}

// As joinBlock, where no thread holds what others have told it.
void Clocks::joinSimply(BlockRun &block) {
  uint32_t generation = 0;
  for (const Warp &warp : block.warps)
    for (const uint32_t each : warp.generations)
      generation = std::max(generation, each + 1);
  for (uint32_t w = 0; w < block.warps.size(); ++w) {
    Warp &warp = block.warps[w];
    setLanes(warp.generations, warp.live(), generation);
    warp.known.reset();
    advance(block, w, warp.live());
  }
}

void Clocks::joinBlock(BlockRun &block) {
  block.reads.barrier();
  block.epoch = newEpoch();
  block.apart = true;
  if (std::none_of(block.warps.begin(), block.warps.end(), [](const Warp &w) { return w.holds; }))
    return joinSimply(block);
  OthersPointer others;
  std::shared_ptr<const View> fenced[2];
  uint32_t generation = 0;
  for (uint32_t w = 0; w < block.warps.size(); ++w)
    forEachLane(block.warps[w].present, [&](uint32_t lane) {
      Lane &each = block.warps[w].lanes[lane];
      learnPending({block, w, lane});
      generation = std::max(generation, block.warps[w].generations[lane] + 1);
      if (block.warps[w].ended >> lane & 1)
        return;
      if (each.others != others)
        others = unite(others, each.others);
      for (int i = 0; i < 2; ++i)
        if (each.fenced[i] != fenced[i])
          fenced[i] = uniteViews(fenced[i], each.fenced[i]);
    });
  for (uint32_t w = 0; w < block.warps.size(); ++w) {
    Warp &warp = block.warps[w];
    setLanes(warp.generations, warp.live(), generation);
    forEachLane(warp.live(), [&](uint32_t lane) {
      Lane &each = warp.lanes[lane];
      if (each.rows)
        each.rows = nullptr;
      if (each.others != others)
        each.others = others;
      for (int i = 0; i < 2; ++i)
        if (each.fenced[i] != fenced[i])
          each.fenced[i] = fenced[i];
    });
    warp.known.reset();
    warp.informed = bool(others);
    warp.holds |= warp.informed || fenced[0];
    advance(block, w, warp.live());
  }
}

void Clocks::joinGrid(const std::vector<BlockRun *> &blocks) {
  const auto log = std::make_shared<Log>();
  const std::shared_ptr<const Log> before = blocks.front()->at_grid_barrier;
  if (before)
    log->adopt(*before);
  for (BlockRun *block : blocks) {
    const auto warp = std::find_if(block->warps.begin(), block->warps.end(),
                                   [](const Warp &w) { return w.live(); });
    if (warp == block->warps.end())
      continue;
    const auto lane = uint32_t(std::countr_zero(warp->live())); // as good as any other
    auto others = std::make_shared<Others>();
    if (const OthersPointer &known = warp->lanes[lane].others)
      std::copy_if(known->begin(), known->end(), std::back_inserter(*others),
                   [&](const Snapshot &snapshot) { return snapshot.log != before; });
    log->append({block->number, warp->generations[lane], nullptr}, others);
  }
  const auto all = std::make_shared<const Others>(Others{{log, log->length()}});
  for (BlockRun *block : blocks) {
    block->at_grid_barrier = log;
    for (Warp &warp : block->warps)
      forEachLane(warp.live(), [&](uint32_t lane) {
        warp.lanes[lane].others = all;
        warp.informed = warp.holds = true;
      });
  }
}

void Clocks::joinThreads(BlockRun &block, const std::vector<uint32_t> &threads,
                         const std::vector<View> &signals) {
  block.epoch = newEpoch();
  block.apart = false;
  auto rows = std::make_shared<Rows>();
  OthersPointer others;
  std::shared_ptr<const View> fenced[2];
  std::vector<uint32_t> lanes(block.warps.size());
  for (const uint32_t thread : threads) {
    const Who who{block, thread / 32, thread % 32};
    lanes[who.warp] |= 1u << who.lane;
    learnPending(who);
    const Lane &lane = who.ofLane();
    merge(*rows, lane.rows);
    others = unite(others, lane.others);
    for (int i = 0; i < 2; ++i)
      fenced[i] = uniteViews(fenced[i], lane.fenced[i]);
    WarpRow &row = rowFor(*rows, who.warp);
    for (uint32_t by : {who.lane})
      row.clocks[by] = std::max(row.clocks[by], who.clock() + 1);
    if (const Warp &warp = who.ofWarp(); warp.known || warp.joined)
      for (uint32_t by = 0; by < 32; ++by)
        row.clocks[by] = std::max(row.clocks[by], knownInWarp(warp, who.lane, by));
  }
  for (const View &signal : signals) {
    merge(*rows, signal.own.rows);
    others = unite(others, signal.others);
  }
  for (uint32_t w = 0; w < block.warps.size(); ++w) {
    advance(block, w, lanes[w]);
    if (lanes[w])
      block.warps[w].informed = block.warps[w].holds = true;
    forEachLane(lanes[w], [&](uint32_t lane) {
      Lane &each = block.warps[w].lanes[lane];
      each.rows = rows;
      each.others = others;
      for (int i = 0; i < 2; ++i)
        each.fenced[i] = fenced[i];
    });
  }
}

View Clocks::viewOf(const Who &who) const {
  const Lane &lane = who.ofLane();
  auto rows = lane.rows ? std::make_shared<Rows>(*lane.rows) : std::make_shared<Rows>();
  WarpRow &row = rowFor(*rows, who.warp);
  for (uint32_t by = 0; by < 32; ++by)
    row.clocks[by] = std::max(row.clocks[by], knownInWarp(who.ofWarp(), who.lane, by));
  row.clocks[who.lane] = std::max(row.clocks[who.lane], who.clock() + 1);
  return {{who.block.number, who.generation(), rows}, lane.others};
}

View Clocks::release(const Who &who) {
  View view = viewOf(who);
  advance(who.block, who.warp, 1u << who.lane);
  return view;
}

void Clocks::acquire(const Who &who, const Snapshot &snapshot) {
  who.block.epoch = newEpoch();
  who.block.apart = false;
  merge(who.ofLane().pending, snapshot);
  who.ofWarp().holds = true;
}

void Clocks::learnPending(const Who &who) {
  Lane &lane = who.ofLane();
  if (lane.pending.empty())
    return;
  auto all = lane.others ? std::make_shared<Others>(*lane.others) : std::make_shared<Others>();
  merge(*all, lane.pending);
  lane.pending.clear();
  lane.others = all;
  who.ofWarp().informed = true;
}

void Clocks::fence(BlockRun &block, uint32_t warp, uint32_t lanes, engine::observe::Scope scope) {
  forEachLane(lanes, [&](uint32_t number) {
    Lane &lane = block.warps[warp].lanes[number];
    learnPending({block, warp, number});
    lane.fenced[0] = std::make_shared<const View>(viewOf({block, warp, number}));
    if (scope >= engine::observe::Scope::Device)
      lane.fenced[1] = lane.fenced[0];
  });
  block.warps[warp].holds = true;
  advance(block, warp, lanes);
}

} // namespace heddle::check
