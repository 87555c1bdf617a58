// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of what watches the host's side of a program: its calls of CUDA, what streams do
// for it, with times, and what it says to profilers (NVTX).
//
// Times are nanoseconds of the steady clock. Without an observer a call costs one load.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace heddle::engine::observe {

inline uint64_t nanosecondsNow() {
  return uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::steady_clock::now().time_since_epoch())
                      .count());
}

enum class TaskKind { Kernel, Copy, Fill, HostFunction, Other };

/// What a stream has done.
struct Task {
  TaskKind kind = TaskKind::Other;
  std::string name;      // a kernel's; "HtoD" and its kin of a copy
  bool pageable = false; // a copy from or to memory of the host that CUDA does not know
  // Of a copy: "pageable", "pinned" (also registered), "managed" or "device".
  const char *from = "", *to = "";
  uint64_t bytes = 0;           // of copies and fills
  const void *stream = nullptr; // tells streams apart; null: a graph's
  int device = 0;
  uint64_t call = 0; // the number of the call that has asked for it
  uint64_t begin = 0, end = 0;
  uint32_t grid[3] = {}, block[3] = {}, registers = 0, static_shared = 0, dynamic_shared = 0;
};

enum class AnnotationKind {
  Push,       // a range of the calling thread begins, …
  Pop,        // … and the last one of this domain that has not ended ends
  Start,      // a range begins, …
  End,        // … and ends, on whatever thread
  Mark,       // a point in time
  NameThread, // `id`: the system's number of the thread
  NameStream, // `id`: as Task::stream
  NameDevice, // `id`: the ordinal
};

/// What the program says to profilers, on the calling thread. Texts are UTF-8, empty: none.
struct Annotation {
  AnnotationKind kind{};
  std::string domain, text, category;
  std::string payload; // a number, as text
  uint32_t color = 0;  // alpha, red, green, blue; 0: none
  uint64_t id = 0;
};

/// Hints for managed memory: what is not set says nothing new.
struct ManagedHint {
  const void *pointer = nullptr;
  size_t bytes = 0;
  std::optional<bool> prefetch_to_device; // false: to the host
  std::optional<bool> read_mostly;
  std::optional<bool> stays_on_host; // kernels reach it there: its preferred location is the host,
                                     // or devices are to have it mapped
};

class HostObserver {
public:
  virtual ~HostObserver() = default;
  /// A call of the program's has returned. `name`: the entry point, or a function of the library's
  /// that it has called.
  virtual void called(const char *name, uint64_t number, uint64_t begin, uint64_t end) = 0;
  /// A stream begins a kernel, a copy or a fill …
  virtual void begins(TaskKind) {}
  /// … and has done it.
  virtual void done(const Task &task) = 0;
  /// cudaProfilerStart and cudaProfilerStop. The device's work until then is done.
  virtual void profiler(bool /*on*/) {}
  /// Managed memory has been allocated. Its pages are shared ones: without their entries in the
  /// page table (MADV_DONTNEED) they keep what is in them.
  virtual void managed(const void * /*base*/, size_t /*bytes*/) {}
  virtual void hinted(const ManagedHint &) {}
  virtual void annotated(const Annotation & /*annotation*/) {}
};

/// Set before the first call, and never again; null: nothing watches.
inline HostObserver *host_observer = nullptr;

/// Around the body of each entry point. Of calls within calls only the outermost is told.
class ApiCall {
public:
  explicit ApiCall(const char *name) {
    if (host_observer)
      begin(name);
  }
  ~ApiCall() {
    if (outermost_)
      end();
  }
  ApiCall(const ApiCall &) = delete;
  ApiCall &operator=(const ApiCall &) = delete;

  /// The number of the call that this thread is in; 0: none.
  static uint64_t current() { return current_; }

private:
  void begin(const char *name) {
    if (current_)
      return;
    static std::atomic<uint64_t> last{0};
    current_ = ++last;
    outermost_ = true;
    name_ = name;
    begin_ = nanosecondsNow();
  }
  void end() {
    const uint64_t number = current_, now = nanosecondsNow();
    host_observer->called(name_, number, begin_, now);
    current_ = 0;
  }

  inline static thread_local uint64_t current_ = 0;
  const char *name_ = nullptr;
  uint64_t begin_ = 0;
  bool outermost_ = false;
};

} // namespace heddle::engine::observe
