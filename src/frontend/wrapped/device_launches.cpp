// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets device code launch kernels, and name them: Clang 19 refuses both.
//
// To Clang 19 a kernel is what only the host calls; later versions let kernels launch kernels
// (dynamic parallelism). All else is there already: `k<<<grid, block>>>(x)` in device code is
// checked and emitted like any launch. So two answers of Clang's are replaced by those that a later
// version gives, which the linker does (--wrap, CMakeLists.txt): whether one function may call
// another, and whether a use of a function is an error. module/passes/launches.h then makes
// launches of what Clang emits. The second answer is also replaced for calls of host functions
// (host_only_calls.h), and the first for calls that only host functions make.
#include "frontend/source/host_only_calls.h"
#include "frontend/wrapped/wrap.h"
#include "support/paths.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"

using clang::FunctionDecl;
using clang::SemaCUDA;

namespace {

bool launchesFromDevice(SemaCUDA &sema, const FunctionDecl *caller, const FunctionDecl *callee) {
  if (!caller || !callee || !callee->hasAttr<clang::CUDAGlobalAttr>())
    return false;
  return caller->hasAttr<clang::CUDAGlobalAttr>() || caller->hasAttr<clang::CUDADeviceAttr>();
}

bool isPrograms(SemaCUDA &sema, const FunctionDecl &function) {
  const clang::SourceManager &sources = sema.SemaRef.getSourceManager();
  return !heddle::isInternalHeader(
      sources.getFilename(sources.getSpellingLoc(function.getLocation())).str());
}

bool isImplicitlyForBoth(const FunctionDecl &function) {
  const auto *device = function.getAttr<clang::CUDADeviceAttr>();
  const auto *host = function.getAttr<clang::CUDAHostAttr>();
  return device && host && device->isImplicit() && host->isImplicit();
}

// A constexpr function that says no more is the host's to nvcc, and for both sides to Clang, which
// prefers `template <class G> __device__ void f(G)` to `__host__ void f(int)` there in the
// device's pass. Neither is preferred for its side then.
bool isTemplateForConstexpr(SemaCUDA &sema, const FunctionDecl *caller,
                            const FunctionDecl *callee) {
  return sema.getLangOpts().CUDAIsDevice && caller && callee && isImplicitlyForBoth(*caller) &&
         callee->hasAttr<clang::CUDADeviceAttr>() && !callee->hasAttr<clang::CUDAHostAttr>() &&
         (callee->getPrimaryTemplate() || callee->getDescribedFunctionTemplate()) &&
         isPrograms(sema, *callee);
}

// In the device's pass, host functions have what kernels have where there is nothing of the host's:
// Eigen's operators are of the device alone then, and its host functions use them. nvcc says
// nothing of it, nor does Clang after this, as no code is made of host functions.
bool isDevicesForHost(SemaCUDA &sema, const FunctionDecl *caller, const FunctionDecl *callee) {
  if (!sema.getLangOpts().CUDAIsDevice || !caller || !callee ||
      callee->hasAttr<clang::CUDAHostAttr>() || !callee->hasAttr<clang::CUDADeviceAttr>() ||
      caller->hasAttr<clang::CUDADeviceAttr>() || caller->hasAttr<clang::CUDAGlobalAttr>())
    return false;
  // The overloads of mathematical functions would be better than the C library's.
  return isPrograms(sema, *callee);
}

} // namespace

// As the C++ ABI calls SemaCUDA::IdentifyPreference(const FunctionDecl *, const FunctionDecl *) and
// SemaCUDA::CheckCall(SourceLocation, FunctionDecl *).
#define IDENTIFY_PREFERENCE _ZN5clang8SemaCUDA18IdentifyPreferenceEPKNS_12FunctionDeclES3_
#define CHECK_CALL _ZN5clang8SemaCUDA9CheckCallENS_14SourceLocationEPNS_12FunctionDeclE

extern "C" {

SemaCUDA::CUDAFunctionPreference REAL(IDENTIFY_PREFERENCE)(SemaCUDA *, const FunctionDecl *,
                                                           const FunctionDecl *);
bool REAL(CHECK_CALL)(SemaCUDA *, clang::SourceLocation, FunctionDecl *);

SemaCUDA::CUDAFunctionPreference
WRAP(IDENTIFY_PREFERENCE)(SemaCUDA *sema, const FunctionDecl *caller, const FunctionDecl *callee) {
  if (launchesFromDevice(*sema, caller, callee))
    return caller->hasAttr<clang::CUDAHostAttr>() ? SemaCUDA::CFP_SameSide : SemaCUDA::CFP_Native;
  const auto preference = REAL(IDENTIFY_PREFERENCE)(sema, caller, callee);
  if (preference == SemaCUDA::CFP_Never && isDevicesForHost(*sema, caller, callee))
    return SemaCUDA::CFP_WrongSide;
  if (preference == SemaCUDA::CFP_SameSide && isTemplateForConstexpr(*sema, caller, callee))
    return SemaCUDA::CFP_WrongSide;
  return preference;
}

bool WRAP(CHECK_CALL)(SemaCUDA *sema, clang::SourceLocation where, FunctionDecl *callee) {
  const FunctionDecl *caller = sema->SemaRef.getCurFunctionDecl(/*AllowLambda=*/true);
  if (launchesFromDevice(*sema, caller, callee) ||
      heddle::frontend::isHostOnlyCall(*sema, caller, callee))
    return true;
  return REAL(CHECK_CALL)(sema, where, callee);
}

} // extern "C"
