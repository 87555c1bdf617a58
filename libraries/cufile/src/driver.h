// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The session: how often it has been opened, and what is set for it. There is no kernel driver
// behind it.
#pragma once

#include "status.h"

namespace heddle::cufile {

/// Opens the session if it is not open, as calls that need it do.
void openDriver();
bool driverIsOpen();

/// Forgets files, buffers and streams, as closing the session does.
void forgetFiles();
void forgetBuffers();
void forgetStreams();

size_t sizeParameter(CUFileSizeTConfigParameter_t parameter);
void setSizeParameter(CUFileSizeTConfigParameter_t parameter, size_t value);
bool boolParameter(CUFileBoolConfigParameter_t parameter);
void setBoolParameter(CUFileBoolConfigParameter_t parameter, bool value);

} // namespace heddle::cufile
