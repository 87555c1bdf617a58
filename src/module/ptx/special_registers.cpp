// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of special registers (PTX ISA, "Special Registers").
#include "module/ptx/emitter.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle {
namespace {

Intrinsic::ID specialRegister(StringRef name) {
  return StringSwitch<Intrinsic::ID>(name)
      .Case("%tid.x", Intrinsic::nvvm_read_ptx_sreg_tid_x)
      .Case("%tid.y", Intrinsic::nvvm_read_ptx_sreg_tid_y)
      .Case("%tid.z", Intrinsic::nvvm_read_ptx_sreg_tid_z)
      .Case("%ntid.x", Intrinsic::nvvm_read_ptx_sreg_ntid_x)
      .Case("%ntid.y", Intrinsic::nvvm_read_ptx_sreg_ntid_y)
      .Case("%ntid.z", Intrinsic::nvvm_read_ptx_sreg_ntid_z)
      .Case("%ctaid.x", Intrinsic::nvvm_read_ptx_sreg_ctaid_x)
      .Case("%ctaid.y", Intrinsic::nvvm_read_ptx_sreg_ctaid_y)
      .Case("%ctaid.z", Intrinsic::nvvm_read_ptx_sreg_ctaid_z)
      .Case("%nctaid.x", Intrinsic::nvvm_read_ptx_sreg_nctaid_x)
      .Case("%nctaid.y", Intrinsic::nvvm_read_ptx_sreg_nctaid_y)
      .Case("%nctaid.z", Intrinsic::nvvm_read_ptx_sreg_nctaid_z)
      .Case("%laneid", Intrinsic::nvvm_read_ptx_sreg_laneid)
      .Case("%warpid", Intrinsic::nvvm_read_ptx_sreg_warpid)
      .Case("%lanemask_eq", Intrinsic::nvvm_read_ptx_sreg_lanemask_eq)
      .Case("%lanemask_lt", Intrinsic::nvvm_read_ptx_sreg_lanemask_lt)
      .Case("%lanemask_le", Intrinsic::nvvm_read_ptx_sreg_lanemask_le)
      .Case("%lanemask_gt", Intrinsic::nvvm_read_ptx_sreg_lanemask_gt)
      .Case("%lanemask_ge", Intrinsic::nvvm_read_ptx_sreg_lanemask_ge)
      .Case("%clock", Intrinsic::nvvm_read_ptx_sreg_clock)
      .Cases("%clock64", "%clock_hi", Intrinsic::nvvm_read_ptx_sreg_clock64)
      .Cases("%globaltimer", "%globaltimer_lo", "%globaltimer_hi",
             Intrinsic::nvvm_read_ptx_sreg_globaltimer)
      .Default(Intrinsic::not_intrinsic);
}

// %cluster_ctaid.x and similar registers; null for others.
Value *readClusterRegister(PtxEmitter &emitter, StringRef name) {
  IRBuilder<> &builder = emitter.builder;
  Type *i32 = builder.getInt32Ty();
  if (name == "%cluster_ctarank" || name == "%cluster_nctarank")
    return emitter.callLibrary(
        name == "%cluster_ctarank" ? "__heddle_cluster_rank" : "__heddle_cluster_blocks", i32, {});
  if (name == "%is_explicit_cluster")
    return builder.CreateICmpUGT(emitter.callLibrary("__heddle_cluster_blocks", i32, {}),
                                 builder.getInt32(1));
  auto [base, axis_name] = name.split('.');
  if (axis_name.size() != 1 || axis_name[0] < 'x' || axis_name[0] > 'z')
    return nullptr;
  Value *axis = builder.getInt32(uint32_t(axis_name[0] - 'x'));
  if (base == "%cluster_ctaid")
    return emitter.callLibrary("__heddle_cluster_place", i32, {axis});
  if (base == "%cluster_nctaid")
    return emitter.callLibrary("__heddle_cluster_dim", i32, {axis});
  if (base != "%clusterid" && base != "%nclusterid")
    return nullptr;
  const std::string blocks =
      (Twine(base == "%clusterid" ? "%ctaid." : "%nctaid.") + axis_name).str();
  return builder.CreateUDiv(builder.CreateIntrinsic(specialRegister(blocks), {}, {}),
                            emitter.callLibrary("__heddle_cluster_dim", i32, {axis}));
}

} // namespace

// Invariant registers are read once, in the entry block, so that no condition recomputes them.
Value *PtxEmitter::readAtStart(Intrinsic::ID id) {
  if (isInline() ||
      !Intrinsic::getAttributes(builder.getContext(), id).hasFnAttr(Attribute::Speculatable))
    return builder.CreateIntrinsic(id, {}, {});
  Value *&known = special_[id];
  if (!known) {
    IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
    known = entry.CreateIntrinsic(id, {}, {});
  }
  return known;
}

Value *PtxEmitter::readSpecial(StringRef name) {
  if (name == "%dynamic_smem_size")
    return callLibrary("__heddle_dynamic_smem_size", builder.getInt32Ty(), {});
  if (name == "%total_smem_size")
    return callLibrary("__heddle_total_smem_size", builder.getInt32Ty(), {});
  if (Value *value = readClusterRegister(*this, name))
    return value;
  if (name == "%nsmid")
    return callLibrary("__heddle_multiprocessors", builder.getInt32Ty(), {});
  if (name == "%nwarpid")
    return callLibrary("__heddle_multiprocessor_warps", builder.getInt32Ty(), {});
  if (name == "%gridid")
    return callLibrary("__heddle_grid_number", builder.getInt64Ty(), {});
  if (name == "%smid")
    return callLibrary("__heddle_multiprocessor", builder.getInt32Ty(), {});
  // In these two the driver says where a cooperative launch has memory for its barrier, which
  // nvcc's cooperative_groups::grid_group::sync() counts in.
  if (name == "%envreg1" || name == "%envreg2") {
    Value *address = callLibrary("__heddle_grid_workspace", builder.getInt64Ty(), {});
    return builder.CreateTrunc(name == "%envreg1" ? builder.CreateLShr(address, 32) : address,
                               builder.getInt32Ty());
  }
  // Registers that drivers or tools would set, which read as zero here, and shared memory that CUDA
  // reserves, of which there is none.
  for (StringRef zero : {"%envreg", "%pm", "%reserved_smem_offset_"})
    if (name.starts_with(zero))
      return builder.getIntN(name.ends_with("64") ? 64 : 32, 0);
  if (name == "%current_graph_exec")
    return callLibrary("__heddle_current_graph_exec", builder.getInt64Ty(), {});
  if (name == "%aggr_smem_size")
    return callLibrary("__heddle_total_smem_size", builder.getInt32Ty(), {});
  const Intrinsic::ID id = specialRegister(name);
  if (id == Intrinsic::not_intrinsic)
    throw PtxError((!target() ? "'" + name + "' is neither a declared register nor supported"
                              : "Unknown symbol '" + name + "'")
                       .str());
  Value *value = readAtStart(id);
  if (name.ends_with("_hi"))
    return builder.CreateTrunc(builder.CreateLShr(value, 32), builder.getInt32Ty());
  return name.ends_with("_lo") ? builder.CreateTrunc(value, builder.getInt32Ty()) : value;
}

} // namespace heddle
