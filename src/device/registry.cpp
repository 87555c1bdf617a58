// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/registry.h"

#include "engine/debugged.h"
#include "module/image.h"

#include <cstdio>
#include <exception>

namespace heddle {
namespace {

Allocation managedAllocation(const void *address, size_t size) {
  return {const_cast<void *>(address), size, MemoryKind::Managed, 0, cudaMemAttachGlobal};
}

} // namespace

cudaError_t Module::load() {
  std::call_once(load_once, [this] {
    try {
      const auto bytes = image ? engine::imageToRun(image) : std::span<const std::byte>();
      if (bytes.empty())
        throw std::runtime_error("device code in this program was not compiled by heddlecc");
      loaded = engine::loadProgram(bytes);
    } catch (const std::exception &problem) {
      fprintf(stderr, "heddle: %s\n", problem.what());
      load_error = cudaErrorInvalidKernelImage;
    }
  });
  return load_error;
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
  DeviceCopy &copy = copies[device.ordinal];
  // Generations begin at 0, those stored here at 1, so that 0 stands for "none yet".
  if (copy.generation.load(std::memory_order_acquire) == device.generation() + 1) {
    address = copy.address.load(std::memory_order_relaxed);
    return cudaSuccess;
  }
  std::lock_guard lock(mutex);
  if (copy.generation.load(std::memory_order_relaxed) != device.generation() + 1) {
    void *fresh = nullptr;
    if (cudaError_t error = makeGlobals(device, fresh))
      return error;
    copy.address.store(fresh, std::memory_order_relaxed);
    copy.generation.store(device.generation() + 1, std::memory_order_release);
  }
  address = copy.address.load(std::memory_order_relaxed);
  return cudaSuccess;
}

cudaError_t Module::makeGlobals(Device &device, void *&address) {
  const ImageInfo &info = this->info();
  if (info.globals_bytes == 0) {
    address = nullptr;
    return cudaSuccess;
  }
  size_t extra = info.globals_align > Arena::alignment ? info.globals_align : 0;
  void *block = device.memory.allocateOnDevice(device.ordinal, info.globals_bytes + extra);
  if (!block)
    return cudaErrorMemoryAllocation;
  auto start = reinterpret_cast<uintptr_t>(block);
  if (extra)
    start = (start + extra - 1) / extra * extra;
  auto *base = reinterpret_cast<std::byte *>(start);
  try {
    loaded->initGlobals(
        base,
        [](void *module, const char *name) {
          return static_cast<Module *>(module)->findManaged(name);
        },
        this);
  } catch (const std::exception &problem) {
    device.memory.release({block, info.globals_bytes + extra, MemoryKind::Device, device.ordinal});
    return tell(problem);
  }
  std::vector<Allocation> allocations;
  for (const VariableInfo &variable : info.variables)
    if (!variable.managed)
      allocations.push_back({base + variable.offset, variable.size, MemoryKind::Symbol,
                             device.ordinal, variable.constant});
  device.memory.divide(block, allocations);
  address = base;
  return cudaSuccess;
}

Registry &Registry::instance() {
  // Never destroyed: objects unregister themselves at the very end of the program.
  static auto *registry = new Registry;
  return *registry;
}

Module *Registry::addModule(const void *image) {
  auto module = std::make_shared<Module>(image);
  std::lock_guard lock(mutex);
  modules[module.get()] = module;
  return module.get();
}

void Registry::removeModule(Module *module) {
  std::lock_guard lock(mutex);
  std::erase_if(kernels, [&](const auto &entry) { return entry.second->module.get() == module; });
  std::erase_if(launched_from_device,
                [&](const auto &entry) { return entry.first.first == module; });
  std::erase_if(variables, [&](const auto &entry) {
    const auto &[address, variable] = entry;
    if (variable.module.get() != module)
      return false;
    if (memory && variable.managed)
      memory->release(managedAllocation(address, variable.size));
    return true;
  });
  modules.erase(module);
}

void Registry::addKernel(Module *module, const void *host_function, const char *name) {
  std::lock_guard lock(mutex);
  auto it = modules.find(module);
  if (it == modules.end())
    return;
  auto kernel = std::make_shared<Kernel>();
  kernel->module = it->second;
  kernel->name = name;
  // A template instantiated in two files has one host function and two equal kernels.
  kernels.try_emplace(host_function, std::move(kernel));
}

void Registry::addVariable(Module *module, const void *host_variable, const char *name,
                           size_t size) {
  std::lock_guard lock(mutex);
  auto it = modules.find(module);
  if (it != modules.end())
    variables.try_emplace(host_variable, Variable{it->second, name, size, false});
}

void Registry::addManaged(Module *module, void *host_variable, const char *name, size_t size) {
  std::lock_guard lock(mutex);
  auto it = modules.find(module);
  if (it == modules.end())
    return;
  it->second->addManaged(name, host_variable);
  variables.insert_or_assign(host_variable, Variable{it->second, name, size, true});
  if (memory)
    memory->add(managedAllocation(host_variable, size));
}

void Registry::announceManaged(Memory &all_memory) {
  std::lock_guard lock(mutex);
  memory = &all_memory;
  for (const auto &[address, variable] : variables)
    if (variable.managed)
      memory->add(managedAllocation(address, variable.size));
}

cudaError_t Registry::findKernel(const void *host_function, std::shared_ptr<Kernel> &kernel) {
  {
    std::shared_lock lock(mutex);
    auto it = kernels.find(host_function);
    if (it == kernels.end())
      return cudaErrorInvalidDeviceFunction;
    kernel = it->second;
  }
  if (kernel->index.load(std::memory_order_acquire) >= 0)
    return cudaSuccess;
  if (cudaError_t error = kernel->module->load())
    return error;
  int index = kernel->module->program().findKernel(kernel->name);
  if (index < 0)
    return cudaErrorInvalidDeviceFunction;
  kernel->index.store(index, std::memory_order_release);
  return cudaSuccess;
}

cudaError_t Registry::findKernel(Module &module, uint64_t index, std::shared_ptr<Kernel> &kernel) {
  if (index >= module.info().kernels.size())
    return cudaErrorInvalidDeviceFunction;
  const std::pair key(&module, index);
  {
    std::shared_lock lock(mutex);
    if (auto found = launched_from_device.find(key);
        found != launched_from_device.end() && found->second) {
      kernel = found->second;
      return cudaSuccess;
    }
  }
  std::lock_guard lock(mutex);
  const std::string &name = module.info().kernels[index].name;
  std::shared_ptr<Kernel> &found = launched_from_device[key];
  // If the host knows it, too, what the host has set counts.
  for (const auto &[host_function, known] : kernels)
    if (!found && known->module.get() == &module && known->name == name)
      found = known;
  if (!found) {
    const auto owner = modules.find(&module);
    if (owner == modules.end())
      return cudaErrorInvalidDeviceFunction;
    found = std::make_shared<Kernel>();
    found->module = owner->second;
    found->name = name;
  }
  found->index.store(int(index), std::memory_order_release);
  kernel = found;
  return cudaSuccess;
}

cudaError_t Registry::findVariable(Device &device, const void *host_variable, void *&address,
                                   size_t &size) {
  Variable variable;
  {
    std::shared_lock lock(mutex);
    auto it = variables.find(host_variable);
    if (it == variables.end())
      return cudaErrorInvalidSymbol;
    variable = it->second;
  }
  size = variable.size;
  if (variable.managed) {
    address = const_cast<void *>(host_variable);
    return cudaSuccess;
  }
  if (cudaError_t error = variable.module->load())
    return error;
  for (const VariableInfo &info : variable.module->info().variables) {
    if (info.name != variable.name)
      continue;
    void *globals = nullptr;
    if (cudaError_t error = variable.module->globals(device, globals))
      return error;
    address = static_cast<std::byte *>(globals) + info.offset;
    size = info.size;
    return cudaSuccess;
  }
  return cudaErrorInvalidSymbol;
}

} // namespace heddle
