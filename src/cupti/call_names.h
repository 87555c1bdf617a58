// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's functions and the numbers that CUPTI has for them.
#pragma once

#include "cupti/result.h"

#include <string_view>

namespace heddle::cupti {

struct CallId {
  CUpti_CallbackDomain domain = CUPTI_CB_DOMAIN_INVALID;
  CUpti_CallbackId id = 0;
  const char *name = ""; // as callbacks are told it
};

/// Of an entry point. The domain is invalid if CUPTI has no number for it.
CallId findCall(std::string_view entry_point);

/// The name of a function with its version, such as cudaMalloc_v3020; null: there is none.
const char *nameOfCall(CUpti_CallbackDomain domain, CUpti_CallbackId id);

/// Ids of a domain are below this; 0: there is no such domain.
uint32_t sizeOfDomain(CUpti_CallbackDomain domain);

} // namespace heddle::cupti
