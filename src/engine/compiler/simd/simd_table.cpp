// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/simd_table.h"

#include "engine/compiler/lowering/builtin_forms.h"
#include "engine/compiler/lowering/kernel_table.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

Constant *alignedParameters(Module &module, const CompiledKernel &kernel) {
  IRBuilder<> builder(module.getContext());
  if (kernel.aligned.empty())
    return ConstantPointerNull::get(builder.getPtrTy());
  SmallVector<uint32_t> numbers;
  for (const AlignedParameter &parameter : kernel.aligned)
    numbers.append({parameter.offset, parameter.alignment});
  Constant *data = ConstantDataArray::get(module.getContext(), numbers);
  return new GlobalVariable(module, data->getType(), true, GlobalValue::InternalLinkage, data,
                            "heddle.aligned");
}

} // namespace

void addSimdTable(Module &module, const std::vector<CompiledKernel> &kernels,
                  Function *init_globals) {
  LLVMContext &context = module.getContext();
  IRBuilder<> builder(context);
  Type *pointer = builder.getPtrTy(), *i32 = builder.getInt32Ty(), *i64 = builder.getInt64Ty();
  Constant *null = ConstantPointerNull::get(builder.getPtrTy());
  // SimdKernelInfo, field by field.
  auto *kernel_type = StructType::get(
      context, {pointer, pointer, pointer, pointer, i32, i32, i32, i32, i32, i32,     i64,    i32,
                i32,     i32,     i32,     i32,     i64, i64, i64, i64, i64, pointer, pointer});
  Constant *sites = module.getNamedGlobal(counted_sites_name);
  SmallVector<Constant *> entries;
  for (const CompiledKernel &kernel : kernels) {
    const auto text = [&](const std::string &words) -> Constant * {
      return words.empty() ? null : builder.CreateGlobalString(words, "text", 0, &module);
    };
    const auto number = [&](uint64_t value) { return builder.getInt32(uint32_t(value)); };
    entries.push_back(
        ConstantStruct::get(kernel_type, {text(kernel.name),
                                          kernel.entry ? cast<Constant>(kernel.entry) : null,
                                          text(kernel.reason),
                                          alignedParameters(module, kernel),
                                          number(kernel.aligned.size()),
                                          number(kernel.gang_lanes),
                                          number(kernel.frame_bytes),
                                          number(kernel.record_bytes),
                                          number(kernel.calls_lanes),
                                          number(kernel.warp_level),
                                          builder.getInt64(kernel.stack_bytes),
                                          number(kernel.recursive),
                                          number(kernel.strips),
                                          number(kernel.streamed_bytes),
                                          number(kernel.of_one_size),
                                          number(kernel.wants_rows),
                                          builder.getInt64(kernel.appends.appended),
                                          builder.getInt64(kernel.appends.accessed),
                                          builder.getInt64(kernel.counts.counted),
                                          builder.getInt64(kernel.counts.wide_counted),
                                          builder.getInt64(kernel.counts.uncounted),
                                          kernel.sweep ? cast<Constant>(kernel.sweep) : null,
                                          sites ? sites : null}));
  }
  addModuleTable(module, "heddle_simd_module", entries, kernel_type, init_globals);
}

} // namespace heddle::engine::simd
