// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callbacks that a program gives as LTO-IR (cuFFT's documentation, "LTO Load and Store Callback
// Routines"): they are linked when the plan is made, and then are callbacks like any other.
#pragma once
#include "plan.h"

namespace heddle::cufft {

/// Links what cufftXtSetJITCallback gave a plan whose shape is known; the status of the call that
/// makes the plan.
cufftResult linkCallbacks(const char *Function, Plan &Made);

} // namespace heddle::cufft
