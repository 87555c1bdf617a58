// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cupti/subscriber.h"

#include "device/context.h"
#include "device/registry.h"

namespace heddle::cupti {
namespace {

CUcontext handleOf(const void *context) {
  return reinterpret_cast<CUcontext>(const_cast<void *>(context));
}

/// Keeps the name for as long as a callback may use it: kernels stay as long as their modules.
std::shared_ptr<Kernel> kernelOf(const engine::observe::Call &call) {
  std::shared_ptr<Kernel> kernel;
  if (call.function && Registry::instance().findKernel(call.function, kernel) != cudaSuccess)
    return nullptr;
  return kernel;
}

} // namespace

Subscriber &Subscriber::instance() {
  static auto *subscriber = new Subscriber; // streams' threads may ask to the program's end
  return *subscriber;
}

bool Subscriber::is(CUpti_SubscriberHandle handle) const {
  return callback_.load() && handle == reinterpret_cast<const CUpti_Subscriber_st *>(this);
}

CUptiResult Subscriber::subscribe(CUpti_SubscriberHandle *handle, CUpti_CallbackFunc callback,
                                  void *data) {
  if (!handle || !callback)
    return CUPTI_ERROR_INVALID_PARAMETER;
  const std::lock_guard lock(mutex_);
  if (callback_.load())
    return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  user_ = data;
  callback_ = callback;
  *handle = reinterpret_cast<CUpti_SubscriberHandle>(this);
  return CUPTI_SUCCESS;
}

CUptiResult Subscriber::unsubscribe(CUpti_SubscriberHandle handle) {
  if (!is(handle))
    return CUPTI_ERROR_INVALID_PARAMETER;
  end();
  return CUPTI_SUCCESS;
}

void Subscriber::end() {
  const std::lock_guard lock(mutex_);
  for (auto &domain : enabled_)
    for (auto &each : domain)
      each = false;
  callback_ = nullptr;
}

CUptiResult Subscriber::state(uint32_t *enabled, CUpti_SubscriberHandle handle,
                              CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  if (!enabled || !is(handle) || id >= sizeOfDomain(domain))
    return CUPTI_ERROR_INVALID_PARAMETER;
  *enabled = enabled_[domain][id];
  return CUPTI_SUCCESS;
}

CUptiResult Subscriber::enable(bool enable, CUpti_SubscriberHandle handle,
                               CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  if (!is(handle) || id == 0 || id >= sizeOfDomain(domain))
    return CUPTI_ERROR_INVALID_PARAMETER;
  const std::lock_guard lock(mutex_);
  enabled_[domain][id] = enable;
  return CUPTI_SUCCESS;
}

CUptiResult Subscriber::enableDomain(bool enable, CUpti_SubscriberHandle handle,
                                     CUpti_CallbackDomain domain) {
  if (!is(handle))
    return CUPTI_ERROR_INVALID_PARAMETER;
  if (domain == CUPTI_CB_DOMAIN_NVTX || domain == CUPTI_CB_DOMAIN_STATE)
    return enable ? notSupported("callbacks of the domains NVTX and STATE") : CUPTI_SUCCESS;
  if (!sizeOfDomain(domain))
    return CUPTI_ERROR_INVALID_PARAMETER;
  const std::lock_guard lock(mutex_);
  for (uint32_t id = 1; id < sizeOfDomain(domain); ++id)
    enabled_[domain][id] = enable;
  return CUPTI_SUCCESS;
}

bool Subscriber::wants(CUpti_CallbackDomain domain, CUpti_CallbackId id) const {
  return enabled_[domain][id].load(std::memory_order_relaxed);
}

void Subscriber::call(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data) const {
  if (const CUpti_CallbackFunc callback = callback_.load())
    callback(user_.load(), domain, id, data);
}

void Subscriber::tellCall(CUpti_ApiCallbackSite site, const CallId &id,
                          const engine::observe::Call &call_, uint64_t &data) {
  const std::shared_ptr<Kernel> kernel = kernelOf(call_);
  const std::shared_ptr<Context> context = Context::current();
  int result = call_.result;
  CUpti_CallbackData told = {};
  told.callbackSite = site;
  told.functionName = id.name;
  told.functionParams = call_.parameters;
  told.functionReturnValue = site == CUPTI_API_EXIT ? &result : nullptr;
  told.symbolName = kernel ? kernel->info().name.c_str() : nullptr;
  told.context = handleOf(context.get());
  told.contextUid = context ? uint32_t(context->id()) : 0;
  told.correlationData = &data;
  told.correlationId = uint32_t(call_.number);
  call(id.domain, id.id, &told);
}

void Subscriber::callBegins(const CallId &id, const engine::observe::Call &call, uint64_t &data) {
  if (wants(id.domain, id.id))
    tellCall(CUPTI_API_ENTER, id, call, data);
}

void Subscriber::callEnds(const CallId &id, const engine::observe::Call &call, uint64_t &data) {
  if (wants(id.domain, id.id))
    tellCall(CUPTI_API_EXIT, id, call, data);
}

void Subscriber::resource(CUpti_CallbackIdResource id, const void *context, const void *stream) {
  if (!wants(CUPTI_CB_DOMAIN_RESOURCE, id))
    return;
  CUpti_ResourceData told = {};
  told.context = handleOf(context);
  told.resourceHandle.stream = reinterpret_cast<CUstream>(const_cast<void *>(stream));
  call(CUPTI_CB_DOMAIN_RESOURCE, id, &told);
}

void Subscriber::synchronized(CUpti_CallbackIdSync id, const engine::observe::Call &call_) {
  if (!wants(CUPTI_CB_DOMAIN_SYNCHRONIZE, id))
    return;
  const std::shared_ptr<Context> context = Context::current();
  const CUpti_SynchronizeData told = {
      handleOf(context.get()), reinterpret_cast<CUstream>(const_cast<void *>(call_.stream.handle))};
  call(CUPTI_CB_DOMAIN_SYNCHRONIZE, id, &told);
}

} // namespace heddle::cupti
