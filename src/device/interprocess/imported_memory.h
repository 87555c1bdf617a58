// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory between processes. A process that gives its memory away has the pages of the
// allocation moved to a shared file, at the same addresses; another process maps that part of the
// file and uses it as device memory.
#pragma once

#include "device/device.h"
#include "device/interprocess/shared_file.h"

namespace heddle {

/// What a cudaIpcMemHandle_t and a cudaMemPoolPtrExportData hold. Plain data.
struct SharedPlace {
  uint64_t mark = 0; // tells such data from any other
  SharedFile file;
  uint64_t offset = 0, size = 0;                                 // of the allocation in the file
  static constexpr uint64_t expected_mark = 0x48656464'6c654950; // "HeddleIP"
};
static_assert(sizeof(SharedPlace) <= 64);

/// Makes an allocation of this process accessible to others; its device is idle afterwards.
cudaError_t exportMemory(Device &device, const Allocation &allocation, SharedPlace &place);

/// Maps another process's allocation. The same place gives the same pointer again, which is then to
/// be closed as often. `descriptor`: the file, if it is open already, else -1.
cudaError_t importMemory(Device &device, const SharedPlace &place, int descriptor, void *&pointer);

/// Undoes one importMemory; cudaErrorInvalidValue if there was none. For memory that kernels may
/// use, its device must be idle.
cudaError_t closeImportedMemory(Memory &memory, void *pointer);

} // namespace heddle
