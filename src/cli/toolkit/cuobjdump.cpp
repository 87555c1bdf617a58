// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/toolkit/cuobjdump.h"

#include "cli/toolkit/images.h"
#include "frontend/command_line/options.h"

#include <cstdio>
#include <filesystem>
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
    "library,\nof heddlecc's or of nvcc's, or a fat binary of nvcc's.\n"
    "Heddle makes and reads no machine code of GPUs: -sass and -elf have nothing to show.\n";

void showHeader(const char *kind, unsigned capability, std::string_view name) {
  fmt::print("\nFatbin {} code:\n================\narch = sm_{}\ncode version = [8,4]\n"
             "host = linux\ncompile_size = 64bit\n",
             kind, capability);
  if (!name.empty())
    fmt::print("identifier = {}\n", name);
}

void showResources(const ImageInfo &info) {
  fmt::print("\nResource usage:\n");
  for (const KernelInfo &kernel : info.kernels)
    fmt::print(" Function {}:\n  REG:{} STACK:{} SHARED:{} LOCAL:0 CONSTANT[0]:{} CONSTANT[3]:{} "
               "TEXTURE:0 SURFACE:0 SAMPLER:0\n",
               kernel.name, kernel.registers, kernel.local_bytes, kernel.static_shared_bytes,
               kernel.parameter_bytes, kernel.constant_bytes);
}

/// Shows the device code of one file, which it numbers.
class Dump {
public:
  Dump(const std::string &path, Wanted wanted)
      : wanted_(wanted), stem_(std::filesystem::path(path).stem().string()) {}

  void show(const Image &image) {
    if (wanted_ == Wanted::Ptx) {
      showHeader("ptx", image.info.arch / 10, image.info.source);
      fmt::print("\n{}\n", ptxOf(image));
    } else if (wanted_ == Wanted::Resources) {
      showResources(image.info);
    } else {
      list(wanted_ == Wanted::ListPtx, image.info.source, image.info.arch / 10);
    }
  }

  /// Machine code is listed; there is nothing else to be told of it.
  void show(const FatBinaryCode &code) {
    const bool is_ptx = code.kind == FatBinaryCode::Ptx;
    const std::string name = code.name.empty() ? stem_ : std::string(code.name);
    if (code.kind == FatBinaryCode::Other)
      return;
    if (wanted_ == Wanted::Resources && is_ptx)
      showResources(infoOfPtx(textOf(code), name, code.capability));
    else if (wanted_ == Wanted::Ptx)
      showHeader(is_ptx ? "ptx" : "elf", code.capability, code.name);
    if (wanted_ == Wanted::Ptx && is_ptx)
      fmt::print("\n{}\n", textOf(code));
    if (is_ptx ? wanted_ == Wanted::ListPtx : wanted_ == Wanted::ListElf)
      list(is_ptx, name, code.capability);
  }

private:
  void list(bool is_ptx, const std::string &name, unsigned capability) {
    ++number_;
    fmt::print("{} file {:4}: {}.{}.sm_{}.{}\n", is_ptx ? "PTX" : "ELF", number_, name, number_,
               capability, is_ptx ? "ptx" : "cubin");
  }

  const Wanted wanted_;
  const std::string stem_;
  size_t number_ = 0;
};

void show(const std::string &path, Wanted wanted) {
  const ImageFile file(path);
  Dump dump(path, wanted);
  for (const Image &image : file.images())
    dump.show(image);
  for (const FatBinaryCode &code : file.fatBinaryCodes())
    dump.show(code);
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
