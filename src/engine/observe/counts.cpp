// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/observe/counts.h"

#include "engine/observe/caches/access_sectors.h"
#include "engine/observe/caches/replay.h"
#include "engine/observe/fetch.h"
#include "engine/observe/requests/pattern_groups.h"
#include "engine/observe/requests/request.h"
#include "engine/observe/requests/warp_pairs.h"
#include "engine/warp.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace heddle::engine::observe {
namespace {

// Of one worker in one launch.
struct WorkerCounts {
  explicit WorkerCounts(const CountedSites &sites)
      : sites(sites), counters(sites.counters), patterns(sites.patterns), groups(sites.patterns),
        divergent_visits(sites.visit_slots), samples(sites.counters) {}
  const CountedSites &sites;
  std::vector<uint64_t> counters;
  std::vector<AddressPattern> patterns;
  std::vector<std::unique_ptr<PatternGroups>> groups; // of patterns with several masks
  std::vector<std::vector<uint64_t>> divergent_visits;
  uint64_t warps_diverged = 0;
  Samples samples;
};

// Of one block that a worker holds, reused for the blocks it runs after it.
struct HeldBlock : BlockCounts {
  WorkerCounts *worker = nullptr;
  std::vector<uint32_t> all_visits;
  std::vector<WarpPair> pairs; // of warps, if these are counted in pairs
  // With a model of the caches: which block it was that noted something last.
  CacheReplay *caches = nullptr;
  CacheReplay::Block *noted = nullptr;
  uint64_t noted_index = 0;
};

struct Counting {
  std::mutex mutex;
  std::deque<WorkerCounts> workers;
  std::deque<HeldBlock> blocks;
  uint64_t number = 0;                   // of the launch
  std::optional<CacheSizes> cache_sizes; // if they are modelled; then there is one worker
  std::unique_ptr<CacheReplay> caches;   // made when the code is known
};

std::mutex launches_mutex;
std::map<const Launch *, std::shared_ptr<Counting>> launches;
uint64_t last_number = 0;

std::shared_ptr<Counting> countingOf(const Launch &launch) {
  std::lock_guard lock(launches_mutex);
  const auto found = launches.find(&launch);
  return found == launches.end() ? nullptr : found->second;
}

// This thread's counters in the launch that it works for; another one may run within a kernel.
WorkerCounts &workerOf(Counting &counting, const CountedSites &sites) {
  struct Known {
    uint64_t launch = 0;
    WorkerCounts *worker = nullptr;
  };
  thread_local Known known;
  if (known.launch == counting.number && &known.worker->sites == &sites)
    return *known.worker;
  std::lock_guard lock(counting.mutex);
  known = {counting.number, &counting.workers.emplace_back(sites)};
  return *known.worker;
}

HeldBlock &heldBlock(const ThreadContext &thread) {
  return *static_cast<HeldBlock *>(
      static_cast<const ExtendedBlockContext *>(thread.block)->counted);
}

uint64_t *countersOf(const ThreadContext &thread, const CountedSite &site) {
  const BlockCounts *counts = static_cast<const ExtendedBlockContext *>(thread.block)->counted;
  return counts->counters + site.first_counter;
}

// Requests that are alike, of the access whose first counter is `counters`.
void add(WorkerCounts &worker, uint64_t *counters, uint32_t lanes, const Request &request,
         const uint64_t *addresses, uint64_t requests = 1) {
  worker.samples.offer(uint32_t(counters - worker.counters.data()), lanes, request.units,
                       addresses);
  counters[access_requests] += requests;
  counters[access_threads] += requests * uint64_t(std::popcount(lanes));
  counters[access_units] += requests * request.units;
  counters[access_ideal] += requests * request.ideal;
  counters[access_unaligned] += requests * request.unaligned;
  counters[access_same] += requests * request.same;
  counters[access_broadcasts] += requests * request.broadcast;
  counters[access_lines] += requests * request.lines;
  counters[access_histogram + std::min(request.units, most_units)] += requests;
}

// Adds up what has been counted of a pattern.
void settle(WorkerCounts &worker, const CountedSite &site, AddressPattern &pattern) {
  uint64_t *counters = worker.counters.data() + site.first_counter;
  const auto lanes = uint32_t(pattern.key);
  const uint64_t requests = std::exchange(pattern.requests, 0);
  if (!lanes || !requests)
    return;
  AccessSpace space = site.space;
  if (space == AccessSpace::Generic) {
    const bool shared = pattern.key >> pattern_in_shared & 1;
    space = shared ? AccessSpace::Shared : AccessSpace::Global;
    counters += shared ? access_counters : 0;
  }
  uint64_t addresses[warp_size];
  const Request request =
      requestOfPattern(pattern, space, site.access == AccessKind::Atomic, site.bytes, lanes,
                       worker.groups[size_t(&pattern - worker.patterns.data())], addresses);
  add(worker, counters, lanes, request, addresses, requests);
}

void settle(WorkerCounts &worker) {
  for (uint32_t i = 0; i < worker.sites.count; ++i) {
    const CountedSite &site = *worker.sites.sites[i];
    if (site.kind != CountedKind::Access || isFetch(site))
      continue;
    for (uint32_t k = 0; k < patternsOf(site.bytes); ++k)
      settle(worker, site, worker.patterns[site.first_pattern + k]);
  }
}

// Whether some of its threads go one way and some the other.
bool parts(const PairVisit &visit) {
  return (visit.taken[0] | visit.taken[1]) &&
         (visit.taken[0] != visit.lanes[0] || visit.taken[1] != visit.lanes[1]);
}

void countDivergentVisits(WorkerCounts &worker, const WarpPair &pair, uint32_t slot) {
  std::vector<uint64_t> &by_visit = worker.divergent_visits[slot];
  bool before = false;
  uint32_t number = 0;
  for (const PairVisit *visit : pair.inOrder(slot)) {
    const uint32_t place = std::min(number++, most_visits - 1);
    if (!parts(*visit))
      continue;
    uint64_t *counters = worker.counters.data() + visit->site->first_counter;
    ++counters[branch_divergent];
    counters[branch_warps_diverging] += !std::exchange(before, true);
    by_visit.resize(std::max<size_t>(by_visit.size(), place + 1));
    ++by_visit[place];
  }
}

// Adds what the pairs of a block have done to its worker's counters.
void settlePairs(HeldBlock &held) {
  WorkerCounts &worker = *held.worker;
  for (WarpPair &pair : held.pairs) {
    std::set<uint32_t> divergent_slots;
    for (const PairVisit &visit : pair.all()) {
      if (visit.site->kind == CountedKind::Block) {
        uint64_t *counters = worker.counters.data() + visit.site->first_counter;
        ++counters[block_warps];
        counters[block_threads] +=
            uint64_t(std::popcount(visit.lanes[0]) + std::popcount(visit.lanes[1]));
        continue;
      }
      if (parts(visit))
        divergent_slots.insert(visit.site->visit_slot);
    }
    for (const uint32_t slot : divergent_slots)
      countDivergentVisits(worker, pair, slot);
    worker.warps_diverged += !divergent_slots.empty();
    pair.clear();
  }
}

CacheReplay::Block &notedBlock(HeldBlock &held, const BlockContext &block) {
  const uint64_t index = block.block_index[0] +
                         block.grid_dim[0] * (block.block_index[1] +
                                              uint64_t(block.grid_dim[1]) * block.block_index[2]);
  if (held.noted && held.noted_index == index)
    return *held.noted;
  if (held.noted)
    held.caches->end(*held.noted);
  held.noted = nullptr; // it may go while the next one begins
  held.noted = &held.caches->begin();
  held.noted_index = index;
  return *held.noted;
}

void noteSectors(const ThreadContext &context, const CountedSite &site, const uint64_t *sectors,
                 size_t count, bool last = true) {
  HeldBlock &held = heldBlock(context);
  held.caches->note(
      notedBlock(held, *context.block), context.linear_index / warp_size,
      {replayNumber(site.first_counter), useOf(site), site.space == AccessSpace::Local}, sectors,
      uint32_t(count), last);
}

void noteAccess(const ThreadContext &context, const CountedSite &site, uint32_t lanes,
                const uint64_t *addresses) {
  if (!heldBlock(context).caches)
    return;
  const AccessSectors touched = sectorsOf(site, lanes, addresses);
  noteSectors(context, site, touched.sectors.data(), touched.count);
}

// Adds what the caches have done to the accesses' counters.
void settleCaches(Counting &counting, LaunchCounts &result) {
  for (HeldBlock &held : counting.blocks)
    if (held.noted)
      counting.caches->end(*held.noted);
  counting.caches->finish();
  result.dram_written = counting.caches->dramWritten();
  for (uint32_t i = 0; i < result.sites->count; ++i) {
    const CountedSite &site = *result.sites->sites[i];
    if (site.kind != CountedKind::Access)
      continue;
    const CacheTraffic &traffic = counting.caches->traffic(replayNumber(site.first_counter));
    uint64_t *counters = result.counters.data() + site.first_counter;
    counters[access_l1_sectors] += traffic.l1_sectors;
    counters[access_l1_hits] += traffic.l1_hits;
    counters[access_l2_sectors] += traffic.l2_sectors;
    counters[access_l2_hits] += traffic.l2_hits;
    counters[access_dram_sectors] += traffic.dram_sectors;
  }
}

// Lanes that access shared memory, which lies below 4 GiB (device memory does not).
uint32_t sharedLanes(uint32_t lanes, const uint64_t *addresses) {
  uint32_t shared = 0;
  forEachLane(lanes,
              [&](uint32_t lane) { shared |= uint32_t(addresses[lane] >> 32 == 0) << lane; });
  return shared;
}

} // namespace

void beginCounting(const Launch &launch, const std::optional<CacheSizes> &caches) {
  auto counting = std::make_shared<Counting>();
  counting->cache_sizes = caches;
  std::lock_guard lock(launches_mutex);
  counting->number = ++last_number;
  launches[&launch] = std::move(counting);
}

LaunchCounts endCounting(const Launch &launch) {
  std::shared_ptr<Counting> counting;
  {
    std::lock_guard lock(launches_mutex);
    counting = std::move(launches[&launch]);
    launches.erase(&launch);
  }
  LaunchCounts result;
  for (HeldBlock &held : counting->blocks)
    settlePairs(held);
  for (WorkerCounts &worker : counting->workers) {
    settle(worker);
    if (!result.sites) {
      result.sites = &worker.sites;
      result.counters.resize(worker.counters.size());
      result.divergent_visits.resize(worker.divergent_visits.size());
    }
    for (size_t i = 0; i < worker.counters.size(); ++i)
      result.counters[i] += worker.counters[i];
    for (size_t slot = 0; slot < worker.divergent_visits.size(); ++slot) {
      const std::vector<uint64_t> &more = worker.divergent_visits[slot];
      std::vector<uint64_t> &all = result.divergent_visits[slot];
      all.resize(std::max(all.size(), more.size()));
      for (size_t k = 0; k < more.size(); ++k)
        all[k] += more[k];
    }
    result.warps_diverged += worker.warps_diverged;
    keepWorse(result.samples, worker.samples.all());
  }
  if (counting->caches)
    settleCaches(*counting, result);
  return result;
}

void forEachUnfinished(
    const std::function<void(const Launch &launch, const LaunchCounts &counts)> &tell) {
  // Workers go on adding: what is read is a moment's.
  const auto now = [](uint64_t &number) { return __atomic_load_n(&number, __ATOMIC_RELAXED); };
  std::lock_guard lock(launches_mutex);
  for (const auto &[launch, counting] : launches) {
    std::lock_guard lock_workers(counting->mutex);
    LaunchCounts result;
    for (WorkerCounts &worker : counting->workers) {
      WorkerCounts copy(worker.sites);
      for (size_t i = 0; i < copy.counters.size(); ++i)
        copy.counters[i] = now(worker.counters[i]);
      for (size_t i = 0; i < copy.patterns.size(); ++i) {
        AddressPattern &pattern = worker.patterns[i];
        copy.patterns[i] = {now(pattern.key), now(pattern.stride), now(pattern.step),
                            now(pattern.requests)};
      }
      settle(copy);
      result.sites = &worker.sites;
      result.counters.resize(copy.counters.size());
      for (size_t i = 0; i < copy.counters.size(); ++i)
        result.counters[i] += copy.counters[i];
      result.divergent_visits.resize(worker.sites.visit_slots);
      result.warps_diverged += now(worker.warps_diverged);
    }
    tell(*launch, result);
  }
}

void attachCounts(ExtendedBlockContext &block, const Launch &launch, const CountedSites *sites) {
  block.counted = nullptr;
  const std::shared_ptr<Counting> counting = sites ? countingOf(launch) : nullptr;
  if (!counting)
    return;
  WorkerCounts &worker = workerOf(*counting, *sites);
  const uint64_t threads = uint64_t(block.block_dim[0]) * block.block_dim[1] * block.block_dim[2];
  const uint64_t warps = (threads + warp_size - 1) / warp_size;
  std::lock_guard lock(counting->mutex);
  HeldBlock &held = counting->blocks.emplace_back();
  held.worker = &worker;
  if (counting->cache_sizes && !counting->caches)
    counting->caches = std::make_unique<CacheReplay>(
        *counting->cache_sizes,
        CacheReplay::Shape{.multiprocessors = std::max(1u, launch.device.multiprocessors),
                           .blocks_each = launch.device.max_resident_blocks,
                           .warps = uint32_t(warps),
                           .sites = replayNumber(sites->counters) + 1});
  held.caches = counting->caches.get();
  held.all_visits.resize(warps * sites->visit_slots);
  if (sites->in_pairs)
    held.pairs.resize((warps + 1) / 2);
  held.counters = worker.counters.data();
  held.visits = held.all_visits.data();
  held.patterns = worker.patterns.data();
  block.counted = &held;
}

void restartCounts(ExtendedBlockContext &block) {
  auto &held = *static_cast<HeldBlock *>(block.counted);
  std::fill(held.all_visits.begin(), held.all_visits.end(), 0u);
  settlePairs(held);
}

void countAccess(GangContext *gang, const CountedSite *site, uint32_t lanes,
                 const uint64_t *addresses) {
  if (!lanes)
    return;
  uint64_t *counters = countersOf(*gang, *site);
  const bool atomic = site->access == AccessKind::Atomic;
  const auto count = [&](uint64_t *to, AccessSpace space, uint32_t some) {
    add(*heldBlock(*gang).worker, to, some, requestOf(space, some, addresses, site->bytes, atomic),
        addresses);
  };
  if (site->space != AccessSpace::Generic) {
    count(counters, site->space, lanes);
    if (site->space == AccessSpace::Global || site->space == AccessSpace::Local)
      noteAccess(*gang, *site, lanes, addresses);
    return;
  }
  const uint32_t shared = sharedLanes(lanes, addresses);
  if (const uint32_t global = lanes & ~shared) {
    count(counters, AccessSpace::Global, global);
    noteAccess(*gang, *site, global, addresses);
  }
  if (shared)
    count(counters + access_counters, AccessSpace::Shared, shared);
}

namespace {

void countFetched(const ThreadContext &context, const CountedSite &site, uint32_t lanes,
                  const FetchLanes &fetched) {
  uint64_t *counters = countersOf(context, site);
  const uint32_t threads = threadsOfRequest(site.what);
  for (uint32_t first = 0; first < warp_size; first += threads) {
    const uint32_t some = lanes & ((1u << threads) - 1) << first;
    if (!some)
      continue;
    const Fetched found = findFetched(site.what, some, fetched);
    if (!found.lanes) // all outside of a surface
      continue;
    add(*heldBlock(context).worker, counters, found.lanes, found.request, found.addresses);
    counters[access_bytes] += found.bytes;
    if (heldBlock(context).caches)
      noteSectors(context, site, found.sectors.data(), found.sectors.size(),
                  first + threads >= uint32_t(std::bit_width(lanes)));
  }
}

} // namespace

void countFetch(GangContext *gang, const CountedSite *site, uint32_t lanes,
                const FetchLanes *fetched) {
  if (lanes)
    countFetched(*gang, *site, lanes, *fetched);
}

void countThreadFetch(ThreadContext *thread, const CountedSite *site, uint64_t handle, uint32_t x,
                      uint32_t y, uint32_t z, uint32_t layer, float level) {
  if (!static_cast<const ExtendedBlockContext *>(thread->block)->counted)
    return;
  const uint32_t lane = thread->linear_index % warp_size;
  FetchLanes fetched;
  fetched.handle[lane] = handle;
  fetched.x[lane] = x;
  fetched.y[lane] = y;
  fetched.z[lane] = z;
  fetched.layer[lane] = layer;
  fetched.level[lane] = level;
  countFetched(*thread, *site, 1u << lane, fetched);
}

void countPattern(GangContext *gang, const CountedSite *site, AddressPattern *place, uint64_t key,
                  uint64_t stride, uint64_t step) {
  settle(*heldBlock(*gang).worker, *site, *place);
  *place = {key, stride, step, 1};
}

void countDivergence(GangContext *gang, const CountedSite *site) {
  HeldBlock &held = heldBlock(*gang);
  WorkerCounts &worker = *held.worker;
  uint64_t *counters = held.counters + site->first_counter;
  ++counters[branch_divergent];
  uint32_t *visits =
      held.visits + size_t(gang->linear_index / warp_size) * worker.sites.visit_slots;
  uint32_t &here = visits[site->visit_slot];
  if (!(here & has_diverged)) {
    here |= has_diverged;
    ++counters[branch_warps_diverging];
  }
  if (!(visits[0] & has_diverged)) {
    visits[0] |= has_diverged;
    ++worker.warps_diverged;
  }
  // The code has counted this visit already.
  const uint32_t visit = std::min((here & ~has_diverged) - 1, most_visits - 1);
  std::vector<uint64_t> &all = worker.divergent_visits[site->visit_slot];
  if (all.size() <= visit)
    all.resize(visit + 1);
  ++all[visit];
}

void countVisit(GangContext *gang, const CountedSite *site, uint32_t lanes, uint32_t taken,
                uint64_t key) {
  if (!lanes)
    return;
  const uint32_t warp = gang->linear_index / warp_size;
  heldBlock(*gang).pairs[warp / 2].visit(*site, warp % 2, lanes, taken, key);
}

void countThread(ThreadContext *thread, const CountedSite *site, uint64_t address) {
  if (!static_cast<const ExtendedBlockContext *>(thread->block)->counted)
    return;
  uint64_t *counters = countersOf(*thread, *site);
  if (site->kind == CountedKind::Block) {
    ++counters[block_warps];
    ++counters[block_threads];
  } else if (site->kind == CountedKind::Access) {
    const uint32_t lane = thread->linear_index % warp_size;
    uint64_t addresses[warp_size] = {};
    addresses[lane] = address;
    AccessSpace space = site->space;
    if (space == AccessSpace::Generic) {
      space = address >> 32 == 0 ? AccessSpace::Shared : AccessSpace::Global;
      counters += space == AccessSpace::Shared ? access_counters : 0;
    }
    add(*heldBlock(*thread).worker, counters, 1u << lane,
        requestOf(space, 1u << lane, addresses, site->bytes, site->access == AccessKind::Atomic),
        addresses);
    if (space == AccessSpace::Global || space == AccessSpace::Local)
      noteAccess(*thread, *site, 1u << lane, addresses);
  }
}

} // namespace heddle::engine::observe
