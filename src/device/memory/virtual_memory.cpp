// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/memory/virtual_memory.h"

#include "device/interprocess/shared_file.h"
#include "device/platform.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle {
namespace {

// Kernels may read a little past the ends of what they are given.
constexpr size_t slack = 64 << 10;

void *pointer(uintptr_t address) { return reinterpret_cast<void *>(address); }

bool aligned(size_t value) { return value % VirtualMemory::granularity == 0; }

/// Addresses with nothing behind them, at a multiple of `alignment`; null if there are none.
void *takeAddresses(size_t size, size_t alignment, uintptr_t wish, void *&whole, size_t &bytes) {
  bytes = size + alignment + 2 * slack;
  void *hint = wish ? pointer(wish - slack) : nullptr;
  whole = mmap(hint, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (whole == MAP_FAILED)
    return nullptr;
  const auto start = reinterpret_cast<uintptr_t>(whole) + slack;
  const uintptr_t first = (start + alignment - 1) / alignment * alignment;
  mprotect(pointer(first - slack), slack, PROT_READ | PROT_WRITE);
  mprotect(pointer(first + size), slack, PROT_READ | PROT_WRITE);
  return pointer(first);
}

int protectionOf(const VirtualMemory::Mapping &mapping) {
  int protection = PROT_NONE;
  for (const auto &[device, flags] : mapping.access) {
    if (flags & CU_MEM_ACCESS_FLAGS_PROT_READ)
      protection |= PROT_READ;
    if (flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
      protection |= PROT_WRITE;
  }
  return protection;
}

/// Nothing that uses the memory may still run.
void synchronizeAll() {
  Platform &platform = Platform::instance();
  for (int i = 0; i < platform.deviceCount(); ++i)
    platform.device(i).synchronize();
}

} // namespace

PhysicalMemory::~PhysicalMemory() {
  close(file);
  if (charged >= 0)
    memory.discharge(charged, size);
}

VirtualMemory &VirtualMemory::instance() {
  static auto *memory = new VirtualMemory;
  return *memory;
}

// ---- Addresses ----------------------------------------------------------------------------------

cudaError_t VirtualMemory::reserve(Memory &memory, size_t size, size_t alignment, uintptr_t wish,
                                   uintptr_t &address) {
  if (size == 0 || !aligned(size) || (alignment & (alignment - 1)))
    return cudaErrorInvalidValue;
  alignment = std::max(alignment, granularity);
  size_t total = 0;
  if (__builtin_add_overflow(size, alignment + 2 * slack, &total))
    return cudaErrorMemoryAllocation;
  Reservation made{&memory, size, nullptr, 0, {}};
  void *start =
      takeAddresses(size, alignment, wish % alignment ? 0 : wish, made.whole, made.whole_bytes);
  if (!start)
    return cudaErrorMemoryAllocation;
  address = reinterpret_cast<uintptr_t>(start);
  memory.addRange(start, size);
  std::lock_guard lock(mutex);
  reservations[address] = std::move(made);
  return cudaSuccess;
}

cudaError_t VirtualMemory::unreserve(uintptr_t address, size_t size) {
  std::lock_guard lock(mutex);
  const auto found = reservations.find(address);
  if (found == reservations.end() || found->second.size != size)
    return cudaErrorInvalidValue;
  if (const auto first = mappings.lower_bound(address);
      first != mappings.end() && first->first < address + size)
    return cudaErrorInvalidValue; // something is mapped there
  found->second.memory->removeRange(pointer(address));
  munmap(found->second.whole, found->second.whole_bytes);
  reservations.erase(found);
  return cudaSuccess;
}

std::map<uintptr_t, VirtualMemory::Reservation>::iterator
VirtualMemory::reservationOf(uintptr_t address, size_t size) {
  auto next = reservations.upper_bound(address);
  if (next == reservations.begin())
    return reservations.end();
  --next;
  const size_t offset = address - next->first;
  return size <= next->second.size && offset <= next->second.size - size ? next
                                                                         : reservations.end();
}

// ---- Physical memory ----------------------------------------------------------------------------

cudaError_t VirtualMemory::create(Memory &memory, size_t size,
                                  const CUmemAllocationProp &properties,
                                  unsigned long long &handle) {
  if (size == 0 || !aligned(size))
    return cudaErrorInvalidValue;
  const bool on_device = properties.location.type == CU_MEM_LOCATION_TYPE_DEVICE;
  const int charged = on_device ? properties.location.id : -1;
  if (on_device && !memory.charge(charged, size))
    return cudaErrorMemoryAllocation;
  const int file = createSharedFile("heddle-physical-memory", size);
  if (file < 0) {
    if (on_device)
      memory.discharge(charged, size);
    return cudaErrorMemoryAllocation;
  }
  auto made = std::make_shared<PhysicalMemory>(memory, charged, file, size, properties);
  handle = reinterpret_cast<uintptr_t>(made.get());
  handles.add(std::move(made));
  return cudaSuccess;
}

cudaError_t VirtualMemory::import(Memory &memory, int given, unsigned long long &handle) {
  struct stat status;
  if (fstat(given, &status) != 0 || status.st_size == 0 || !aligned(size_t(status.st_size)))
    return cudaErrorInvalidValue;
  const int file = fcntl(given, F_DUPFD_CLOEXEC, 0);
  if (file < 0)
    return cudaErrorOperatingSystem;
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, Platform::currentOrdinal()};
  auto made =
      std::make_shared<PhysicalMemory>(memory, -1, file, size_t(status.st_size), properties);
  handle = reinterpret_cast<uintptr_t>(made.get());
  handles.add(std::move(made));
  return cudaSuccess;
}

std::shared_ptr<PhysicalMemory> VirtualMemory::find(unsigned long long handle) const {
  return handles.find(reinterpret_cast<const void *>(handle));
}

cudaError_t VirtualMemory::release(unsigned long long handle) {
  std::shared_ptr<PhysicalMemory> found = find(handle);
  if (!found)
    return cudaErrorInvalidValue;
  std::lock_guard lock(mutex);
  if (--found->handles_given == 0)
    handles.remove(found.get());
  return cudaSuccess;
}

cudaError_t VirtualMemory::retain(uintptr_t address, unsigned long long &handle) {
  const auto found = mappingAt(address);
  if (!found)
    return cudaErrorInvalidValue;
  const std::shared_ptr<PhysicalMemory> &physical = found->second.physical;
  std::lock_guard lock(mutex);
  if (physical->handles_given++ == 0)
    handles.add(physical);
  handle = reinterpret_cast<uintptr_t>(physical.get());
  return cudaSuccess;
}

// ---- Mappings -----------------------------------------------------------------------------------

std::optional<std::pair<uintptr_t, VirtualMemory::Mapping>>
VirtualMemory::mappingAt(uintptr_t address) const {
  std::lock_guard lock(mutex);
  auto next = mappings.upper_bound(address);
  if (next == mappings.begin())
    return std::nullopt;
  --next;
  if (address - next->first >= next->second.size)
    return std::nullopt;
  return std::pair(next->first, next->second);
}

/// Tells `Memory` what can be accessed now.
void VirtualMemory::announce(uintptr_t start, Reservation &reservation) {
  Memory &memory = *reservation.memory;
  for (const Allocation &known : reservation.known)
    memory.release(known);
  reservation.known.clear();
  for (auto it = mappings.lower_bound(start);
       it != mappings.end() && it->first < start + reservation.size; ++it) {
    const Mapping &mapping = it->second;
    if (protectionOf(mapping) == PROT_NONE)
      continue;
    if (!reservation.known.empty()) {
      Allocation &before = reservation.known.back();
      if (static_cast<char *>(before.base) + before.size == pointer(it->first)) {
        before.size += mapping.size;
        continue;
      }
    }
    const int device = std::max(mapping.physical->properties.location.id, 0);
    reservation.known.push_back({pointer(it->first), mapping.size, MemoryKind::Virtual, device});
  }
  for (const Allocation &known : reservation.known)
    memory.add(known);
}

cudaError_t VirtualMemory::map(uintptr_t address, size_t size, size_t offset,
                               unsigned long long handle) {
  std::shared_ptr<PhysicalMemory> physical = find(handle);
  if (!physical || size == 0 || !aligned(size) || !aligned(address) || !aligned(offset) ||
      size > physical->size || offset > physical->size - size)
    return cudaErrorInvalidValue;
  std::lock_guard lock(mutex);
  if (reservationOf(address, size) == reservations.end())
    return cudaErrorInvalidValue;
  auto next = mappings.lower_bound(address);
  if (next != mappings.end() && next->first < address + size)
    return cudaErrorInvalidValue;
  if (next != mappings.begin() && std::prev(next)->first + std::prev(next)->second.size > address)
    return cudaErrorInvalidValue;
  if (mmap(pointer(address), size, PROT_NONE, MAP_SHARED | MAP_FIXED, physical->file,
           off_t(offset)) == MAP_FAILED)
    return cudaErrorMemoryAllocation;
  mappings[address] = {size, std::move(physical), offset, {}};
  return cudaSuccess;
}

bool VirtualMemory::covered(uintptr_t address, size_t size) const {
  const uintptr_t end = address + size;
  auto it = mappings.find(address);
  for (; it != mappings.end() && it->first == address && address < end; ++it)
    address += it->second.size;
  return address == end;
}

cudaError_t VirtualMemory::unmap(uintptr_t address, size_t size) {
  synchronizeAll();
  std::lock_guard lock(mutex);
  const auto reservation = reservationOf(address, size);
  if (size == 0 || reservation == reservations.end() || !covered(address, size))
    return cudaErrorInvalidValue;
  mappings.erase(mappings.find(address), mappings.lower_bound(address + size));
  announce(reservation->first, reservation->second);
  if (mmap(pointer(address), size, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
    return cudaErrorOperatingSystem;
  return cudaSuccess;
}

cudaError_t VirtualMemory::setAccess(uintptr_t address, size_t size, int device,
                                     CUmemAccess_flags flags) {
  std::lock_guard lock(mutex);
  const auto reservation = reservationOf(address, size);
  if (size == 0 || reservation == reservations.end() || !covered(address, size))
    return cudaErrorInvalidValue;
  for (auto it = mappings.find(address); it != mappings.end() && it->first < address + size; ++it) {
    it->second.access[device] = flags;
    if (mprotect(pointer(it->first), it->second.size, protectionOf(it->second)) != 0)
      return cudaErrorMemoryAllocation;
  }
  announce(reservation->first, reservation->second);
  return cudaSuccess;
}

cudaError_t VirtualMemory::getAccess(uintptr_t address, int device,
                                     CUmemAccess_flags &flags) const {
  const auto found = mappingAt(address);
  if (!found)
    return cudaErrorInvalidValue;
  const auto access = found->second.access.find(device);
  flags = access == found->second.access.end() ? CU_MEM_ACCESS_FLAGS_PROT_NONE : access->second;
  return cudaSuccess;
}

} // namespace heddle
