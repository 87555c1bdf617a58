// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/diagnostics.h"

#include "support/paths.h"
#include "support/release.h"

#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

#include <utility>

using namespace clang;

namespace heddle::frontend {
namespace {

// Which word Clang misses before the name that it complains of.
Redeclarations::Word missingWord(unsigned message) {
  switch (message) {
  case diag::err_missing_dependent_template_keyword: // while the template is read
    return Redeclarations::Word::template_name;
  case diag::err_template_kw_missing:   // while it is instantiated
  case diag::err_bound_member_function: // `a.f<b>(c)` was read as two comparisons
    return Redeclarations::Word::member_template;
  case diag::err_typename_missing:
    return Redeclarations::Word::type_name;
  case diag::err_found_in_dependent_base:
    return Redeclarations::Word::this_object;
  default:
    return Redeclarations::Word::none;
  }
}

class Consumer : public DiagnosticConsumer {
public:
  Consumer(DiagnosticOptions &options, ShownMessages &shown)
      : held_(shown.held ? std::make_unique<llvm::raw_string_ostream>(*shown.held) : nullptr),
        output_(held_ ? *held_ : llvm::errs()), printer_(output_, &options), shown_(shown) {
    output_.enable_colors(true); // the options say whether there are any
  }

  void BeginSourceFile(const LangOptions &language, const Preprocessor *preprocessor) override {
    printer_.BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override { printer_.EndSourceFile(); }

  void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &message) override {
    DiagnosticConsumer::HandleDiagnostic(level, message);
    llvm::SmallString<256> text;
    message.FormatDiagnostic(text);
    const bool is_note = level == DiagnosticsEngine::Note;
    if (changesRedeclaration(message, is_note))
      return;
    if (is_note && (last_hidden_ || isInternal(message)))
      return;
    if (!is_note) {
      const bool is_shared = message.getID() == diag::err_shared_var_init ||
                             message.getID() == diag::err_cuda_extern_shared;
      last_hidden_ = (is_shared && changesDeclaration(message)) || addsWord(message);
      if (last_hidden_)
        return;
      const std::string key = location(message) + text.str().str();
      last_hidden_ = !shown_.texts.insert(key).second;
      if (last_hidden_)
        return;
    }
    printer_.HandleDiagnostic(level, message);
    if (message.getID() == diag::err_pp_file_not_found)
      if (std::string why = explainMissing(message.getArgStdStr(0)); !why.empty())
        output_ << "  " << why << "\n";
  }

private:
  std::string location(const Diagnostic &message) const {
    if (!message.hasSourceManager() || message.getLocation().isInvalid())
      return "";
    return message.getLocation().printToString(message.getSourceManager());
  }

  // Whether the refused declaration of a shared variable can be changed.
  bool changesDeclaration(const Diagnostic &message) {
    const SourceManager &sources = message.getSourceManager();
    // Of an extern one, Clang names the attribute, which is in the macro __shared__.
    const bool is_extern = message.getID() == diag::err_cuda_extern_shared;
    const SourceLocation name =
        is_extern ? sources.getExpansionLoc(message.getLocation()) : message.getLocation();
    if (!name.isFileID())
      return false;
    const std::string file = sources.getFilename(name).str(),
                      text = sources.getBufferData(sources.getFileID(name)).str();
    const size_t offset = sources.getFileOffset(name);
    return is_extern ? shown_.shared_objects.addExtern(file, text, offset)
                     : shown_.shared_objects.add(file, text, offset);
  }

  // Whether the message names a redeclared function that can be changed. The note that follows
  // names the earlier declaration, which is changed, too.
  bool changesRedeclaration(const Diagnostic &message, bool is_note) {
    const bool is_earlier = is_note && redeclared_;
    redeclared_ = false;
    if (!is_earlier && message.getID() != diag::err_cuda_ovl_target)
      return false;
    if (!is_earlier) {
      constexpr int global = 1; // of __device__, __global__, …: a kernel stays one
      if (message.getArgSInt(0) == global || message.getArgSInt(2) == global)
        return false;
    }
    const SourceLocation name = message.getLocation();
    if (!message.hasSourceManager() || !name.isFileID() || isInternal(message))
      return false;
    const SourceManager &sources = message.getSourceManager();
    redeclared_ = shown_.redeclarations.add(sources.getFilename(name).str(),
                                            sources.getBufferData(sources.getFileID(name)).str(),
                                            sources.getFileOffset(name)) ||
                  is_earlier;
    last_hidden_ = redeclared_;
    return std::exchange(redeclared_, redeclared_ && !is_earlier);
  }

  // Whether the message is about a name that lacks a word before it, and can get it.
  bool addsWord(const Diagnostic &message) {
    const Redeclarations::Word word = missingWord(message.getID());
    if (word == Redeclarations::Word::none || !message.hasSourceManager() ||
        !message.getLocation().isFileID() || isInternal(message))
      return false;
    const SourceManager &sources = message.getSourceManager();
    const SourceLocation name = message.getLocation();
    return shown_.redeclarations.add(sources.getFilename(name).str(),
                                     sources.getBufferData(sources.getFileID(name)).str(),
                                     sources.getFileOffset(name), word);
  }

  bool isInternal(const Diagnostic &message) const {
    if (!message.hasSourceManager() || message.getLocation().isInvalid())
      return false;
    const llvm::StringRef file = message.getSourceManager().getFilename(
        message.getSourceManager().getSpellingLoc(message.getLocation()));
    return file.empty() || isInternalHeader(file);
  }

  std::unique_ptr<llvm::raw_ostream> held_;
  llvm::raw_ostream &output_;
  TextDiagnosticPrinter printer_;
  ShownMessages &shown_;
  bool last_hidden_ = false;
  bool redeclared_ = false; // the last message named a redeclared function
};

} // namespace

std::unique_ptr<DiagnosticConsumer> makeDiagnosticConsumer(DiagnosticOptions &options,
                                                           ShownMessages &shown) {
  return std::make_unique<Consumer>(options, shown);
}

HeldMessages::HeldMessages(ShownMessages &shown) : shown_(shown), draft_(shown) {
  draft_.held.emplace();
}

HeldMessages::~HeldMessages() {
  if (dropped_)
    return;
  const std::string texts = std::move(*draft_.held);
  draft_.held = std::move(shown_.held);
  shown_ = std::move(draft_);
  if (shown_.held)
    *shown_.held += texts;
  else
    llvm::errs() << texts;
}

std::string explainMissing(llvm::StringRef name) {
  for (const char *folder : {"thrust/", "cub/", "cuda/", "nv/"})
    if (name.starts_with(folder) && !std::filesystem::exists(cccl(chosenRelease()) / folder))
      return "'" + name.str() +
             "' belongs to CCCL (Thrust, CUB, libcu++), which is fetched when Heddle is built: run "
             "./dev setup with a network, and build again";
  struct Part {
    const char *start, *what;
  };
  static const Part parts[] = {
      {"nccl_", "NCCL's interface of plug-ins"},
      {"nvjpeg2k", "nvJPEG2000, a library of its own that is not part of CUDA"},
      {"mma.h", "the tensor core interface (wmma)"},
      {"cutlass/", "CUTLASS, a library of its own that is not part of CUDA"},
      {"cupti", "a part of CUPTI"},
      {"cudaGL", "OpenGL interoperability"},
      {"nvshmem", "NVSHMEM"},
      {"cuda", "the CUDA driver interface"},
  };
  for (const Part &part : parts)
    if (name.starts_with(part.start))
      return "'" + name.str() + "' belongs to " + part.what +
             ", which Heddle does not support yet (docs/compatibility.md)";
  return "";
}

} // namespace heddle::frontend
