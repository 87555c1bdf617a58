// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "one_sided/window.h"

#include <algorithm>
#include <cuda.h>
#include <unordered_map>

namespace heddle::nccl {
namespace {

struct All {
  std::mutex mutex;
  std::unordered_map<ncclWindow_t, WindowPointer> windows;
};
All &all() {
  static auto &instance = *new All; // windows may outlive static objects
  return instance;
}

/// What a rank tells of its window. Plain data.
struct Part {
  uintptr_t base = 0;
  uint64_t size = 0;
  bool shared = false; // with other processes: `offset` in what the handle stands for
  uint64_t offset = 0;
  cudaIpcMemHandle_t memory = {};
};

bool isElsewhere(const Member &member, const Member &own) {
  return member.process != own.process && member.host == own.host;
}

Part ownPart(const ncclWindow &window, const ncclComm &comm) {
  Part part{.base = reinterpret_cast<uintptr_t>(window.base), .size = window.size};
  const auto &members = comm.members();
  if (std::ranges::none_of(members, [&](const Member &m) { return isElsewhere(m, comm.member); }))
    return part;
  CUdeviceptr start = 0;
  size_t bytes = 0;
  if (cuMemGetAddressRange(&start, &bytes, CUdeviceptr(part.base)) != CUDA_SUCCESS ||
      part.base + part.size > start + bytes)
    return part;
  part.shared = cudaIpcGetMemHandle(&part.memory, reinterpret_cast<void *>(start)) == cudaSuccess;
  if (!part.shared)
    cudaGetLastError(); // it is no error of the program's: others are told when they ask
  part.offset = part.base - start;
  return part;
}

/// Where this process finds another rank's part.
char *find(const Part &part, const Member &member, const Member &own, ncclWindow &window) {
  if (member.process == own.process)
    return reinterpret_cast<char *>(part.base);
  if (!part.shared || !isElsewhere(member, own))
    return nullptr;
  void *start = nullptr;
  if (cudaIpcOpenMemHandle(&start, part.memory, cudaIpcMemLazyEnablePeerAccess) != cudaSuccess) {
    cudaGetLastError();
    return nullptr;
  }
  window.opened.push_back(start);
  return static_cast<char *>(start) + part.offset;
}

void close(ncclWindow &window) {
  if (window.opened.empty())
    return;
  const DeviceScope scope(window.device);
  for (void *const start : window.opened)
    cudaIpcCloseMemHandle(start);
  window.opened.clear();
}

} // namespace

void shareWindow(ncclWindow &window, ncclComm &comm) {
  const DeviceScope scope(comm.device);
  const std::vector<Part> parts = comm.exchange("ncclCommWindowRegister", ownPart(window, comm));
  std::vector<char *> found(parts.size());
  std::vector<size_t> sizes(parts.size());
  for (size_t rank = 0; rank < parts.size(); ++rank) {
    found[rank] = find(parts[rank], comm.members()[rank], comm.member, window);
    sizes[rank] = parts[rank].size;
  }
  const std::lock_guard lock(all().mutex);
  window.parts = std::move(found);
  window.sizes = std::move(sizes);
}

void addWindow(const WindowPointer &window) {
  const std::lock_guard lock(all().mutex);
  all().windows[window.get()] = window;
}

WindowPointer findWindow(ncclWindow_t handle, const ncclComm *comm) {
  const std::lock_guard lock(all().mutex);
  const auto found = all().windows.find(handle);
  require(found != all().windows.end(), ncclInvalidArgument,
          handle ? "the window was deregistered, or is none" : "the window is null");
  require(!comm || found->second->comm == comm, ncclInvalidArgument,
          "the window is not from ncclCommWindowRegister with this communicator");
  return found->second;
}

void removeWindow(const WindowPointer &window) {
  {
    const std::lock_guard lock(all().mutex);
    all().windows.erase(window.get());
  }
  close(*window);
}

void removeWindows(const ncclComm &comm, bool used) {
  std::vector<WindowPointer> its;
  {
    const std::lock_guard lock(all().mutex);
    std::erase_if(all().windows, [&](const auto &entry) {
      if (entry.second->comm == &comm)
        its.push_back(entry.second);
      return entry.second->comm == &comm;
    });
  }
  for (const WindowPointer &window : its)
    if (!used)
      close(*window);
}

} // namespace heddle::nccl
