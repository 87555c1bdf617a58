// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiled code of one image, loaded piece by piece as launches need it.
//
// The reference engine's code is one file. The SIMD engine's is a file for each kernel and class of
// block shapes (block_shape_class.h), made when a launch first needs it. The compiler driver makes
// one file of all kernels for the most likely class; that is used if it is in the cache.
#pragma once

#include "engine/abi.h"
#include "engine/simd/launch/block_shape_class.h"
#include "module/image/image.h"

#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::engine {

using InitGlobals = void (*)(char *globals, void *const *managed);

/// Thread-safe. Where code cannot be had, std::runtime_error has the compiler's message; it is not
/// asked a second time.
class NativeCode {
public:
  /// Both must stay valid. `explain`: tell people on stderr what became of the kernels' accesses.
  NativeCode(std::string_view image, const ImageInfo &info, bool explain);

  const KernelEntryInfo &referenceKernel(size_t kernel);
  const SimdKernelInfo &simdKernel(size_t kernel, const simd::Variant &variant);

  /// What writes the initial values of variables. `simd`: which engine's code is wanted; any that
  /// is loaded already will do.
  InitGlobals initGlobals(bool simd);

private:
  using SimdKernels = std::array<std::atomic<const SimdKernelInfo *>, simd::Variant::count>;

  /// An engine's, as the compiler and the cache know it.
  std::string nameOf(std::string engine) const;
  const SimdKernelInfo *knownTurned(size_t kernel, const simd::Variant &variant) const;
  // These expect that lock_ is held.
  const SimdKernelInfo &findSimdKernel(size_t kernel, const simd::Variant &variant);
  const ModuleTable &referenceTable();
  const SimdModuleTable *wholeImage();
  template <class Table> const Table &load(const std::string &engine, std::string_view part);
  template <class Table> const Table *open(const std::string &path);
  void explain(const std::string &engine, std::string_view kernel) const;

  const std::string_view image_;
  const ImageInfo &info_;
  const bool explain_;
  const bool observed_; // by an observer (observe/observer.h)
  std::mutex lock_;
  std::map<std::string, std::string> failures_;
  std::string problem_; // why the last file could not be opened
  std::atomic<const ModuleTable *> reference_{nullptr};
  std::vector<SimdKernels> simd_; // of each kernel
  // Of few kernels: by kernel, lane axis and index.
  std::map<std::array<size_t, 3>, const SimdKernelInfo *> turned_;
  mutable std::shared_mutex turned_lock_;
  std::vector<const SimdKernelInfo *> of_rows_; // of each kernel, for blocks of some size; or null
  const SimdModuleTable *whole_image_ = nullptr;
  bool sought_whole_image_ = false;
  std::atomic<InitGlobals> init_globals_{nullptr};
};

} // namespace heddle::engine
