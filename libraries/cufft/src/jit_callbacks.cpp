// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit_callbacks.h"

#include <algorithm>
#include <cctype>

namespace heddle::cufft {
namespace {

bool isLoad(cufftXtCallbackType Type) { return Type < CUFFT_CB_ST_COMPLEX; }

const char *const SourceOfBoth = R"(
struct Elements { // as in callbacks.h
  long long sizes[4], steps[4];
  int count;
  long long total;
};
static __device__ unsigned long long offsetOf(const Elements &elements, long long which) {
  long long offset = 0;
  for (int i = elements.count; i-- > 0; which /= elements.sizes[i])
    offset += which % elements.sizes[i] * elements.steps[i];
  return offset;
}
#define HEDDLE_KERNEL(NAME, T, STATEMENT)                                                          \
  extern "C" __global__ void NAME(Elements elements, void *data, T *dense, void *info) {           \
    extern __shared__ double memory[];                                                             \
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < elements.total;       \
         i += (long long)gridDim.x * blockDim.x) {                                                 \
      const unsigned long long at = offsetOf(elements, i);                                         \
      STATEMENT;                                                                                   \
    }                                                                                              \
  }
)";

/// A name without `extern "C"` and namespaces.
bool isIdentifier(const std::string &Name) {
  const auto IsLetter = [](unsigned char C) { return std::isalnum(C) || C == '_'; };
  return !Name.empty() && !std::isdigit((unsigned char)Name[0]) &&
         std::all_of(Name.begin(), Name.end(), IsLetter);
}

const char *kernelName(cufftXtCallbackType Type) {
  return isLoad(Type) ? "heddle_cufft_load" : "heddle_cufft_store";
}

/// The kernel that calls the function for each element.
std::string sourceFor(const JitCallback &One) {
  static const char *const Types[] = {"float2", "double2", "float", "double"};
  const std::string Type = Types[One.Type % CUFFT_CB_ST_COMPLEX];
  const bool Load = isLoad(One.Type);
  const std::string Declared =
      Load ? Type + " " + One.Name + "(void *, unsigned long long, void *, void *);\n"
           : "void " + One.Name + "(void *, unsigned long long, " + Type + ", void *, void *);\n";
  const std::string Statement = Load ? "dense[i] = " + One.Name + "(data, at, info, memory)"
                                     : One.Name + "(data, at, dense[i], info, memory)";
  return "__device__ " + Declared + "HEDDLE_KERNEL(" + kernelName(One.Type) + ", " + Type + ", (" +
         Statement + "))\n";
}

cufftResult check(const char *Function, const Plan &Made) {
  if (Made.Of.Of == Precision::Half || Made.Of.Of == Precision::BFloat)
    return refuse(Function, CUFFT_NOT_SUPPORTED, "half precision has no callbacks");
  if (Made.Gpus.size() > 1)
    return refuse(Function, CUFFT_NOT_IMPLEMENTED, "callbacks of plans on several devices");
  for (const JitCallback &One : Made.Jit)
    if (int(elementType(Made.Of, isLoad(One.Type))) != One.Type % CUFFT_CB_ST_COMPLEX)
      return refuse(Function, CUFFT_INVALID_TYPE, "the plan's elements are of another type");
  return CUFFT_SUCCESS;
}

} // namespace

Plan::~Plan() {
  if (Code)
    cudaDeviceSynchronize(); // its kernels may run
}

cufftResult linkCallbacks(const char *Function, Plan &Made) {
  if (Made.Jit.empty())
    return CUFFT_SUCCESS;
  if (const cufftResult Status = check(Function, Made))
    return Status;
  std::string Source = SourceOfBoth, Why;
  std::vector<library::LinkedCode::Part> Parts;
  for (size_t I = 0; I < Made.Jit.size(); ++I) {
    const JitCallback &One = Made.Jit[I];
    Source += sourceFor(One);
    // Both callbacks may be in the same code.
    const auto End = Made.Jit.begin() + long(I);
    if (std::none_of(Made.Jit.begin(), End, [&](auto &Other) { return Other.Code == One.Code; }))
      Parts.push_back({One.Code.data(), One.Code.size()});
  }
  Made.Code = library::LinkedCode::make(Source.c_str(), {}, Parts, Why);
  if (!Made.Code)
    return refuse(Function, CUFFT_NVJITLINK_FAILURE, Why.c_str());
  for (const JitCallback &One : Made.Jit) {
    Callback &To = isLoad(One.Type) ? Made.Load : Made.Store;
    To.kernel = Made.Code->kernel(kernelName(One.Type));
    if (!To.kernel)
      return refuse(Function, CUFFT_NVJITLINK_FAILURE, "the callback was not linked");
    To.info = One.Info;
  }
  return CUFFT_SUCCESS;
}

} // namespace heddle::cufft

using namespace heddle::cufft;

cufftResult cufftXtSetJITCallback(cufftHandle plan, const char *lto_callback_symbol_name,
                                  const void *lto_callback_fatbin, size_t lto_callback_fatbin_size,
                                  cufftXtCallbackType type, void **caller_info) {
  const std::shared_ptr<Plan> Found = find(plan);
  if (!Found)
    return refuse(__func__, CUFFT_INVALID_PLAN, "the plan was not created, or is destroyed");
  if (Found->Made)
    return refuse(__func__, CUFFT_INVALID_PLAN, "the plan is made already");
  if (!lto_callback_fatbin || lto_callback_fatbin_size == 0)
    return refuse(__func__, CUFFT_INVALID_VALUE, "there is no code");
  if (unsigned(type) >= CUFFT_CB_UNDEFINED)
    return refuse(__func__, CUFFT_INVALID_TYPE, "there is no such callback");
  if (!lto_callback_symbol_name || !isIdentifier(lto_callback_symbol_name))
    return refuse(__func__, CUFFT_INVALID_VALUE,
                  "the callback's name is null, or not that of a function outside namespaces");
  const auto *Code = static_cast<const char *>(lto_callback_fatbin);
  JitCallback Set{lto_callback_symbol_name,
                  {Code, Code + lto_callback_fatbin_size},
                  type,
                  caller_info ? *caller_info : nullptr};
  std::erase_if(Found->Jit,
                [&](const JitCallback &One) { return isLoad(One.Type) == isLoad(type); });
  Found->Jit.push_back(std::move(Set));
  return CUFFT_SUCCESS;
}
