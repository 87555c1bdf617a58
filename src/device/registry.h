// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device code of this process, and what the program calls its parts: which module holds the
// kernel behind a host function or a handle, and where each device has the variable behind a host
// variable. Object files register their image, kernels and variables before main.
#pragma once

#include "device/module.h"

namespace heddle {

/// A variable, known to the program by the address of its host shadow.
struct Variable {
  std::shared_ptr<Module> module;
  std::string name;
  size_t size = 0;
  bool managed = false;
  bool own_pages = false; // a managed one, and nothing else lies on its pages
};

/// Thread-safe.
class Registry {
public:
  static Registry &instance();

  Module *addModule(const void *image, std::vector<const void *> objects = {});
  /// A module that the program has loaded.
  void addModule(std::shared_ptr<Module> module);
  void removeModule(Module *module);
  /// Null if there is no such module (any more).
  std::shared_ptr<Module> findModule(const void *handle) const;
  /// Those that belong to this context.
  std::vector<std::shared_ptr<Module>> modulesOf(unsigned context) const;
  void addKernel(Module *module, const void *host_function, const char *name);
  void addVariable(Module *module, const void *host_variable, const char *name, size_t size);
  void addManaged(Module *module, void *host_variable, const char *name, size_t size,
                  bool own_pages);
  /// A __managed__ variable without a place in the program: `*host_pointer` will be its address.
  void addManagedPointer(Module *module, void **host_pointer, const char *name);
  /// Such a variable has its place now.
  void placeManaged(const Module &module, void *address, const std::string &name, size_t size);

  /// Makes the __managed__ variables, present and future, known as managed memory.
  void announceManaged(Memory &memory);

  /// The kernel behind a host function or the handle of a kernel, with its image loaded.
  /// cudaErrorInvalidDeviceFunction if there is none.
  cudaError_t findKernel(const void *host_function, std::shared_ptr<Kernel> &kernel);
  /// The kernel with that index in a loaded module. cudaErrorInvalidDeviceFunction if there is
  /// none. Its address is a handle from now on. Of a divided module it is not compiled by that.
  cudaError_t findKernel(Module &module, uint64_t index, std::shared_ptr<Kernel> &kernel);
  /// Where the device has the variable. cudaErrorInvalidSymbol if there is none.
  cudaError_t findVariable(Device &device, const void *host_variable, void *&address, size_t &size);

private:
  // Expects that `mutex` is held.
  static void place(Kernel &kernel, const std::shared_ptr<Module> &module, int index);

  mutable std::shared_mutex mutex;
  std::unordered_map<const void *, std::shared_ptr<Module>> modules;
  std::unordered_map<const void *, std::shared_ptr<Kernel>> kernels;
  // What each module has added to them: a program of many modules ends one after another.
  std::unordered_map<const Module *, std::vector<const void *>> functions;
  std::unordered_map<const void *, Variable> variables;
  std::map<std::pair<const Module *, uint64_t>, std::shared_ptr<Kernel>> by_index;
  Memory *memory = nullptr; // once there is any
};

} // namespace heddle
