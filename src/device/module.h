// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module: an image of device code in this process, with its kernels and variables. Object files
// bring theirs before main (registry.h), programs load others when they run.
//
// An image is parsed when something in it is first used, its kernels are compiled when they are
// first launched, and its variables are laid out in a device's memory when that device first uses
// it. A module of much PTX is divided: each of its parts is a module of its own, which is made when
// something in it is first used.
#pragma once

#include "device/device.h"
#include "device/machine.h"
#include "engine/launch.h"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heddle {

class Module;

namespace engine {
struct PtxToRun;
}

/// A kernel. Programs know it by the address of its host function, or by that of this object.
struct Kernel {
  std::shared_ptr<Module> module; // its part, once the index is known
  std::string name;
  std::atomic<int> index = -1; // in the image; -1: not looked up yet

  struct Settings { // cudaFuncSetAttribute and cudaFuncSetCacheConfig, per device
    std::atomic<int64_t> max_dynamic_shared = -1; // -1: not set
    std::atomic<int> carveout = -1;
    std::atomic<cudaFuncCache> cache = cudaFuncCachePreferNone;
    std::atomic<bool> large_clusters = false; // more blocks than all GPUs with clusters allow
    std::array<std::atomic<uint32_t>, 3> cluster = {}; // zeros: as the launch or the kernel says
  };
  std::array<Settings, max_devices> settings;

  const KernelInfo &info() const;
};

/// What a CUmodule points to. Thread-safe.
class Module {
public:
  /// An image that is part of the program; a fat binary of nvcc's device link, with those of the
  /// objects.
  explicit Module(const void *image, std::vector<const void *> objects = {});
  /// Code that the program has loaded, into a context or (`context` 0) for all of them.
  Module(engine::PtxToRun code, unsigned context, int device);
  /// A part of another module.
  Module(std::vector<std::byte> bytes, Module &whole);
  ~Module();

  /// Parses the image if it has not been. Says on stderr, once, why it cannot.
  cudaError_t load();
  // After load.
  size_t kernelCount() const;
  std::string kernelName(size_t index) const;
  /// -1 if there is none.
  int findKernel(std::string_view name) const;
  bool isManaged(std::string_view variable) const;
  bool isDivided() const { return division != nullptr; }
  /// The part of a divided module with this kernel or variable; null if there is none. Says on
  /// stderr, once, why it cannot be made.
  cudaError_t findPart(std::string_view name, std::shared_ptr<Module> &part);
  /// Those that have been made.
  std::vector<std::shared_ptr<Module>> partsMade() const;
  /// The module that this is a part of, or this one.
  Module &whole() { return whole_module ? *whole_module : *this; }

  // These are for modules that are not divided.
  /// After load. Compiles the kernel for such launches if it has not been. Says on stderr, once,
  /// why it cannot.
  cudaError_t compile(int kernel, const engine::Dim3 &grid, const engine::Dim3 &block);
  /// After load. Where this device has the image's variables.
  cudaError_t globals(Device &device, void *&address);
  /// Where the device has the variable. cudaErrorInvalidSymbol if there is none.
  cudaError_t findVariable(Device &device, const std::string &name, void *&address, size_t &size);

  engine::Program &program() const { return *loaded; }
  const ImageInfo &info() const { return loaded->info(); }
  void addManaged(const std::string &name, void *address) { managed[name] = address; }
  /// The program has no place for the variable: it expects the address in `*pointer`.
  void addManagedPointer(const std::string &name, void **pointer) { pointers[name] = pointer; }
  void *findManaged(const std::string &name) const;
  /// Whether the program has loaded it, and may unload it.
  bool wasLoaded() const { return was_loaded; }

  const void *const image;
  const unsigned context = 0; // whose it is (context.h); 0: all contexts'
  const int device = -1;      // that context's; -1: all

private:
  struct DeviceCopy {
    std::atomic<void *> address = nullptr;
    std::atomic<uint64_t> generation = 0;
    Allocation block; // what the variables lie in
    std::vector<Allocation> variables;
  };
  struct Division; // the parts, and what has become of them
  const std::vector<const void *> objects;
  std::vector<std::byte>
      own_bytes; // loaded, or translated from PTX where nvcc compiled the program
  const bool was_loaded = false;
  std::unique_ptr<Division> division;
  Module *const whole_module = nullptr;
  std::once_flag load_once;
  cudaError_t load_error = cudaSuccess;
  std::shared_ptr<engine::Program> loaded;
  std::mutex mutex;
  std::set<std::string> told; // about what could not be compiled
  std::array<DeviceCopy, max_devices> copies;
  std::unordered_map<std::string, void *> managed;
  std::unordered_map<std::string, void **> pointers; // to those that the program has no place for
  bool managed_is_fresh = false; // their initial values have not been written yet
  Memory *memory = nullptr;      // once something of this module lies there

  void open();
  // These expect that `mutex` is held.
  cudaError_t makeGlobals(Device &device, DeviceCopy &copy);
  cudaError_t makeManaged(Device &device);
  cudaError_t tell(const std::exception &problem);
};

inline const KernelInfo &Kernel::info() const { return module->info().kernels[index]; }

} // namespace heddle
