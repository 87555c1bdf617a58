// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle {
namespace {

bool has(const PtxStatement &instruction, StringRef modifier) {
  return is_contained(instruction.modifiers, modifier.str());
}

// The first GPU with an instruction, where a modifier matters with that modifier. The most special
// come first.
struct Feature {
  StringRef name, modifier;
  unsigned sm;
};
const Feature features[] = {{"cp", "cp_mask", 100},
                            {"cp", "ignore_oob", 100},
                            {"clusterlaunchcontrol", "", 100},
                            {"cp", "bulk", 90},
                            {"cp", "async", 80},
                            {"mma", "e4m3", 89},
                            {"mma", "e5m2", 89},
                            {"mma", "bf16", 80},
                            {"mma", "tf32", 80},
                            {"mma", "f64", 80},
                            {"mma", "m16n8k16", 80},
                            {"mma", "m16n8k32", 80},
                            {"mma", "m16n8k64", 80},
                            {"mma", "m16n8k8", 75},
                            {"mma", "s8", 75},
                            {"mma", "u8", 75},
                            {"mma", "", 70},
                            {"wmma", "bf16", 80},
                            {"wmma", "tf32", 80},
                            {"wmma", "f64", 80},
                            {"wmma", "", 70},
                            {"ldmatrix", "", 75},
                            {"stmatrix", "", 90},
                            {"movmatrix", "", 75},
                            {"mbarrier", "", 80},
                            {"redux", "", 80},
                            {"createpolicy", "", 80},
                            {"elect", "", 90},
                            {"mapa", "", 90},
                            {"getctarank", "", 90},
                            {"griddepcontrol", "", 90},
                            {"barrier", "cluster", 90},
                            {"match", "", 70},
                            {"nanosleep", "", 70},
                            {"tanh", "bf16", 90},
                            {"tanh", "bf16x2", 90},
                            {"tanh", "", 75},
                            {"ex2", "bf16", 90},
                            {"ex2", "bf16x2", 90},
                            {"ex2", "f16", 75},
                            {"ex2", "f16x2", 75},
                            {"fma", "bf16", 80},
                            {"fma", "bf16x2", 80},
                            {"add", "bf16", 90},
                            {"add", "bf16x2", 90},
                            {"sub", "bf16", 90},
                            {"sub", "bf16x2", 90},
                            {"mul", "bf16", 90},
                            {"mul", "bf16x2", 90},
                            {"cvt", "e4m3x2", 89},
                            {"cvt", "e5m2x2", 89},
                            {"cvt", "bf16x2", 80},
                            {"cvt", "tf32", 80}};

// What only some GPUs have, and later ones not: code for it says so with the suffix a or f.
struct Family {
  StringRef name;
  unsigned first, last;
};
const Family families[] = {{"wgmma", 90, 90}, {"setmaxnreg", 90, 129}, {"tcgen05", 100, 119}};

void checkFamily(const PtxStatement &instruction, const PtxTarget &target) {
  for (const Family &family : families)
    if (family.name == instruction.name &&
        (!target.suffix || target.sm < family.first || target.sm > family.last))
      throw PtxError("Instruction '" + instruction.opcode() + "' not supported on .target '" +
                     target.name() + "'");
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

void checkAvailable(const PtxStatement &instruction, const PtxTarget &target) {
  checkFamily(instruction, target);
  const auto *found = find_if(features, [&](const Feature &feature) {
    return feature.name == instruction.name &&
           (feature.modifier.empty() || has(instruction, feature.modifier));
  });
  if (found == std::end(features) || target.sm >= found->sm)
    return;
  std::string name = found->name.str();
  if (!found->modifier.empty())
    name += "." + found->modifier.str();
  throw PtxError("Feature '" + name + "' requires .target sm_" + std::to_string(found->sm) +
                 " or higher");
}

} // namespace heddle
