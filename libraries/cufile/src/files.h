// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registered files and buffers.
#pragma once

#include "status.h"

#include <memory>
#include <sys/types.h>

namespace heddle::cufile {

/// A registered file. Work that is under way keeps it.
struct File {
  int fd = -1; // the program's
  // The same file without O_DIRECT, so that addresses and sizes need no alignment; -1: fd serves.
  int own_fd = -1;
  dev_t device = 0;
  ino_t inode = 0;

  File() = default;
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  ~File();
  int descriptor() const { return own_fd >= 0 ? own_fd : fd; }
};

/// Null if there is no such handle.
std::shared_ptr<File> findFile(CUfileHandle_t handle);

/// Whether bytes [offset, offset + size) may be used: they lie in the registered buffer, or the
/// memory at `base` is not registered.
bool isWithinBuffer(const void *base, off_t offset, size_t size);

} // namespace heddle::cufile
