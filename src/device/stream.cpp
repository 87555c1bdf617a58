// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/stream.h"

#include "engine/observe/host_guard.h"
#include "engine/observe/observer.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

namespace heddle {
namespace {

// The state of the whole process, for stopAll.
std::atomic<bool> stop_requested = false;
std::atomic<int> works_running = 0;

/// How often to look again before sleeping: waking a thread costs several microseconds, more than
/// a small kernel takes.
constexpr int spins = 2000;

/// How much work may wait in a stream before its submitter has to wait too. A GPU's queues are
/// finite as well; without a limit a program that never synchronises could fill the memory.
constexpr uint64_t deepest = 4096;

inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

} // namespace

void Point::tellHost() const {
  if (!engine::observe::observer || !stream)
    return;
  uint64_t told = stream->told_ticket.load();
  while (told < ticket && !stream->told_ticket.compare_exchange_weak(told, ticket))
    ;
  engine::observe::observer->hostWaited({stream.get(), ticket});
  engine::observe::refreshClosedPages();
}

bool Point::reached() const { return !stream || stream->reached(ticket); }

void Point::wait() const {
  if (stream)
    stream->wait(ticket);
}

std::shared_ptr<Stream> Stream::create() { return std::shared_ptr<Stream>(new Stream); }

uint64_t Stream::newFirst() {
  static std::atomic<uint64_t> count = 0;
  return count.fetch_add(1, std::memory_order_relaxed) << 32;
}

Point Stream::last() { return {shared_from_this(), issued.load(std::memory_order_acquire)}; }

Point Stream::submit(std::unique_ptr<Work> work, Start start) {
  std::vector<engine::observe::StreamPoint> told;
  if (engine::observe::observer)
    for (const Point &point : work->after)
      if (point.stream)
        told.push_back({point.stream.get(), point.ticket});
  std::erase_if(work->after, [](const Point &point) { return point.reached(); });
  uint64_t newest_ticket = issued.load(std::memory_order_relaxed);
  if (newest_ticket > deepest && !reached(newest_ticket - deepest))
    wait(newest_ticket - deepest / 2);
  bool free_to_run = work->after.empty() && !work->on_worker_only;
  Lock lock(mutex);
  bool was_empty = !first && !running;
  Work *added = work.get();
  if (first)
    newest->next = std::move(work);
  else
    first = std::move(work);
  newest = added;
  uint64_t ticket = issued.load(std::memory_order_relaxed) + 1;
  if (engine::observe::observer)
    engine::observe::observer->issued({this, ticket}, told);
  issued.store(ticket, std::memory_order_release);
  if (start == Start::AtOnceIfIdle && was_empty && free_to_run)
    runUntil(ticket, false, lock);
  else if ((start != Start::ByCaller || added->on_worker_only) && !running)
    callWorker(lock);
  return {shared_from_this(), ticket};
}

/// Runs work in order up to `ticket`. No other thread may be running this stream.
void Stream::runUntil(uint64_t ticket, bool worker, Lock &lock) {
  running = true;
  std::optional<engine::observe::OpenToHost> open;
  while (first && done.load(std::memory_order_relaxed) < ticket) {
    if (first->on_worker_only && !worker)
      break;
    std::unique_ptr<Work> work = std::move(first);
    first = std::move(work->next);
    lock.unlock();
    for (const Point &point : work->after)
      point.wait();
    ++works_running;
    if (engine::observe::observer)
      engine::observe::observer->workBegin({this, done.load(std::memory_order_relaxed) + 1});
    if (!open)
      open.emplace();
    if (!stop_requested)
      work->run();
    --works_running;
    work.reset();
    lock.lock();
    if (!first) // before the host knows that all is done
      open.reset();
    // Threads that wait for later work sleep on: each would look again for a while, on a core that
    // the work may need.
    if (done.fetch_add(1, std::memory_order_release) + 1 >= awaited) {
      awaited = UINT64_MAX;
      work_done.notify_all();
    }
  }
  running = false;
  if (!worker && (first || (closed && has_thread)))
    callWorker(lock);
}

void Stream::callWorker(Lock &lock) {
  if (!has_thread) {
    has_thread = true;
    std::thread([self = shared_from_this()] { self->workerLoop(); }).detach();
  } else if (asleep) {
    asleep = false; // so that no other call does it again
    work_came.notify_one();
  }
}

void Stream::workerLoop() {
  Lock lock(mutex);
  for (;;) {
    if (first && !running) {
      runUntil(UINT64_MAX, true, lock);
    } else if (closed && !first) {
      return;
    } else {
      asleep = true;
      work_came.wait(lock, [this] { return !asleep; });
    }
  }
}

void Stream::wait(uint64_t ticket) {
  if (reached(ticket))
    return;
  Lock lock(mutex);
  while (!reached(ticket)) {
    if (!running && first && !first->on_worker_only) {
      runUntil(ticket, false, lock);
      continue;
    }
    // Another thread is at it.
    lock.unlock();
    for (int i = 0; i < spins && !reached(ticket); ++i)
      pause();
    lock.lock();
    if (reached(ticket))
      return;
    if (!running && first && !first->on_worker_only)
      continue;
    awaited = std::min(awaited, ticket);
    work_done.wait(lock);
  }
}

void Stream::close() {
  Lock lock(mutex);
  closed = true;
  if (has_thread)
    callWorker(lock);
}

void Stream::stopAll() {
  stop_requested = true;
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (works_running > 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

bool Stream::stopped() { return stop_requested; }

} // namespace heddle
