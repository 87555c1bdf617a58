// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Catches host code that accesses memory of devices, which a GPU's host cannot, and memory that
// host code and kernels share before work on it is known to be done.
//
// Device pointers are host addresses here. While an observer guards them (Observer::guardsDevices)
// and no work of a device runs, their pages are inaccessible: an access raises a signal, whose
// handler makes the page accessible and tells the observer, and the program goes on. When work
// ends, all pages are inaccessible again. The same is done with pinned and managed pages that the
// observer names (Observer::closedToHost), until it names them no more. Without such an observer,
// nothing of this happens.
//
// A system call that is handed an inaccessible page fails instead of raising a signal. So the
// observer names only pages of which host code may use nothing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::engine::observe {

/// Pages of a device that are accessible to its work from now on, and no longer. Thread-safe.
void guardPages(uintptr_t start, size_t bytes);
void forgetPages(uintptr_t start, size_t bytes);

/// While one exists, guarded pages are accessible: for work of devices, and for what the library
/// itself does with their memory.
class OpenToHost {
public:
  OpenToHost() { open(); }
  ~OpenToHost() { close(); }
  /// The same where no object can be kept; each open() needs its close().
  static void open();
  static void close();
  OpenToHost(const OpenToHost &) = delete;
  OpenToHost &operator=(const OpenToHost &) = delete;
};

/// The host has waited for work, or memory has been freed: pages that the observer does not name
/// any more are accessible.
void refreshClosedPages();

/// For the signal handler: an instruction could not access the address. False if no guard is why.
/// `step`: whether to call closeAfterStep behind the instruction, so that the next one is noticed
/// too.
bool openAfterFault(uintptr_t address, uintptr_t code, bool writes, bool &step);
/// The page is as it was, unless work runs.
void closeAfterStep(uintptr_t address);

} // namespace heddle::engine::observe
