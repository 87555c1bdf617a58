// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <sstream>

// Of libheddle_core: whether this thread is a stream's, which must not wait for a stream. LAPACK
// behind cuSOLVER calls BLAS there.
extern "C" int __heddleInTask();

namespace heddle::nvblas {
namespace {

// A configuration may name this library as the CPU's.
bool isNvblas(void *function) {
  Dl_info info;
  return dladdr(function, &info) && std::strstr(info.dli_fname, "nvblas");
}

} // namespace

Library &Library::instance() {
  static auto &library = *new Library; // programs call BLAS in destructors, too
  return library;
}

// The first lines of the log are NVIDIA's, in their order.
Library::Library() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
    say("No Gpu available");
  config_ = readConfig();
  say(config_.messages.front());
  openLog();
  for (size_t i = 1; i < config_.messages.size(); ++i)
    say(config_.messages[i]);
  openCpuLibrary();
  chooseDevices(count);
  say("Config parsed");
  if (!cpu_)
    say("CPU Blas library need to be provided");
  if (devices_.empty())
    say("No device selected");
}

void Library::say(const std::string &text) const {
  std::fprintf(log_, "[NVBLAS] %s\n", text.c_str());
  std::fflush(log_);
}

void Library::openLog() {
  if (config_.log_file.empty())
    return;
  if (FILE *file = std::fopen(config_.log_file.c_str(), "we"))
    log_ = file;
  else
    say("Cannot open the log file '" + config_.log_file + "': " + std::strerror(errno));
}

void Library::openCpuLibrary() {
  if (config_.cpu_library.empty())
    return;
  cpu_ = dlopen(config_.cpu_library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!cpu_)
    say("Cannot open CPU Library '" + config_.cpu_library + "': " + dlerror());
}

void Library::chooseDevices(int count) {
  if (config_.devices.empty() && count > 0)
    devices_.push_back(0);
  if (config_.devices.empty())
    return;
  if (config_.devices == "ALL" || config_.devices == "ALL0") { // ours are of one kind
    for (int i = 0; i < count; ++i)
      devices_.push_back(i);
  } else {
    std::istringstream words(config_.devices);
    for (std::string word; words >> word;) {
      char *end = nullptr;
      const long device = std::strtol(word.c_str(), &end, 10);
      if (*end || device < 0 || device >= count)
        say("NVBLAS_GPU_LIST: there is no device " + word);
      else
        devices_.push_back(int(device));
    }
  }
  std::string list;
  for (int device : devices_)
    list += std::to_string(device) + ' ';
  if (!devices_.empty())
    say("Using devices :" + list);
}

void Library::setRatios() {
  const char *const operations[CUBLASXT_ROUTINE_MAX] = {"GEMM", "SYRK",  "HERK",  "SYMM",
                                                        "HEMM", "TRSM",  "SYR2K", "HER2K",
                                                        "SPMM", "SYRKX", "HERKX", "TRMM"};
  const char types[] = "SDCZ"; // in the order of cublasXtOpType_t
  for (int operation = 0; operation < CUBLASXT_ROUTINE_MAX; ++operation)
    for (int type = 0; operations[operation] && type < 4; ++type)
      if (auto found = config_.ratio.find(types[type] + std::string(operations[operation]));
          found != config_.ratio.end())
        cublasXtSetCpuRatio(handle_, cublasXtBlasOp_t(operation), cublasXtOpType_t(type),
                            found->second);
}

bool Library::start() {
  if (handle_ || failed_)
    return handle_ != nullptr;
  cublasStatus_t status = cublasXtCreate(&handle_);
  if (!status)
    status = cublasXtDeviceSelect(handle_, int(devices_.size()), devices_.data());
  if (!status)
    status = cublasXtSetBlockDim(handle_, config_.tile);
  if (!status && config_.pin)
    status = cublasXtSetPinningMemMode(handle_, CUBLASXT_PINNING_ENABLED);
  if (status) {
    failed_ = true;
    handle_ = nullptr;
    say("cuBLAS cannot be used (" + std::string(cublasGetStatusName(status)) +
        "): the CPU's library computes");
    return false;
  }
  setRatios();
  return true;
}

bool Library::ended(const char *name, cublasStatus_t status) const {
  if (status)
    say(std::string(name) + " failed on the GPU (" + cublasGetStatusName(status) +
        "): the CPU's library computes it");
  return status == CUBLAS_STATUS_SUCCESS;
}

bool Library::wantsGpu(const char *upper_name) const {
  const auto ratio = config_.ratio.find(upper_name);
  return !devices_.empty() && !failed_ && !config_.disabled.contains(upper_name) &&
         !(ratio != config_.ratio.end() && ratio->second == 1) && !__heddleInTask();
}

void *Library::onCpu(const char *name) const {
  const std::string with_underscore = std::string(name) + "_";
  const std::string prefixed = "scipy_" + with_underscore; // cmake/openblas.cmake
  for (void *library : {cpu_, RTLD_NEXT})
    for (const char *one : {with_underscore.c_str(), name, prefixed.c_str()})
      if (library)
        if (void *found = dlsym(library, one); found && !isNvblas(found))
          return found;
  say(with_underscore + " is to be computed by the CPU, and there is no BLAS that has it");
  std::abort();
}

void Library::trace(const char *name, bool gpu, const std::string &arguments) {
  if (config_.trace)
    say(std::string(name) + (gpu ? "[gpu]: " : "[cpu]: ") + arguments);
}

} // namespace heddle::nvblas
