// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/diagnostics.h"

#include "support/paths.h"

#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace heddle::frontend {
namespace {

class Consumer : public DiagnosticConsumer {
public:
  Consumer(DiagnosticOptions &options, ShownMessages &shown)
      : printer_(llvm::errs(), &options), shown_(shown) {}

  void BeginSourceFile(const LangOptions &language, const Preprocessor *preprocessor) override {
    printer_.BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override { printer_.EndSourceFile(); }

  void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &message) override {
    DiagnosticConsumer::HandleDiagnostic(level, message);
    llvm::SmallString<256> text;
    message.FormatDiagnostic(text);
    const bool is_note = level == DiagnosticsEngine::Note;
    if (is_note && (last_hidden_ || isInternal(message)))
      return;
    if (!is_note) {
      const std::string key = location(message) + text.str().str();
      last_hidden_ = !shown_.insert(key).second;
      if (last_hidden_)
        return;
    }
    printer_.HandleDiagnostic(level, message);
    if (message.getID() == diag::err_pp_file_not_found)
      if (std::string why = explainMissing(message.getArgStdStr(0)); !why.empty())
        llvm::errs() << "  " << why << "\n";
  }

private:
  std::string location(const Diagnostic &message) const {
    if (!message.hasSourceManager() || message.getLocation().isInvalid())
      return "";
    return message.getLocation().printToString(message.getSourceManager());
  }

  bool isInternal(const Diagnostic &message) const {
    if (!message.hasSourceManager() || message.getLocation().isInvalid())
      return false;
    const llvm::StringRef file = message.getSourceManager().getFilename(
        message.getSourceManager().getSpellingLoc(message.getLocation()));
    return file.empty() || isInternalHeader(file);
  }

  TextDiagnosticPrinter printer_;
  ShownMessages &shown_;
  bool last_hidden_ = false;
};

} // namespace

std::unique_ptr<DiagnosticConsumer> makeDiagnosticConsumer(DiagnosticOptions &options,
                                                           ShownMessages &shown) {
  return std::make_unique<Consumer>(options, shown);
}

std::string explainMissing(llvm::StringRef name) {
  struct Part {
    const char *start, *what;
  };
  static const Part parts[] = {
      {"cublas", "cuBLAS (linear algebra)"},
      {"cudnn", "cuDNN (neural networks)"},
      {"cufft", "cuFFT (Fourier transforms)"},
      {"curand", "cuRAND (random numbers)"},
      {"cusolver", "cuSOLVER (linear solvers)"},
      {"cusparse", "cuSPARSE (sparse matrices)"},
      {"nccl", "NCCL (communication between GPUs)"},
      {"thrust/", "Thrust (parallel algorithms)"},
      {"cub/", "CUB (block and device primitives)"},
      {"cuda/", "libcu++ (the CUDA C++ standard library)"},
      {"nvrtc", "NVRTC (compilation at run time)"},
      {"nvml", "NVML (device management)"},
      {"npp", "NPP (image processing)"},
      {"nvjpeg", "nvJPEG"},
      {"mma.h", "the tensor core interface (wmma)"},
      {"cutlass/", "CUTLASS, a library of its own that is not part of CUDA"},
      {"cupti", "CUPTI (profiling)"},
      {"cudaGL", "OpenGL interoperability"},
      {"cuda_gl_interop", "OpenGL interoperability"},
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
