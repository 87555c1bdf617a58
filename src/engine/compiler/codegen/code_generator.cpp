// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/codegen/code_generator.h"

#include "engine/compiler/codegen/linker.h"
#include "support/switches.h"

#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/SchedulerRegistry.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/CodeGen/SelectionDAGISel.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/PassTimingInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <cstdlib>
#include <fmt/format.h>
#include <stdexcept>

using namespace llvm;

namespace heddle::engine {

namespace {

// Lets tests generate code for other CPUs, and machines of different kinds share a cache.
std::string checkedCpu(const Target &target, const std::string &triple, const std::string &name,
                       const StringMap<bool> &host_features) {
  const std::string what = "HEDDLE_CPU: ";
  const std::unique_ptr<MCSubtargetInfo> any(target.createMCSubtargetInfo(triple, "", ""));
  if (!any->isCPUStringValid(name))
    throw std::runtime_error(what + "there is no CPU '" + name + "' (see clang -mcpu=help)");
  const std::unique_ptr<MCSubtargetInfo> cpu(target.createMCSubtargetInfo(triple, name, ""));
  for (const auto &feature : host_features)
    if (!feature.second && cpu->checkFeatures(("+" + feature.first()).str()))
      throw std::runtime_error(fmt::format("{}code for '{}' would not run here: this CPU has no {}",
                                           what, name, feature.first().str()));
  return name;
}

// Within a basic block, LLVM's machine scheduler compares each memory access with all others up to
// a limit, beyond which it treats the older half as dependent. The default limit is 1000; gang code
// has many independent accesses per block, and their order hardly matters.
void limitSchedulersMemory() {
  constexpr unsigned most_accesses = 200;
  StringMap<cl::Option *> &options = cl::getRegisteredOptions();
  if (const auto limit = options.find("dag-maps-huge-region"); limit != options.end())
    static_cast<cl::opt<unsigned> *>(limit->second)->setValue(most_accesses);
}

// The scheduler of instruction selection scans all ready instructions to find the next one. In
// basic blocks of thousands of instructions (unrolled loops over values of several registers) that
// takes minutes, so these use the fast scheduler; the machine scheduler runs later in any case.
ScheduleDAGSDNodes *schedulerForBlock(SelectionDAGISel *selection, CodeGenOptLevel level) {
  constexpr unsigned most_nodes = 3000;
  return selection->CurDAG->allnodes_size() > most_nodes ? createFastDAGScheduler(selection, level)
                                                         : createDefaultScheduler(selection, level);
}

void limitSchedulersTime() {
  static RegisterScheduler scheduler("heddle", "by the size of the block", schedulerForBlock);
  StringMap<cl::Option *> &options = cl::getRegisteredOptions();
  if (const auto choice = options.find("pre-RA-sched"); choice != options.end())
    choice->second->addOccurrence(1, "pre-RA-sched", "heddle");
}

// The schedule after register allocation takes a tenth of the time or more, and matters little to
// code that mostly loads what it has spilled.
bool spillsMost(const Module &module) {
  return any_of(module, [](const Function &function) {
    return function.hasFnAttribute(spills_most_attribute);
  });
}

} // namespace

CodeGenerator::CodeGenerator(bool debug) : debug_(debug) {
  limitSchedulersMemory();
  limitSchedulersTime();
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  const std::string triple = sys::getProcessTriple();
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    throw std::runtime_error("this LLVM cannot generate code for this machine: " + error);
  const StringMap<bool> host_features = sys::getHostCPUFeatures();
  std::string cpu = sys::getHostCPUName().str();
  SubtargetFeatures features;
  if (const char *wanted = std::getenv("HEDDLE_CPU"); wanted && *wanted)
    cpu = checkedCpu(*target, triple, wanted, host_features);
  else
    for (const auto &feature : host_features)
      features.AddFeature(feature.first(), feature.second);
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Strict; // module/passes/contract_fma.h has already fused
  machine_.reset(target->createTargetMachine(
      triple, cpu, features.getString(), options, Reloc::PIC_, std::nullopt,
      debug ? CodeGenOptLevel::None : CodeGenOptLevel::Default));
}

void CodeGenerator::retarget(Module &module) const {
  module.setTargetTriple(machine_->getTargetTriple().str());
  module.setDataLayout(machine_->createDataLayout());
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine_->getTargetCPU());
    function.addFnAttr("target-features", machine_->getTargetFeatureString());
    function.addFnAttr("frame-pointer", debug_ ? "all" : "none");
    // Faults leave a function by longjmp; nothing is ever unwound.
    function.setDoesNotThrow();
  }
}

TargetProfile CodeGenerator::profile() const {
  const auto has = [&](const char *features) {
    return machine_->getTargetTriple().isX86() &&
           machine_->getMCSubtargetInfo()->checkFeatures(features);
  };
  const StringRef cpu = machine_->getTargetCPU();
  TargetProfile profile;
  profile.native_gather = has("+avx512vl,+avx512bw");
  profile.range_instructions = has("+avx512dq");
  // NEON has twice as many registers of half the size as AVX2.
  profile.registers = profile.native_gather ? VectorRegisters{32, 64} : VectorRegisters{16, 32};
  // Measured (bench/NOTES.md): Zen 4 is 1.4 to 1.7 times as fast if tiles are prefetched into the
  // second level; Zen 5 and Emerald Rapids are slower with that.
  profile.few_misses = cpu == "znver4";
  // Measured, too: without software prefetches, Emerald Rapids (which has the cores of Sapphire
  // Rapids) sums arrays 1.3 to 1.7 times as fast, from memory and from its last-level cache; Zen 4
  // sums them half as fast.
  profile.foreseen_steps = cpu == "sapphirerapids" || cpu == "emeraldrapids";
  return profile;
}

// Like TargetMachine::addPassesToEmitFile, but without LiveDebugValues where the code has no debug
// information for a debugger: that pass takes 8 % of the time even if it has no values to follow.
void CodeGenerator::emit(Module &module, raw_pwrite_stream &output) const {
  TimePassesIsEnabled = switchedOn("HEDDLE_PASS_TIMES");
  auto &machine = static_cast<LLVMTargetMachine &>(*machine_);
  legacy::PassManager passes;
  TargetPassConfig *config = machine.createPassConfig(passes);
  if (!debug_)
    config->disablePass(&LiveDebugValuesID);
  if (spillsMost(module))
    config->disablePass(&PostRASchedulerID);
  auto *functions = new MachineModuleInfoWrapperPass(&machine);
  passes.add(config);
  passes.add(functions);
  bool failed = config->addISelPasses();
  config->addMachinePasses();
  config->setInitialized();
  failed |= machine.addAsmPrinter(passes, output, nullptr, CodeGenFileType::ObjectFile,
                                  functions->getMMI().getContext());
  passes.add(createFreeMachineFunctionPass());
  if (failed)
    throw std::runtime_error("this LLVM cannot write object files for this machine");
  passes.run(module);
}

void CodeGenerator::writeSharedObject(Module &module, const std::filesystem::path &output) const {
  const std::string object = output.string() + ".o";
  std::error_code error, ignored;
  raw_fd_ostream stream(object, error, sys::fs::OF_None);
  if (error)
    throw std::runtime_error("cannot write " + object + ": " + error.message());
  emit(module, stream);
  stream.close();
  if (stream.has_error()) {
    const std::string reason = stream.error().message();
    stream.clear_error();
    std::filesystem::remove(object, ignored);
    throw std::runtime_error("cannot write " + object + ": " + reason);
  }
  // A kernel's object refers to nothing outside it, and is small: more threads would only cost.
  const LinkResult linked = linkElf({"-shared", "--eh-frame-hdr", "-z", "noexecstack",
                                     "--threads=1", "-o", output.string(), object});
  std::filesystem::remove(object, ignored);
  if (!linked.good)
    throw std::runtime_error("linking a kernel failed: " + linked.messages);
}

} // namespace heddle::engine
