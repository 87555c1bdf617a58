// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses the text of a PTX module (PTX ISA, "Directives").
#pragma once

#include "module/ptx/parser.h"
#include "module/ptx/target.h"
#include "module/ptx_version.h"

#include <map>

namespace heddle {

/// A kernel or a function. Without a body it is a declaration.
struct PtxFunction {
  std::string name;
  PtxPlace place;
  bool is_kernel = false;
  std::string linkage; // as in PtxVariable
  PtxSignature signature;
  std::vector<std::pair<std::string, std::vector<uint32_t>>> directives; // "maxntid", {256, 1, 1}
  bool has_body = false;
  std::vector<PtxStatement> body;
};

struct PtxModule {
  unsigned version = 0; // 83 is 8.3
  PtxTarget target;
  PtxPlace target_place;
  bool has_debug = false;
  std::vector<PtxVariable> variables;
  std::vector<PtxFunction> functions;
  std::vector<std::pair<std::string, std::string>> aliases; // name, what it stands for
  std::map<unsigned, std::string> files;                    // .file
  std::vector<PtxError> problems; // what is wrong, and does not keep the rest from being read
};

constexpr unsigned newest_ptx_target = 121;

/// `text` must have no comments; `name` is for messages. Throws PtxError for invalid PTX,
/// PtxVersionError for PTX that is too new.
PtxModule parsePtxModule(llvm::StringRef text, const std::string &name = "");

} // namespace heddle
