// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/module.h"

#include "engine/observe/host_guard.h"

#include "device/platform.h"
#include "device/registry.h"
#include "engine/code/fat_binary.h"
#include "engine/code/ptx_text.h"
#include "engine/debugged.h"
#include "module/image/image.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>

namespace heddle {
namespace {

cudaError_t errorOf(const engine::PtxProblem &problem) {
  using Problem = engine::PtxProblem;
  return problem.kind == Problem::TooNew     ? cudaErrorUnsupportedPtxVersion
         : problem.kind == Problem::Internal ? cudaErrorJitCompilerNotFound
                                             : cudaErrorInvalidPtx;
}

void checkCodes(const engine::Program &program) {
  const ImageInfo &image = program.info();
  if (Platform::instance().runs(image.codes))
    return;
  std::string codes;
  for (const std::string &code : image.codes)
    codes += (codes.empty() ? "" : ", ") + code;
  throw engine::NoPtx("for other GPUs (" + codes + ") than " +
                      Platform::instance().device(0).gpu.name +
                      ", which HEDDLE_GPU names: " + image.source);
}

} // namespace

struct Module::Division {
  struct Part {
    std::once_flag once;
    std::shared_ptr<Module> module;
    cudaError_t error = cudaSuccess;
  };
  explicit Division(PtxParts all) : parts(std::move(all)), made(parts.count()) {}

  const PtxParts parts;
  std::vector<Part> made;
  std::mutex mutex; // of their modules, for those who ask for no name
};

Module::Module(const void *image, std::vector<const void *> objects)
    : image(image), objects(std::move(objects)) {}

Module::Module(engine::PtxToRun code, unsigned context, int device)
    : image(code.image.data()), context(context), device(device), own_bytes(std::move(code.image)),
      was_loaded(true) {
  if (code.parts)
    division = std::make_unique<Division>(std::move(*code.parts));
}

Module::Module(std::vector<std::byte> bytes, Module &whole)
    : image(bytes.data()), context(whole.context), device(whole.device),
      own_bytes(std::move(bytes)), was_loaded(whole.was_loaded), whole_module(&whole) {}

Module::~Module() {
  if (!memory || !wasLoaded())
    return; // what belongs to the program lasts as long as it
  for (int i = 0; i < max_devices; ++i) {
    DeviceCopy &copy = copies[i];
    // A reset has freed the others.
    if (copy.block.base && copy.generation == Platform::instance().device(i).generation() + 1)
      memory->unite(copy.block, copy.variables);
  }
  for (const auto &[name, address] : managed)
    if (std::optional<Allocation> found = memory->find(address))
      memory->release(*found);
}

/// Of libraries that nvcc compiled, the PTX in them runs.
void Module::open() {
  const void *to_run = image;
  if (image && engine::isFatBinary(image)) {
    auto code =
        engine::openLinkedFatBinary(image, objects, Platform::instance().computeCapability());
    if (code.parts)
      division = std::make_unique<Division>(std::move(*code.parts));
    own_bytes = std::move(code.image);
    to_run = own_bytes.data();
  }
  if (division)
    return;
  const auto bytes = to_run ? engine::imageToRun(to_run) : std::span<const std::byte>();
  if (bytes.empty())
    throw std::runtime_error("device code in this program was not compiled by heddlecc");
  loaded = engine::loadProgram(bytes);
  if (!wasLoaded()) // else who loads it asks
    checkCodes(*loaded);
}

cudaError_t Module::load() {
  std::call_once(load_once, [this] {
    try {
      open();
    } catch (const engine::NoPtx &problem) {
      fprintf(stderr, "heddle: device code in this program is %s\n", problem.what());
      load_error = cudaErrorNoKernelImageForDevice;
    } catch (const std::exception &problem) {
      fprintf(stderr, "heddle: %s\n", problem.what());
      load_error = cudaErrorInvalidKernelImage;
    }
  });
  return load_error;
}

size_t Module::kernelCount() const {
  return division ? division->parts.kernels().size() : info().kernels.size();
}

std::string Module::kernelName(size_t index) const {
  return division ? std::string(division->parts.kernels()[index]) : info().kernels[index].name;
}

int Module::findKernel(std::string_view name) const {
  if (!division)
    return loaded->findKernel(name);
  const auto &kernels = division->parts.kernels();
  const auto found = std::find(kernels.begin(), kernels.end(), name);
  return found == kernels.end() ? -1 : int(found - kernels.begin());
}

// A text with managed variables is not divided.
bool Module::isManaged(std::string_view name) const {
  return !division && std::ranges::any_of(info().variables, [&](const VariableInfo &variable) {
    return variable.managed && variable.name == name;
  });
}

cudaError_t Module::findPart(std::string_view name, std::shared_ptr<Module> &part) {
  const std::optional<size_t> number = division->parts.find(name);
  part = nullptr;
  if (!number)
    return cudaSuccess;
  Division::Part &found = division->made[*number];
  std::call_once(found.once, [&] {
    try {
      auto made = std::make_shared<Module>(engine::imageOfPart(division->parts, *number), *this);
      found.error = made->load();
      Registry::instance().addModule(made);
      std::lock_guard lock(division->mutex);
      found.module = std::move(made);
    } catch (const engine::PtxProblem &problem) {
      fprintf(stderr, "heddle: %s", problem.what());
      found.error = errorOf(problem);
    } catch (const std::exception &problem) {
      fprintf(stderr, "heddle: %s\n", problem.what());
      found.error = cudaErrorInvalidKernelImage;
    }
  });
  if (!found.error)
    part = found.module;
  return found.error;
}

std::vector<std::shared_ptr<Module>> Module::partsMade() const {
  std::vector<std::shared_ptr<Module>> all;
  if (!division)
    return all;
  std::lock_guard lock(division->mutex);
  for (const Division::Part &part : division->made)
    if (part.module)
      all.push_back(part.module);
  return all;
}

cudaError_t Module::compile(int kernel, const engine::Dim3 &grid, const engine::Dim3 &block) {
  try {
    loaded->ensureCompiled(kernel, grid, block);
    return cudaSuccess;
  } catch (const std::exception &problem) {
    std::lock_guard lock(mutex);
    return tell(problem);
  }
}

cudaError_t Module::tell(const std::exception &problem) {
  if (told.insert(problem.what()).second)
    fprintf(stderr, "heddle: %s\n", problem.what());
  return cudaErrorInvalidKernelImage;
}

void *Module::findManaged(const std::string &name) const {
  auto it = managed.find(name);
  return it == managed.end() ? nullptr : it->second;
}

cudaError_t Module::globals(Device &device, void *&address) {
  address = nullptr;
  if (division)
    return cudaSuccess; // its parts have them
  DeviceCopy &copy = copies[device.ordinal];
  // Generations begin at 0, those stored here at 1, so that 0 stands for "none yet".
  if (copy.generation.load(std::memory_order_acquire) != device.generation() + 1) {
    std::lock_guard lock(mutex);
    if (copy.generation.load(std::memory_order_relaxed) != device.generation() + 1) {
      copy.block = {};
      if (cudaError_t error = makeGlobals(device, copy))
        return error;
      copy.generation.store(device.generation() + 1, std::memory_order_release);
    }
  }
  address = copy.address.load(std::memory_order_relaxed);
  return cudaSuccess;
}

/// The program's own modules have managed variables in the program, but for those of nvcc; those of
/// others are made.
cudaError_t Module::makeManaged(Device &device) {
  for (const VariableInfo &variable : info().variables) {
    const auto pointer = pointers.find(variable.name);
    if (!variable.managed || findManaged(variable.name) ||
        (!wasLoaded() && pointer == pointers.end()))
      continue;
    memory = &device.memory;
    void *address = memory->allocateOnHost(device.ordinal, std::max<size_t>(variable.size, 1),
                                           MemoryKind::Managed, cudaMemAttachGlobal);
    if (!address)
      return cudaErrorMemoryAllocation;
    memset(address, 0, variable.size);
    managed[variable.name] = address;
    managed_is_fresh = true;
    if (pointer != pointers.end()) {
      *pointer->second = address;
      Registry::instance().placeManaged(*this, address, variable.name, variable.size);
    }
  }
  return cudaSuccess;
}

cudaError_t Module::makeGlobals(Device &device, DeviceCopy &copy) {
  const ImageInfo &info = this->info();
  if (cudaError_t error = makeManaged(device))
    return error;
  if (info.globals_bytes == 0) {
    copy.address = nullptr;
    return cudaSuccess;
  }
  memory = &device.memory;
  const size_t extra = info.globals_align > Arena::alignment ? info.globals_align : 0;
  const size_t bytes = info.globals_bytes + extra;
  void *block = device.memory.allocateOnDevice(device.ordinal, bytes);
  if (!block)
    return cudaErrorMemoryAllocation;
  auto start = reinterpret_cast<uintptr_t>(block);
  if (extra)
    start = (start + extra - 1) / extra * extra;
  auto *base = reinterpret_cast<std::byte *>(start);
  copy.block = {block, bytes, MemoryKind::Device, device.ordinal};
  try {
    const engine::observe::OpenToHost open;
    loaded->initGlobals(
        base,
        [](void *user, const char *name) {
          auto *module = static_cast<Module *>(user);
          return engine::ManagedPlace{module->findManaged(name), module->managed_is_fresh};
        },
        this);
    managed_is_fresh = false;
    if (engine::observe::observer) // variables begin with their values, or with zeros
      engine::observe::observer->written(block, bytes);
  } catch (const std::exception &problem) {
    device.memory.release(copy.block);
    copy.block = {};
    return tell(problem);
  }
  copy.variables.clear();
  for (const VariableInfo &variable : info.variables)
    if (!variable.managed)
      copy.variables.push_back({base + variable.offset, variable.size, MemoryKind::Symbol,
                                device.ordinal, variable.constant, context});
  device.memory.divide(block, copy.variables);
  copy.address = base;
  return cudaSuccess;
}

cudaError_t Module::findVariable(Device &device, const std::string &name, void *&address,
                                 size_t &size) {
  if (cudaError_t error = load())
    return error;
  if (division) {
    std::shared_ptr<Module> part;
    if (cudaError_t error = findPart(name, part))
      return error;
    return part ? part->findVariable(device, name, address, size) : cudaErrorInvalidSymbol;
  }
  const auto &variables = info().variables;
  const auto found = std::find_if(variables.begin(), variables.end(),
                                  [&](const VariableInfo &info) { return info.name == name; });
  if (found == variables.end())
    return cudaErrorInvalidSymbol;
  void *start = nullptr;
  if (cudaError_t error = globals(device, start))
    return error;
  address = found->managed ? findManaged(name) : static_cast<std::byte *>(start) + found->offset;
  size = found->size;
  return cudaSuccess;
}

} // namespace heddle
