// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle-jit: the part of the runtime that needs LLVM, which the runtime library starts as a
// process.
//
//   heddle-jit compile ENGINE PART IMAGE OUTPUT    writes a shared object; messages go to stdout
//   heddle-jit explain ENGINE PART IMAGE           prints how the kernels' accesses were compiled
//   heddle-jit ptx TEXTS OUTPUT                    writes the image of PTX; a log goes to stdout
//   heddle-jit locate FILE OFFSET                  prints the source lines of a code address, with
//                                                 those of the calls that it was inlined at
//
// PART is the name of a kernel, or one of the names in engine/part.h. The reference engine has no
// parts.
#include "engine/compiler/jit_commands.h"

#include "engine/code/compiled_module.h"
#include "engine/compiler/pipeline.h"
#include "engine/compiler/ptx_command.h"
#include "engine/compiler/reference_compiler.h"
#include "engine/compiler/simd/explain.h"
#include "engine/compiler/simd/simd_compiler.h"
#include "support/paths.h"

#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Timer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

namespace heddle::engine {
namespace {

// If `output` is null, prints the explanation instead of writing a file.
int compile(const char *engine_name, const char *part, const char *input, const char *output) {
  llvm::StringRef engine = engine_name;
  uint32_t events = 0;
  if (const size_t suffix = engine.find(observed_suffix); suffix != engine.npos) {
    engine.substr(suffix + observed_suffix.size()).getAsInteger(10, events);
    engine = engine.take_front(suffix);
  }
  auto file = llvm::MemoryBuffer::getFile(input, false, false);
  if (!file) {
    std::printf("cannot read %s: %s\n", input, file.getError().message().c_str());
    return 1;
  }
  checkSkipped();
  const llvm::StringRef bytes = (*file)->getBuffer();
  const Image image = readImage({reinterpret_cast<const std::byte *>(bytes.data()), bytes.size()});
  if (!output) {
    std::vector<KernelReport> reports;
    compileForSimd(image, simd::parseVariant(engine), part, "", &reports, events);
    std::printf("%s", explain(reports).c_str());
    return 0;
  }
  if (engine == "reference")
    compileForReference(image, output, events);
  else
    compileForSimd(image, simd::parseVariant(engine), part, output, nullptr, events);
  llvm::TimerGroup::printAll(llvm::errs()); // HEDDLE_PASS_TIMES
  return 0;
}

int locate(const char *file, const char *offset) {
  llvm::symbolize::LLVMSymbolizer symbolizer;
  const uint64_t address = std::stoull(offset, nullptr, 0);
  auto frames = symbolizer.symbolizeInlinedCode(
      std::string(file), {address, llvm::object::SectionedAddress::UndefSection});
  if (!frames) {
    llvm::consumeError(frames.takeError());
    return 1;
  }
  // From the innermost inlined frame that is in the user's own code on, without Heddle's headers.
  bool any = false;
  for (uint32_t i = 0; i < frames->getNumberOfFrames(); ++i) {
    const llvm::DILineInfo &frame = frames->getFrame(i);
    if (frame.Line == 0 ||
        (isInternalHeader(frame.FileName) && (any || i + 1 < frames->getNumberOfFrames())))
      continue;
    std::printf("%s:%u in %s\n", frame.FileName.c_str(), frame.Line,
                llvm::demangle(frame.FunctionName).c_str());
    any = true;
  }
  return any ? 0 : 1;
}

} // namespace

int runJitCommand(int argc, char **argv) {
  try {
    if (argc == 6 && std::strcmp(argv[1], "compile") == 0)
      return compile(argv[2], argv[3], argv[4], argv[5]);
    if (argc == 5 && std::strcmp(argv[1], "explain") == 0)
      return compile(argv[2], argv[3], argv[4], nullptr);
    if (argc == 4 && std::strcmp(argv[1], "ptx") == 0)
      return compilePtxTexts(argv[2], argv[3]);
    if (argc == 4 && std::strcmp(argv[1], "locate") == 0)
      return locate(argv[2], argv[3]);
  } catch (const std::exception &error) {
    std::printf("%s\n", error.what());
    return std::strcmp(argv[1], "ptx") == 0 ? 2 : 1;
  }
  std::fprintf(stderr, "heddle-jit is called by Heddle's runtime library; there is nothing to run "
                       "by hand\n");
  return 2;
}

} // namespace heddle::engine
