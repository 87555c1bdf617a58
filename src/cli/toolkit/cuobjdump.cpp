// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/toolkit/cuobjdump.h"

#include "cli/toolkit/images.h"
#include "frontend/command_line/options.h"

#include <cstdio>
#include <fmt/format.h>
#include <stdexcept>

namespace heddle::cli {
namespace {

enum class Wanted { Nothing, Ptx, ListElf, ListPtx, Resources };

constexpr const char *usage =
    "Usage: cuobjdump [options] file\n"
    "  -ptx, --dump-ptx                     PTX of all device images in the file\n"
    "  -lelf, --list-elf                    the images\n"
    "  -lptx, --list-ptx                    the same, as PTX\n"
    "  -res-usage, --dump-resource-usage    registers, memory and parameters of each kernel\n"
    "  --version, -V                        the version\n"
    "A file is an image (ptxas, heddlecc -cubin, -fatbin), an object file, a program or a "
    "library.\n"
    "Heddle makes no machine code of GPUs: -sass and -elf have nothing to show.\n";

void showPtx(const Image &image) {
  fmt::print("\nFatbin ptx code:\n================\narch = sm_{}\ncode version = [8,4]\n"
             "host = linux\ncompile_size = 64bit\nidentifier = {}\n\n{}\n",
             image.info.arch / 10, image.info.source, ptxOf(image));
}

void showResources(const Image &image) {
  fmt::print("\nResource usage:\n");
  for (const KernelInfo &kernel : image.info.kernels)
    fmt::print(" Function {}:\n  REG:{} STACK:{} SHARED:{} LOCAL:0 CONSTANT[0]:{} CONSTANT[3]:{} "
               "TEXTURE:0 SURFACE:0 SAMPLER:0\n",
               kernel.name, kernel.registers, kernel.local_bytes, kernel.static_shared_bytes,
               kernel.parameter_bytes, kernel.constant_bytes);
}

int show(const std::string &path, Wanted wanted) {
  const ImageFile file(path);
  size_t number = 1;
  for (const Image &image : file.images()) {
    if (wanted == Wanted::Ptx)
      showPtx(image);
    else if (wanted == Wanted::Resources)
      showResources(image);
    else
      fmt::print("{} file {:4}: {}.{}.sm_{}.{}\n", wanted == Wanted::ListElf ? "ELF" : "PTX",
                 number, image.info.source, number, image.info.arch / 10,
                 wanted == Wanted::ListElf ? "cubin" : "ptx");
    ++number;
  }
  return 0;
}

} // namespace

int dumpObjects(int argc, char **argv) {
  Wanted wanted = Wanted::Nothing;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "-ptx" || word == "--dump-ptx")
      wanted = Wanted::Ptx;
    else if (word == "-lelf" || word == "--list-elf")
      wanted = Wanted::ListElf;
    else if (word == "-lptx" || word == "--list-ptx")
      wanted = Wanted::ListPtx;
    else if (word == "-res-usage" || word == "--dump-resource-usage")
      wanted = Wanted::Resources;
    else if (word == "-V" || word == "--version")
      return std::fputs(frontend::toolVersion("cuobjdump").c_str(), stdout) < 0;
    else if (word == "-h" || word == "--help")
      return std::fputs(usage, stdout) < 0;
    else if (word.starts_with("-"))
      throw std::runtime_error(fmt::format("option '{}' is not supported", word));
    else
      files.push_back(word);
  }
  if (files.empty() || wanted == Wanted::Nothing) {
    std::fputs(usage, stderr);
    return 1;
  }
  for (const std::string &file : files)
    show(file, wanted);
  return 0;
}

} // namespace heddle::cli
