// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes between a file and memory, of devices or of the host.
#pragma once

#include "files.h"

namespace heddle::cufile {

struct Transfer {
  CUfileOpcode_t operation = CUFILE_READ;
  void *base = nullptr;
  size_t size = 0;
  off_t file_offset = 0, memory_offset = 0;
};

/// Bytes that were moved, fewer than asked for at the end of the file; -1 with errno; or the
/// negative of a CUfileOpError. `in_stream`: a stream runs it.
ssize_t run(const File &file, const Transfer &transfer, bool in_stream);

} // namespace heddle::cufile
