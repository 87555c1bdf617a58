// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/classify.h"

#include "__heddle/texture/descriptor.h"
#include "engine/observe/fetch_site.h"
#include "engine/warp.h"
#include "support/paths.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace heddle::check {

using engine::observe::AccessKind;

const char *verbOf(AccessKind kind) {
  switch (kind) {
  case AccessKind::Load:
    return "read";
  case AccessKind::Store:
    return "write";
  case AccessKind::Atomic:
    return "atomic operation";
  default:
    return "access";
  }
}

const char *verbOf(const engine::observe::Site &site) {
  if (site.flags & engine::observe::through_texture)
    return "texture fetch";
  if (site.flags & engine::observe::through_surface)
    return site.kind == AccessKind::Load ? "surface read" : "surface write";
  return verbOf(site.kind);
}

namespace {

using engine::observe::Access;
using engine::observe::Site;

constexpr uint32_t global_space = 1; // PTX's number; also of what is nowhere

// Below this, an address is null plus an offset in an array or a structure.
constexpr uint64_t near_null = 1 << 16;
// Farther from the block's shared memory than this, a pointer is not one to it.
constexpr uint64_t most_before_shared = 1 << 24;
// Farther from any allocation than this, a pointer is not one that went too far.
constexpr uint64_t most_past = uint64_t(1) << 32;

constexpr uint32_t of_fetch = engine::observe::through_texture | engine::observe::through_surface;

// What stands where a texture's or surface's memory should (texture/descriptor.h).
struct NoTexels {
  Kind kind;
  const char *why;
};
std::optional<NoTexels> noTexelsAt(uint64_t address) {
  using namespace texture;
  const auto isAt = [&](uint64_t base) { return address - base < room_for_offsets; };
  if (isAt(texels_freed))
    return NoTexels{Kind::UseAfterFree, "in an array that has been freed"};
  if (isAt(object_destroyed))
    return NoTexels{Kind::UseAfterFree, "by a texture or surface object that has been destroyed"};
  if (isAt(outside_surface))
    return NoTexels{Kind::OutOfBounds, "outside of the surface (cudaBoundaryModeTrap)"};
  return std::nullopt;
}

bool isMapped(uint64_t address) {
  const auto page = uint64_t(sysconf(_SC_PAGESIZE));
  unsigned char resident;
  return mincore(reinterpret_cast<void *>(address / page * page), page, &resident) == 0;
}

void placeThread(const Access &access, uint32_t lane, WrongAccess &wrong) {
  for (int i = 0; i < 3; ++i)
    wrong.block[size_t(i)] = access.block.block_index[i];
  const uint32_t linear = access.first_thread + lane;
  const uint32_t *dim = access.block.block_dim;
  wrong.thread = {linear % dim[0], linear / dim[0] % dim[1], linear / dim[0] / dim[1]};
}

bool isInVariable(const Site &site) {
  return site.variable_bytes != engine::observe::unknown_bytes;
}

void classifyVariable(const Access &access, uint64_t address, WrongAccess &wrong) {
  wrong.offset = int64_t(address - reinterpret_cast<uintptr_t>(access.base));
  wrong.object.bytes = variableBytes(access);
  wrong.kind = !access.base             ? Kind::LocalOutOfBounds
               : access.site.space == 3 ? Kind::SharedOutOfBounds
                                        : Kind::OutOfBounds;
}

void useBlock(const Block &block, uint64_t address, Kind kind, WrongAccess &wrong) {
  wrong.kind = kind;
  wrong.object = block;
  wrong.offset = int64_t(address - block.base);
}

uint64_t distance(const Block &block, uint64_t address) {
  return address < block.base ? block.base - address : address - block.end();
}

bool isNearShared(const Access &access, uint64_t address) {
  constexpr uint64_t lowest = uint64_t(1) << 32; // shared memory lies below, and nothing else does
  return access.site.space == 3 || address < lowest;
}

void classifyAddress(const Access &access, uint64_t address, const MemoryMap &memory,
                     WrongAccess &wrong) {
  if (const auto none = noTexelsAt(address)) {
    wrong.kind = none->kind;
    wrong.address = address;
    return;
  }
  const uint64_t base = reinterpret_cast<uintptr_t>(access.base);
  if (const auto meant = base ? memory.alive(base) : std::nullopt)
    return useBlock(*meant, address, Kind::OutOfBounds, wrong);
  if (const auto meant = base ? memory.freed(base) : std::nullopt)
    return useBlock(*meant, address, Kind::UseAfterFree, wrong);
  if (const auto freed = memory.freed(address))
    return useBlock(*freed, address, Kind::UseAfterFree, wrong);
  if (const auto alive = memory.alive(address)) // across its end
    return useBlock(*alive, address, Kind::OutOfBounds, wrong);
  wrong.address = address;
  if (address < near_null) {
    wrong.kind = Kind::NullPointer;
    return;
  }
  if (isNearShared(access, address) &&
      (access.site.space == 3 ||
       address - reinterpret_cast<uintptr_t>(access.block.shared) + most_before_shared <
           2 * most_before_shared)) {
    wrong.kind = Kind::SharedOutOfBounds;
    wrong.object.bytes = sharedBytes(access);
    wrong.offset = int64_t(address - reinterpret_cast<uintptr_t>(access.block.shared));
    return;
  }
  const engine::Allocations *allocations = access.launch.device.allocations;
  const bool of_device = allocations && allocations->isOurs(reinterpret_cast<void *>(address));
  if (!of_device && isMapped(address)) {
    wrong.kind = Kind::HostPointer;
    return;
  }
  if (const auto near = memory.nearest(address);
      near && of_device && distance(*near, address) < most_past)
    return useBlock(*near, address, Kind::OutOfBounds, wrong);
  wrong.kind = Kind::WildPointer;
}

// "4 bytes past the end of", "before the beginning of", "byte 12 of".
std::string whereIn(const WrongAccess &wrong) {
  const int64_t size = int64_t(wrong.object.bytes);
  if (wrong.kind == Kind::UseAfterFree || (wrong.offset >= 0 && wrong.offset < size))
    return fmt::format("at byte {} of", wrong.offset);
  if (wrong.offset < 0)
    return fmt::format("{} bytes before the beginning of", -wrong.offset);
  if (wrong.offset == size)
    return "just past the end of";
  return fmt::format("{} bytes past the end of", wrong.offset - size);
}

std::string objectOf(const WrongAccess &wrong, const Site &site) {
  if (wrong.object.number)
    return describe(wrong.object);
  switch (wrong.kind) {
  case Kind::SharedOutOfBounds:
  case Kind::Uninitialised:
    if (!site.variable)
      return fmt::format("the block's shared memory of {} bytes", wrong.object.bytes);
    return fmt::format("the shared array {} of {} bytes", site.variable, wrong.object.bytes);
  case Kind::LocalOutOfBounds:
    return fmt::format("a variable of {} bytes of the thread's own", wrong.object.bytes);
  default:
    return fmt::format("the {} variable {} of {} bytes",
                       site.space == 4 ? "__constant__" : "__device__",
                       site.variable ? site.variable : "(without a name)", wrong.object.bytes);
  }
}

std::string permissionsOf(const Block &block) {
  using namespace engine::observe;
  switch (block.permissions & all_permissions) {
  case 0:
    return "inaccessible";
  case may_read:
    return "readable alone";
  case may_write:
    return "writable alone";
  case may_read | may_write:
    return "no memory of atomic operations";
  case may_do_atomics:
    return "memory of atomic operations alone";
  case may_read | may_do_atomics:
    return "not writable but by atomic operations";
  default:
    return "not readable but by atomic operations";
  }
}

std::string tell(const WrongAccess &wrong, const Site &site) {
  const std::string access = fmt::format("{} of {} bytes", verbOf(site), wrong.bytes);
  if (const auto none = noTexelsAt(wrong.address))
    return access + ' ' + none->why;
  if (site.flags & of_fetch && wrong.bytes == sizeof(texture::Descriptor))
    return fmt::format("{} by the handle {:#x}, which is no texture or surface object",
                       verbOf(site), wrong.address);
  switch (wrong.kind) {
  case Kind::NullPointer:
    return fmt::format("{} at address {:#x}", access, wrong.address);
  case Kind::HostPointer:
    return access + " in memory of the host that CUDA does not know";
  case Kind::WildPointer:
    return access + " at an address in no allocation";
  case Kind::Misaligned:
    return fmt::format("{} at an address that is not a multiple of {}", access, site.alignment);
  case Kind::UseAfterFree:
    return access + " in memory that has been freed";
  case Kind::Forbidden:
    return fmt::format("{} in memory that the program has made {} for kernels", access,
                       permissionsOf(wrong.object));
  case Kind::Uninitialised:
    return access + " that were never written, " + whereIn(wrong) + ' ' +
           (wrong.object.number ? "an allocation" : objectOf(wrong, site));
  default:
    if (wrong.offset >= 0 && wrong.offset < int64_t(wrong.object.bytes))
      return access + " across the end of " +
             (wrong.object.number ? "an allocation" : objectOf(wrong, site));
    return fmt::format("{} {} {}", access, whereIn(wrong),
                       wrong.object.number ? "an allocation" : objectOf(wrong, site));
  }
}

} // namespace

std::vector<Place> placesOf(const Site &site, const std::string &kernel) {
  std::vector<Place> places;
  const engine::observe::Frame *frame = site.frame;
  // The innermost place in the program's own code: our headers are not its author's concern.
  while (frame && frame->caller && (frame->line == 0 || isInternalHeader(frame->file)))
    frame = frame->caller;
  for (; frame; frame = frame->caller)
    if (!isInternalHeader(frame->file))
      places.push_back({frame->function, frame->file, frame->line, frame->column});
  // Line tables have functions' names without parameters.
  if (!places.empty() && kernel.find(places.back().function) != std::string::npos)
    places.back().function = kernel;
  return places;
}

WrongAccess classify(const Access &access, uint32_t lane, const MemoryMap &memory) {
  WrongAccess wrong;
  placeThread(access, lane, wrong);
  const uint64_t address = access.addresses[lane];
  wrong.bytes = access.bytes[lane];
  const Site &site = access.site;
  const bool own = access.hasOffsets();
  const auto block = own ? std::nullopt : memory.alive(address);
  // Where there is no memory, that is worse than being misaligned.
  const auto there = [&] {
    return block || isInVariable(site) || access.spaceOf(address) != global_space;
  };
  if (!own && (address & (site.alignment - 1)) && there()) {
    wrong.kind = Kind::Misaligned;
    if (block) {
      wrong.object = *block;
      wrong.offset = int64_t(address - block->base);
    }
  } else if (isInVariable(site)) {
    classifyVariable(access, address, wrong);
  } else {
    classifyAddress(access, address, memory, wrong);
  }
  return wrong;
}

WrongAccess classifyUnwritten(const Access &access, uint32_t lane, uint64_t first,
                              const MemoryMap &memory) {
  WrongAccess wrong;
  placeThread(access, lane, wrong);
  wrong.kind = Kind::Uninitialised;
  wrong.bytes = access.bytes[lane];
  if (const auto block = memory.alive(first)) {
    useBlock(*block, first, wrong.kind, wrong);
  } else if (isInVariable(access.site)) {
    wrong.object.bytes = variableBytes(access);
    wrong.offset = int64_t(first - reinterpret_cast<uintptr_t>(access.base));
  } else {
    wrong.object.bytes = sharedBytes(access);
    wrong.offset = int64_t(first - reinterpret_cast<uintptr_t>(access.block.shared));
  }
  return wrong;
}

WrongAccess classifyForbidden(const Access &access, uint32_t lane, const Block &block) {
  WrongAccess wrong;
  placeThread(access, lane, wrong);
  wrong.bytes = access.bytes[lane];
  useBlock(block, access.addresses[lane], Kind::Forbidden, wrong);
  return wrong;
}

uint64_t sharedBytes(const Access &access) {
  const engine::BlockContext &block = access.block;
  return block.dynamic_shared_bytes
             ? uint64_t(block.dynamic_shared - block.shared) + block.dynamic_shared_bytes
             : access.launch.program->info().shared_bytes;
}

Finding describe(const WrongAccess &wrong, const Site &site, const std::string &kernel,
                 uint64_t count) {
  Finding finding;
  finding.kind = wrong.kind;
  finding.what = tell(wrong, site);
  if (wrong.object.number)
    finding.object = fmt::format("{} {}", whereIn(wrong), describe(wrong.object));
  if (wrong.kind == Kind::UseAfterFree)
    if (const std::string where = describe(wrong.object.freed); !where.empty())
      finding.freed = "freed in " + where;
  finding.kernel = kernel;
  finding.places = placesOf(site, kernel);
  finding.block = wrong.block;
  finding.thread = wrong.thread;
  wrong.launched.describe(finding.launched, finding.launcher);
  finding.count = count;
  finding.bytes = wrong.bytes;
  finding.access = verbOf(site.kind);
  if (site.variable)
    finding.variable = site.variable;
  return finding;
}

std::string describe(const Block &block) {
  const std::string size = fmt::format("the allocation of {} bytes{}", block.bytes,
                                       block.name.empty() ? "" : " called " + block.name);
  if (block.heap)
    return size + " from malloc or new in a kernel";
  if (const std::string where = describe(block.allocated); !where.empty())
    return fmt::format("{} by {} in {}", size,
                       block.allocated.function ? block.allocated.function : "a library", where);
  return size;
}

} // namespace heddle::check
