// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc's own messages: their numbers, and what the program's user wants of them.
//
// A warning of nvcc's front end has a number, by which options (-diag-suppress 20091, -Werror
// all-warnings) and pragmas (nv_diag_suppress, nv_diagnostic push) change how it is treated: nvcc's
// manual, "Generic Tool Options", and the guide's "Diagnostic Pragmas". An error without a number
// stays one.
#pragma once

#include "frontend/command_line/options.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"

#include <string>
#include <vector>

namespace heddle::frontend {

/// Numbers of nvcc's warnings that rules give.
enum MessageNumber : unsigned {
  HostCallInBoth = 20011,
  IgnoredOnDefaulted = 20012,
  ConstexprCallInBoth = 20013,
  ConstexprCallsInBoth = 20015,
  HostBecomesBoth = 20039,
  ExternIsDefinition = 20044,
  InlineKernel = 20050,
  SharedInit = 20054,
  DeviceReadByHost = 20091,
  DeviceWrittenByHost = 20092,
};

class RuleMessages {
public:
  RuleMessages(clang::DiagnosticsEngine &diagnostics, clang::SourceManager &sources,
               const MessageSettings &settings);

  void error(clang::SourceLocation where, const std::string &text);
  /// As what the settings and pragmas before `where` make of the number: nothing, a warning or an
  /// error.
  void warning(clang::SourceLocation where, MessageNumber number, const std::string &text);

  /// Makes `preprocessor` tell this object of pragmas.
  void listen(clang::Preprocessor &preprocessor);
  /// Whether `#pragma nv_exec_check_disable` stands directly before `declaration`.
  bool isUnchecked(clang::SourceLocation declaration) const;

  struct Pragma {
    clang::SourceLocation where;
    enum Kind { Set, Push, Pop, NoCheck } kind;
    unsigned number = 0;
    Treatment treatment = Treatment::Default;
  };
  void add(const Pragma &pragma) { pragmas_.push_back(pragma); }

private:
  Treatment treatmentAt(clang::SourceLocation where, unsigned number) const;
  void report(clang::DiagnosticsEngine::Level level, clang::SourceLocation where,
              const std::string &text);

  clang::DiagnosticsEngine &diagnostics_;
  clang::SourceManager &sources_;
  const MessageSettings &settings_;
  std::vector<Pragma> pragmas_; // in the order of the translation unit
};

} // namespace heddle::frontend
