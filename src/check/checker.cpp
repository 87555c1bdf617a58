// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/checker.h"

#include "check/classify.h"
#include "engine/abi_extensions.h"
#include "engine/observe/fetch_site.h"
#include "engine/warp.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

namespace heddle::check {
namespace {

using engine::observe::Access;
using engine::observe::AddressRows;
using engine::observe::ExtentSlot;
using engine::observe::Site;

/// PTX's numbers of state spaces (engine/schedule/services.h).
enum Space : uint32_t { Shared = 3, Constant = 4, Local = 5, Parameter = 101 };

uint64_t addressOf(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

/// The allocation that a site accessed last, while allocations stay as they are.
struct LastBlock {
  const Site *site = nullptr;
  const void *pointer = nullptr; // Access::base
  uint64_t changes = ~uint64_t(0), base = 0, end = 0;
};

LastBlock &lastBlockOf(const Site &site) {
  constexpr size_t places = 64; // a power of two
  thread_local LastBlock last[places];
  return last[reinterpret_cast<uintptr_t>(&site) / sizeof(Site) % places];
}

bool isWithin(uint64_t address, uint64_t bytes, const void *begin, uint64_t size) {
  const uint64_t offset = address - reinterpret_cast<uintptr_t>(begin);
  return bytes <= size && offset <= size - bytes;
}

bool isInShared(const Access &access, uint64_t address, uint64_t bytes) {
  const engine::BlockContext &block = access.block;
  const uint64_t size = sharedBytes(access);
  if (isWithin(address, bytes, block.shared, size))
    return true;
  const auto *cluster = static_cast<const engine::ExtendedBlockContext &>(block).cluster;
  if (!cluster)
    return false;
  for (uint32_t i = 0; i < cluster->blocks; ++i)
    if (isWithin(address, bytes, cluster->shared[i], size))
      return true;
  // What the engine keeps of the cluster and its barrier, for the device's library.
  return isWithin(address, bytes, cluster, sizeof *cluster) ||
         isWithin(address, bytes, cluster->arrived, sizeof *cluster->arrived) ||
         isWithin(address, bytes, cluster->generation, sizeof *cluster->generation) ||
         isWithin(address, bytes, cluster->arrival,
                  access.launch.block.count() * sizeof *cluster->arrival);
}

const void *libraryOf(const void *address) {
  Dl_info info{};
  return dladdr(address, &info) ? info.dli_fbase : nullptr;
}

bool isInGlobals(const Access &access, uint64_t address, uint64_t bytes) {
  const ImageInfo &image = access.launch.program->info();
  return access.launch.globals &&
         isWithin(address, bytes, access.launch.globals, image.globals_bytes);
}

} // namespace

// Our own library's constants too: kernels may ask for the names of errors.
Checker::Checker(std::string folder, Checks checks)
    : folder_(std::move(folder)), races_(checks.races ? std::make_unique<RaceChecker>() : nullptr),
      unwritten_(checks.init ? std::make_unique<Unwritten>() : nullptr), api_(checks.api),
      unused_(checks.unused) {
  codeLoaded(reinterpret_cast<const void *>(&isWithin));
  write(false); // the program may crash before anything is found
}

void Checker::codeLoaded(const void *table) {
  std::lock_guard lock(code_mutex_);
  code_.insert(libraryOf(table));
}

// Constants that no variable has: strings, virtual tables.
bool Checker::isInCode(uint64_t address) const {
  const void *library = libraryOf(reinterpret_cast<const void *>(address));
  std::shared_lock lock(code_mutex_);
  return library && code_.contains(library);
}

uint64_t variableBytes(const Access &access) {
  return access.site.variable_bytes == engine::observe::dynamic_shared_bytes
             ? access.block.dynamic_shared_bytes
             : access.site.variable_bytes;
}

// By what the program has told of its memory. A pointer to one piece of it is not one to another.
bool Checker::allowsTold(const Access &access, uint64_t address, uint64_t bytes,
                         engine::Extent &extent) const {
  if (!told_.allows(access.site.kind, address, bytes, extent))
    return false;
  // But where a pool begins, the pointer may be to all of it.
  const uint64_t meant = addressOf(access.base);
  const auto piece = told_.isPool(meant) ? std::nullopt : told_.mapOf(meant).alive(meant);
  return !piece || piece->holds(address, bytes);
}

// `extent` becomes the memory that the access may be in, if that is known.
bool Checker::isRight(const Access &access, uint32_t lane, ExtentSlot &extent) const {
  const Site &site = access.site;
  const uint64_t address = access.addresses[lane], bytes = access.bytes[lane];
  if (bytes == 0)
    return true;
  if (access.hasOffsets())
    return isWithin(address, bytes, nullptr, site.variable_bytes);
  if (address & (site.alignment - 1))
    return false;
  if (site.variable_bytes != engine::observe::unknown_bytes) {
    const uint64_t base = reinterpret_cast<uintptr_t>(access.base);
    extent = {base, base + variableBytes(access)};
    return isWithin(address, bytes, access.base, variableBytes(access));
  }
  LastBlock &last = lastBlockOf(site);
  const uint64_t changes = engine::observe::memory_changes.load(std::memory_order_acquire);
  if (last.site == &site && last.pointer == access.base && last.changes == changes &&
      address >= last.base && address < last.end && bytes <= last.end - address) {
    extent = {last.base, last.end};
    return true;
  }
  const engine::Allocations *allocations = access.launch.device.allocations;
  engine::Extent found;
  if (allocations && allocations->find(reinterpret_cast<const void *>(address), found)) {
    if (!isWithin(address, bytes, found.base, found.bytes))
      return false;
    engine::Extent meant; // by the pointer that the address was computed from
    if (access.base && allocations->find(access.base, meant) && meant.base != found.base)
      return false;
    if (told_.any() && !allowsTold(access, address, bytes, found))
      return false;
    const uint64_t base = reinterpret_cast<uintptr_t>(found.base);
    extent = {base, base + found.bytes};
    last = {&site, access.base, changes, extent.begin, extent.end};
    return true;
  }
  if (isInShared(access, address, bytes))
    return true;
  if (const auto block = memory_.alive(address); block && block->heap)
    return block->holds(address, bytes);
  if (const auto block = lent_.alive(address))
    return block->holds(address, bytes);
  const uint32_t space = access.spaceOf(address);
  return space == Local || space == Parameter || isInGlobals(access, address, bytes) ||
         isInCode(address);
}

// Where a warp's accesses lie, and the bits that its addresses have.
struct Checker::Span {
  uint64_t lowest = ~uint64_t(0), highest = 0, bits = 0, bytes = 0;
  void add(uint64_t address) {
    lowest = std::min(lowest, address);
    highest = std::max(highest, address);
    bits |= address;
  }
  explicit Span(const Access &access) {
    engine::forEachLane(access.lanes, [&](uint32_t lane) {
      add(access.addresses[lane]);
      bytes = std::max(bytes, access.bytes[lane]);
    });
  }
  // Addresses in rows are aligned as the first ones are, or as the stride is.
  Span(const AddressRows &rows, uint32_t lanes) : bytes(rows.bytes) {
    const uint32_t row_lanes = rows.length == 32 ? ~0u : (1u << rows.length) - 1;
    for (uint32_t row = 0, before = 0; before < 32; ++row, before += rows.length) {
      const uint32_t in_row = lanes >> before & row_lanes;
      if (!in_row)
        continue;
      const auto place = [&](int lane) {
        return rows.firsts[row] + uint64_t(rows.stride) * uint64_t(lane);
      };
      add(place(std::countr_zero(in_row)));
      add(place(31 - std::countl_zero(in_row)));
      if (!std::has_single_bit(in_row))
        bits |= uint64_t(rows.stride);
    }
  }
  bool isAligned(uint64_t alignment) const { return !(bits & (alignment - 1)); }
};

// For a whole warp: everything lies within the extent that is known. The code has asked that
// before, but of lanes that are not here, too.
static bool isWithinSlot(const Access &access, uint64_t lowest, uint64_t highest, uint64_t bytes) {
  return lowest >= access.slot->begin && highest < access.slot->end &&
         bytes <= access.slot->end - highest;
}

// The common case, for a whole warp: everything lies within the variable, or within the allocation
// that the site accessed last.
bool Checker::allWithin(const Access &access, const Span &span) {
  const Site &site = access.site;
  const uint64_t extent = span.highest - span.lowest + span.bytes;
  if (extent < span.bytes)
    return false;
  if (site.variable_bytes != engine::observe::unknown_bytes)
    return (!access.base || span.isAligned(site.alignment)) &&
           isWithin(span.lowest, extent, access.base, variableBytes(access));
  const LastBlock &last = lastBlockOf(site);
  return span.isAligned(site.alignment) && last.site == &site && last.pointer == access.base &&
         last.changes == engine::observe::memory_changes.load(std::memory_order_acquire) &&
         span.lowest >= last.base && span.lowest < last.end && extent <= last.end - span.lowest;
}

uint32_t Checker::events() const {
  using namespace engine::observe;
  return (races_ ? tell_accesses | tell_synchronisation : suspicious_accesses) |
         (unwritten_ ? uninitialised_reads : 0u);
}

// What the access reads has been told by another one.
static bool isTold(const Access &access) {
  return access.site.flags & engine::observe::of_texture_unit;
}

uint32_t Checker::access(const Access &access) {
  const bool told = isTold(access);
  const uint32_t seen =
      races_ && !told && access.site.space != Shared ? races_->seen(access, nullptr) : 0;
  if (seen && seen == access.lanes)
    return access.lanes;
  const Span span(access);
  if (access.slot && span.isAligned(access.site.alignment) &&
      isWithinSlot(access, span.lowest, span.highest, span.bytes))
    return access.lanes;
  ExtentSlot extent = engine::observe::empty_slot;
  const uint32_t allowed =
      !access.slot && allWithin(access, span) ? access.lanes : checkEach(access, extent);
  bool right = allowed == access.lanes;
  if (unwritten_)
    extent = unwritten_->look(access, allowed, extent, [&](uint32_t lane, uint64_t first) {
      right = false;
      if (!told)
        keep(access, classifyUnwritten(access, lane, first, told_.mapOf(first)));
    });
  if (access.slot && extent.begin < extent.end)
    *access.slot = extent;
  if (races_ && !told)
    races_->access(access, allowed & ~seen, right);
  return allowed;
}

bool Checker::accessRows(const Access &access, const AddressRows &rows) {
  if (!races_ || access.slot)
    return false;
  if (isTold(access))
    return allWithin(access, Span(rows, access.lanes));
  if (access.site.space != Shared && races_->seen(access, &rows))
    return true;
  if (!allWithin(access, Span(rows, access.lanes)) ||
      (unwritten_ && !unwritten_->lookAtRows(access, rows)))
    return false;
  races_->accessRows(access, rows);
  return true;
}

uint32_t Checker::checkEach(const Access &access, ExtentSlot &extent) {
  uint32_t allowed = access.lanes;
  engine::forEachLane(access.lanes, [&](uint32_t lane) {
    if (isRight(access, lane, extent))
      return;
    allowed &= ~(1u << lane);
    if (!isTold(access))
      keep(access, whatIsWrong(access, lane));
  });
  return allowed;
}

WrongAccess Checker::whatIsWrong(const Access &access, uint32_t lane) const {
  if (!told_.any())
    return classify(access, lane, memory_);
  const uint64_t address = access.addresses[lane];
  if (const auto block = told_.forbidding(access.site.kind, address))
    return classifyForbidden(access, lane, *block);
  const MemoryMap &meant = told_.mapOf(addressOf(access.base));
  return classify(access, lane, &meant == &memory_ ? told_.mapOf(address) : meant);
}

void Checker::keep(const Access &access, WrongAccess wrong) {
  const KernelInfo &kernel = access.launch.program->info().kernels[size_t(access.launch.kernel)];
  wrong.launched = launches_.of(access.launch);
  std::lock_guard lock(mutex_);
  const std::string &name = *kernels_.insert(kernel.display_name).first;
  Caught &caught = caught_[{&access.site, &name, wrong.kind}];
  fresh_ = true;
  const auto place = [](const WrongAccess &w) {
    return std::tie(w.block[2], w.block[1], w.block[0], w.thread[2], w.thread[1], w.thread[0],
                    w.object.number, w.offset, w.launched.order);
  };
  if (caught.count++ == 0 || place(wrong) < place(caught.first))
    caught.first = wrong;
}

void Checker::issued(const engine::observe::StreamPoint &work,
                     const std::vector<engine::observe::StreamPoint> &after) {
  api_.issued(work);
  launches_.issued(work);
  if (races_)
    races_->issued(work, after);
}

void Checker::hostWaited(const engine::observe::StreamPoint &point) {
  api_.hostWaited(point);
  if (races_)
    races_->hostWaited(point);
}

void Checker::workBegin(const engine::observe::StreamPoint &work) {
  launches_.begin(work);
  RaceChecker::workBegin(work);
}

void Checker::partBegin(const void *part, const std::vector<const void *> &after) {
  if (races_)
    races_->partBegin(part, after);
}

void Checker::partsJoin() {
  if (races_)
    RaceChecker::partsJoin();
}

void Checker::kernelBegin(const engine::Launch &launch) {
  writeFromNowOn();
  launches_.kernelBegin(launch);
  if (races_)
    races_->kernelBegin(launch, launches_.of(launch));
}

void Checker::blockBegin(const engine::Launch &launch, const engine::BlockContext &block) {
  if (races_)
    races_->blockBegin(launch, block);
}

void Checker::blocksStuck(const engine::Launch &launch) {
  if (races_)
    races_->stuck(launch);
}

void Checker::synchronise(const Access &at) {
  if (at.site.kind == engine::observe::AccessKind::Source)
    Unwritten::noteSource(at);
  else if (races_)
    races_->synchronise(at);
}

void Checker::kernelEnd(const engine::Launch &launch) {
  if (races_)
    races_->kernelEnd(launch);
  launches_.kernelEnd(launch);
  writeNews();
}

// A kernel may never end, and its process be killed; a process that was forked has no threads yet.
void Checker::writeFromNowOn() {
  if (writer_.exchange(int(getpid())) == int(getpid()))
    return;
  std::thread([this] {
    sigset_t all; // the program's signals are for its own threads
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    for (;;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      writeNews();
    }
  }).detach();
}

void Checker::writeNews() {
  bool fresh = races_ && races_->isFresh();
  fresh |= host_accesses_.isFresh();
  {
    std::lock_guard lock(mutex_);
    fresh |= fresh_;
  }
  if (fresh)
    write(false);
}

void Checker::keepCall(Finding finding, const HostPlace &place) {
  if (const std::string where = describe(place); !where.empty())
    finding.what += " in " + where;
  std::lock_guard lock(mutex_);
  for (Finding &known : calls_)
    if (known.kind == finding.kind && known.what == finding.what) {
      ++known.count;
      return;
    }
  calls_.push_back(std::move(finding));
  fresh_ = true;
}

namespace {

const char *callName(const HostPlace &place, const char *otherwise) {
  return place.function ? place.function : otherwise;
}

void addLeaks(const std::vector<Block> &blocks, std::vector<Finding> &findings) {
  for (const Block &block : blocks) {
    const std::string where = describe(block.allocated);
    if (block.heap || block.allocated.by_library || where.empty())
      continue;
    Finding leak;
    leak.kind = Kind::Leak;
    leak.what = fmt::format("{} bytes{} from {} in {} are never freed", block.bytes,
                            block.name.empty() ? "" : " called " + block.name,
                            callName(block.allocated, "an allocation"), where);
    leak.bytes = block.bytes;
    findings.push_back(leak);
  }
}

} // namespace

void Checker::addUnused(const Block &block, std::vector<Finding> &findings) const {
  const uint64_t bytes = unused_ && unwritten_ ? unwritten_->memory.unwrittenBytes(block.base) : 0;
  const std::string where = describe(block.allocated);
  if (!bytes || block.heap || block.allocated.by_library || where.empty())
    return;
  Finding unused;
  unused.kind = Kind::UnusedMemory;
  unused.what = fmt::format("{} of {} bytes{} from {} in {} are never written", bytes, block.bytes,
                            block.name.empty() ? "" : " called " + block.name,
                            callName(block.allocated, "an allocation"), where);
  unused.bytes = bytes;
  findings.push_back(std::move(unused));
}

void Checker::wrongFree(const void *pointer) {
  const uint64_t address = reinterpret_cast<uintptr_t>(pointer);
  const HostPlace place = callerOfLibrary();
  Finding finding;
  finding.kind = Kind::WrongFree;
  if (const auto freed = memory_.freed(address)) {
    finding.what = fmt::format("{} of memory that has been freed already", callName(place, "free"));
    finding.object = describe(*freed);
    if (const std::string where = describe(freed->freed); !where.empty())
      finding.freed = "freed in " + where;
  } else if (const auto block = memory_.alive(address); block && block->base != address) {
    finding.what = fmt::format("{} of a pointer {} bytes behind the beginning of an allocation",
                               callName(place, "free"), address - block->base);
    finding.object = describe(*block);
  } else {
    finding.what = fmt::format("{} of a pointer that was never allocated by its counterpart",
                               callName(place, "free"));
    if (block)
      finding.object = describe(*block);
  }
  keepCall(std::move(finding), place);
  ApiUse::told();
  write(false);
}

void Checker::wrongCopy(const void *pointer, size_t bytes) {
  const uint64_t address = reinterpret_cast<uintptr_t>(pointer);
  const HostPlace place = callerOfLibrary();
  Finding finding;
  finding.kind = Kind::WrongCopy;
  finding.bytes = bytes;
  if (const auto block = memory_.alive(address)) {
    finding.what = fmt::format("{} of {} bytes where {} are left", callName(place, "copy"), bytes,
                               block->end() - address);
    finding.object = describe(*block);
  } else if (const auto freed = memory_.freed(address)) {
    finding.what = fmt::format("{} of {} bytes from or to memory that has been freed",
                               callName(place, "copy"), bytes);
    finding.object = describe(*freed);
    if (const std::string where = describe(freed->freed); !where.empty())
      finding.freed = "freed in " + where;
  } else {
    finding.what = fmt::format("{} of {} bytes from or to memory that is not allocated",
                               callName(place, "copy"), bytes);
  }
  keepCall(std::move(finding), place);
  ApiUse::told();
  write(false);
}

void Checker::write(bool at_end) {
  std::lock_guard lock(mutex_);
  if (ended_)
    return;
  ended_ = at_end;
  fresh_ = false;
  std::vector<Finding> findings = calls_;
  for (const auto &[key, caught] : caught_)
    findings.push_back(describe(caught.first, *key.site, *key.kernel, caught.count));
  if (races_)
    for (Finding &finding : races_->findings(told_))
      findings.push_back(std::move(finding));
  for (Finding &finding : api_.findings(at_end))
    findings.push_back(std::move(finding));
  for (Finding &finding : host_accesses_.findings())
    findings.push_back(std::move(finding));
  addLeaks(reset_, findings);
  findings.insert(findings.end(), unused_blocks_.begin(), unused_blocks_.end());
  if (at_end) {
    addLeaks(memory_.all(), findings);
    for (const Block &block : memory_.all())
      addUnused(block, findings);
  }
  sortAndMerge(findings);
  nlohmann::json json = {{"complete", at_end}, {"findings", nlohmann::json::array()}};
  for (const Finding &finding : findings)
    json["findings"].push_back(toJson(finding));
  // Renamed when it is whole: the process may be killed at any time.
  const std::string path = fmt::format("{}/{}.json", folder_, int(getpid()));
  {
    std::ofstream file(path + ".part");
    file << json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (!file.flush())
      return;
  }
  std::error_code ignored;
  std::filesystem::rename(path + ".part", path, ignored);
}

} // namespace heddle::check
