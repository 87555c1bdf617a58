// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/toolkit/nvdisasm.h"

#include "cli/toolkit/images.h"
#include "frontend/command_line/options.h"

#include <cstdio>
#include <fmt/format.h>
#include <set>
#include <stdexcept>

namespace heddle::cli {
namespace {

constexpr const char *usage =
    "Usage: nvdisasm [options] file\n"
    "Shows the device code of an image (ptxas, heddlecc -cubin), an object file, a program or a\n"
    "library, of heddlecc's or of nvcc's. Heddle makes and reads no machine code of GPUs: what is\n"
    "shown is PTX.\n"
    "  --version, -V    the version\n"
    "Options of NVIDIA's nvdisasm on how instructions are printed have no effect.\n";

// How NVIDIA's prints instructions, which there are none of here.
const std::set<std::string> without_effect = {"c",      "print-code",
                                              "g",      "print-line-info",
                                              "gi",     "print-line-info-inline",
                                              "gp",     "print-line-info-ptx",
                                              "hex",    "print-instruction-encoding",
                                              "json",   "emit-json",
                                              "ndf",    "no-dataflow",
                                              "novliw", "no-vliw",
                                              "plr",    "print-life-ranges",
                                              "sf",     "separate-functions",
                                              "poff",   "print-instruction-offsets-cfg",
                                              "ptx"};

} // namespace

int disassemble(int argc, char **argv) {
  std::string file;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (!word.starts_with("-")) {
      if (!file.empty())
        throw std::runtime_error("only one file can be shown at a time");
      file = word;
      continue;
    }
    word.erase(0, word.starts_with("--") ? 2 : 1);
    if (word == "h" || word == "help")
      return std::fputs(usage, stdout) < 0;
    if (word == "V" || word == "version")
      return std::fputs(frontend::toolVersion("nvdisasm").c_str(), stdout) < 0;
    if (!without_effect.contains(word))
      throw std::runtime_error(fmt::format("option '{}' is not supported", argv[i]));
  }
  if (file.empty()) {
    std::fputs(usage, stderr);
    return 1;
  }
  const ImageFile input(file);
  for (const Image &image : input.images())
    fmt::print("// Heddle makes no machine code of GPUs: this is the PTX of {} (sm_{})\n{}\n",
               image.info.source, image.info.arch / 10, ptxOf(image));
  for (const FatBinaryCode &code : input.fatBinaryCodes())
    if (code.kind == FatBinaryCode::Ptx)
      fmt::print("// PTX for sm_{} in a fat binary of nvcc's\n{}\n", code.capability, textOf(code));
    else if (code.kind == FatBinaryCode::MachineCode)
      fmt::print("// Machine code for sm_{} in a fat binary of nvcc's: Heddle does not read it\n",
                 code.capability);
  return 0;
}

} // namespace heddle::cli
