// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle {
namespace {

// What an instruction needs. `with` are its modifiers that matter: all words of it must hold, of
// a|b one, and !a means without a. `subject` is how ptxas speaks of it.
struct Feature {
  StringRef instruction, with, subject;
  unsigned sm, version;
};

// In ptxas' order, where an instruction needs several.
const Feature features[] = {
    // Types.
    {"fma|cvt|mma|wmma|add|sub|mul|min|max|abs|neg|set|setp|ex2|tanh|atom|red", "bf16",
     "Feature '.bf16'", 80, 70},
    {"fma|cvt|mma|wmma|add|sub|mul|min|max|abs|neg|set|setp|ex2|tanh|atom|red", "bf16x2",
     "Feature '.bf16x2'", 80, 70},
    {"mma|wmma|cvt", "tf32", "Feature '.tf32'", 80, 70},
    {"mma|wmma", "f64", "Feature '.f64'", 80, 70},
    // Copies in the background.
    {"cp", "async !bulk", "Feature 'cp.async'", 80, 70},
    {"cp", "async bulk !reduce", "Feature 'cp.async.bulk'", 90, 80},
    {"cp", "reduce", "Feature 'cp.reduce.async.bulk'", 90, 80},
    {"cp", "bulk_group", "Feature '.bulk_group'", 90, 80},
    {"cp", "cp_mask", "Feature '.cp_mask'", 100, 86},
    {"cp", "ignore_oob", "Feature '.ignore_oob'", 100, 86},
    {"st", "async", "Feature 'st.async'", 90, 81},
    {"st", "bulk", "Feature 'st.bulk'", 100, 86},
    {"red", "async", "Feature 'red.async'", 90, 81},
    {"mbarrier", "init", "Feature 'mbarrier.init'", 80, 70},
    {"mbarrier", "inval", "Feature 'mbarrier.inval'", 80, 70},
    {"mbarrier", "arrive !expect_tx", "Feature 'mbarrier.arrive'", 80, 70},
    {"mbarrier", "arrive expect_tx", "Feature 'mbarrier.arrive.expect_tx'", 90, 80},
    {"mbarrier", "arrive_drop", "Feature 'mbarrier.arrive_drop'", 80, 70},
    {"mbarrier", "test_wait", "Feature 'mbarrier.test_wait'", 80, 70},
    {"mbarrier", "pending_count", "Feature 'mbarrier.pending_count'", 80, 70},
    {"mbarrier", "try_wait", "Feature 'mbarrier.try_wait'", 90, 78},
    {"mbarrier", "expect_tx !arrive !arrive_drop", "Feature 'mbarrier.expect_tx'", 90, 80},
    {"mbarrier", "complete_tx", "Feature 'mbarrier.complete_tx'", 90, 80},
    // Clusters.
    {"barrier", "cluster arrive", "Feature 'barrier.cluster.arrive'", 90, 78},
    {"barrier", "cluster wait", "Feature 'barrier.cluster.wait'", 90, 78},
    {"mapa", "", "Feature 'mapa'", 90, 78},
    {"getctarank", "", "Feature 'getctarank'", 90, 78},
    {"*", "shared::cluster", "Feature '::cluster'", 90, 78},
    {"ld|st|atom|red|fence|mbarrier", "cluster", "Feature '.cluster scope'", 90, 78},
    {"elect", "", "Feature 'elect'", 90, 80},
    {"griddepcontrol", "wait", "Modifier '.wait'", 90, 78},
    {"griddepcontrol", "launch_dependents", "Modifier '.launch_dependents'", 90, 78},
    {"griddepcontrol", "", "Instruction 'griddepcontrol'", 90, 78},
    {"multimem", "ld_reduce", "Feature 'multimem.ld_reduce'", 90, 81},
    {"multimem", "st", "Feature 'multimem.st'", 90, 81},
    {"multimem", "red", "Feature 'multimem.red'", 90, 81},
    {"clusterlaunchcontrol", "", "Feature 'clusterlaunchcontrol'", 100, 86},
    {"tensormap", "", "Feature 'tensormap.replace'", 90, 82},
    // Caches.
    {"createpolicy", "fractional", "Feature 'createpolicy.fractional'", 80, 74},
    {"createpolicy", "range", "Feature 'createpolicy.range'", 80, 74},
    {"createpolicy", "cvt", "Feature 'createpolicy.cvt'", 80, 74},
    {"createpolicy", "fractional L2::evict_last",
     "Modifier '.L2::evict_last' on 'createpolicy.fractional'", 80, 74},
    {"discard", "", "Feature 'discard'", 80, 74},
    {"applypriority", "", "Feature 'applypriority'", 80, 74},
    {"ld|st", "v8", "Feature '256 bit wide load/store'", 100, 88},
    {"ld|st", "v4 b64|u64|s64|f64", "Feature '256 bit wide load/store'", 100, 88},
    // Matrices.
    {"mma", "e4m3|e5m2", "Feature 'mma with FP8 floating point type'", 89, 84},
    {"mma", "m16n8k16", "Feature '.m16n8k16'", 80, 70},
    {"mma", "m16n8k32", "Feature '.m16n8k32'", 80, 70},
    {"mma", "m16n8k64", "Feature '.m16n8k64'", 80, 70},
    {"mma", "m16n8k256", "Feature '.m16n8k256'", 80, 70},
    {"mma", "m16n8k8 bf16|tf32", "Feature '.m16n8k8'", 80, 70},
    {"mma", "m16n8k4", "Feature '.m16n8k4'", 80, 70},
    {"mma", "m16n8k8 !bf16 !tf32", "Feature '.m16n8k8'", 75, 65},
    {"mma", "s8|u8|s4|u4|b1", "Feature 'mma'", 75, 65},
    {"mma", "", "Feature 'mma'", 70, 64},
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
    {"tanh", "bf16|bf16x2", "Feature 'tanh.bf16'", 90, 78},
    {"ex2", "f16|f16x2", "Feature 'ex2.f16'", 75, 70},
    {"ex2", "bf16|bf16x2", "Feature 'ex2.bf16'", 90, 78},
    {"min", "f16|f16x2", "Feature 'min.f16 or min.f16x2'", 80, 70},
    {"max", "f16|f16x2", "Feature 'max.f16 or max.f16x2'", 80, 70},
    {"add", "bf16", "Feature 'add.bf16'", 90, 78},
    {"add", "bf16x2", "Feature 'add.bf16x2'", 90, 78},
    {"sub", "bf16", "Feature 'sub.bf16'", 90, 78},
    {"sub", "bf16x2", "Feature 'sub.bf16x2'", 90, 78},
    {"mul", "bf16", "Feature 'mul.bf16'", 90, 78},
    {"mul", "bf16x2", "Feature 'mul.bf16x2'", 90, 78},
    {"cvt", "bf16 f32", "Feature 'cvt.bf16.f32'", 80, 70},
    {"cvt", "e4m3x2|e5m2x2", "Feature 'cvt with .e4m3x2/.e5m2x2'", 89, 78},
    // Atomic operations.
    {"red", "v2|v4|v8", "Feature 'red instruction with vector types'", 90, 81},
    {"atom", "v2|v4|v8", "Feature 'atom instruction with vector types'", 90, 81},
    {"atom", "add bf16 global", "Instruction 'atom.add.bf16.global'", 90, 78},
    {"atom", "cas b128 global", "Instruction 'atom.cas.b128.global'", 90, 83},
    {"atom", "exch b128 global", "Instruction 'atom.exch.b128.global'", 90, 83},
};

// What only some GPUs have, and later ones not: code for it says so with the suffix a or f.
// `named`: of how many words ptxas' name for it consists.
struct Family {
  StringRef name, with;
  unsigned first, last, named;
};
const Family families[] = {{"wgmma", "", 90, 90, 2},
                           {"setmaxnreg", "", 90, 129, 2},
                           {"tcgen05", "", 100, 119, 2},
                           {"redux", "f32", 100, 109, 1}};

bool hasOneOf(const PtxStatement &instruction, StringRef words) {
  SmallVector<StringRef> all;
  words.split(all, '|');
  return any_of(all,
                [&](StringRef word) { return is_contained(instruction.modifiers, word.str()); });
}

bool holds(const PtxStatement &instruction, StringRef with) {
  SmallVector<StringRef> words;
  with.split(words, ' ', -1, false);
  return all_of(words, [&](StringRef word) {
    return word.consume_front("!") ? !hasOneOf(instruction, word) : hasOneOf(instruction, word);
  });
}

bool isNamed(const PtxStatement &instruction, StringRef names) {
  SmallVector<StringRef> all;
  names.split(all, '|');
  return names == "*" || is_contained(all, instruction.name);
}

// "wgmma.fence" of wgmma.fence.sync.aligned; "redux.f32".
std::string nameIn(const Family &family, const PtxStatement &instruction) {
  std::string name = instruction.name;
  if (family.named > 1 && !instruction.modifiers.empty())
    name += "." + StringRef(instruction.modifiers[0]).split("::").first.str();
  return family.with.empty() ? name : name + "." + family.with.str();
}

const Family *missingFamily(const PtxStatement &instruction, const PtxTarget &target) {
  const auto *found = find_if(families, [&](const Family &family) {
    return family.name == instruction.name && holds(instruction, family.with);
  });
  const bool is_missing = found != std::end(families) &&
                          (!target.suffix || target.sm < found->first || target.sm > found->last);
  return is_missing ? found : nullptr;
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
  if (const Family *family = missingFamily(instruction, target))
    return {"Instruction '" + nameIn(*family, instruction) + "' not supported on .target '" +
            target.name() + "'"};
  if (lacksSync(instruction, target))
    return {"Instruction '" + instruction.name +
            "' without '.sync' is not supported on .target sm_70 and higher from PTX ISA version "
            "6.4"};
  std::vector<std::string> messages;
  for (const Feature &feature : features) {
    if (!isNamed(instruction, feature.instruction) || !holds(instruction, feature.with))
      continue;
    const std::string subject = feature.subject.str() + " requires ";
    if (target.sm < feature.sm)
      messages.push_back(subject + ".target sm_" + std::to_string(feature.sm) + " or higher");
    if (target.version < feature.version)
      messages.push_back(subject + "PTX ISA .version " + versionName(feature.version) +
                         " or later");
  }
  return messages;
}

} // namespace heddle
