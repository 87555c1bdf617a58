// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checked.h"

#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <torch/headeronly/version.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>
#include <utility>
#include <vector>

namespace heddle::aten {
namespace {

using Trace = c10::cuda::CUDACachingAllocator::TraceEntry;

bool isChecked() {
  const char *Folder = std::getenv("HEDDLE_CHECK_FOLDER"); // set by heddle check alone
  return Folder && *Folder;
}

// Of Heddle's core, which is loaded; null in an older one, and where nothing is checked.
template <typename Function> Function find(const char *Name) {
  void *const Core = isChecked() ? dlopen("libheddle_core.so.0", RTLD_LAZY | RTLD_NOLOAD) : nullptr;
  return Core ? reinterpret_cast<Function>(dlsym(Core, Name)) : nullptr;
}

using EnterOrLeave = void (*)(int Enter);
EnterOrLeave hostScope() {
  static const EnterOrLeave Found = find<EnterOrLeave>("__heddleHostScope");
  return Found;
}

using Wrote = void (*)(const void *To, size_t Bytes);
Wrote hostWrote() {
  static const Wrote Found = find<Wrote>("__heddleHostWrote");
  return Found;
}

// As nvtx3/nvToolsExtMem.h calls it; numbers of src/engine/observe/observer.h's MemoryNote.
enum : uint32_t { Pool = 0, EndOfPool = 2, Piece = 3, Free = 5, Fresh = 8 };
using Tell = int (*)(uint32_t What, const void *Base, uint64_t Bytes, const char *Name);

// What the allocator calls before it takes its lock, where others gather stacks.
std::shared_ptr<c10::GatheredContext> notePython() {
  using Note = void (*)();
  static const Note Found = find<Note>("__heddleNotePython");
  if (Found)
    Found();
  return nullptr;
}

// The allocator calls under its lock.
class Follower {
public:
  explicit Follower(Tell T) : T(T) {}

  void operator()(const Trace &Entry) {
    const void *const Base = reinterpret_cast<const void *>(Entry.addr_);
    switch (Entry.action_) {
    case Trace::SEGMENT_ALLOC:
      // Memory of a graph's pool is used by each launch of the graph, long after it was freed.
      if (Entry.mempool_ == c10::cuda::MempoolId_t{0, 0})
        T(Pool, Base, Entry.size_, nullptr);
      break;
    case Trace::SEGMENT_FREE:
      T(EndOfPool, Base, 0, nullptr);
      break;
    case Trace::ALLOC:
      T(Piece, Base, Entry.size_, "PyTorch's allocator");
      if (Entry.mempool_ == c10::cuda::MempoolId_t{0, 0})
        T(Fresh, Base, Entry.size_, nullptr);
      break;
    case Trace::FREE_COMPLETED:
      T(Free, Base, 0, nullptr);
      break;
    default:
      break;
    }
  }

private:
  const Tell T;
};

// Runs of bytes beside each other, and how often each repeats: (stride in bytes, count), from the
// narrowest stride on.
struct Runs {
  size_t Bytes;
  std::vector<std::pair<int64_t, int64_t>> Repeats;

  explicit Runs(const at::Tensor &T) : Bytes(T.element_size()) {
    for (int64_t I = 0; I < T.dim(); ++I)
      if (T.size(I) > 1 && T.stride(I) != 0)
        Repeats.emplace_back(T.stride(I) * int64_t(T.element_size()), T.size(I));
    std::sort(Repeats.begin(), Repeats.end());
    auto First = Repeats.begin();
    for (; First != Repeats.end() && First->first == int64_t(Bytes); ++First)
      Bytes *= First->second;
    Repeats.erase(Repeats.begin(), First);
  }

  void tell(const char *Data, size_t Depth) const {
    if (Depth == 0)
      return tellWritten(Data, Bytes);
    const auto [Stride, Count] = Repeats[Depth - 1];
    for (int64_t I = 0; I < Count; ++I)
      tell(Data + I * Stride, Depth - 1);
  }
};

} // namespace

void tellWritten(const void *To, size_t Bytes) {
  if (hostWrote() && Bytes)
    hostWrote()(To, Bytes);
}

void tellWritten(const c10::Storage &All) { tellWritten(All.data(), All.nbytes()); }

void tellWritten(const at::Tensor &T) {
  if (!hostWrote() || T.numel() == 0)
    return;
  const Runs R(T);
  R.tell(static_cast<const char *>(T.const_data_ptr()), R.Repeats.size());
}

HostScope::HostScope() {
  if (hostScope())
    hostScope()(1);
}

HostScope::~HostScope() {
  if (hostScope())
    hostScope()(0);
}

void followAllocator() {
  const Tell T = find<Tell>("__heddle_nvtx_memory");
  if (!T)
    return;
  // Only allocators of devices that exist take it; PyTorch makes no more of them later.
  c10::cuda::CUDACachingAllocator::init(c10::cuda::device_count());
  c10::cuda::CUDACachingAllocator::attachAllocatorTraceTracker(Follower(T));
  c10::cuda::CUDACachingAllocator::recordHistory(
      true, notePython, /*alloc_trace_max_entries=*/1,
      c10::cuda::CUDACachingAllocator::RecordContext::ALL, /*clearHistory=*/false
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR > 10
      ,
      /*skip_actions=*/{}
#endif
  );
}

} // namespace heddle::aten
