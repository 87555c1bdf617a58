// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/abi.h"
#include "engine/compiled_module.h"
#include "engine/launch.h"
#include "engine/reference/worker.h"

#include <dlfcn.h>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace heddle::engine {
namespace {

class LoadedProgram : public Program {
public:
  explicit LoadedProgram(std::span<const std::byte> bytes)
      : bytes_(reinterpret_cast<const char *>(bytes.data()), bytes.size()),
        info_(readImage(bytes).info) {}

  const ImageInfo &info() const override { return info_; }

  int findKernel(std::string_view name) const override {
    for (size_t i = 0; i < info_.kernels.size(); ++i)
      if (info_.kernels[i].name == name)
        return int(i);
    return -1;
  }

  void ensureCompiled() override { (void)table(); }

  void initGlobals(void *globals, void *(*managed)(void *user, const char *name),
                   void *user) override {
    std::vector<void *> addresses;
    for (const VariableInfo &variable : info_.variables)
      if (variable.managed)
        addresses.push_back(managed(user, variable.name.c_str()));
    table().init_globals(static_cast<char *>(globals), addresses.data());
  }

  const ModuleTable &table() {
    std::lock_guard guard(lock_);
    if (table_)
      return *table_;
    std::string path;
    void *library = loadCompiled(path);
    auto *table = static_cast<const ModuleTable *>(dlsym(library, "heddle_module"));
    if (!table || table->abi != abi_version || table->kernel_count != info_.kernels.size())
      throw std::runtime_error("compiled device code does not fit this version of Heddle: " + path);
    table_ = table;
    return *table_;
  }

private:
  // Another process may tidy the cache between our finding an entry and loading it; then compile.
  void *loadCompiled(std::string &path) {
    for (bool again : {true, false}) {
      const CompiledFile file = compiledModule(bytes_, chosenEngine());
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
  std::mutex lock_;
  const ModuleTable *table_ = nullptr;
};

} // namespace

std::shared_ptr<Program> loadProgram(std::span<const std::byte> bytes) {
  return std::make_shared<LoadedProgram>(bytes);
}

std::optional<Fault> run(const Launch &launch) {
  const ModuleTable &table = static_cast<LoadedProgram *>(launch.program)->table();
  return reference::runGrid(launch, table.kernels[launch.kernel]);
}

} // namespace heddle::engine
