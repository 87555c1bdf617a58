// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device code of this process: which image holds the kernel behind a host function, and where
// each device has the variable behind a host variable.
//
// Object files register their image, kernels and variables before main. An image is parsed when
// something in it is first used, its kernels are compiled when they are first launched, and its
// variables are laid out in a device's memory when that device first uses it.
#pragma once

#include "device/device.h"
#include "engine/launch.h"

#include <array>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>

namespace heddle {

/// As many virtual devices as there can be.
inline constexpr int max_devices = 64;

/// A registered image.
class Module {
public:
  explicit Module(const void *image) : image(image) {}

  /// Parses the image if it has not been. Says on stderr, once, why it cannot.
  cudaError_t load();
  /// After load. Compiles the kernel for such launches if it has not been. Says on stderr, once,
  /// why it cannot.
  cudaError_t compile(int kernel, const engine::Dim3 &grid, const engine::Dim3 &block);
  /// After load. Where this device has the image's variables.
  cudaError_t globals(Device &device, void *&address);

  engine::Program &program() const { return *loaded; }
  const ImageInfo &info() const { return loaded->info(); }
  void addManaged(const std::string &name, void *address) { managed[name] = address; }
  void *findManaged(const std::string &name) const;

private:
  struct DeviceCopy {
    std::atomic<void *> address = nullptr;
    std::atomic<uint64_t> generation = 0;
  };
  const void *image;
  std::once_flag load_once;
  cudaError_t load_error = cudaSuccess;
  std::shared_ptr<engine::Program> loaded;
  std::mutex mutex;
  std::set<std::string> told; // about what could not be compiled
  std::array<DeviceCopy, max_devices> copies;
  std::unordered_map<std::string, void *> managed;

  // These expect that `mutex` is held.
  cudaError_t makeGlobals(Device &device, void *&address);
  cudaError_t tell(const std::exception &problem);
};

/// A kernel, known to the program by the address of its host function.
struct Kernel {
  std::shared_ptr<Module> module;
  std::string name;
  std::atomic<int> index = -1; // in the image

  struct Settings { // cudaFuncSetAttribute and cudaFuncSetCacheConfig, per device
    std::atomic<int64_t> max_dynamic_shared = -1; // -1: not set
    std::atomic<int> carveout = -1;
    std::atomic<cudaFuncCache> cache = cudaFuncCachePreferNone;
    std::atomic<bool> large_clusters = false; // more blocks than all GPUs with clusters allow
    std::array<std::atomic<uint32_t>, 3> cluster = {}; // zeros: as the launch or the kernel says
  };
  std::array<Settings, max_devices> settings;

  const KernelInfo &info() const { return module->info().kernels[index]; }
};

/// A variable, known to the program by the address of its host shadow.
struct Variable {
  std::shared_ptr<Module> module;
  std::string name;
  size_t size = 0;
  bool managed = false;
};

/// Thread-safe.
class Registry {
public:
  static Registry &instance();

  Module *addModule(const void *image);
  void removeModule(Module *module);
  void addKernel(Module *module, const void *host_function, const char *name);
  void addVariable(Module *module, const void *host_variable, const char *name, size_t size);
  void addManaged(Module *module, void *host_variable, const char *name, size_t size);

  /// Makes the __managed__ variables, present and future, known as managed memory.
  void announceManaged(Memory &memory);

  /// The kernel, with its image loaded. cudaErrorInvalidDeviceFunction if there is none.
  cudaError_t findKernel(const void *host_function, std::shared_ptr<Kernel> &kernel);
  /// The kernel with that index in a loaded image. cudaErrorInvalidDeviceFunction if there is none.
  cudaError_t findKernel(Module &module, uint64_t index, std::shared_ptr<Kernel> &kernel);
  /// Where the device has the variable. cudaErrorInvalidSymbol if there is none.
  cudaError_t findVariable(Device &device, const void *host_variable, void *&address, size_t &size);

private:
  std::shared_mutex mutex;
  std::unordered_map<Module *, std::shared_ptr<Module>> modules;
  std::unordered_map<const void *, std::shared_ptr<Kernel>> kernels;
  std::unordered_map<const void *, Variable> variables;
  std::map<std::pair<const Module *, uint64_t>, std::shared_ptr<Kernel>> launched_from_device;
  Memory *memory = nullptr; // once there is any
};

} // namespace heddle
