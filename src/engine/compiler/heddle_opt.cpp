// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle-opt: runs single passes of the SIMD compiler over textual LLVM IR, as LLVM's opt does; for
// tests (tests/passes) and for llvm-reduce.
//
//   heddle-opt --passes=convert-branches-to-selects,linearize [--state='lanes=8 kind=0'] kernel.ll
//
// The input is a module with one function, the code of a thread (or, after `widen`, of a gang), as
// HEDDLE_SIMD_DUMP=DIR writes it. Earlier decisions, such as the number of lanes, are read from the
// function's attribute "heddle.compiler.state" or from --state (simd/kernel_code.cpp lists the
// names), and written to the output.
#include "engine/compiler/errors.h"
#include "engine/compiler/instrument/counts.h"
#include "engine/compiler/pipeline.h"
#include "engine/compiler/simd/form/gang_layout.h"
#include "engine/compiler/simd/plan/access_plan.h"
#include "engine/observe/events.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

#include <fmt/format.h>

using namespace llvm;

namespace heddle::engine {
namespace {

// Hides LLVM's own options.
cl::OptionCategory category("heddle-opt");
cl::opt<std::string> input(cl::Positional, cl::desc("input (- for stdin)"), cl::init("-"),
                           cl::cat(category));
cl::opt<std::string> output("o", cl::desc("output (- for stdout)"), cl::init("-"),
                            cl::cat(category));
cl::list<std::string> wanted("passes", cl::desc("passes to run, in this order"), cl::CommaSeparated,
                             cl::cat(category));
cl::opt<std::string> variant("variant",
                             cl::desc("class of blocks (engine/simd/launch/block_shape_class.h)"),
                             cl::init("simd:128:full"), cl::cat(category));
cl::opt<std::string> state("state", cl::desc("what passes before have decided, as name=number"),
                           cl::cat(category));
cl::opt<unsigned> register_bytes("register-bytes",
                                 cl::desc("size of the CPU's vector registers: 32 or 64"),
                                 cl::init(32), cl::cat(category));
cl::opt<bool> list("list-passes", cl::desc("print the table of passes"), cl::cat(category));
cl::opt<bool> list_accesses("list-accesses",
                            cl::desc("print the kinds of accesses, in order of preference"),
                            cl::cat(category));

std::string namesOf(unsigned forms) {
  static constexpr const char *names[] = {"TakesContext", "Addressed",  "Canonical", "LanesChosen",
                                          "LocalsPlaced", "WaitsSplit", "Linear",    "Gang"};
  std::string text;
  for (unsigned i = 0; i < std::size(names); ++i)
    if (forms >> i & 1)
      text += fmt::format("{}{}", text.empty() ? "" : ", ", names[i]);
  return text.empty() ? "-" : text;
}

void listPasses() {
  for (const PassInfo &pass : pipeline())
    fmt::print("{}{}\n  needs {}; gives {}; ends {}\n  {}\n", pass.name,
               pass.optional ? " (optional)" : "", namesOf(pass.needs), namesOf(pass.gives),
               namesOf(pass.ends), pass.why);
}

void listAccesses() {
  for (const simd::AccessKind &kind : simd::accessKinds())
    fmt::print("{} ({}{})\n  addresses: {}\n", kind.name,
               kind.loads_only ? "loads" : "loads, stores", kind.optional ? ", optional" : "",
               kind.addresses);
}

// A fixed profile, so that tests do not depend on this machine.
TargetProfile profile() {
  TargetProfile result;
  const bool wide = register_bytes == 64;
  result.registers = {wide ? 32u : 16u, register_bytes};
  result.native_gather = result.range_instructions = wide;
  return result;
}

// Returns why the named pass cannot run, or "".
std::string runPass(const std::string &name, simd::KernelCode &code, TargetCode &target,
                    unsigned &forms) {
  for (const Pass<simd::KernelCode> &pass : kernelPasses())
    if (name == pass.name) {
      pass.run(code);
      forms = (forms & ~pass.ends) | pass.gives;
      return "";
    }
  for (const Pass<TargetCode> &pass : targetPasses())
    if (name == pass.name) {
      pass.run(target);
      return "";
    }
  if (name == "mark-counts") { // the one pass of a program that needs nothing but its module
    markCounts(code.module, observe::count_work);
    return "";
  }
  for (const PassInfo &pass : pipeline())
    if (name == pass.name)
      return fmt::format("pass {} needs a whole program", name);
  return fmt::format("there is no pass {} (see --list-passes)", name);
}

Function &onlyFunction(Module &module) {
  Function *found = nullptr;
  for (Function &function : module)
    if (!function.isDeclaration()) {
      if (found)
        throw std::runtime_error("the module has several functions");
      found = &function;
    }
  if (!found)
    throw std::runtime_error("the module has no function");
  return *found;
}

void run(Module &module) {
  const TargetProfile target = profile();
  const CodeGenerator generator(false);
  const KernelInfo info;
  const simd::Variant blocks = simd::parseVariant(variant);
  const simd::SharedArrays arrays;
  simd::KernelCode code{module, &onlyFunction(module), info, blocks, target, arrays, nullptr};
  simd::setState(code,
                 code.function->getFnAttribute(simd::state_attribute).getValueAsString().str());
  simd::setState(code, state);
  TargetCode machine{module, generator.machine(), target};
  unsigned forms = thread_function_forms;
  for (const std::string &name : wanted)
    if (const std::string problem = runPass(name, code, machine, forms); !problem.empty())
      throw std::runtime_error(problem);
  code.function->addFnAttr(simd::state_attribute, simd::stateOf(code));
}

int optimise(const char *program) {
  LLVMContext context;
  SMDiagnostic problem;
  const std::unique_ptr<Module> module = parseIRFile(input, problem, context);
  if (!module) {
    problem.print(program, errs());
    return 1;
  }
  run(*module);
  std::error_code error;
  ToolOutputFile file(output, error, sys::fs::OF_Text);
  if (error)
    throw std::runtime_error(
        fmt::format("cannot write {}: {}", output.getValue(), error.message()));
  module->print(file.os(), nullptr);
  file.keep();
  return 0;
}

} // namespace
} // namespace heddle::engine

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(heddle::engine::category);
  cl::ParseCommandLineOptions(argc, argv, "Heddle's passes over LLVM IR\n");
  try {
    if (heddle::engine::list)
      heddle::engine::listPasses();
    if (heddle::engine::list_accesses)
      heddle::engine::listAccesses();
    if (heddle::engine::list || heddle::engine::list_accesses)
      return 0;
    return heddle::engine::optimise(argv[0]);
  } catch (const std::exception &error) {
    fmt::print(stderr, "heddle-opt: {}\n", error.what());
    return 1;
  }
}
