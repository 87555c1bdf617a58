// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/toolkit/ptxas.h"

#include "cli/toolkit/ptxas_options.h"
#include "engine/code/cache.h"
#include "frontend/command_line/options.h"
#include "frontend/compile.h"
#include "frontend/resource_usage.h"
#include "module/linking/device_object.h"
#include "module/ptx/module/compile.h"
#include "module/ptx/module/module_parser.h"
#include "support/replace_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <system_error>

namespace fs = std::filesystem;

namespace heddle::cli {
namespace {

constexpr int failed = 255;

PtxText readInput(const PtxasOptions &options) {
  const std::string &input = options.inputs.front();
  if (options.input_is_text)
    return {"<input>", input};
  std::ifstream file(input, std::ios::binary);
  if (!file || fs::is_directory(input))
    throw PtxasUsage(fmt::format("Could not open input file '{}'", input));
  return {input, {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()}};
}

// What is no regular file (/dev/stdout) is written as it is.
std::error_code writeTo(const std::string &path, const std::string &bytes) {
  std::error_code ignored;
  if (!fs::exists(path, ignored) || fs::is_regular_file(path, ignored))
    return replaceFile(path, bytes);
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  return file ? std::error_code() : std::error_code(errno, std::generic_category());
}

void writeOutput(const std::string &path, const std::string &bytes) {
  if (const std::error_code error = writeTo(path, bytes))
    throw PtxasUsage(fmt::format("Could not open output file '{}': {}", path, error.message()));
}

class Warnings {
public:
  explicit Warnings(const PtxasOptions &options) : options_(options) {}

  void show(const std::string &text) {
    if (options_.no_warnings)
      return;
    std::fputs(text.c_str(), stderr);
    any_ = true;
  }
  bool areErrors() const { return any_ && options_.warnings_are_errors; }

private:
  const PtxasOptions &options_;
  bool any_ = false;
};

void warnOfDoubles(const PtxText &text, Warnings &warnings) {
  for (const PtxFunction &function : parsePtxModule(withoutComments(text.text)).functions)
    for (const PtxStatement &statement : function.body)
      if (statement.kind == PtxStatement::Instruction &&
          std::ranges::find(statement.modifiers, "f64") != statement.modifiers.end())
        return warnings.show(
            fmt::format("ptxas {}, line {}; warning : Double precision is used in '{}'\n",
                        text.name, statement.place.line, function.name));
}

void warnOfLocalMemory(const ImageInfo &info, Warnings &warnings) {
  for (const KernelInfo &kernel : info.kernels)
    if (kernel.local_bytes > 0)
      warnings.show(fmt::format(
          "ptxas warning : Local memory used for function '{}', size of stack frame: {} bytes\n",
          kernel.name, kernel.local_bytes));
}

// Code for a link: it may refer to what is in other objects.
std::string makeRelocatable(const PtxText &text, const PtxReading &reading,
                            const PtxasOptions &options) {
  llvm::LLVMContext context;
  uint32_t arch = 0;
  const auto module = readPtx(text, context, arch, reading);
  DeviceObjectInfo info;
  info.id = info.source = text.name;
  info.archs = {arch};
  info.debug = options.debug;
  info.optimize = std::min(options.optimize, 3u);
  return makeDeviceObject(*module, info);
}

void showUsage(const ImageInfo &info, const PtxasOptions &options) {
  uint64_t constant = 0, global = 0;
  for (const VariableInfo &variable : info.variables)
    (variable.constant ? constant : global) += variable.size;
  fmt::print(stderr, "ptxas info    : {} bytes gmem{}\n", global,
             constant ? fmt::format(", {} bytes cmem[3]", constant) : "");
  frontend::printResourceUsage(info, options.max_registers);
}

void checkEntry(const ImageInfo &info, const PtxasOptions &options) {
  if (!options.entry.empty() && std::ranges::none_of(info.kernels, [&](const KernelInfo &kernel) {
        return kernel.name == options.entry;
      }))
    throw PtxasUsage(fmt::format("Entry function '{}' not found", options.entry));
}

// Triton keeps what ptxas has made as long as this text is the same, so the last line names this
// build of Heddle.
std::string versionText() {
  std::string text = frontend::toolVersion("ptxas");
  text.pop_back();
  return text + "-" + engine::cacheKey("", "ptxas", "").substr(0, 12) + "\n";
}

int compile(const PtxasOptions &options) {
  const PtxText text = readInput(options);
  const PtxReading reading{options.gpu, options.fuse};
  Warnings warnings(options);
  std::string bytes;
  if (options.relocatable) {
    bytes = makeRelocatable(text, reading, options);
  } else {
    frontend::Options like;
    like.arch = options.gpu.sm * 10;
    like.debug_device = options.debug;
    like.device_optimize = std::min(options.optimize, 3u);
    PreparedImage image =
        compilePtx({&text, 1}, frontend::prepareOptions(like, text.name), reading);
    checkEntry(image.info, options);
    if (options.verbose)
      showUsage(image.info, options);
    if (options.warn_local)
      warnOfLocalMemory(image.info, warnings);
    bytes = std::move(image.bytes);
  }
  if (options.warn_doubles)
    warnOfDoubles(text, warnings);
  if (warnings.areErrors())
    throw PtxasUsage("Warnings are treated as errors");
  writeOutput(options.output, bytes);
  return 0;
}

} // namespace

int assemblePtx(int argc, char **argv) {
  try {
    const PtxasOptions options = parsePtxasOptions({argv + 1, argv + argc});
    if (options.action == PtxasOptions::ShowVersion)
      return std::fputs(versionText().c_str(), stdout) < 0;
    if (options.action == PtxasOptions::ShowHelp)
      return std::fputs(ptxasHelp().c_str(), stdout) < 0;
    if (options.inputs.empty())
      throw PtxasUsage("No input file specified");
    if (options.inputs.size() > 1)
      throw PtxasUsage("Heddle's ptxas takes one input file at a time");
    return compile(options);
  } catch (const PtxFailure &failure) {
    std::fputs(failure.what(), stderr);
  } catch (const std::exception &error) {
    fmt::print(stderr, "ptxas fatal   : {}\n", error.what());
  }
  return failed;
}

} // namespace heddle::cli
