// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compiled part of an image looks like from outside, for native_code_test.cpp. KERNELS lists
// its kernels.
#include "engine/abi.h"

#include <cstring>
#include <iterator>

using namespace heddle::engine;

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

void run(GangContext *, const void *, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t) {}
void run(ThreadContext *, const void *) {}
void initGlobals(char *globals, void *const *) { globals[0] = INITIAL_VALUE; }

SimdKernelInfo simd(const char *name) {
  SimdKernelInfo info = {};
  info.name = name;
  info.entry = run;
  info.of_one_size = !std::strcmp(name, "sized");
  info.record_bytes = std::strcmp(name, "first") ? 0 : 8;
  info.wants_rows = !std::strcmp(name, "second");
  return info;
}

// Up to three.
const char *const names[] = {KERNELS};
constexpr size_t middle = std::size(names) / 2, last = std::size(names) - 1;
const SimdKernelInfo simd_kernels[] = {simd(names[0]), simd(names[middle]), simd(names[last])};
const KernelEntryInfo kernels[] = {
    {names[0], run, 0, 0}, {names[middle], run, 0, 0}, {names[last], run, 0, 0}};
constexpr auto init_globals = INITIAL_VALUE ? initGlobals : nullptr;

} // namespace

EXPORT const SimdModuleTable heddle_simd_module = {ABI, std::size(names), simd_kernels,
                                                   init_globals};
EXPORT const ModuleTable heddle_module = {ABI, std::size(names), kernels, init_globals};
