// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_engine.h"
#include "engine/cluster_launch.h"
#include "engine/code/fat_binary.h"
#include "engine/host_task.h"
#include "engine/observe/host_guard.h"

#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>

namespace heddle {
namespace {

std::mutex mutex;

std::map<std::string, fake::Body> &bodies() {
  static std::map<std::string, fake::Body> bodies;
  return bodies;
}

class FakeProgram final : public engine::Program {
public:
  explicit FakeProgram(Image image) : image(std::move(image)) {}
  const ImageInfo &info() const override { return image.info; }
  int findKernel(std::string_view name) const override {
    for (size_t i = 0; i < image.info.kernels.size(); ++i)
      if (image.info.kernels[i].name == name)
        return int(i);
    return -1;
  }
  void ensureCompiled(int, const engine::Dim3 &, const engine::Dim3 &) override {
    if (image.bitcode == "does not compile")
      throw std::runtime_error("does not compile");
  }
  void initGlobals(void *globals, engine::ManagedPlace (*managed)(void *user, const char *name),
                   void *user) override {
    if (image.bitcode == "does not compile")
      throw std::runtime_error("no initial values");
    memset(globals, 0, image.info.globals_bytes);
    memcpy(globals, image.bitcode.data(),
           std::min<size_t>(image.bitcode.size(), image.info.globals_bytes));
    for (const VariableInfo &variable : image.info.variables)
      if (variable.managed) // the device finds a managed variable through a pointer
        *reinterpret_cast<void **>(static_cast<char *>(globals) + variable.offset) =
            managed(user, variable.name.c_str()).address;
  }

private:
  Image image;
};

} // namespace

void fake::define(const std::string &kernel, Body body) {
  std::lock_guard lock(mutex);
  bodies()[kernel] = std::move(body);
}

std::string fake::makeImage(ImageInfo info, const std::string &initial) {
  return writeImage(info, initial);
}

std::shared_ptr<engine::Program> engine::loadProgram(std::span<const std::byte> bytes) {
  return std::make_shared<FakeProgram>(readImage(bytes));
}

std::optional<engine::Fault> engine::runClusters(const Launch &launch, const Dim3 &) {
  fake::Body body;
  {
    std::lock_guard lock(mutex);
    body = bodies().at(launch.program->info().kernels[launch.kernel].name);
  }
  return body(launch);
}

// Library tasks have no faults here.
bool engine::runHostTask(void (*body)(void *), void *argument, RawFault &) {
  body(argument);
  return true;
}

// Programs of these tests were all compiled by heddlecc.
bool engine::isFatBinary(const void *) { return false; }
engine::PtxToRun engine::openLinkedFatBinary(const void *, const std::vector<const void *> &,
                                             unsigned) {
  return {};
}
std::vector<std::byte> engine::imageOfPart(const PtxParts &, size_t) { return {}; }

engine::Fault engine::describeTaskFault(const RawFault &, const char *) { return {}; }
void engine::addDeviceRange(uintptr_t, size_t) {}
void engine::observe::guardPages(uintptr_t, size_t) {}
void engine::observe::refreshClosedPages() {}
void engine::observe::forgetPages(uintptr_t, size_t) {}
void engine::observe::OpenToHost::open() {}
void engine::observe::OpenToHost::close() {}
void engine::forgetDeviceRange(uintptr_t) {}

} // namespace heddle
