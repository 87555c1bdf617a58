// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the conformance programs of the driver API share.
//
//   CHECK_DRIVER(call)       the call returns CUDA_SUCCESS
//   CHECK_CODE(call, code)   it returns that error
//   ownImage()               the program's own device code, as cuModuleLoadData takes it
#pragma once

#include "../check.h"

#include <cuda.h>
#include <elf.h>
#include <fstream>
#include <link.h>
#include <string>
#include <vector>

#define CHECK_DRIVER(call) CHECK_EQ(int(call), int(CUDA_SUCCESS))
#define CHECK_CODE(call, code) CHECK_EQ(int(call), int(code))

namespace driver {

inline CUdeviceptr address(const void *pointer) { return CUdeviceptr(pointer); }

/// The sections of this program's file, by name.
inline bool findSection(const char *wanted, size_t &offset, size_t &bytes) {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::vector<char> all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto *header = reinterpret_cast<const Elf64_Ehdr *>(all.data());
  const auto *sections = reinterpret_cast<const Elf64_Shdr *>(all.data() + header->e_shoff);
  const char *names = all.data() + sections[header->e_shstrndx].sh_offset;
  for (int i = 0; i < header->e_shnum; ++i)
    if (std::string(names + sections[i].sh_name) == wanted) {
      offset = sections[i].sh_addr;
      bytes = sections[i].sh_size;
      return true;
    }
  return false;
}

/// The compiler puts a wrapper { magic, version, pointer to the fat binary } into this section, and
/// nvcc's device link one more, of version 2.
inline const void *ownImage() {
  struct Wrapper {
    unsigned magic, version;
    const void *data, *unused;
  };
  size_t offset = 0, bytes = 0;
  if (!findSection(".nvFatBinSegment", offset, bytes) || bytes < sizeof(Wrapper))
    return nullptr;
  size_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *result) {
        *static_cast<size_t *>(result) = info->dlpi_addr; // the first is the program
        return 1;
      },
      &base);
  const auto *wrapper = reinterpret_cast<const Wrapper *>(base + offset);
  for (size_t i = 0; i < bytes / sizeof(Wrapper); ++i)
    if (wrapper[i].version == 1)
      return wrapper[i].data;
  return wrapper->data;
}

/// Initialises the driver and makes the first device's primary context current.
inline CUcontext begin() {
  CUcontext context = nullptr;
  if (cuInit(0) != CUDA_SUCCESS || cuDevicePrimaryCtxRetain(&context, 0) != CUDA_SUCCESS ||
      cuCtxSetCurrent(context) != CUDA_SUCCESS) {
    std::fprintf(stderr, "no driver\n");
    std::exit(1);
  }
  return context;
}

} // namespace driver
