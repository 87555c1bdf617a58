// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/registry.h"

#include "engine/observe/observer.h"

namespace heddle {
namespace {

Allocation managedAllocation(const void *address, size_t size) {
  return {const_cast<void *>(address), size, MemoryKind::Managed, 0, cudaMemAttachGlobal};
}

void announce(Memory &memory, const void *address, const Variable &variable) {
  memory.add(managedAllocation(address, variable.size));
  if (engine::observe::observer)
    engine::observe::observer->sharedByProgram(
        {address, variable.size, variable.name.c_str(), variable.own_pages});
}

} // namespace

Registry &Registry::instance() {
  // Never destroyed: objects unregister themselves at the very end of the program.
  static auto *registry = new Registry;
  return *registry;
}

Module *Registry::addModule(const void *image, std::vector<const void *> objects) {
  auto module = std::make_shared<Module>(image, std::move(objects));
  addModule(module);
  return module.get();
}

void Registry::addModule(std::shared_ptr<Module> module) {
  std::lock_guard lock(mutex);
  const void *handle = module.get();
  modules[handle] = std::move(module);
}

std::shared_ptr<Module> Registry::findModule(const void *handle) const {
  std::shared_lock lock(mutex);
  const auto it = modules.find(handle);
  return it == modules.end() ? nullptr : it->second;
}

std::vector<std::shared_ptr<Module>> Registry::modulesOf(unsigned context) const {
  std::vector<std::shared_ptr<Module>> found;
  std::shared_lock lock(mutex);
  for (const auto &[handle, module] : modules)
    if (module->context == context)
      found.push_back(module);
  return found;
}

void Registry::removeModule(Module *module) {
  if (const std::shared_ptr<Module> whole = findModule(module))
    for (const std::shared_ptr<Module> &part : whole->partsMade())
      removeModule(part.get());
  std::shared_ptr<Module> last; // ends without the lock, if kernels that run do not keep it
  std::lock_guard lock(mutex);
  for (const void *function : functions[module])
    kernels.erase(function);
  functions.erase(module);
  std::erase_if(by_index, [&](const auto &entry) { return entry.first.first == module; });
  std::erase_if(variables, [&](const auto &entry) {
    const auto &[address, variable] = entry;
    if (variable.module.get() != module)
      return false;
    if (memory && variable.managed)
      memory->release(managedAllocation(address, variable.size));
    return true;
  });
  if (const auto it = modules.find(module); it != modules.end()) {
    last = std::move(it->second);
    modules.erase(it);
  }
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
  if (kernels.try_emplace(host_function, std::move(kernel)).second)
    functions[module].push_back(host_function);
}

void Registry::addVariable(Module *module, const void *host_variable, const char *name,
                           size_t size) {
  std::lock_guard lock(mutex);
  auto it = modules.find(module);
  if (it != modules.end())
    variables.try_emplace(host_variable, Variable{it->second, name, size, false});
}

void Registry::addManaged(Module *module, void *host_variable, const char *name, size_t size,
                          bool own_pages) {
  std::lock_guard lock(mutex);
  auto it = modules.find(module);
  if (it == modules.end())
    return;
  it->second->addManaged(name, host_variable);
  const Variable variable{it->second, name, size, true, own_pages};
  variables.insert_or_assign(host_variable, variable);
  if (memory)
    announce(*memory, host_variable, variable);
}

void Registry::addManagedPointer(Module *module, void **host_pointer, const char *name) {
  std::lock_guard lock(mutex);
  if (auto it = modules.find(module); it != modules.end())
    it->second->addManagedPointer(name, host_pointer);
}

void Registry::placeManaged(const Module &module, void *address, const std::string &name,
                            size_t size) {
  std::lock_guard lock(mutex);
  if (auto it = modules.find(&module); it != modules.end())
    variables.insert_or_assign(address, Variable{it->second, name, size, true, true});
}

void Registry::announceManaged(Memory &all_memory) {
  std::lock_guard lock(mutex);
  memory = &all_memory;
  for (const auto &[address, variable] : variables)
    if (variable.managed)
      announce(all_memory, address, variable);
}

cudaError_t Registry::findKernel(const void *host_function, std::shared_ptr<Kernel> &kernel) {
  std::shared_ptr<Module> module;
  {
    std::shared_lock lock(mutex);
    auto it = kernels.find(host_function);
    if (it == kernels.end())
      return cudaErrorInvalidDeviceFunction;
    kernel = it->second;
    if (kernel->index.load(std::memory_order_acquire) >= 0)
      return cudaSuccess;
    module = kernel->module;
  }
  if (cudaError_t error = module->load())
    return error;
  if (module->isDivided()) {
    std::shared_ptr<Module> part;
    if (cudaError_t error = module->findPart(kernel->name, part))
      return error;
    module = std::move(part);
  }
  const int index = module ? module->findKernel(kernel->name) : -1;
  if (index < 0)
    return cudaErrorInvalidDeviceFunction;
  std::lock_guard lock(mutex);
  place(*kernel, module, index);
  return cudaSuccess;
}

// Who sees the index sees the module, too.
void Registry::place(Kernel &kernel, const std::shared_ptr<Module> &module, int index) {
  if (kernel.index.load(std::memory_order_relaxed) >= 0)
    return;
  kernel.module = module;
  kernel.index.store(index, std::memory_order_release);
}

cudaError_t Registry::findKernel(Module &module, uint64_t index, std::shared_ptr<Kernel> &kernel) {
  if (index >= module.kernelCount())
    return cudaErrorInvalidDeviceFunction;
  const std::pair key(&module, index);
  {
    std::shared_lock lock(mutex);
    if (auto found = by_index.find(key); found != by_index.end() && found->second) {
      kernel = found->second;
      return cudaSuccess;
    }
  }
  std::lock_guard lock(mutex);
  const auto owner = modules.find(&module);
  if (owner == modules.end())
    return cudaErrorInvalidDeviceFunction;
  const std::string name = module.kernelName(index);
  std::shared_ptr<Kernel> &found = by_index[key];
  // If the host knows it, too, what the host has set counts.
  for (const auto &[host_function, known] : kernels)
    if (!found && &known->module->whole() == &module.whole() && known->name == name)
      found = known;
  if (!found) {
    found = std::make_shared<Kernel>();
    found->module = owner->second;
    found->name = name;
  }
  if (!module.isDivided())
    place(*found, owner->second, int(index));
  kernels.try_emplace(found.get(), found);
  functions[&module].push_back(found.get());
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
  return variable.module->findVariable(device, variable.name, address, size);
}

} // namespace heddle
