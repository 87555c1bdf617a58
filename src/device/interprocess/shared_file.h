// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that several processes see. It is a file without a name (memfd_create): another process of
// the same user opens it through the first one's table of files, /proc/PID/fd/N, as long as that
// process lives. Nothing is left behind when a process ends, however it ends.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

/// What names such a file in another process. Plain data: it travels inside CUDA's handles.
struct SharedFile {
  int32_t process = 0;
  int32_t descriptor = -1;
  uint64_t inode = 0; // tells whether the descriptor still is the file that was meant

  bool operator==(const SharedFile &) const = default;
};

/// A new file of `bytes` zeros, which take no memory before they are written; or -1.
int createSharedFile(const char *name, size_t bytes);
/// How other processes find a file that is open here.
SharedFile describeSharedFile(int descriptor);
/// Opens another process's file; -1 if it is not there (any more).
int openSharedFile(const SharedFile &file);

/// A part of a file in this process's memory, with accessible memory before and behind it, since
/// kernels may read a little past the ends of what they are given.
struct SharedMapping {
  void *start = nullptr; // of the part; null: not mapped
  void *whole = nullptr;
  size_t whole_bytes = 0;
};
SharedMapping mapSharedFile(int descriptor, uint64_t offset, size_t bytes);
void unmapSharedFile(const SharedMapping &mapping);

} // namespace heddle
