// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program under the recorder of src/profile and collects what its processes leave, also if
// they crash.
#pragma once

#include "cli/run.h"
#include "profile/data.h"

#include <optional>

namespace heddle::cli {

struct ProfiledRun {
  Words what;                             // sources and options of the compiler, or a program
  std::optional<Words> program_arguments; // behind --
  std::string kernel;                     // a regular expression; empty: all
  std::optional<uint64_t> launch;         // from 1 on
  bool each_launch = false;               // a kernel of the profile is one launch
  std::string gpu;                        // empty: as HEDDLE_GPU says
  bool from_api = false;                  // only between cudaProfilerStart and cudaProfilerStop
  bool caches = false;                    // are modelled
};

struct ProfiledResult {
  int exit_code = 0;
  std::optional<profile::Profile> profile; // none: it has not used CUDA
  bool lost = false;                       // … or its process could not write a file
};

ProfiledResult runProfiled(const ProfiledRun &run);

/// The same of a program that has been built. Throws UsageError if there is none, and
/// std::runtime_error if it ends well without a profile.
ProfiledResult runBuilt(const ProfiledRun &run);

} // namespace heddle::cli
