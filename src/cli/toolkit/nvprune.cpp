// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/toolkit/nvprune.h"

#include "cli/toolkit/images.h"
#include "frontend/command_line/options.h"
#include "support/replace_file.h"

#include "llvm/ADT/StringExtras.h"

#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

namespace heddle::cli {
namespace {

constexpr const char *usage =
    "Usage: nvprune [options] file -o file\n"
    "Copies an object file, a library or a fat binary of nvcc's without the device code for other\n"
    "GPUs. The copy is as long as the file. Images of heddlecc's stay: there is one for all GPUs.\n"
    "  -arch sm_XX[,...]                      machine code for these GPUs\n"
    "  -gencode arch=compute_XX,code=XX       as nvcc's, for machine code (sm_XX) and PTX\n"
    "                                         (compute_XX)\n"
    "  -o, --output-file file                 the copy\n"
    "  --version, -V                          the version\n";

/// What is to be left of a file.
struct Chosen {
  std::set<unsigned> machine_code, ptx;

  // sm_80, compute_80, [sm_80,compute_80], of which quotes may be left
  void add(llvm::StringRef codes) {
    llvm::SmallVector<llvm::StringRef> parts;
    codes.trim("[]\"'").split(parts, ',');
    for (llvm::StringRef part : parts) {
      const bool is_ptx = part.consume_front("compute_");
      unsigned capability = 0;
      if ((!is_ptx && !part.consume_front("sm_")) || part.consumeInteger(10, capability) ||
          !(part.empty() || part == "a" || part == "f"))
        throw std::runtime_error(fmt::format("'{}' names no GPU", codes.str()));
      (is_ptx ? ptx : machine_code).insert(capability);
    }
  }
  bool keeps(const FatBinaryCode &code) const {
    const auto &kinds = code.kind == FatBinaryCode::Ptx ? ptx : machine_code;
    return kinds.contains(code.capability);
  }
};

std::string readAll(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error(fmt::format("cannot open {}", path));
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void prune(const std::string &input, const std::string &output, const Chosen &chosen) {
  const ImageFile device_code(input); // which is also where a broken one is refused
  std::string bytes = readAll(input);
  constexpr std::string_view magic = "\x50\xed\x55\xba";
  size_t left = device_code.images().size();
  for (size_t at = 0; (at = bytes.find(magic, at)) != std::string::npos; at += magic.size())
    try {
      left += pruneFatBinary(&bytes[at], bytes.size() - at,
                             [&](const FatBinaryCode &code) { return chosen.keeps(code); });
    } catch (const std::runtime_error &) {
      continue; // the same letters in something else
    }
  if (left == 0)
    throw std::runtime_error(fmt::format("File '{}' has no device code for these GPUs", input));
  if (const std::error_code error = replaceFile(output, bytes))
    throw std::runtime_error(fmt::format("cannot write {}: {}", output, error.message()));
}

} // namespace

int pruneFile(int argc, char **argv) {
  Chosen chosen;
  std::string input, output;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef word = argv[i];
    const bool is_long = word.starts_with("--");
    const auto value = [&](llvm::StringRef name, llvm::StringRef long_name, std::string &found) {
      llvm::StringRef rest = word.drop_front(is_long ? 2 : 1);
      if (!word.starts_with("-") || !rest.consume_front(is_long ? long_name : name) ||
          !(rest.empty() || rest.consume_front("=")))
        return false;
      if (rest.empty() && ++i >= argc)
        throw std::runtime_error(fmt::format("option '{}' needs a value", word.str()));
      found = rest.empty() ? argv[i] : rest.str();
      return true;
    };
    std::string found;
    if (word == "-h" || word == "--help")
      return std::fputs(usage, stdout) < 0;
    if (word == "-V" || word == "--version")
      return std::fputs(frontend::toolVersion("nvprune").c_str(), stdout) < 0;
    if (value("arch", "gpu-architecture", found))
      chosen.add(found);
    else if (value("gencode", "generate-code", found))
      chosen.add(llvm::StringRef(found).split("code=").second);
    else if (value("o", "output-file", output))
      continue;
    else if (word.starts_with("-") || !input.empty())
      throw std::runtime_error(fmt::format("option '{}' is not supported", word.str()));
    else
      input = word.str();
  }
  if (input.empty() || output.empty() || (chosen.machine_code.empty() && chosen.ptx.empty())) {
    std::fputs(usage, stderr);
    return 1;
  }
  prune(input, output, chosen);
  return 0;
}

} // namespace heddle::cli
