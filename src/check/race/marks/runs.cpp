// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/race/marks/runs.h"

#include "engine/abi_extensions.h"

#include <algorithm>
#include <utility>

namespace heddle::check {
namespace {

using engine::observe::AccessKind;

constexpr engine::observe::Site sites_without_place[] = {siteWithoutPlace(AccessKind::Load),
                                                         siteWithoutPlace(AccessKind::Store),
                                                         siteWithoutPlace(AccessKind::Atomic)};

} // namespace

Runs::Runs() {
  for (const engine::observe::Site &site : sites_without_place)
    sites_.push_back(&site);
}

void Runs::launchBegin(const engine::Launch &launch, const RunPlace &place) {
  begin(launch, place, launch.program->info().kernels[size_t(launch.kernel)].display_name, false);
}

void Runs::transferBegin(const engine::Launch &launch, const RunPlace &place) {
  const char *call = place.place.place.function;
  begin(launch, place, call ? (place.part ? std::string("a node in ") : "") + call : "a copy",
        true);
}

void Runs::begin(const engine::Launch &launch, const RunPlace &place, const std::string &name,
                 bool transfer) {
  LaunchRun &run = launches_.emplace_back();
  static_cast<RunPlace &>(run) = place;
  run.kernel = &*kernels_.insert(name).first;
  run.transfer = transfer;
  run.block_dim = {launch.block.x, launch.block.y, launch.block.z};
  run.launch = &launch;
  ++running_launches_;
  run.before = streams.before(place.work);
  run.known_from = knownFrom(run);
  const auto number = uint32_t(launches_.size() - 1);
  newEpoch(number);
  if (run.before) { // noted transfers begin late
    std::vector<Begin> &begins = begins_[run.work.stream];
    const auto place = std::find_if(begins.rbegin(), begins.rend(), [&](const Begin &begin) {
      return begin.ticket <= run.work.ticket;
    });
    // As knownFrom wants it: the first segment of this launch and of those with later tickets.
    const auto next = place.base();
    const SegmentId first =
        next == begins.end() ? clocks.count() : std::min(clocks.count(), next->first);
    begins.insert(next, {run.work.ticket, first});
  }
  if (!run.part)
    return;
  std::vector<PartBegin> &parts = part_begins_[run.work.stream];
  if (!parts.empty() && launches_[parts.back().launch].work.ticket != run.work.ticket)
    parts.clear();
  parts.push_back({number, clocks.count()});
}

void Runs::newEpoch(uint32_t launch) {
  launches_[launch].epoch = clocks.newEpoch();
  launches_[launch].epoch_from = clocks.count();
}

// What comesBefore says, for all launches at once.
SegmentId Runs::knownFrom(const LaunchRun &launch) const {
  SegmentId from = clocks.count();
  if (!launch.before)
    return from;
  for (const auto &[stream, begins] : begins_) {
    if (stream == launch.work.stream)
      continue;
    // They are in the order of their tickets.
    const auto known = launch.before->find(stream);
    const uint64_t ticket = known == launch.before->end() ? 0 : known->second;
    const auto unknown = std::partition_point(
        begins.begin(), begins.end(), [&](const Begin &begin) { return begin.ticket <= ticket; });
    if (unknown != begins.end())
      from = std::min(from, unknown->first);
  }
  const auto parts = part_begins_.find(launch.work.stream);
  if (launch.part && parts != part_begins_.end())
    for (const PartBegin &part : parts->second)
      if (!isPartBefore(launches_[part.launch], launch))
        from = std::min(from, part.first);
  return from;
}

void Runs::forget() {
  clocks.forget();
  begins_.clear();
  part_begins_.clear();
  std::vector<LaunchRun>().swap(launches_);
  std::vector<BlockInfo>().swap(blocks_);
}

// Both are of one stream. Nodes of different launches of graphs follow each other as these do.
bool Runs::isPartBefore(const LaunchRun &first, const LaunchRun &second) {
  return first.work.ticket != second.work.ticket || !first.part || !second.part ||
         first.part == second.part || first.joins != second.joins ||
         second.parts_before->contains(first.part);
}

bool Runs::comesBefore(uint32_t first, uint32_t second) const {
  const LaunchRun &a = launches_[first], &b = launches_[second];
  if (!a.before || !b.before)
    return true; // what kernels launch
  if (a.work.stream == b.work.stream)
    return isPartBefore(a, b);
  const auto known = b.before->find(a.work.stream);
  return known != b.before->end() && known->second >= a.work.ticket;
}

bool Runs::isStale(const Mark &mark, const BlockRun &block, bool shared) const {
  const Segment &segment = clocks.segment(mark.segment);
  if (segment.block == block.number)
    return false;
  const auto isBefore = [&](uint32_t launch) {
    return launch != block.launch && comesBefore(launch, block.launch);
  };
  if (shared)
    return mark.segment < block.first && (mark.level != Level::Blocks || mark.who < block.first);
  return isBefore(launchOf(segment)) &&
         (mark.level != Level::Blocks || isBefore(launchOf(clocks.segment(mark.who))));
}

bool Runs::isPastLaunch(SegmentId segment) const {
  const LaunchRun &run = launches_[launchOf(clocks.segment(segment))];
  return !run.before || streams.hostKnows(run.work);
}

bool Runs::isPast(const Mark &mark) const {
  return !mayOverlap() ||
         (isPastLaunch(mark.segment) && (mark.level != Level::Blocks || isPastLaunch(mark.who)));
}

bool Runs::hostMayKnow(SegmentId segment) const {
  const LaunchRun &run = launches_[launchOf(clocks.segment(segment))];
  return !run.before || streams.hostMayKnow(run.work);
}

bool Runs::hostMayKnow(const Mark &mark) const {
  return hostMayKnow(mark.segment) && (mark.level != Level::Blocks || hostMayKnow(mark.who));
}

void Runs::writesForHost(uint32_t launch) {
  if (!std::exchange(launches_[launch].wrote_for_host, true))
    tellHost(launches_[launch]);
}

void Runs::fencesForHost(uint32_t launch) {
  if (!std::exchange(launches_[launch].fenced_for_host, true))
    tellHost(launches_[launch]);
}

void Runs::tellHost(const LaunchRun &run) {
  if (!run.wrote_for_host || !run.fenced_for_host)
    return;
  if (run.before)
    streams.tellHost(run.work);
  else
    streams.tellHostAll(); // launched by a kernel
}

void Runs::launchEnd(const engine::Launch &launch) {
  const uint32_t number = numberOf(launch);
  if (std::exchange(launches_[number].launch, nullptr))
    --running_launches_;
  std::erase_if(running_, [&](const auto &entry) { return entry.second->launch == number; });
  last_context_ = nullptr;
}

uint32_t Runs::numberOf(const engine::Launch &launch) const {
  for (size_t i = launches_.size(); i-- > 0;)
    if (launches_[i].launch == &launch)
      return uint32_t(i);
  return uint32_t(launches_.size() - 1); // the program's own, as an engine runs it
}

void Runs::blockBegin(const engine::Launch &launch, const engine::BlockContext &block) {
  const uint32_t number = numberOf(launch);
  auto &run = running_[&block];
  if (!run)
    run = std::make_unique<BlockRun>();
  run->context = &block;
  run->number = uint32_t(blocks_.size());
  run->launch = number;
  run->grid_generation = 0;
  std::copy_n(block.block_index, 3, run->index.begin());
  blocks_.push_back({run->launch, run->index});
  clocks.start(*run, uint32_t(launch.block.count()));
  // Blocks of a cluster begin one after the other, before any of them runs.
  if (const auto *cluster = static_cast<const engine::ExtendedBlockContext &>(block).cluster) {
    if (cluster->rank == 0)
      cluster_first_[cluster->arrived] = run->first;
    run->first = cluster_first_[cluster->arrived];
  }
  last_context_ = nullptr;
}

BlockRun &Runs::runOf(const engine::BlockContext &block) {
  if (last_context_ != &block) {
    last_ = running_.at(&block).get();
    last_context_ = &block;
  }
  return *last_;
}

std::vector<BlockRun *> Runs::blocksOf(uint32_t launch) {
  std::vector<BlockRun *> blocks;
  for (const auto &[context, run] : running_)
    if (run->launch == launch)
      blocks.push_back(run.get());
  std::sort(blocks.begin(), blocks.end(),
            [](const BlockRun *a, const BlockRun *b) { return a->number < b->number; });
  return blocks;
}

uint16_t Runs::number(const engine::observe::Site &site) {
  constexpr size_t most = 0xffff;
  Numbered &last =
      last_sites_[reinterpret_cast<uintptr_t>(&site) / sizeof(site) % std::size(last_sites_)];
  if (last.site == &site)
    return last.number;
  const auto [entry, fresh] = numbers_.try_emplace(&site, uint16_t(sites_.size()));
  if (fresh && sites_.size() < most)
    sites_.push_back(&site);
  else if (fresh) // more than that are not told apart
    entry->second = uint16_t(std::min(site.kind, AccessKind::Atomic));
  last = {&site, entry->second};
  return entry->second;
}

ThreadPlace Runs::place(uint32_t block, uint32_t thread) const {
  const BlockInfo &info = blocks_[block];
  const LaunchRun &launch = launches_[info.launch];
  const auto &dim = launch.block_dim;
  return {launch.kernel,
          info.index,
          {thread % dim[0], thread / dim[0] % dim[1], thread / dim[0] / dim[1]},
          launch.place,
          launch.transfer};
}

} // namespace heddle::check
