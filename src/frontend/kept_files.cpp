// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/kept_files.h"

#include "frontend/compile.h"

#include <fmt/format.h>
#include <fstream>
#include <stdexcept>

namespace fs = std::filesystem;

namespace heddle::frontend {
namespace {

void write(const fs::path &path, const std::string &content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  if (!file.flush())
    throw std::runtime_error("cannot write " + path.string());
}

// The outputs have been written: what is asked for here is no reason to fail.
void keepText(const fs::path &path, const std::optional<std::string> &text) {
  if (text)
    write(path, *text);
  else
    fmt::print(stderr, "heddlecc: --keep: {} cannot be made\n", path.string());
}

void keepPtx(const Options &options, const Input &input, ShownMessages &shown) {
  const fs::path path = keptFile(options, input, ".ptx");
  Options ptx = options;
  ptx.action = Action::Ptx;
  try {
    keepText(path, compileToText(ptx, input, shown));
  } catch (const std::exception &problem) {
    fmt::print(stderr, "heddlecc: --keep: {}: {}\n", path.string(), problem.what());
  }
}

} // namespace

fs::path keptFile(const Options &options, const Input &input, const std::string &ending) {
  return fs::path(options.keep_folder) / (fs::path(input.path).stem().string() + ending);
}

void keepFiles(const Options &options, const Input &input, const std::string &image,
               ShownMessages &shown) {
  Options text = options;
  text.action = Action::PreprocessToFiles;
  text.dependencies.clear();
  (void)preprocess(text, input, keptFile(options, input, ".cpp4.ii").string(), shown);
  if (input.language != Language::Cuda)
    return;
  keepText(keptFile(options, input, ".cpp1.ii"), preprocessedDevice(text, input, shown));
  if (options.action != Action::Ptx)
    keepPtx(options, input, shown);
  if (image.empty())
    return;
  write(keptFile(options, input, fmt::format(".sm_{}.cubin", options.arch / 10)), image);
  write(keptFile(options, input, ".fatbin"), image);
}

} // namespace heddle::frontend
