// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/code/native_code.h"

#include "engine/code/compiled_module.h"
#include "engine/observe/observer.h"

#include <algorithm>
#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace heddle::engine {
namespace {

template <class Table> constexpr const char *symbol = nullptr;
template <> constexpr const char *symbol<ModuleTable> = "heddle_module";
template <> constexpr const char *symbol<SimdModuleTable> = "heddle_simd_module";

const SimdKernelInfo *findKernel(const SimdModuleTable &table, std::string_view name) {
  const SimdKernelInfo *end = table.kernels + table.kernel_count;
  const SimdKernelInfo *found = std::find_if(
      table.kernels, end, [&](const SimdKernelInfo &kernel) { return kernel.name == name; });
  return found == end ? nullptr : found;
}

std::runtime_error doesNotFit(const std::string &what) {
  return std::runtime_error("compiled device code does not fit this version of Heddle: " + what);
}

// What was compiled ahead, or for blocks of one row. If it has made no use of their size, other
// rows that are whole gangs will do: nothing else in it depends on the class (gang_layout.cpp).
// Columns, and rows that have lines in common, want gangs of several rows; and barriers vanish
// where several rows are all of the block.
bool serves(const SimdKernelInfo &code, const simd::Variant &variant) {
  if (variant.warps || variant.lane_axis) // may be the gangs by chance; is other code
    return false;
  if (code.of_one_size)
    return variant.engineName() == most_likely_variant;
  return variant.full && variant.granularity >= 32 && code.gang_lanes <= variant.granularity &&
         !(variant.tiled && (code.wants_rows || (code.record_bytes && variant.whole)));
}

} // namespace

NativeCode::NativeCode(std::string_view image, const ImageInfo &info, bool explain)
    : image_(image), info_(info), explain_(explain), observed_(observe::observer),
      simd_(info.kernels.size()), of_rows_(info.kernels.size()) {}

std::string NativeCode::nameOf(std::string engine) const {
  return observed_ ? fmt::format("{}{}{}", engine, observed_suffix, observe::observer->events())
                   : engine;
}

const KernelEntryInfo &NativeCode::referenceKernel(size_t kernel) {
  const ModuleTable *table = reference_.load(std::memory_order_acquire);
  if (!table) {
    std::lock_guard guard(lock_);
    table = &referenceTable();
  }
  return table->kernels[kernel];
}

const SimdKernelInfo *NativeCode::knownTurned(size_t kernel, const simd::Variant &variant) const {
  std::shared_lock guard(turned_lock_);
  const auto found = turned_.find({kernel, variant.lane_axis, variant.index()});
  return found == turned_.end() ? nullptr : found->second;
}

const SimdKernelInfo &NativeCode::simdKernel(size_t kernel, const simd::Variant &variant) {
  if (variant.lane_axis) {
    if (const SimdKernelInfo *loaded = knownTurned(kernel, variant))
      return *loaded;
    std::lock_guard guard(lock_);
    if (const SimdKernelInfo *loaded = knownTurned(kernel, variant))
      return *loaded;
    const SimdKernelInfo &found = findSimdKernel(kernel, variant);
    std::lock_guard turned_guard(turned_lock_);
    turned_[{kernel, variant.lane_axis, variant.index()}] = &found;
    return found;
  }
  std::atomic<const SimdKernelInfo *> &place = simd_[kernel][variant.index()];
  if (const SimdKernelInfo *loaded = place.load(std::memory_order_acquire))
    return *loaded;
  std::lock_guard guard(lock_);
  if (const SimdKernelInfo *loaded = place.load(std::memory_order_relaxed))
    return *loaded;
  const SimdKernelInfo &found = findSimdKernel(kernel, variant);
  place.store(&found, std::memory_order_release);
  return found;
}

const SimdKernelInfo &NativeCode::findSimdKernel(size_t kernel, const simd::Variant &variant) {
  const std::string &name = info_.kernels[kernel].name;
  const std::string engine = nameOf(variant.engineName());
  const SimdKernelInfo *found = nullptr;
  const SimdKernelInfo *&of_rows = of_rows_[kernel];
  if (const SimdModuleTable *all = of_rows ? nullptr : wholeImage())
    of_rows = findKernel(*all, name);
  if (of_rows && serves(*of_rows, variant))
    found = of_rows;
  if (!found)
    found = findKernel(load<SimdModuleTable>(engine, name), name);
  if (!found)
    throw doesNotFit(name);
  if (variant.blockSize() && !found->of_one_size && !variant.lane_axis)
    of_rows = found;
  if (explain_)
    explain(engine, name);
  return *found;
}

InitGlobals NativeCode::initGlobals(bool simd) {
  if (InitGlobals loaded = init_globals_.load(std::memory_order_acquire))
    return loaded;
  std::lock_guard guard(lock_);
  // Loading notes it.
  if (!simd)
    (void)referenceTable();
  else if (!wholeImage())
    (void)load<SimdModuleTable>(std::string(most_likely_variant), initial_values);
  if (InitGlobals loaded = init_globals_.load(std::memory_order_relaxed))
    return loaded;
  throw doesNotFit("it has no initial values");
}

const ModuleTable &NativeCode::referenceTable() {
  if (const ModuleTable *loaded = reference_.load(std::memory_order_relaxed))
    return *loaded;
  const auto &table = load<ModuleTable>(nameOf("reference"), whole_image);
  if (table.kernel_count != info_.kernels.size())
    throw doesNotFit(info_.source);
  reference_.store(&table, std::memory_order_release);
  return table;
}

const SimdModuleTable *NativeCode::wholeImage() {
  if (!std::exchange(sought_whole_image_, true) && !observed_)
    if (const auto path = cachedModule(image_, most_likely_variant, whole_image); !path.empty())
      whole_image_ = open<SimdModuleTable>(path);
  return whole_image_;
}

// Another process may tidy the cache between our finding an entry and loading it; then compile.
template <class Table>
const Table &NativeCode::load(const std::string &engine, std::string_view part) {
  const std::string what = fmt::format("{} {}", engine, part);
  if (const auto failure = failures_.find(what); failure != failures_.end())
    throw std::runtime_error(failure->second);
  try {
    for (bool again : {true, false}) {
      const CompiledFile file = compiledModule(image_, engine, part);
      const Table *table = open<Table>(file.path);
      std::error_code ignored;
      const bool gone = !std::filesystem::exists(file.path, ignored);
      if (file.temporary)
        std::filesystem::remove(file.path, ignored);
      if (table)
        return *table;
      if (!gone || !again)
        break;
    }
    throw std::runtime_error(fmt::format("cannot load compiled device code: {}", problem_));
  } catch (const std::runtime_error &failure) {
    failures_[what] = failure.what();
    throw;
  }
}

// Null, and problem_ says why, if this cannot be loaded.
template <class Table> const Table *NativeCode::open(const std::string &path) {
  // Never closed: device pointers to its functions and constants may live anywhere.
  // Global: a device function's address is the same in all files of an image.
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    problem_ = dlerror();
    return nullptr;
  }
  const auto *table = static_cast<const Table *>(dlsym(library, symbol<Table>));
  if (!table || table->abi != abi_version) {
    problem_ = path + " is of another version of Heddle";
    return nullptr;
  }
  if (observed_)
    observe::observer->codeLoaded(table);
  if (table->init_globals && !init_globals_.load(std::memory_order_relaxed))
    init_globals_.store(table->init_globals, std::memory_order_release);
  return table;
}

void NativeCode::explain(const std::string &engine, std::string_view kernel) const {
  try {
    std::fputs(explainedModule(image_, engine, kernel).c_str(), stderr);
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "heddle: cannot explain the code: %s\n", problem.what());
  }
}

} // namespace heddle::engine
