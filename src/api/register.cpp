// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that compiled programs call before main, to say what device code they contain, and
// around each <<<...>>>. Clang emits the calls; their signatures are part of CUDA's ABI.
#include "api/entry.h"
#include "device/registry.h"

#include <vector>

using namespace heddle;

namespace {

/// What an object file hands over: points to the image. After nvcc's device link (version 2) also
/// to a list of the objects' images, which ends with a null pointer.
struct FatBinaryWrapper {
  static constexpr int expected_magic = 0x466243b1, linked = 2;
  int magic;
  int version;
  const void *data;
  const void *const *objects;

  bool isValid() const { return magic == expected_magic; }
};

std::vector<const void *> objectsOf(const FatBinaryWrapper &wrapper) {
  std::vector<const void *> all;
  if (wrapper.version == FatBinaryWrapper::linked && wrapper.objects)
    for (const void *const *object = wrapper.objects; *object; ++object)
      all.push_back(*object);
  return all;
}

struct CallConfiguration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
};

/// A stack, because an argument of a launch may itself launch.
std::vector<CallConfiguration> &configurations() {
  thread_local std::vector<CallConfiguration> stack;
  return stack;
}

Module *moduleOf(void **handle) { return reinterpret_cast<Module *>(handle); }

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void **__cudaRegisterFatBinary(void *binary) {
  auto *wrapper = static_cast<const FatBinaryWrapper *>(binary);
  if (!wrapper || !wrapper->isValid())
    return reinterpret_cast<void **>(Registry::instance().addModule(nullptr));
  return reinterpret_cast<void **>(
      Registry::instance().addModule(wrapper->data, objectsOf(*wrapper)));
}

void __cudaRegisterFatBinaryEnd(void **) {}

// Programs of nvcc 12.8 call it before they use a managed variable on the host: whether the module
// is ready on the current device, with its variables in place.
char __cudaInitModule(void **handle) {
  const cudaError_t error = api::callDevice([&](Device &device) {
    const std::shared_ptr<Module> module = Registry::instance().findModule(handle);
    if (!module)
      return cudaErrorInvalidValue;
    void *address = nullptr;
    const cudaError_t unreadable = module->load();
    return unreadable ? unreadable : module->globals(device, address);
  });
  return error == cudaSuccess;
}

void __cudaUnregisterFatBinary(void **handle) {
  Registry::instance().removeModule(moduleOf(handle));
}

void __cudaRegisterFunction(void **handle, const char *host_function, char *, const char *name, int,
                            uint3 *, uint3 *, dim3 *, dim3 *, int *) {
  Registry::instance().addKernel(moduleOf(handle), host_function, name);
}

void __cudaRegisterVar(void **handle, char *host_variable, char *, const char *name, int,
                       size_t size, int, int) {
  Registry::instance().addVariable(moduleOf(handle), host_variable, name, size);
}

void __heddleRegisterManagedVar(void **handle, void *host_variable, const char *name, size_t size) {
  Registry::instance().addManaged(moduleOf(handle), host_variable, name, size, false);
}

// Of a variable that shares its pages with nothing else.
void __heddleRegisterManagedPages(void **handle, void *host_variable, const char *name,
                                  size_t size) {
  Registry::instance().addManaged(moduleOf(handle), host_variable, name, size, true);
}

// Of nvcc's programs: the host code reaches the variable through a pointer, which is set when the
// module is ready on the first device.
void __cudaRegisterManagedVar(void **handle, void **host_pointer, char *, const char *name, int,
                              size_t size, int, int) {
  Registry::instance().addManagedPointer(moduleOf(handle), host_pointer, name);
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  configurations().push_back({grid, block, shared, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  auto &stack = configurations();
  if (stack.empty())
    return api::lastError() = cudaErrorMissingConfiguration;
  *grid = stack.back().grid;
  *block = stack.back().block;
  *shared = stack.back().shared;
  *static_cast<cudaStream_t *>(stream) = stack.back().stream;
  stack.pop_back();
  return cudaSuccess;
}
}
#pragma GCC visibility pop
