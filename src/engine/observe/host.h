// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface of what watches the host's side of a program: its calls of CUDA, what streams do
// for it, with times, and what it says to profilers (NVTX). heddle profile and CUPTI do.
//
// Times are nanoseconds of the steady clock. Without an observer a call costs one load.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

namespace heddle::engine::observe {

inline uint64_t nanosecondsNow() {
  return uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::steady_clock::now().time_since_epoch())
                      .count());
}

/// How CUDA's tools name a stream.
struct StreamName {
  uint64_t id = 0; // cudaStreamGetId's; 0: none
  bool is_default = false;
  int device = 0;
  const void *handle = nullptr; // null: a default stream's
};

/// What is made and ends.
enum class Resource { Context, Stream };

enum class TaskKind { Kernel, Copy, Fill, HostFunction, Other };

/// What a stream has done.
struct Task {
  TaskKind kind = TaskKind::Other;
  std::string name;      // a kernel's; "HtoD" and its kin of a copy
  std::string symbol;    // a kernel's, mangled
  bool pageable = false; // a copy from or to memory of the host that CUDA does not know
  // Of a copy, and of a fill the latter: "pageable", "pinned" (also registered), "managed" or
  // "device".
  const char *from = "", *to = "";
  int from_device = -1, to_device = -1; // of a copy; -1: the host
  uint64_t bytes = 0;                   // of copies and fills
  uint32_t value = 0;                   // of a fill
  const void *stream = nullptr;         // tells streams apart; null: a graph's
  StreamName stream_name;               // in a graph, too
  int device = 0;
  uint64_t call = 0;          // the number of the call that has asked for it
  bool of_async_call = false; // which is one of those that are called so
  uint64_t begin = 0, end = 0;
  uint32_t grid[3] = {}, block[3] = {}, registers = 0, static_shared = 0, dynamic_shared = 0;
  uint32_t cluster[3] = {}, local_bytes = 0;
  bool cooperative = false;
};

/// A call of the program's.
struct Call {
  const char *name = ""; // the entry point, or a function of the library's that it has called: see
                         // entry_point.h
  uint64_t number = 0;
  uint64_t begin = 0, end = 0;
  const void *function = nullptr;   // of a launch that says it: the kernel's handle
  const void *parameters = nullptr; // likewise: a struct of the call's parameters, in their order
  int result = 0;                   // the error that it returns
  StreamName stream;                // that it waits for, or has an event recorded in
  uint64_t event = 0;               // that it is about; 0: none
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
  /// A call of the program's begins: its result, end, stream and event are not known. …
  virtual void calling(const Call & /*call*/) {}
  /// … It is about to return.
  virtual void called(const Call &call) = 0;
  /// A stream begins a kernel, a copy or a fill …
  virtual void begins(TaskKind) {}
  /// … and has done it.
  virtual void done(const Task &task) = 0;
  /// cudaProfilerStart and cudaProfilerStop. The device's work until then is done.
  virtual void profiler(bool /*on*/) {}
  /// Whether managed() is to be told.
  virtual bool followsManaged() const { return false; }
  /// Managed memory has been allocated. Its pages are shared ones: without their entries in the
  /// page table (MADV_DONTNEED) they keep what is in them.
  virtual void managed(const void * /*base*/, size_t /*bytes*/) {}
  virtual void hinted(const ManagedHint &) {}
  /// A context or a stream has been made …
  virtual void made(Resource, const void * /*context*/, const void * /*stream*/) {}
  /// … or is about to end.
  virtual void ends(Resource, const void * /*context*/, const void * /*stream*/) {}
  virtual void annotated(const Annotation & /*annotation*/) {}
};

/// Null: nothing watches. Once set it is never unset: a call may be under way. Who sets it later
/// passes on what it is told to the one before.
inline std::atomic<HostObserver *> host_observer = nullptr;

inline HostObserver *hostObserver() { return host_observer.load(std::memory_order_acquire); }

/// Told of each call that returns an error: its name and the error.
inline std::atomic<void (*)(const char *name, int error)> call_has_failed = nullptr;

/// Around the body of each entry point. Of calls within calls only the outermost is told.
class ApiCall {
public:
  explicit ApiCall(const char *name, const void *function = nullptr,
                   const void *parameters = nullptr) {
    if (!outer_.name) {
      outer_ = {name, 0};
      is_outer_ = true;
    }
    if (hostObserver())
      begin(name, function, parameters);
  }
  ~ApiCall() {
    if (outermost_)
      end();
    if (is_outer_)
      leave();
  }
  ApiCall(const ApiCall &) = delete;
  ApiCall &operator=(const ApiCall &) = delete;

  /// The number of the call that this thread is in; 0: none.
  static uint64_t current() { return current_.number; }

  /// Whether that is one of those that have "Async" in their names.
  static bool currentIsAsync() {
    return current_.number && std::strstr(current_.name, "Async") != nullptr;
  }

  /// What the call that this thread is in returns, as far as is known: the last one said holds.
  static void returns(int result) {
    outer_.result = result;
    if (hostObserver())
      current_.result = result;
  }
  /// The stream or event that it is about.
  static void concerns(const StreamName &stream, uint64_t event = 0) {
    if (!hostObserver())
      return;
    current_.stream = stream;
    current_.event = event;
  }

private:
  /// The call that the program made, whether there is an observer or not.
  struct Outer {
    const char *name;
    int result;
  };
  static inline thread_local Outer outer_{nullptr, 0};
  bool is_outer_ = false;

  static void leave() {
    const Outer call = outer_;
    outer_.name = nullptr; // what is told of it may call CUDA
    auto *const tell = call_has_failed.load(std::memory_order_acquire);
    if (call.result && tell)
      tell(call.name, call.result);
  }

  void begin(const char *name, const void *function, const void *parameters) {
    if (current_.number)
      return;
    static std::atomic<uint64_t> last{0};
    outermost_ = true;
    current_ = {.name = name, .number = ++last, .function = function, .parameters = parameters};
    current_.begin = nanosecondsNow();
    hostObserver()->calling(current_);
  }
  void end() {
    current_.end = nanosecondsNow();
    hostObserver()->called(current_);
    current_.number = 0;
  }

  inline static thread_local Call current_;
  bool outermost_ = false;
};

} // namespace heddle::engine::observe
