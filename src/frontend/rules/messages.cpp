// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/rules/messages.h"

#include "clang/Lex/Pragma.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

using namespace clang;

namespace heddle::frontend {
namespace {

// `#pragma nv_diag_suppress 177, 20091`, and what else sets how numbers are treated.
class DiagnosticPragma : public PragmaHandler {
public:
  DiagnosticPragma(RuleMessages &messages, StringRef name, Treatment treatment)
      : PragmaHandler(name), messages_(messages), treatment_(treatment) {}

  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer introducer,
                    Token & /*first*/) override {
    Token token;
    for (preprocessor.LexUnexpandedToken(token); token.isNot(tok::eod);
         preprocessor.LexUnexpandedToken(token)) {
      unsigned number = 0;
      if (token.is(tok::numeric_constant))
        StringRef(preprocessor.getSpelling(token)).getAsInteger(10, number);
      else if (const IdentifierInfo *word = token.getIdentifierInfo())
        number = numberOfMessage(word->getName());
      if (number)
        messages_.add({introducer.Loc, RuleMessages::Pragma::Set, number, treatment_});
    }
  }

private:
  RuleMessages &messages_;
  Treatment treatment_;
};

// `#pragma nv_diagnostic push`.
class StackPragma : public PragmaHandler {
public:
  explicit StackPragma(RuleMessages &messages)
      : PragmaHandler("nv_diagnostic"), messages_(messages) {}

  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer introducer,
                    Token & /*first*/) override {
    Token token;
    preprocessor.LexUnexpandedToken(token);
    if (const IdentifierInfo *word = token.getIdentifierInfo())
      messages_.add({introducer.Loc,
                     word->isStr("push") ? RuleMessages::Pragma::Push : RuleMessages::Pragma::Pop});
  }

private:
  RuleMessages &messages_;
};

// `#pragma nv_exec_check_disable`, and its older name.
class NoCheckPragma : public PragmaHandler {
public:
  NoCheckPragma(RuleMessages &messages, StringRef name)
      : PragmaHandler(name), messages_(messages) {}

  void HandlePragma(Preprocessor & /*preprocessor*/, PragmaIntroducer introducer,
                    Token & /*first*/) override {
    messages_.add({introducer.Loc, RuleMessages::Pragma::NoCheck});
  }

private:
  RuleMessages &messages_;
};

// Whether only spaces, comments and other directives lie between.
bool isBlank(StringRef text) {
  while (true) {
    text = text.ltrim();
    if (text.empty())
      return true;
    if (text.starts_with("//") || text.starts_with("#"))
      text = text.drop_until([](char c) { return c == '\n'; });
    else if (text.starts_with("/*"))
      text = text.substr(std::min(text.size(), text.find("*/") + 2));
    else
      return false;
  }
}

// Messages without the line's text, where that is not the user's (source/shared_objects.h).
class PlainText {
public:
  PlainText(DiagnosticOptions &options, bool plain)
      : options_(options), caret_(options.ShowCarets), column_(options.ShowColumn) {
    options.ShowCarets &= !plain;
    options.ShowColumn &= !plain;
  }
  ~PlainText() {
    options_.ShowCarets = caret_;
    options_.ShowColumn = column_;
  }
  PlainText(const PlainText &) = delete;
  PlainText &operator=(const PlainText &) = delete;

private:
  DiagnosticOptions &options_;
  bool caret_, column_;
};

} // namespace

RuleMessages::RuleMessages(DiagnosticsEngine &diagnostics, SourceManager &sources,
                           const MessageSettings &settings)
    : diagnostics_(diagnostics), sources_(sources), settings_(settings) {}

void RuleMessages::listen(Preprocessor &preprocessor) {
  for (const auto &[name, treatment] : {std::pair("nv_diag_suppress", Treatment::Suppress),
                                        {"nv_diag_error", Treatment::Error},
                                        {"nv_diag_warning", Treatment::Warning},
                                        {"nv_diag_default", Treatment::Default}})
    preprocessor.AddPragmaHandler(new DiagnosticPragma(*this, name, treatment));
  preprocessor.AddPragmaHandler(new StackPragma(*this));
  for (const char *name : {"nv_exec_check_disable", "hd_warning_disable"})
    preprocessor.AddPragmaHandler(new NoCheckPragma(*this, name));
}

bool RuleMessages::isUnchecked(SourceLocation declaration) const {
  const auto [file, start] = sources_.getDecomposedExpansionLoc(declaration);
  return std::any_of(
      pragmas_.begin(), pragmas_.end(), [&, file = file, start = start](const Pragma &pragma) {
        const auto [pragma_file, offset] = sources_.getDecomposedExpansionLoc(pragma.where);
        if (pragma.kind != Pragma::NoCheck || pragma_file != file || offset >= start)
          return false;
        const StringRef between = sources_.getBufferData(file).slice(offset, start);
        return isBlank(between.drop_until([](char c) { return c == '\n'; }));
      });
}

Treatment RuleMessages::treatmentAt(SourceLocation where, unsigned number) const {
  const auto asked = settings_.numbers.find(number);
  const Treatment first = asked == settings_.numbers.end() ? Treatment::Default : asked->second;
  std::vector<Treatment> stack = {first};
  for (const Pragma &pragma : pragmas_) {
    if (!sources_.isBeforeInTranslationUnit(pragma.where, where))
      break;
    if (pragma.kind == Pragma::Push)
      stack.push_back(stack.back());
    else if (pragma.kind == Pragma::Pop && stack.size() > 1)
      stack.pop_back();
    else if (pragma.kind == Pragma::Set && pragma.number == number)
      stack.back() = pragma.treatment == Treatment::Default ? first : pragma.treatment;
  }
  return stack.back();
}

void RuleMessages::report(DiagnosticsEngine::Level level, SourceLocation where,
                          const std::string &text) {
  diagnostics_.Report(where, diagnostics_.getCustomDiagID(level, "%0")) << text;
}

void RuleMessages::error(SourceLocation where, const std::string &text) {
  report(DiagnosticsEngine::Error, where, text);
}

void RuleMessages::warning(SourceLocation where, MessageNumber number, const std::string &text) {
  const Treatment treatment = treatmentAt(where, number);
  if (diagnostics_.getIgnoreAllWarnings() && treatment != Treatment::Error) // -w
    return;
  if (treatment == Treatment::Suppress)
    return;
  const bool calls = number == HostCallInBoth && settings_.calls_are_errors;
  const bool is_error = treatment == Treatment::Error || (treatment == Treatment::Default &&
                                                          (settings_.warnings_are_errors || calls));
  const PlainText plain(diagnostics_.getDiagnosticOptions(),
                        number == SharedInit || number == ExternIsDefinition);
  report(is_error ? DiagnosticsEngine::Error : DiagnosticsEngine::Warning, where,
         settings_.show_numbers ? fmt::format("{} [#{}-D]", text, unsigned(number)) : text);
}

} // namespace heddle::frontend
