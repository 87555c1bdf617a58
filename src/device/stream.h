// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stream: work that runs in order, while the host program goes on.
//
// Each stream has a thread of its own, started by its first work and asleep when there is none, so
// that streams never wait for each other unless they are told to: a kernel in one may spin on
// memory that a copy in another will write, and a host function may block. Work is known by its
// ticket, its number in the stream; a `Point` is a place in a stream that others can wait for.
// A host thread that waits for a stream whose thread has not taken up the work yet runs the work
// itself, which saves waking a thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace heddle {

class Stream;

/// A place in a stream: the completion of one piece of work.
struct Point {
  std::shared_ptr<Stream> stream;
  uint64_t ticket = 0;
  bool reached() const;
  void wait() const;
  /// Tells an observer that the host knows that it is reached.
  void tellHost() const;
};

/// A piece of work. Waits for other streams first.
class Work {
public:
  virtual ~Work() = default;
  virtual void run() noexcept = 0;

  std::vector<Point> after;
  /// Calls the program's own code, which may take locks: never on a thread that belongs to the
  /// program.
  bool on_worker_only = false;

private:
  friend class Stream;
  std::unique_ptr<Work> next;
};

template <class Function> std::unique_ptr<Work> makeWork(Function function) {
  struct FunctionWork final : Work {
    Function function;
    explicit FunctionWork(Function &&function) : function(std::move(function)) {}
    void run() noexcept override { function(); }
  };
  return std::make_unique<FunctionWork>(std::move(function));
}

/// How soon work must start.
enum class Start {
  Now,         // as soon as a thread is there
  ByCaller,    // the caller is about to wait for it
  AtOnceIfIdle // on the calling thread if nothing comes before it: for work that takes no time
};

/// Thread-safe. A stream that is dropped while work is left finishes it.
class Stream : public std::enable_shared_from_this<Stream> {
public:
  static std::shared_ptr<Stream> create();

  /// Appends work and returns the point of its completion. Waits while very much work is left.
  Point submit(std::unique_ptr<Work> work, Start start = Start::Now);
  /// Returns when the work with this ticket, and all before it, is done.
  void wait(uint64_t ticket);
  bool reached(uint64_t ticket) const { return done.load(std::memory_order_acquire) >= ticket; }
  /// The newest work.
  Point last();
  bool idle() const { return reached(issued.load(std::memory_order_acquire)); }
  /// Whether an observer has been told that the host knows all of its work to be done.
  bool told() const { return told_ticket.load() >= issued.load(std::memory_order_acquire); }
  /// No more work will come: the thread ends once all is done.
  void close();

  /// Lets no stream of this process begin further work, and waits (not for ever) until what runs
  /// has ended. For the end of the process.
  static void stopAll();
  static bool stopped();

private:
  friend struct Point;
  Stream() : issued(newFirst()), done(issued.load()), told_ticket(issued.load()) {}
  /// Above the tickets of every stream before: an address and a ticket name work for ever, though
  /// addresses are used again.
  static uint64_t newFirst();
  using Lock = std::unique_lock<std::mutex>;

  std::mutex mutex;
  std::condition_variable work_came, work_done;
  std::unique_ptr<Work> first;
  Work *newest = nullptr;
  std::atomic<uint64_t> issued, done, told_ticket;
  bool running = false; // some thread runs this stream's work
  bool has_thread = false, asleep = false, closed = false;
  uint64_t awaited = UINT64_MAX; // the first ticket that a thread waits for with work_done

  void runUntil(uint64_t ticket, bool worker, Lock &lock);
  void callWorker(Lock &lock);
  void workerLoop();
};

} // namespace heddle
