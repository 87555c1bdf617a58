// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who is called back, and of what.
#pragma once

#include "cupti/call_names.h"
#include "engine/observe/host.h"

#include <array>
#include <atomic>
#include <mutex>

namespace heddle::cupti {

class Subscriber {
public:
  static Subscriber &instance();

  // The program's requests.
  CUptiResult subscribe(CUpti_SubscriberHandle *handle, CUpti_CallbackFunc callback, void *data);
  CUptiResult unsubscribe(CUpti_SubscriberHandle handle);
  CUptiResult state(uint32_t *enabled, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain,
                    CUpti_CallbackId id);
  CUptiResult enable(bool enable, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain,
                     CUpti_CallbackId id);
  CUptiResult enableDomain(bool enable, CUpti_SubscriberHandle handle, CUpti_CallbackDomain domain);
  void end();

  bool wants(CUpti_CallbackDomain domain, CUpti_CallbackId id) const;

  /// `data`: what the subscriber keeps for this call, from its beginning to its end.
  void callBegins(const CallId &id, const engine::observe::Call &call, uint64_t &data);
  void callEnds(const CallId &id, const engine::observe::Call &call, uint64_t &data);
  void resource(CUpti_CallbackIdResource id, const void *context, const void *stream);
  void synchronized(CUpti_CallbackIdSync id, const engine::observe::Call &call);

private:
  static constexpr size_t most_ids = CUPTI_DRIVER_TRACE_CBID_SIZE;
  static_assert(size_t(CUPTI_RUNTIME_TRACE_CBID_SIZE) <= most_ids);

  bool is(CUpti_SubscriberHandle handle) const;
  void call(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data) const;
  void tellCall(CUpti_ApiCallbackSite site, const CallId &id, const engine::observe::Call &call,
                uint64_t &data);

  std::mutex mutex_; // of the program's requests
  std::atomic<CUpti_CallbackFunc> callback_ = nullptr;
  std::atomic<void *> user_ = nullptr;
  std::array<std::array<std::atomic<bool>, most_ids>, CUPTI_CB_DOMAIN_SIZE> enabled_{};
};

} // namespace heddle::cupti
