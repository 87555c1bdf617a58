// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/description/describe.h"

#include "module/annotations.h"
#include "module/description/cluster_note.h"
#include "module/description/register_estimate.h"
#include "module/passes/launches.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle {
namespace {

// The value of `key` in the NVVM annotations of `function`, or 0.
uint32_t annotation(const Function &function, StringRef key) {
  const NamedMDNode *all = function.getParent()->getNamedMetadata("nvvm.annotations");
  if (!all)
    return 0;
  for (const MDNode *node : all->operands()) {
    if (mdconst::dyn_extract_or_null<Function>(node->getOperand(0)) != &function)
      continue;
    for (unsigned i = 1; i + 1 < node->getNumOperands(); i += 2)
      if (auto *name = dyn_cast<MDString>(node->getOperand(i)); name && name->getString() == key)
        return uint32_t(mdconst::extract<ConstantInt>(node->getOperand(i + 1))->getZExtValue());
  }
  return 0;
}

void describeParameters(const Function &function, KernelInfo &kernel) {
  const DataLayout &data = function.getParent()->getDataLayout();
  PackedParameters packed;
  for (const Argument &argument : function.args())
    packed.add(data, argument.getType(),
               argument.hasByValAttr() ? argument.getParamByValType() : nullptr,
               argument.getParamAlign());
  for (const auto &[offset, size] : packed.places)
    kernel.parameters.push_back({uint32_t(offset), uint32_t(size)});
  kernel.parameter_bytes = uint32_t(packed.bytes);
}

// __launch_bounds__ limits registers so that such blocks fit (CUDA guide, "Launch Bounds"); an SM
// of most GPUs has 64 K, allocated to threads in units of eight.
uint32_t boundRegisters(const KernelInfo &kernel) {
  constexpr uint32_t all = 65536, unit = 8, most = 255;
  const uint64_t threads =
      uint64_t(kernel.max_threads_per_block) * std::max(1u, kernel.min_blocks_per_sm);
  return threads ? uint32_t(std::clamp<uint64_t>(all / threads / unit * unit, 2 * unit, most))
                 : most;
}

KernelInfo describeKernel(Function &function) {
  KernelInfo kernel;
  kernel.name = function.getName().str();
  kernel.display_name = demangle(withoutFileSuffix(kernel.name).str());
  describeParameters(function, kernel);
  kernel.max_threads_per_block = std::max(annotation(function, "maxntidx"), 1u) *
                                 std::max(annotation(function, "maxntidy"), 1u) *
                                 std::max(annotation(function, "maxntidz"), 1u);
  if (!annotation(function, "maxntidx"))
    kernel.max_threads_per_block = 0;
  kernel.min_blocks_per_sm = annotation(function, "minctasm");

  const DataLayout &data = function.getParent()->getDataLayout();
  const Reachable reachable = reachableFrom(function);
  uint64_t shared = 0;
  for (const GlobalVariable *variable : reachable.variables) {
    const uint64_t size = data.getTypeAllocSize(variable->getValueType());
    if (variable->getAddressSpace() == address_space::Shared && !variable->isDeclaration())
      shared = alignTo(shared, variable->getAlign().valueOrOne()) + size;
    else if (variable->getAddressSpace() == address_space::Constant &&
             (variable->isExternallyInitialized() || variable->hasAttribute("heddle.const")))
      kernel.constant_bytes += uint32_t(size);
  }
  kernel.static_shared_bytes = uint32_t(shared);
  for (const Function *callee : reachable.functions) {
    kernel.local_bytes += uint32_t(frameBytes(*callee));
    kernel.registers = std::max(kernel.registers, estimateRegisters(*callee));
  }
  kernel.registers = std::min(kernel.registers, boundRegisters(kernel));
  if (const uint32_t most = annotation(function, "maxnreg"))
    kernel.registers = std::min(kernel.registers, most);
  return kernel;
}

} // namespace

bool isPlainIntrinsic(const CallBase &call) {
  if (const auto *memory = dyn_cast<MemIntrinsic>(&call))
    return !memory->isVolatile();
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
  return intrinsic && intrinsic->isAssumeLikeIntrinsic();
}

uint64_t frameBytes(const Function &function) {
  const DataLayout &data = function.getParent()->getDataLayout();
  uint64_t bytes = 0;
  for (const Instruction &instruction : instructions(function))
    if (auto *slot = dyn_cast<AllocaInst>(&instruction))
      if (auto size = slot->getAllocationSize(data); size && !size->isScalable())
        bytes += size->getFixedValue();
  return bytes;
}

bool isKernel(const Function &function) { return annotation(function, "kernel") != 0; }

Reachable reachableFrom(const Function &start) {
  Reachable reachable;
  DenseSet<const Value *> seen;
  SmallVector<const Value *> work = {&start};
  while (!work.empty()) {
    const Value *value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (auto *function = dyn_cast<Function>(value)) {
      if (function->isDeclaration())
        continue;
      reachable.functions.insert(function);
      for (const Instruction &instruction : instructions(*function))
        for (const Use &operand : instruction.operands())
          if (isa<Constant>(operand.get()))
            work.push_back(operand.get());
      continue;
    }
    if (auto *variable = dyn_cast<GlobalVariable>(value))
      reachable.variables.insert(variable);
    if (auto *user = dyn_cast<User>(value))
      for (const Use &operand : user->operands())
        work.push_back(operand.get());
  }
  return reachable;
}

void describe(Module &module, ImageInfo &info, const KernelAnalysis &analyze) {
  const DeviceLayout layout = layOut(module);
  info.globals_bytes = layout.globals_bytes;
  info.globals_align = uint32_t(layout.globals_align);
  info.shared_bytes = uint32_t(layout.shared_bytes);
  const DataLayout &data = module.getDataLayout();
  for (auto [variable, offset] : layout.globals)
    info.variables.push_back({variable->getName().str(), offset,
                              data.getTypeAllocSize(variable->getValueType()),
                              variable->getAddressSpace() == address_space::Constant, false});
  for (auto [variable, pointer] : layout.managed)
    info.variables.push_back({variable->getName().str(), 0,
                              data.getTypeAllocSize(variable->getValueType()), false, true});
  const auto add = [&](Function &kernel) {
    info.kernels.push_back(describeKernel(kernel));
    if (analyze)
      info.kernels.back().engine_facts = analyze(kernel, info.kernels.back());
    if (const std::array<uint32_t, 3> dims = clusterDims(kernel); dims[0])
      info.variables.push_back({clusterNote(info.kernels.back().name), packedDims(dims), 0});
  };
  const auto named = namedKernels(module); // they are numbered already
  for (Function *kernel : named)
    add(*kernel);
  for (Function &function : module)
    if (!function.isDeclaration() && isKernel(function) && !is_contained(named, &function))
      add(function);
}

} // namespace heddle
