// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code that a program gives a library at run time as LTO-IR (of NVRTC), linked with kernels
// of the library's own that call it, which are a source text, as they are of the program's types.
#pragma once

#include <cuda_runtime_api.h>
#include <memory>
#include <string>
#include <vector>

namespace heddle::library {

class LinkedCode {
public:
  struct Part {
    const void *code;
    size_t size;
  };

  /// Compiles the source for the current device and links it with the parts. Null, and `why`, if
  /// that fails. `options` are more options for NVRTC.
  static std::unique_ptr<LinkedCode> make(const char *source,
                                          const std::vector<std::string> &options,
                                          const std::vector<Part> &parts, std::string &why);
  ~LinkedCode();
  LinkedCode(const LinkedCode &) = delete;

  /// Null if there is no such kernel.
  cudaKernel_t kernel(const char *name) const;
  /// A variable of the program's part; null if there is none of that name.
  void *variable(const char *name, size_t &size) const;

private:
  explicit LinkedCode(cudaLibrary_t loaded) : loaded_(loaded) {}
  cudaLibrary_t loaded_;
};

} // namespace heddle::library
