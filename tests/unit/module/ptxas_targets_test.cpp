// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which GPUs have which instructions: what ptxas said of 422 instructions (ptxas_targets.txt).
#include "module/ptx/parser.h"
#include "module/ptx/target.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace llvm;

namespace heddle {
namespace {

using Messages = std::set<std::string>;

struct Recorded {
  std::string instruction;
  std::map<std::string, Messages> refused; // by GPU
};

std::vector<Recorded> readRecorded() {
  std::vector<Recorded> all;
  std::ifstream file(HEDDLE_PTXAS_TARGETS);
  for (std::string line; std::getline(file, line);) {
    StringRef text = line;
    if (text.consume_front("## ")) {
      all.push_back({text.str(), {}});
      continue;
    }
    if (text.starts_with("#") || all.empty())
      continue;
    const auto [gpus, said] = text.split(": ");
    SmallVector<StringRef> names, messages;
    gpus.split(names, ' ');
    said.split(messages, " | ");
    for (const StringRef gpu : names)
      for (std::string message : map_range(messages, [](StringRef m) { return m.str(); })) {
        if (const size_t at = message.find("$T"); at != std::string::npos)
          message.replace(at, 2, gpu);
        all.back().refused[gpu.str()].insert(message);
      }
  }
  return all;
}

Messages missing(const std::string &text, const std::string &gpu) {
  Messages all;
  for (const PtxStatement &statement : parsePtx(text, 0))
    if (statement.kind == PtxStatement::Instruction)
      for (const std::string &message : missingFeatures(statement, *parsePtxTarget(gpu)))
        all.insert(message);
  return all;
}

// ptxas does not look further once operands do not fit, and leaves out "sm_" in one message.
bool isKnown(StringRef instruction) {
  return instruction.starts_with("cvt.rn.bf16.u8 ") || instruction.starts_with("wmma.mma.");
}

TEST(PtxasTargets, WhatGpusHaveNotGot) {
  const std::vector<Recorded> recorded = readRecorded();
  EXPECT_GT(recorded.size(), 400u);
  for (const Recorded &one : recorded)
    for (const char *gpu :
         {"sm_75", "sm_80", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_120"}) {
      const auto found = one.refused.find(gpu);
      const Messages expected = found == one.refused.end() ? Messages() : found->second;
      if (!isKnown(one.instruction))
        EXPECT_EQ(missing(one.instruction, gpu), expected) << one.instruction << " for " << gpu;
      else if (!StringRef(one.instruction).starts_with("cvt"))
        EXPECT_EQ(missing(one.instruction, gpu).empty(), expected.empty()) << one.instruction;
    }
}

} // namespace
} // namespace heddle
