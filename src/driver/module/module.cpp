// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules: device code that a program loads into a context.
#include "driver/module/module.h"

using namespace heddle;
using namespace heddle::driver;

namespace {

// The parts of a divided text are asked when they are made.
bool runsHere(const Module &module) {
  return module.isDivided() || Platform::instance().runs(module.info().codes);
}

} // namespace

CUresult driver::load(const void *data, size_t limit, JitOptions &options, const Context *context,
                      std::shared_ptr<Module> &module) {
  engine::PtxToRun code;
  if (const CUresult error = readModule(data, limit, options, code))
    return error;
  auto made = std::make_shared<Module>(std::move(code), context ? context->number : 0,
                                       context ? context->device.ordinal : -1);
  if (const cudaError_t error = made->load())
    return result(error);
  // A library is told so when something in it is asked for.
  if (context && !runsHere(*made)) {
    options.writeErrors("");
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  Registry::instance().addModule(made);
  module = std::move(made);
  return CUDA_SUCCESS;
}

CUresult driver::loadFile(const char *path, JitOptions &options, const Context *context,
                          std::shared_ptr<Module> &module) {
  std::vector<std::byte> bytes;
  if (!path)
    return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult error = readFile(path, bytes))
    return error;
  // Room for the longest of what tells one kind of file from another, as zeros.
  const size_t size = bytes.size();
  bytes.resize(size + 64);
  return load(bytes.data(), size, options, context, module);
}

CUresult driver::findKernel(Module &module, const char *name, std::shared_ptr<Kernel> &kernel) {
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  if (!runsHere(module))
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  const int index = module.findKernel(name);
  if (index < 0)
    return CUDA_ERROR_NOT_FOUND;
  Registry &registry = Registry::instance();
  if (const cudaError_t error = registry.findKernel(module, uint64_t(index), kernel))
    return result(error);
  return result(registry.findKernel(kernel.get(), kernel)); // compiles it if that is to be done yet
}

CUresult driver::enumerateKernels(Module &module, void **handles, unsigned count) {
  if (!handles && count > 0)
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count && i < module.kernelCount(); ++i) {
    std::shared_ptr<Kernel> kernel;
    if (const cudaError_t error = Registry::instance().findKernel(module, i, kernel))
      return result(error);
    handles[i] = driver::handleOf(kernel.get());
  }
  return CUDA_SUCCESS;
}

CUresult driver::findVariable(Module &module, Device &device, const char *name, bool managed,
                              CUdeviceptr *pointer, size_t *bytes) {
  if (!name || (!pointer && !bytes))
    return CUDA_ERROR_INVALID_VALUE;
  if (managed && !module.isManaged(name))
    return CUDA_ERROR_NOT_FOUND;
  void *address = nullptr;
  size_t size = 0;
  if (const cudaError_t error = module.findVariable(device, name, address, size))
    return result(error);
  if (pointer)
    *pointer = reinterpret_cast<CUdeviceptr>(address);
  if (bytes)
    *bytes = size;
  return CUDA_SUCCESS;
}

namespace {

/// Runs `load(options, context, module)` and gives the module's handle.
template <class Load>
CUresult loadInto(CUmodule *handle, unsigned count, const CUjit_option *names, void **values,
                  Load load) {
  return callContext([&](Context &context) -> CUresult {
    JitOptions options;
    std::shared_ptr<Module> module;
    if (!handle)
      return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = options.read(count, names, values))
      return error;
    if (const cudaError_t error = context.device.error())
      return result(error);
    if (const CUresult error = load(options, context, module))
      return error;
    *handle = reinterpret_cast<CUmodule>(module.get());
    return CUDA_SUCCESS;
  });
}

CUresult loadData(CUmodule *handle, const void *image, unsigned count, const CUjit_option *names,
                  void **values) {
  return loadInto(handle, count, names, values,
                  [&](JitOptions &options, Context &context, std::shared_ptr<Module> &module) {
                    return driver::load(image, no_limit, options, &context, module);
                  });
}

} // namespace

CUresult cuModuleLoad(CUmodule *module, const char *file) {
  return loadInto(module, 0, nullptr, nullptr,
                  [&](JitOptions &options, Context &context, std::shared_ptr<Module> &made) {
                    return loadFile(file, options, &context, made);
                  });
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return loadData(module, image, 0, nullptr, nullptr);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned numOptions,
                            CUjit_option *options, void **optionValues) {
  return loadData(module, image, numOptions, options, optionValues);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin) {
  return loadData(module, fatCubin, 0, nullptr, nullptr);
}

CUresult cuModuleUnload(CUmodule handle) {
  return callModule(handle, false, [](Module &module, Context &context) {
    if (!module.wasLoaded())
      return CUDA_ERROR_INVALID_HANDLE; // the program's own
    context.device.synchronize();
    Registry::instance().removeModule(&module);
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
  return call([&] {
    if (!mode)
      return CUDA_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_LAZY_LOADING;
    return CUDA_SUCCESS;
  });
}

namespace {

/// The module of a function that the program's own image has is a module, too, and may be a
/// library's.
template <class Body> CUresult callAnyModule(CUmodule handle, Body body) {
  return callContext([&](Context &context) -> CUresult {
    const std::shared_ptr<Module> module = Registry::instance().findModule(handle);
    if (!module)
      return CUDA_ERROR_INVALID_HANDLE;
    if (const cudaError_t error = module->load())
      return result(error);
    return result(body(*module, context));
  });
}

} // namespace

CUresult cuModuleGetFunction(CUfunction *function, CUmodule handle, const char *name) {
  return callAnyModule(handle, [&](Module &module, Context &) {
    std::shared_ptr<Kernel> kernel;
    if (!function)
      return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = driver::findKernel(module, name, kernel))
      return error;
    *function = driver::handleOf(kernel.get());
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule handle) {
  return callAnyModule(handle, [&](Module &module, Context &) {
    if (!count)
      return CUDA_ERROR_INVALID_VALUE;
    *count = unsigned(module.kernelCount());
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned count, CUmodule handle) {
  return callAnyModule(handle, [&](Module &module, Context &) {
    if (!functions)
      return CUDA_ERROR_INVALID_VALUE;
    return enumerateKernels(module, reinterpret_cast<void **>(functions), count);
  });
}

CUresult cuModuleGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUmodule handle, const char *name) {
  return callAnyModule(handle, [&](Module &module, Context &context) {
    return driver::findVariable(module, context.device, name, false, pointer, bytes);
  });
}
HEDDLE_OLDER_NAME("cuModuleGetGlobal", "cuModuleGetGlobal_v2")
