// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUPTI's entry points for callbacks.
#include "cupti/buffers.h"
#include "cupti/follower.h"
#include "cupti/subscriber.h"

using namespace heddle;
using namespace heddle::cupti;

CUptiResult cuptiSupportedDomains(size_t *domainCount, CUpti_DomainTable *domainTable) {
  static CUpti_CallbackDomain domains[] = {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_CB_DOMAIN_RUNTIME_API,
                                           CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CB_DOMAIN_SYNCHRONIZE};
  return call([&] {
    if (!domainCount || !domainTable)
      return CUPTI_ERROR_INVALID_PARAMETER;
    *domainCount = std::size(domains);
    *domainTable = domains;
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback,
                           void *userdata) {
  return call([&] {
    Follower::instance();
    return Subscriber::instance().subscribe(subscriber, callback, userdata);
  });
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle subscriber) {
  return call([&] { return Subscriber::instance().unsubscribe(subscriber); });
}

CUptiResult cuptiGetCallbackState(uint32_t *enable, CUpti_SubscriberHandle subscriber,
                                  CUpti_CallbackDomain domain, CUpti_CallbackId cbid) {
  return call([&] { return Subscriber::instance().state(enable, subscriber, domain, cbid); });
}

CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle subscriber,
                                CUpti_CallbackDomain domain, CUpti_CallbackId cbid) {
  return call([&] { return Subscriber::instance().enable(enable, subscriber, domain, cbid); });
}

CUptiResult cuptiEnableDomain(uint32_t enable, CUpti_SubscriberHandle subscriber,
                              CUpti_CallbackDomain domain) {
  return call([&] { return Subscriber::instance().enableDomain(enable, subscriber, domain); });
}

// Those that there are.
CUptiResult cuptiEnableAllDomains(uint32_t enable, CUpti_SubscriberHandle subscriber) {
  return call([&] {
    for (const CUpti_CallbackDomain domain :
         {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_RESOURCE,
          CUPTI_CB_DOMAIN_SYNCHRONIZE})
      if (const CUptiResult result =
              Subscriber::instance().enableDomain(enable, subscriber, domain))
        return result;
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t cbid, const char **name) {
  return call([&] {
    const char *found = nameOfCall(domain, cbid);
    if (!name || !found)
      return CUPTI_ERROR_INVALID_PARAMETER;
    *name = found;
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiFinalize() {
  return call([] {
    Follower::instance().disableAll();
    Subscriber::instance().end();
    Buffers::instance().flush();
    setClock(nullptr);
    return CUPTI_SUCCESS;
  });
}
