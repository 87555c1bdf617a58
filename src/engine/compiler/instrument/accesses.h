// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks memory accesses for an observer.
//
// Each access that is not known to be right becomes
//
//   if (heddle.observe(site, address, bytes, base)) access
//
// where the observer may let it happen or not; what is not loaded is zero. Accesses to a constant
// place within a variable are left alone, unless synchronisation is told of, too. For an observer
// of suspicious accesses only, runs of accesses whose addresses are known before the first of them
// (runs.h) become
//
//   if (all are within their extents) all accesses
//   else each as above
//
// A fetch from a texture is told as one, where the device library has left a mark. The library's
// own loads of descriptors and texels are guarded like others (observe::of_texture_unit).
#pragma once

#include "engine/observe/events.h"

#include "llvm/IR/Module.h"

namespace heddle::engine {

/// Expects addThreadContext's form, in which variables have not become addresses yet.
void markAccesses(llvm::Module &module, uint32_t events = observe::tell_accesses);

} // namespace heddle::engine
