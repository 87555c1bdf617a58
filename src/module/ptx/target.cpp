// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle {
namespace {

// What an instruction needs. `with` is what matters of it, and all words of it must hold: a
// modifier, of a|b one of them, !a without a, d:a with a as its first type and s:a as its second,
// #4 with as many operands. `subject` is how ptxas speaks of it; %n in it is the instruction, %t
// its types.
struct Feature {
  StringRef instruction, with, subject;
  unsigned sm, version;
};

// In ptxas' order, where an instruction needs several. Recorded with CUDA 13.0.
const Feature features[] = {
    // Types, and modifiers that come before them.
    {"*", "bf16", "Feature '.bf16'", 80, 70},
    {"*", "bf16x2", "Feature '.bf16x2'", 80, 70},
    {"*", "tf32", "Feature '.tf32'", 80, 70},
    {"min|max", "xorsign", "Feature '.abs'", 86, 72},
    {"min|max", "xorsign", "Modifier '.xorsign'", 86, 72},
    {"min|max|redux", "NaN", "Modifier '.NaN'", 80, 70},
    {"fma", "oob", "Modifier '.oob'", 90, 81},
    // Copies in the background.
    {"cp", "async !bulk !commit_group !wait_group !wait_all !mbarrier", "Feature 'cp.async'", 80,
     70},
    {"cp", "async commit_group !bulk", "Feature 'cp.async.commit_group'", 80, 70},
    {"cp", "async wait_group !bulk", "Feature 'cp.async.wait_group'", 80, 70},
    {"cp", "async wait_all", "Feature 'cp.async.wait_all'", 80, 70},
    {"cp", "async mbarrier", "Feature 'cp.async.mbarrier.arrive'", 80, 70},
    {"cp", "async bulk read", "Modifier '.read'", 90, 80},
    {"cp", "async bulk !reduce !tensor !prefetch !commit_group !wait_group",
     "Feature 'cp.async.bulk'", 90, 80},
    {"cp", "bulk shared::cta mbarrier::complete_tx::bytes !shared::cluster !tensor !reduce",
     "Feature 'cp.async.bulk with destination state space as .shared::cta'", 0, 86},
    {"cp", "async bulk prefetch !tensor", "Feature 'cp.async.bulk.prefetch'", 90, 80},
    {"cp", "async bulk commit_group", "Feature 'cp.async.bulk.commit_group'", 90, 80},
    {"cp", "async bulk wait_group", "Feature 'cp.async.bulk.wait_group'", 90, 80},
    {"cp", "async bulk tensor !reduce !prefetch", "Feature 'cp.async.bulk.tensor'", 90, 80},
    {"cp", "async bulk tensor prefetch", "Feature 'cp.async.bulk.prefetch.tensor'", 90, 80},
    {"cp", "reduce !tensor", "Feature 'cp.reduce.async.bulk'", 90, 80},
    {"cp", "reduce tensor", "Feature 'cp.reduce.async.bulk.tensor'", 90, 80},
    {"cp", "multicast::cluster", "Modifier '.multicast::cluster'", 90, 80},
    {"cp|tensormap", "tile", "Feature '.tile'", 90, 80},
    {"cp", "cp_mask", "Feature '.cp_mask'", 100, 86},
    {"cp", "ignore_oob", "Feature '.ignore_oob'", 100, 86},
    {"cp", "bulk_group", "Feature '.bulk_group'", 90, 80},
    {"st", "async", "Feature 'st.async'", 90, 81},
    {"st", "bulk", "Feature 'st.bulk'", 100, 86},
    {"red", "async", "Feature 'red.async'", 90, 81},
    {"clusterlaunchcontrol", "try_cancel", "Feature 'clusterlaunchcontrol.try_cancel.async'", 100,
     86},
    {"clusterlaunchcontrol", "is_canceled", "Feature '.is_canceled'", 100, 86},
    {"clusterlaunchcontrol", "query_cancel", "Feature 'clusterlaunchcontrol.query_cancel'", 100,
     86},
    {"mbarrier", "init", "Feature 'mbarrier.init'", 80, 70},
    {"mbarrier", "inval", "Feature 'mbarrier.inval'", 80, 70},
    {"mbarrier", "arrive !expect_tx", "Feature 'mbarrier.arrive'", 80, 70},
    {"mbarrier", "arrive #3 !noComplete !expect_tx",
     "Feature 'mbarrier.arrive with count argument and without '.noComplete' modifier'", 90, 78},
    {"mbarrier", "arrive expect_tx", "Feature 'mbarrier.arrive.expect_tx'", 90, 80},
    {"mbarrier", "arrive relaxed !expect_tx", "Modifier '.relaxed' on 'mbarrier.arrive'", 90, 86},
    {"mbarrier", "arrive shared::cluster", "Feature '.shared::cluster'", 90, 80},
    {"mbarrier", "arrive_drop", "Feature 'mbarrier.arrive_drop'", 80, 70},
    {"mbarrier", "test_wait !parity", "Feature 'mbarrier.test_wait'", 80, 70},
    {"mbarrier", "test_wait parity", "Feature 'mbarrier.test_wait.parity'", 80, 71},
    {"mbarrier", "pending_count", "Feature 'mbarrier.pending_count'", 80, 70},
    {"mbarrier", "try_wait !parity", "Feature 'mbarrier.try_wait'", 90, 78},
    {"mbarrier", "try_wait parity", "Feature 'mbarrier.try_wait.parity'", 90, 78},
    {"mbarrier", "expect_tx !arrive !arrive_drop", "Feature 'mbarrier.expect_tx'", 90, 80},
    {"mbarrier", "complete_tx", "Feature 'mbarrier.complete_tx'", 90, 80},
    // Clusters.
    {"barrier", "cluster arrive", "Feature 'barrier.cluster.arrive'", 90, 78},
    {"barrier", "cluster wait", "Feature 'barrier.cluster.wait'", 90, 78},
    {"mapa", "", "Feature 'mapa'", 90, 78},
    {"getctarank", "", "Feature 'getctarank'", 90, 78},
    {"ld|st|atom|red|mapa|getctarank|isspacep|cvta|mbarrier", "shared::cluster",
     "Feature '::cluster'", 90, 78},
    {"cp|st|red|clusterlaunchcontrol", "mbarrier::complete_tx::bytes",
     "Feature '.mbarrier::complete_tx::bytes'", 90, 80},
    {"fence", "sync_restrict::shared::cluster|sync_restrict::shared::cta",
     "Feature '.sync_restrict'", 90, 86},
    {"fence", "mbarrier_init", "Feature '.op_restrict'", 90, 80},
    {"fence", "mbarrier_init", "Modifier '.mbarrier_init'", 90, 80},
    {"fence", "async", "Modifier '.async'", 90, 80},
    {"ld|st|atom|red|fence|mbarrier", "cluster", "Feature '.cluster scope'", 90, 78},
    {"elect", "", "Feature 'elect'", 90, 80},
    {"griddepcontrol", "wait", "Modifier '.wait'", 90, 78},
    {"griddepcontrol", "launch_dependents", "Modifier '.launch_dependents'", 90, 78},
    {"griddepcontrol", "", "Instruction 'griddepcontrol'", 90, 78},
    {"multimem", "ld_reduce", "Feature 'multimem.ld_reduce'", 90, 81},
    {"multimem", "st", "Feature 'multimem.st'", 90, 81},
    {"multimem", "red", "Feature 'multimem.red'", 90, 81},
    // Caches.
    {"createpolicy", "fractional", "Feature 'createpolicy.fractional'", 80, 74},
    {"createpolicy", "range", "Feature 'createpolicy.range'", 80, 74},
    {"createpolicy", "cvt", "Feature 'createpolicy.cvt'", 80, 74},
    {"createpolicy", "fractional L2::evict_last",
     "Modifier '.L2::evict_last' on 'createpolicy.fractional'", 80, 74},
    {"createpolicy", "range L2::evict_last", "Modifier '.L2::evict_last' on 'createpolicy.range'",
     80, 74},
    {"createpolicy", "range L2::evict_unchanged",
     "Modifier '.L2::evict_unchanged' on 'createpolicy.range'", 80, 74},
    {"*", "L2::cache_hint", "Modifier '.L2::cache_hint'", 80, 74},
    {"ld", "L2::256B", "Modifier '.L2::256B'", 80, 74},
    {"prefetch", "L2::evict_last|L2::evict_normal",
     "Modifier 'cache eviction priority' on 'prefetch'", 80, 74},
    {"prefetch", "tensormap", "Modifier '.tensormap'", 90, 80},
    {"discard", "", "Feature 'discard'", 80, 74},
    {"applypriority", "", "Feature 'applypriority'", 80, 74},
    {"applypriority", "L2::evict_normal", "Modifier '.evict_normal' on 'applypriority'", 80, 74},
    {"ld|st", "v8", "Feature '256 bit wide load/store'", 100, 88},
    {"ld|st", "v4 b64|u64|s64|f64", "Feature '256 bit wide load/store'", 100, 88},
    // Matrices.
    {"mma", "e4m3|e5m2 !kind::f8f6f4", "Feature 'mma with FP8 floating point type'", 89, 84},
    {"mma", "sp|sp::ordered_metadata", "Feature 'Sparse MMA'", 80, 71},
    {"mma", "sp::ordered_metadata", "Feature '.sp::ordered_metadata'", 80, 85},
    {"mma", "sp|sp::ordered_metadata m16n8k16", "Modifier '.m16n8k16'", 80, 71},
    {"mma", "m16n8k16 !f64 !e4m3 !e5m2 !sp !sp::ordered_metadata", "Feature '.m16n8k16'", 80, 70},
    {"mma", "m16n8k32 !e4m3 !e5m2 !e2m1 !e2m3 !e3m2", "Feature '.m16n8k32'", 80, 70},
    {"mma", "m16n8k64", "Feature '.m16n8k64'", 80, 70},
    {"mma", "m16n8k256", "Feature '.m16n8k256'", 80, 70},
    {"mma", "m16n8k8 bf16|tf32", "Feature '.m16n8k8'", 80, 70},
    {"mma", "m16n8k4 !f64", "Feature '.m16n8k4'", 80, 70},
    {"mma", "m8n8k4 f64", "Feature '.m8n8k4 with double types'", 80, 70},
    {"mma", "m16n8k4 f64", "Feature '.m16n8k4 with double types'", 90, 78},
    {"mma", "m16n8k8 f64", "Feature '.m16n8k8 with double types'", 90, 78},
    {"mma", "m16n8k16 f64", "Feature '.m16n8k16 with double types'", 90, 78},
    {"mma", "b1 and", "Modifier '.and' on 'mma'", 80, 71},
    {"mma", "m16n8k8 !bf16 !tf32 !f64", "Feature '.m16n8k8'", 75, 65},
    {"mma", "", "Feature 'mma'", 70, 64},
    {"wmma", "load|store bf16|tf32", "Feature 'WMMA with .bf16/.tf32 FP types'", 80, 70},
    {"wmma", "f64", "Feature 'WMMA with fp64 types'", 80, 70},
    {"wmma", "m16n16k8", "Modifier '.m16n16k8'", 80, 70},
    {"wmma", "m8n8k4", "Modifier '.m8n8k4'", 80, 70},
    {"wmma", "mma bf16|tf32|f64", "Instruction 'wmma.mma'", 80, 70},
    {"wmma", "mma b1 and", "Modifier '.and' on 'wmma.mma'", 80, 71},
    {"wmma", "", "Feature 'wmma'", 70, 60},
    {"ldmatrix", "", "Feature 'ldmatrix'", 75, 65},
    {"stmatrix", "", "Feature 'stmatrix'", 90, 78},
    {"movmatrix", "", "Feature 'movmatrix'", 75, 78},
    // Warps.
    {"redux", "!f32", "Feature 'redux'", 80, 70},
    {"match", "", "Feature 'match'", 70, 60},
    {"nanosleep", "", "Feature 'nanosleep'", 70, 63},
    // Arithmetic.
    {"tanh", "f32|f16|f16x2", "Feature 'tanh'", 75, 70},
    {"tanh|ex2|add|sub|mul|setp", "bf16 !f32", "Feature '%n.bf16'", 90, 78},
    {"tanh|ex2|add|sub|mul|setp", "bf16x2", "Feature '%n.bf16x2'", 90, 78},
    {"set", "bf16", "Feature 'set.bf16'", 90, 78},
    {"set", "bf16x2", "Feature 'set.bf16x2'", 90, 78},
    {"ex2", "f16|f16x2", "Feature 'ex2.f16'", 75, 70},
    {"min|max", "f16|f16x2", "Feature '%n.f16 or %n.f16x2'", 80, 70},
    {"min|max", "relu s32|s16x2", "Feature '%n.relu'", 90, 80},
    {"min|max", "s16x2|u16x2", "Feature '%n%t'", 90, 80},
    {"min|max", "f32 #4", "Feature '%n.f32 with 3 input operands'", 100, 88},
    {"add", "s16x2|u16x2", "Feature 'add%t'", 90, 80},
    {"add|sub|mul|fma", "f32x2", "Feature '%n.f32x2'", 100, 86},
    {"add|sub|fma", "d:f32 s:f16|bf16", "Feature '%n%t'", 100, 86},
    {"fma|min|max|cvt", "relu", "Modifier '.relu'", 80, 70},
    {"cvt", "d:bf16|bf16x2 !ue8m0x2", "Feature 'cvt%t'", 80, 70},
    {"cvt", "d:f16x2 f32", "Feature 'cvt%t'", 80, 70},
    {"cvt", "d:f32 s:bf16", "Feature 'cvt with %t'", 80, 71},
    {"cvt", "d:bf16 !f32", "Feature 'cvt with %t'", 90, 78},
    {"cvt", "d:u8|s8|u16|s16|u32|s32|u64|s64|f16|f64 s:bf16", "Feature 'cvt with %t'", 90, 78},
    {"cvt", "d:tf32 rn", "Feature 'cvt with .tf32.f32.rn'", 90, 78},
    {"cvt", "d:tf32 rn satfinite", "Modifier '.satfinite' on 'cvt.tf32.f32.rn'", 100, 86},
    {"cvt", "e4m3x2|e5m2x2", "Feature 'cvt with .e4m3x2/.e5m2x2'", 89, 78},
    // Atomic operations.
    {"atom|red", "add bf16 global", "Instruction '%n.add.bf16.global'", 90, 78},
    {"atom|red", "add bf16x2 global", "Instruction '%n.add.bf16x2.global'", 90, 78},
    {"atom|red", "v2|v4|v8 !async", "Feature '%n instruction with vector types'", 90, 81},
    {"atom", "cas b128 global", "Instruction 'atom.cas.b128.global'", 90, 83},
    {"atom", "exch b128 global", "Instruction 'atom.exch.b128.global'", 90, 83},
};

// Special registers, by the beginning of their names.
const Feature registers[] = {
    {"%clusterid", "", "", 90, 78},      {"%nclusterid", "", "", 90, 78},
    {"%cluster_", "", "", 90, 78},       {"%is_explicit_cluster", "", "", 90, 78},
    {"%aggr_smem_size", "", "", 90, 81}, {"%reserved_smem_offset_", "", "", 80, 76},
};

// What only some GPUs have, and later ones not: code for it says so with the suffix a or f. %m in
// `subject` is the instruction with its first modifier, "wgmma.fence".
struct Family {
  StringRef instruction, with, subject;
  unsigned first, last;
};
const Family families[] = {
    {"wgmma", "!mma_async", "Instruction '%m'", 90, 90},
    {"wgmma", "mma_async f16|bf16|tf32|e4m3|e5m2",
     "Instruction 'wgmma.mma_async with floating point types'", 90, 90},
    {"wgmma", "mma_async !f16 !bf16 !tf32 !e4m3 !e5m2", "Instruction '%m'", 90, 90},
    {"setmaxnreg", "", "Instruction '%m'", 90, 129},
    {"tcgen05", "32x32b", "Feature '.32x32b'", 100, 109},
    {"tcgen05", "", "Instruction '%m'", 100, 119},
    {"tcgen05", "cta_group::1", "Feature '.cta_group::1'", 100, 119},
    {"tcgen05", "cta_group::2", "Feature '.cta_group::2'", 100, 119},
    {"redux", "f32", "Instruction 'redux.f32'", 100, 109},
    {"tensormap", "replace", "Instruction 'tensormap.replace'", 90, 129},
    {"cvt", "e2m3x2|e3m2x2", "Instruction 'cvt with .e2m3x2/.e3m2x2'", 100, 129},
    {"cvt", "ue8m0x2", "Instruction 'cvt with .ue8m0x2'", 100, 129},
    {"cvt", "rs", "Feature '.rs'", 100, 109},
    {"mma", "e2m1|e2m3|e3m2", "Instruction 'mma with with FP6/FP4 floating point type'", 120, 129},
    {"mma", "kind::f8f6f4", "Feature '.kind::f8f6f4'", 100, 129},
    {"ldmatrix", "m16n16", "Feature '.m16n16'", 100, 129},
    {"ldmatrix", "m16n16 b8", "Feature 'ldmatrix.b8'", 100, 129},
    {"ldmatrix", "m8n16", "Feature '.m8n16'", 100, 129},
    {"ldmatrix", "m8n16", "Feature 'ldmatrix with format conversion'", 100, 129},
    {"stmatrix", "m16n8", "Feature '.m16n8'", 100, 129},
    {"stmatrix", "b8", "Feature 'stmatrix.b8'", 100, 129},
};
// Of all from the first on, without a suffix.
const Family refused_before[] = {
    {"fence", "tensormap::generic|async::generic",
     "Instruction 'fence.proxy with unidirection proxy fence'", 90, 999},
    {"tensormap", "cp_fenceproxy", "Instruction 'tensormap.cp_fenceproxy'", 90, 999},
};

bool isOneOf(StringRef word, StringRef words) {
  SmallVector<StringRef> all;
  words.split(all, '|');
  return is_contained(all, word);
}

bool hasOneOf(const PtxStatement &instruction, StringRef words) {
  return any_of(instruction.modifiers,
                [&](StringRef modifier) { return isOneOf(modifier, words); });
}

SmallVector<StringRef> typesOf(const PtxStatement &instruction) {
  SmallVector<StringRef> types;
  for (const StringRef modifier : instruction.modifiers)
    if (parsePtxType(modifier))
      types.push_back(modifier);
  return types;
}

bool hasTypeAt(const PtxStatement &instruction, size_t place, StringRef words) {
  const SmallVector<StringRef> types = typesOf(instruction);
  return place < types.size() && isOneOf(types[place], words);
}

bool holds(const PtxStatement &instruction, StringRef with) {
  SmallVector<StringRef> words;
  with.split(words, ' ', -1, false);
  return all_of(words, [&](StringRef word) {
    if (word.consume_front("!"))
      return !hasOneOf(instruction, word);
    if (word.consume_front("d:"))
      return hasTypeAt(instruction, 0, word);
    if (word.consume_front("s:"))
      return hasTypeAt(instruction, 1, word);
    if (word.consume_front("#"))
      return std::to_string(instruction.operands.size()) == word;
    return hasOneOf(instruction, word);
  });
}

bool isNamed(const PtxStatement &instruction, StringRef names) {
  return names == "*" || isOneOf(instruction.name, names);
}

std::string withFirstModifier(const PtxStatement &instruction) {
  if (instruction.modifiers.empty())
    return instruction.name;
  return instruction.name + "." + StringRef(instruction.modifiers[0]).split("::").first.str();
}

// Fills in what `subject` leaves open.
std::string named(StringRef subject, const PtxStatement &instruction) {
  std::string text;
  while (!subject.empty()) {
    if (subject.consume_front("%n")) {
      text += instruction.name;
    } else if (subject.consume_front("%m")) {
      text += withFirstModifier(instruction);
    } else if (subject.consume_front("%t")) {
      for (const StringRef type : typesOf(instruction))
        text += "." + type.str();
    } else {
      text += subject.front();
      subject = subject.drop_front();
    }
  }
  return text;
}

void addMissingFamilies(const PtxStatement &instruction, const PtxTarget &target,
                        std::vector<std::string> &messages) {
  const auto check = [&](const Family &family, bool needs_suffix) {
    const bool is_there =
        (target.suffix || !needs_suffix) && target.sm >= family.first && target.sm <= family.last;
    if (!is_there && isNamed(instruction, family.instruction) && holds(instruction, family.with))
      messages.push_back(named(family.subject, instruction) + " not supported on .target '" +
                         target.name() + "'");
  };
  for (const Family &family : families)
    check(family, true);
  for (const Family &family : refused_before)
    check(family, false);
}

// Since threads of a warp have places of their own.
bool lacksSync(const PtxStatement &instruction, const PtxTarget &target) {
  return isNamed(instruction, "shfl|vote") && holds(instruction, "!sync") && target.sm >= 70 &&
         target.version >= 64;
}

std::string versionName(unsigned version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

} // namespace

std::string PtxTarget::name() const {
  std::string text = "sm_" + std::to_string(sm);
  return suffix ? text + suffix : text;
}

std::optional<PtxTarget> parsePtxTarget(StringRef name) {
  PtxTarget target;
  if (!name.consume_front("sm_") || name.consumeInteger(10, target.sm) || target.sm < 10 ||
      target.sm > 999)
    return std::nullopt;
  if (name == "a" || name == "f")
    target.suffix = name[0];
  else if (!name.empty())
    return std::nullopt;
  return target;
}

bool runsOn(const PtxTarget &code, const PtxTarget &gpu) {
  if (code.suffix == 'a')
    return code.sm == gpu.sm && gpu.suffix == 'a';
  if (code.suffix == 'f')
    return code.sm / 10 == gpu.sm / 10 && code.sm <= gpu.sm && gpu.suffix;
  return code.sm <= gpu.sm;
}

std::vector<std::string> missingFeatures(const PtxStatement &instruction, const PtxTarget &target) {
  if (lacksSync(instruction, target))
    return {"Instruction '" + instruction.name +
            "' without '.sync' is not supported on .target sm_70 and higher from PTX ISA version "
            "6.4"};
  std::vector<std::string> messages;
  const auto need = [&](const Feature &feature, const std::string &subject) {
    if (target.sm < feature.sm)
      messages.push_back(subject + " requires .target sm_" + std::to_string(feature.sm) +
                         " or higher");
    if (target.version < feature.version)
      messages.push_back(subject + " requires PTX ISA .version " + versionName(feature.version) +
                         " or later");
  };
  addMissingFamilies(instruction, target, messages);
  for (const Feature &feature : features)
    if (isNamed(instruction, feature.instruction) && holds(instruction, feature.with))
      need(feature, named(feature.subject, instruction));
  for (const PtxOperand &operand : instruction.operands)
    for (const Feature &feature : registers)
      if (operand.kind == PtxOperand::Name &&
          StringRef(operand.name).starts_with(feature.instruction))
        need(feature, "Feature '" + StringRef(operand.name).split('.').first.str() + "'");
  return messages;
}

} // namespace heddle
