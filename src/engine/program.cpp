// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/abi.h"
#include "engine/compiled_module.h"
#include "engine/launch.h"
#include "engine/reference/kernel.h"
#include "engine/schedule/worker.h"
#include "engine/simd/kernel.h"
#include "engine/simd/variant.h"
#include "support/switches.h"

#include <array>
#include <cstdio>
#include <dlfcn.h>
#include <fmt/format.h>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace heddle::engine {
namespace {

constexpr int error_invalid_kernel_image = 200; // cudaErrorInvalidKernelImage

bool verbose() {
  static const bool verbose = switchedOn("HEDDLE_VERBOSE");
  return verbose;
}

class LoadedProgram : public Program {
public:
  explicit LoadedProgram(std::span<const std::byte> bytes)
      : bytes_(reinterpret_cast<const char *>(bytes.data()), bytes.size()),
        info_(readImage(bytes).info), kernels_(info_.kernels.size()) {}

  const ImageInfo &info() const override { return info_; }

  int findKernel(std::string_view name) const override {
    for (size_t i = 0; i < info_.kernels.size(); ++i)
      if (info_.kernels[i].name == name)
        return int(i);
    return -1;
  }

  void ensureCompiled() override {
    if (usesSimd())
      (void)simdTable(simd::Variant{});
    else
      (void)referenceTable();
  }

  void initGlobals(void *globals, void *(*managed)(void *user, const char *name),
                   void *user) override {
    std::vector<void *> addresses;
    for (const VariableInfo &variable : info_.variables)
      if (variable.managed)
        addresses.push_back(managed(user, variable.name.c_str()));
    auto *init = init_globals_.load(std::memory_order_acquire);
    if (!init) {
      ensureCompiled();
      init = init_globals_.load(std::memory_order_acquire);
    }
    init(static_cast<char *>(globals), addresses.data());
  }

  std::optional<Fault> run(const Launch &launch) {
    const auto kernel = size_t(launch.kernel);
    if (usesSimd()) {
      const SimdKernelInfo &info = simdTable(simd::variantFor(launch.block)).kernels[kernel];
      const char *reason = simd::whyNot(info, launch);
      if (!reason) {
        std::optional<Fault> fault = runGrid(launch, simd::Kernel(info), kernels_[kernel].simd);
        if (fault && fault->one_of_many)
          findCulprit(launch, *fault);
        return fault;
      }
      if (verbose() && !kernels_[kernel].told.exchange(true))
        fmt::print(stderr, "heddle: kernel {} runs on the reference engine: {}\n",
                   info_.kernels[kernel].display_name, reason);
    }
    return runGrid(launch, reference::Kernel(referenceTable().kernels[kernel]),
                   kernels_[kernel].reference);
  }

private:
  struct KernelState {
    KernelHistory reference, simd;
    std::atomic<bool> told{false}; // that it runs on the reference engine
  };

  // Threads of a gang fault together. To name the one, the block runs again on the reference
  // engine, thread by thread; memory is lost anyway. If it does not come to the same end, the first
  // thread of the gang stands for all.
  void findCulprit(const Launch &launch, Fault &fault) {
    try {
      const reference::Kernel code(referenceTable().kernels[size_t(launch.kernel)]);
      std::optional<Fault> again = replayBlock(launch, code, fault.block);
      if (again && again->error == fault.error)
        fault = std::move(*again);
    } catch (const std::runtime_error &) {
      return; // no code for the reference engine
    }
  }

  // Code that was compiled to be debugged runs as it was written, thread by thread.
  bool usesSimd() const {
    static const bool simd = chosenEngine() == "simd";
    return simd && !info_.debug;
  }

  const ModuleTable &referenceTable() { return table(reference_, "reference", "heddle_module"); }

  const SimdModuleTable &simdTable(const simd::Variant &variant) {
    std::atomic<const SimdModuleTable *> &place = variants_[variant.index()];
    if (const SimdModuleTable *loaded = place.load(std::memory_order_acquire))
      return *loaded;
    const SimdModuleTable &loaded = table(place, variant.engineName(), "heddle_simd_module");
    if (switchedOn("HEDDLE_EXPLAIN"))
      explain(variant);
    return loaded;
  }

  // For people who wonder why their kernel is slow here: once for each variant that launches use.
  void explain(const simd::Variant &variant) {
    std::lock_guard guard(lock_);
    if (std::exchange(explained_[variant.index()], true))
      return;
    try {
      std::fputs(explainedModule(bytes_, variant.engineName()).c_str(), stderr);
    } catch (const std::exception &problem) {
      std::fprintf(stderr, "heddle: cannot explain the code: %s\n", problem.what());
    }
  }

  // Loaded by the first who needs it, and then there for good.
  template <class Table>
  const Table &table(std::atomic<const Table *> &place, const std::string &engine,
                     const char *symbol) {
    if (const Table *loaded = place.load(std::memory_order_acquire))
      return *loaded;
    std::lock_guard guard(lock_);
    if (const Table *loaded = place.load(std::memory_order_acquire))
      return *loaded;
    std::string path;
    void *library = loadCompiled(engine, path);
    auto *fresh = static_cast<const Table *>(dlsym(library, symbol));
    if (!fresh || fresh->abi != abi_version || fresh->kernel_count != info_.kernels.size())
      throw std::runtime_error("compiled device code does not fit this version of Heddle: " + path);
    if (!init_globals_.load(std::memory_order_relaxed))
      init_globals_.store(fresh->init_globals, std::memory_order_release);
    place.store(fresh, std::memory_order_release);
    return *fresh;
  }

  // Another process may tidy the cache between our finding an entry and loading it; then compile.
  void *loadCompiled(const std::string &engine, std::string &path) {
    for (bool again : {true, false}) {
      const CompiledFile file = compiledModule(bytes_, engine);
      path = file.path.string();
      // Never closed: device pointers to its functions and constants may live anywhere.
      void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
      const std::string problem = library ? "" : dlerror();
      std::error_code ignored;
      const bool gone = !std::filesystem::exists(file.path, ignored);
      if (file.temporary)
        std::filesystem::remove(file.path, ignored);
      if (library)
        return library;
      if (!gone || !again)
        throw std::runtime_error("cannot load compiled device code: " + problem);
    }
    return nullptr;
  }

  std::string_view bytes_;
  ImageInfo info_;
  std::vector<KernelState> kernels_;
  std::mutex lock_;
  std::array<bool, simd::Variant::count> explained_{};
  std::atomic<const ModuleTable *> reference_{nullptr};
  std::array<std::atomic<const SimdModuleTable *>, simd::Variant::count> variants_{};
  std::atomic<void (*)(char *, void *const *)> init_globals_{nullptr};
};

} // namespace

std::shared_ptr<Program> loadProgram(std::span<const std::byte> bytes) {
  return std::make_shared<LoadedProgram>(bytes);
}

std::optional<Fault> run(const Launch &launch) {
  try {
    return static_cast<LoadedProgram *>(launch.program)->run(launch);
  } catch (const std::runtime_error &problem) {
    // Code for this launch's shape of block could not be had.
    return Fault{error_invalid_kernel_image, fmt::format("heddle: {}\n", problem.what())};
  }
}

} // namespace heddle::engine
