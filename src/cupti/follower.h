// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CUPTI is in the process: it observes calls and devices' work from its first use on, makes
// records of what is enabled, and calls the subscriber back.
#pragma once

#include "cupti/records.h"

#include <array>
#include <atomic>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace heddle::cupti {

/// Nanoseconds, by the clock that records have.
uint64_t now();
void setClock(CUpti_TimestampCallbackFunc clock);

class Follower final : public engine::observe::HostObserver {
public:
  /// Made by the first call, which begins to observe.
  static Follower &instance();

  CUptiResult enable(CUpti_ActivityKind kind, bool enable);
  /// Records of one function's calls.
  CUptiResult enableCall(CUpti_CallbackDomain domain, CUpti_CallbackId id, bool enable);
  void disableAll();

  /// The calling thread's ids.
  static std::vector<uint64_t> &externalIds(CUpti_ExternalCorrelationKind kind);

  void calling(const engine::observe::Call &call) override;
  void called(const engine::observe::Call &call) override;
  void begins(engine::observe::TaskKind kind) override;
  void done(const engine::observe::Task &task) override;
  void made(engine::observe::Resource what, const void *context, const void *stream) override;
  void ends(engine::observe::Resource what, const void *context, const void *stream) override;
  // What is not for CUPTI is passed on.
  void profiler(bool on) override;
  bool followsManaged() const override;
  void managed(const void *base, size_t bytes) override;
  void hinted(const engine::observe::ManagedHint &hint) override;
  void annotated(const engine::observe::Annotation &annotation) override;

private:
  bool records(CUpti_ActivityKind kind) const {
    return kinds_[kind].load(std::memory_order_relaxed);
  }
  bool recordsCall(const CallId &id) const;
  void writeExternalIds(const engine::observe::Call &call) const;
  void writeWait(const CallId &id, const engine::observe::Call &call, const Times &times);
  /// Of the last recording of the event; `recorded`: this is a new one.
  uint64_t numberOf(uint64_t event, bool recorded);

  HostObserver *next_ = nullptr; // who observed before, or null
  std::array<std::atomic<bool>, CUPTI_ACTIVITY_KIND_COUNT> kinds_{};
  std::array<std::atomic<bool>, CUPTI_RUNTIME_TRACE_CBID_SIZE> runtime_calls_{};
  std::array<std::atomic<bool>, CUPTI_DRIVER_TRACE_CBID_SIZE> driver_calls_{};
  std::mutex mutex_;                                  // guards what follows
  std::unordered_map<uint64_t, uint64_t> recordings_; // event -> its last recording
  uint64_t last_recording_ = 0;
};

} // namespace heddle::cupti
