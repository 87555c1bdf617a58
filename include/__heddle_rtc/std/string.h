// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In place of the host's header, while the prelude of NVRTC is precompiled: nothing is needed.
#pragma once
