// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/reference_compiler.h"

#include "engine/compiler/codegen/code_generator.h"
#include "engine/compiler/device_code.h"
#include "engine/compiler/instrument/accesses.h"
#include "engine/compiler/instrument/synchronisation.h"
#include "engine/compiler/lowering/debug_variables.h"
#include "engine/compiler/lowering/function_addresses.h"
#include "engine/compiler/lowering/guards.h"
#include "engine/compiler/lowering/kernel_table.h"
#include "engine/compiler/lowering/lower_builtins.h"
#include "engine/compiler/lowering/lower_memory_spaces.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/lowering/warp_step.h"
#include "engine/compiler/pipeline.h"
#include "engine/observe/events.h"
#include "module/passes/marks.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"

#include <stdexcept>

using namespace llvm;

namespace heddle::engine {

void compileForReference(const Image &image, const std::filesystem::path &output, uint32_t events) {
  LLVMContext context;
  const DeviceCode code = readDeviceCode(image, context);
  Module &module = *code.module;

  CodeGenerator generator(image.info.debug);
  generator.retarget(module);
  if (!(events & observe::any_accesses))
    removeMarks(module);
  addThreadContext(module);
  if (events & observe::any_accesses)
    markAccesses(module, events);
  if (events & observe::tell_synchronisation)
    markSynchronisation(module, [&](const Function &function) {
      return any_of(image.info.kernels,
                    [&](const KernelInfo &info) { return function.getName() == info.name; });
    });
  keepInStep(module);
  if (const auto unknown = lowerBuiltins(module); !unknown.empty())
    throw std::runtime_error(join(unknown, "\n"));
  Function *init_globals = lowerMemorySpaces(module, code.layout);
  guardStack(module);
  guardAlignment(module);
  giveTurns(module);
  addDebugVariables(module);
  addKernelTable(module, image.info, init_globals);
  shareFunctionAddresses(module, image);
  runTargetPasses(module, generator);
  generator.writeSharedObject(module, output);
}

} // namespace heddle::engine
